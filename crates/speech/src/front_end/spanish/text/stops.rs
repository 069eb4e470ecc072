//! Which periods end a sentence, and which belong to an abbreviation, an initial or a number.

use super::words::{self, Kind};

/// Whether a single period after `word` ends its sentence when `next` follows, which starts with
/// neither a lower-case letter nor a mark. `head` is the sentence before the word.
pub(super) fn ends_after(head: &str, word: &str, next: &str) -> bool {
    let next_word = &next[..next.find(|c: char| !c.is_alphanumeric()).unwrap_or(next.len())];
    let digit_follows = next.starts_with(|c: char| c.is_ascii_digit());
    // The number of a list item or a heading.
    if head.trim_start_matches(['#', '>', ' ']).is_empty()
        && word.bytes().all(|byte| byte.is_ascii_digit())
        && word.len() <= 3
    {
        return false;
    }
    let previous = head.trim_end();
    let previous = &previous[previous.rfind(char::is_whitespace).map_or(0, |at| at + 1)..];
    // The second half of "EE. UU.", "a. C.", "S. A.": its period may also end the sentence.
    let halves = format!("{previous}{word}.");
    if let Some((_, kind)) = words::joined(&halves) {
        return kind != Kind::BeforeName && words::starts_sentence(next_word);
    }
    let first_half = format!("{word}.{next_word}.");
    if words::joined(&first_half).is_some() {
        return false;
    }
    let mut chars = word.chars();
    if let (Some(initial), None) = (chars.next(), chars.next())
        && initial.is_uppercase()
    {
        // An initial, unless the letter is the end of a name: "la vitamina C. El…".
        return words::starts_sentence(next_word) && previous.starts_with(char::is_lowercase);
    }
    // As in "3 ene. 1950".
    if digit_follows && word.len() <= 4 && words::month(word).is_some() {
        return false;
    }
    match words::abbreviation(word) {
        Some((_, Kind::BeforeName)) => false,
        Some((_, Kind::BeforeNumber)) => {
            !digit_follows && crate::front_end::roman::value(next_word).is_none()
        }
        Some((_, Kind::Anywhere)) => words::starts_sentence(next_word),
        None if word.contains('.') && word.split('.').all(|part| part.chars().count() <= 2) => {
            words::starts_sentence(next_word)
        }
        None => true,
    }
}
