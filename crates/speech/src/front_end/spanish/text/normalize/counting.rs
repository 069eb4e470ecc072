//! How a number agrees with its context.

use super::Reader;
use crate::front_end::{
    scan,
    spanish::text::{figures::Form, genders, words},
};

/// The form of a number that ends at `end`, from its noun, or from the article before it.
pub(super) fn form(r: &Reader<'_>, value: Option<u64>, end: usize) -> Form {
    let before = r.word_before().to_lowercase();
    let feminine = FEMININE.contains(&before.as_str());
    if words::numbers(&before) {
        return Form::Alone;
    }
    match noun(r, value == Some(1), end) {
        Some(noun) => {
            if feminine || (genders::is_feminine(noun) && !MASCULINE.contains(&before.as_str())) {
                Form::Feminine
            } else {
                Form::Masculine
            }
        }
        None if feminine && before != "la" => Form::Feminine,
        None => Form::Alone,
    }
}

/// Words before a number that show its gender.
const FEMININE: [&str; 14] = [
    "las", "unas", "otras", "estas", "esas", "aquellas", "algunas", "muchas", "nuestras", "vuestras",
    "todas", "cuyas", "ambas", "varias",
];
const MASCULINE: [&str; 10] =
    ["los", "unos", "otros", "estos", "esos", "aquellos", "algunos", "nuestros", "vuestros", "cuyos"];

/// The noun after a number: a lower-case word, in the plural unless the number is one. Adjectives
/// are skipped.
pub(super) fn noun<'a>(r: &Reader<'a>, one: bool, end: usize) -> Option<&'a str> {
    let mut at = end;
    for _ in 0..2 {
        if !scan::tail(r.t, at).starts_with(' ') {
            return None;
        }
        let word = scan::word(r.t, at + 1);
        let counted = word.chars().count() > 2
            && word.chars().all(char::is_lowercase)
            && !words::is_closed(word)
            && words::month(word).is_none()
            && (one || word.ends_with('s') || word == "mil" || word == "gente");
        if !counted {
            return None;
        }
        if !genders::is_neutral(word) {
            return Some(word);
        }
        at += 1 + word.len();
    }
    None
}
