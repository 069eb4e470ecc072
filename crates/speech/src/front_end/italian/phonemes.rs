//! Converts spoken words to phonemes by rule: `stress` finds the stressed vowel of a word, `letters`
//! its sounds, and `words` has what is not read as it is written.
//!
//! The symbols are those that espeak-ng writes for Italian, in misaki's mapping to Kokoro's alphabet,
//! because the voices were trained on that output: `S` is a long s, an unstressed u is ʊ, and so is
//! i as ɪ at the end of a word. The rules are our own, found by comparison with its output for
//! single words.

mod letters;
mod open;
mod stress;
mod words;

use crate::front_end::romance::{phonemes::Word, word_set::WordSet};

/// How loud the stressed vowel of a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loudness {
    None,
    Secondary,
    Primary,
}

impl Loudness {
    const fn mark(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Secondary => "ˌ",
            Self::Primary => "ˈ",
        }
    }
}

/// The phonemes of each word of a clause.
pub(super) fn clause(words: &[Word<'_>]) -> Vec<String> {
    let last = words.len().saturating_sub(1);
    let said = |(index, word): (usize, &Word<'_>)| {
        let near = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", |word| word.text);
        let before = near(index.checked_sub(1));
        let after = [1, 2].map(|offset| near(index.checked_add(offset)));
        let principles = word.given.is_none() && is_principles(word.text, before, after);
        if principles { "prinʧˈipɪ".to_owned() } else { pronounce(word, index == last) }
    };
    words.iter().enumerate().map(said).collect()
}

/// "I principi del diritto", principles, against "i principi di Savoia", princes: by what is before
/// and after.
fn is_principles(text: &str, before: &str, [next, after]: [&str; 2]) -> bool {
    static BEFORE: WordSet = WordSet::new("i dei sui ai nei coi suoi loro stessi");
    static NEXT: WordSet =
        WordSet::new("della dell delle fondamentali generali morali attivi etici costituzionali democratici");
    let next = next.split('\'').next().unwrap_or(next);
    let of_name = after.starts_with(char::is_uppercase);
    text.eq_ignore_ascii_case("principi")
        && !of_name
        && (NEXT.contains(next)
            || (BEFORE.contains(&before.to_lowercase()) && matches!(next, "di" | "del" | "dei")))
}

/// `last` means that a pause follows, before which function words are stressed, too.
fn pronounce(word: &Word<'_>, last: bool) -> String {
    if let Some(given) = &word.given {
        return given.clone();
    }
    let lower = word.text.to_lowercase();
    let mut said = String::with_capacity(lower.len() * 2);
    let mut rest = lower.as_str();
    // "Dell'acqua": an elided word has no stress of its own.
    while let Some((head, tail)) = rest.split_once('\'') {
        if tail.is_empty() {
            break;
        }
        said.push_str(&elided(head));
        rest = tail;
    }
    let text = rest.trim_matches('\'');
    let loudness = match words::loudness(text) {
        _ if last || (text == "è" && !said.is_empty()) => Loudness::Primary,
        loudness => loudness,
    };
    // "L'ancora", the anchor; "ancora" alone is "still".
    let anchor = text == "ancora" && !said.is_empty();
    said.push_str(&if anchor { "ˈankora".to_owned() } else { part(text, loudness) });
    said
}

/// The sounds of a word that lost its last vowel: `l'`, `c'`, `dell'`.
fn elided(head: &str) -> String {
    match head {
        "c" => "ʧ".to_owned(),
        "g" => "ʤ".to_owned(),
        "d" | "l" | "m" | "n" | "s" | "t" | "v" => head.to_owned(),
        _ => part(head, Loudness::None),
    }
}

/// The sounds of a word without apostrophes.
fn part(text: &str, loudness: Loudness) -> String {
    if let Some(said) = words::said(text) {
        let said = said.replace('ˈ', loudness.mark());
        let said = if loudness == Loudness::None { said.replace('ɛ', "e") } else { said };
        // "Gli", "mi": without stress, the last i is short.
        return match said.strip_suffix('i') {
            Some(stem) if loudness == Loudness::None => format!("{stem}ɪ"),
            _ => said,
        };
    }
    let plain: Vec<char> = text.chars().filter_map(letters::plain).collect();
    let stressed = stress::of(text, &plain);
    letters::sounds(text, &plain, stressed, loudness)
}

/// Whether a letter is a vowel.
fn is_vowel(c: char) -> bool {
    "aeiouàèéìíòóùú".contains(c)
}
