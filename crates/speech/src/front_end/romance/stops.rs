//! Which periods end a sentence, and which belong to an abbreviation, an initial or a number.

use super::{grammar::Words, words::Kind};

/// Whether a single period after `word` ends its sentence when `next` follows, which starts with
/// neither a lower-case letter nor a mark. `head` is the sentence before the word.
pub(super) fn ends_after(words: &Words, head: &str, word: &str, next: &str) -> bool {
    // "L'avv. Conti": the elided word belongs to the one before.
    let word = word.rsplit('\'').next().unwrap_or(word);
    // "O Ten.-Cel. Lima": the last of two ranks.
    let last = word.rsplit('-').next().unwrap_or(word);
    let word =
        if words.abbreviation(last).is_some_and(|(_, kind)| kind == Kind::BeforeName) { last } else { word };
    let next_word = &next[..next.find(|c: char| !c.is_alphanumeric()).unwrap_or(next.len())];
    // "Bât. C": a letter, which begins no sentence unless it is elided or a word.
    let elided = next[next_word.len()..].starts_with('\'');
    let letter = next_word.len() == 1 && !elided && !"AEIOUY".contains(next_word);
    let begins_sentence = !letter && words.starts_sentence(next_word);
    let digit_follows = next.starts_with(|c: char| c.is_ascii_digit());
    // The number of a list item or a heading.
    if head.trim_start_matches(['#', '>', ' ']).is_empty()
        && word.bytes().all(|byte| byte.is_ascii_digit())
        && word.len() <= 3
    {
        return false;
    }
    let previous = head.trim_end().rsplit(char::is_whitespace).next().unwrap_or("");
    // The second half of "EE. UU.", "a. C.", "S. A.": its period may also end the sentence.
    let whole = format!("{word}.");
    let halves = format!("{previous}{whole}");
    if let Some((_, kind)) = words.joined(&halves).or_else(|| words.joined(&whole)) {
        return kind != Kind::BeforeName && words.starts_sentence(next_word);
    }
    let first_half = format!("{word}.{next_word}.");
    let begins = |own: &str| own.strip_prefix(first_half.as_str()).is_some_and(|rest| rest.starts_with('-'));
    if words.joined(&first_half).is_some() || words.joined.iter().any(|(own, ..)| begins(own)) {
        return false;
    }
    let mut chars = word.chars();
    if let (Some(initial), None) = (chars.next(), chars.next())
        && initial.is_uppercase()
        && !words.titles.contains(&word)
    {
        // An initial, unless the letter is the end of a name: "la vitamina C. El…".
        return words.starts_sentence(next_word) && previous.starts_with(char::is_lowercase);
    }
    // "Vie. 13/10"
    let lower = word.to_lowercase();
    if digit_follows && words.weekdays.iter().any(|names| names[1..].contains(&lower.as_str())) {
        return false;
    }
    // As in "3 ene. 1950".
    let name = word.rsplit(['-', '/', '–']).next().unwrap_or(word);
    if digit_follows && name.len() <= 4 && words.month(name).is_some() {
        return false;
    }
    // "Habitación No. 5": a sentence goes on.
    let goes_on = head.trim_end().ends_with(|c: char| c.is_alphanumeric() || c == ',');
    if word == "No" && digit_follows && goes_on {
        return false;
    }
    match words.abbreviation(word) {
        Some((_, Kind::BeforeName)) => false,
        Some((_, Kind::BeforeNumber)) => {
            // "Bl. B", too.
            let lettered = next_word.len() == 1
                && ["bl", "sc", "int", "cj", "qd", "ap", "esc", "pta", "lt"]
                    .contains(&word.to_lowercase().as_str());
            !digit_follows && !letter && !lettered && crate::front_end::roman::value(next_word).is_none()
        }
        // "Bât. A"
        Some((said, Kind::Anywhere)) => {
            begins_sentence && !(["bâtiment", "escalier"].contains(&said) && next_word.len() == 1)
        }
        None if word.contains('.') && word.split('.').all(|part| part.chars().count() <= 2) => {
            words.starts_sentence(next_word)
        }
        None => true,
    }
}
