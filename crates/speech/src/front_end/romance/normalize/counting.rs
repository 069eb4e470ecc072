//! How a number agrees with its context.

use super::Reader;
use crate::front_end::{romance::figures::Form, scan};

/// The form of a number that ends at `end`, from its noun, or from the article before it.
pub(super) fn form(r: &Reader<'_>, value: Option<u64>, end: usize) -> Form {
    let before = r.word_before().to_lowercase();
    let words = r.words();
    let feminine = words.feminine.contains(&before.as_str());
    if words.numbers(&before) {
        return Form::Alone;
    }
    match noun(r, value == Some(1), end) {
        Some(noun) => {
            if feminine || (r.grammar().is_feminine(noun) && !words.masculine.contains(&before.as_str())) {
                Form::Feminine
            } else {
                Form::Masculine
            }
        }
        None if feminine || (value == Some(1) && is_one_of_them(r, end)) => Form::Feminine,
        None => before_another(r, end),
    }
}

/// "De 2 a 3 h", "1 ou 2 colheres": the form of the number that follows.
fn before_another(r: &Reader<'_>, end: usize) -> Form {
    let rest = scan::tail(r.t, end);
    let links = [r.amounts().to, "ou", "o"];
    let link = links.iter().find(|link| {
        rest.strip_prefix(' ')
            .and_then(|rest| rest.strip_prefix(**link))
            .is_some_and(|rest| rest.starts_with(' '))
    });
    let Some(link) = link else { return Form::Alone };
    let second = end + link.len() + 2;
    let stop = scan::digits(r.t, second);
    if stop == second || stop > second + 3 {
        return Form::Alone;
    }
    let counted = noun(r, false, stop).map(|noun| r.grammar().is_feminine(noun));
    let measured = super::units::at(r, stop).map(|measure| measure.form == Form::Feminine);
    if counted.or(measured) == Some(true) { Form::Feminine } else { Form::Alone }
}

/// `21 mil personas, 1 de cada 4`: one of the feminine things that were named right before.
fn is_one_of_them(r: &Reader<'_>, end: usize) -> bool {
    let parts = [" de cada ", " em cada ", " sur ", " su "];
    let part = parts.iter().find(|part| scan::tail(r.t, end).starts_with(**part));
    let counted = part.is_some_and(|part| scan::digit_at(r.t, end + part.len()));
    let named = scan::slice(r.t, ..r.at).strip_suffix(", ").unwrap_or("");
    let noun = scan::word_ending(named, named.len());
    counted && noun.chars().count() > 3 && r.grammar().is_plural(noun) && r.grammar().is_feminine(noun)
}

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
            && !r.words().closed.contains(&word)
            // "Trois fois quatre" counts nothing.
            && !(word == "fois" && scan::digit_at(r.t, at + " fois ".len()))
            && r.words().month(word).is_none()
            && (one || r.grammar().is_plural(word));
        if !counted {
            return None;
        }
        if !r.grammar().is_neutral(word) {
            return Some(word);
        }
        at += 1 + word.len();
    }
    None
}
