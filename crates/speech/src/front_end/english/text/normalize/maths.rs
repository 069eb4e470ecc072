//! What only formulas have: `f(x)`, `|x|`, `n!`, `1.5e-3`.

use super::{
    Reader, reading,
    scan::{self, Quantity},
};
use crate::front_end::english::text::words;

/// Longest argument of a function, and longest value between bars, that is read as such.
const SHORT: usize = 6;

/// `f(x)`, `P(A, B)`, `sin(θ)`: "f of x"; asked where a word starts.
pub(super) fn function(r: &mut Reader<'_>) -> bool {
    let written = scan::word(r.t, r.at);
    let named = NAMED.iter().find(|(short, _)| *short == written).map(|(_, said)| *said);
    let letter = || (written.len() == 1 && "fghpuvyFGHPT".contains(written)).then_some(written);
    let Some(name) = named.or_else(letter) else { return false };
    if let Some(name) = named.filter(|_| of_an_angle(r, r.at + written.len())) {
        r.say(name, r.at + written.len());
        return true;
    }
    let Some(inner) = scan::tail(r.t, r.at + written.len()).strip_prefix('(') else { return false };
    let Some((inner, after)) = inner.split_once(')').filter(|(inner, _)| inner.len() <= SHORT) else {
        return false;
    };
    // "my sin(s)", "see log(1)"
    let is_formula = inner != "s" && (!inner.starts_with(|c: char| c.is_ascii_digit()) || goes_on(after));
    if named.is_some() && !is_formula {
        return false;
    }
    let Some(said) = inner.split(',').map(|part| variable(r, part.trim())).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let end = r.at + written.len() + inner.len() + 2;
    r.say(&format!("{name} of {}", said.join(" ")), end);
    true
}

/// Whether a Greek letter or degrees follow: "sin θ", "cos 60°".
fn of_an_angle(r: &Reader<'_>, end: usize) -> bool {
    let Some(rest) = scan::tail(r.t, end).strip_prefix(' ') else { return false };
    let digits = scan::digits(rest, 0);
    let is_letter = rest
        .chars()
        .next()
        .is_some_and(|c| words::greek_letter(c).is_some() && scan::edge(rest, c.len_utf8()));
    is_letter || (digits > 0 && rest[digits..].starts_with('°'))
}

/// Functions whose names are words or parts of words.
const NAMED: [(&str, &str); 6] = [
    ("sin", "sine"),
    ("cos", "cosine"),
    ("tan", "tangent"),
    ("log", "log"),
    ("ln", "natural log"),
    ("exp", "exp"),
];

/// Whether a comparison or a sum follows.
fn goes_on(after: &str) -> bool {
    after.trim_start().starts_with(['<', '>', '=', '≤', '≥', '≈', '≠', '+', '-', '−'])
}

/// `|x|` before a comparison or a sum.
pub(super) fn absolute(r: &mut Reader<'_>) -> bool {
    let Some((inner, after)) = scan::tail(r.t, r.at + 1).split_once('|') else { return false };
    let Some(said) = variable(r, inner).filter(|_| goes_on(after)) else { return false };
    r.say(&format!("the absolute value of {said}"), r.at + inner.len() + 2);
    true
}

/// One letter, or a whole number.
fn variable(r: &Reader<'_>, written: &str) -> Option<String> {
    let mut letters = written.chars();
    if let (Some(letter), None) = (letters.next(), letters.next())
        && letter.is_alphabetic()
    {
        return Some(words::greek_letter(letter).map_or_else(|| letter.to_string(), str::to_owned));
    }
    let number = !written.is_empty() && written.len() <= SHORT && written.bytes().all(|b| b.is_ascii_digit());
    number.then(|| r.language.figures.cardinal(written))
}

/// Whether the `!` at the reader's place stands after the variable of a factorial.
pub(super) fn is_factorial(r: &Reader<'_>) -> bool {
    let head = scan::slice(r.t, ..r.at);
    // `5! = 120`
    let is_in_formula = scan::tail(r.t, scan::past_space(r.t, r.at + 1)).starts_with(['=', '×', '≈']);
    if is_in_formula && head.ends_with(|c: char| c.is_ascii_digit()) {
        return true;
    }
    let mut back = head.chars().rev();
    let variable = back.next().is_some_and(|c| matches!(c, 'n' | 'k' | 'm'));
    let alone = back.next().is_none_or(|c| matches!(c, ' ' | '(' | '/' | '='));
    variable && alone && !scan::tail(r.t, r.at + 1).starts_with(['!', '?'])
}

/// `1.5e-3`, `6.02E23`.
pub(super) fn scientific(r: &mut Reader<'_>, quantity: &Quantity<'_>) -> bool {
    let rest = scan::tail(r.t, quantity.end);
    if !rest.starts_with(['e', 'E']) {
        return false;
    }
    let sign = scan::char_at(r.t, quantity.end + 1).filter(|c| matches!(c, '-' | '−' | '+'));
    let from = quantity.end + 1 + sign.map_or(0, char::len_utf8);
    let end = scan::digits(r.t, from);
    let clear = sign.is_some() || !quantity.fraction.is_empty();
    if !clear || end == from || end - from > 3 || !scan::edge(r.t, end) {
        return false;
    }
    let words = reading::reading(r, quantity, false);
    r.say(&words, quantity.end);
    let minus = if matches!(sign, Some('-' | '−')) { "minus " } else { "" };
    let power = r.language.figures.cardinal(scan::slice(r.t, from..end));
    r.say(&format!("times ten to the power of {minus}{power}"), end);
    true
}
