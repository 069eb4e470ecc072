//! Units of measure after a number: their names, singular and plural, and their gender.

use super::Reader;
use crate::front_end::{
    romance::{figures::Form, grammar::Unit},
    scan,
};

/// A unit after a number.
#[derive(Debug)]
pub(super) struct Measure {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) one: String,
    pub(super) many: String,
    pub(super) form: Form,
}

/// The unit after a number that ends at `at`, after at most one space.
pub(super) fn at(r: &Reader<'_>, at: usize) -> Option<Measure> {
    let (t, amounts) = (r.t, r.amounts());
    let start = scan::past_space(t, at);
    let spaced = start > at;
    let ((_, one, many, form), mut end) = unit(r, start)?;
    // A single capital after a space may mean anything, and so may a quotation mark.
    let written = scan::slice(t, start..end);
    if spaced && amounts.tight_units.contains(&written) {
        return None;
    }
    if written == "\"" && scan::slice(t, ..at).matches('"').count() % 2 == 1 {
        return None;
    }
    // "El 3A" is a class, "16 A" are amperes.
    // "12 d.C." is a year.
    if written == "d" && (!spaced || scan::tail(t, end).trim_start_matches(['.', ' ']).starts_with('C')) {
        return None;
    }
    if written == "A" && !spaced && scan::digits(t, at.saturating_sub(1)) == at {
        return None;
    }
    if written == "ha" && spaced && is_verb(scan::word(t, scan::past_space(t, end))) {
        return None;
    }
    let (mut one, mut many) = ((*one).to_owned(), (*many).to_owned());
    let powers = [("²", amounts.square), ("³", amounts.cube), ("^2", amounts.square), ("^3", amounts.cube)];
    let plain = [("2", amounts.square), ("3", amounts.cube)];
    for (sign, (power, all)) in powers.into_iter().chain(plain) {
        if scan::tail(t, end).starts_with(sign)
            && one.ends_with(amounts.metre)
            && scan::edge(t, end + sign.len())
        {
            end += sign.len();
            one = format!("{one} {power}");
            many = format!("{many} {all}");
            break;
        }
    }
    // `hab./km²`
    if scan::tail(t, end).starts_with("./") {
        end += 1;
    }
    if scan::tail(t, end).starts_with('/')
        && let Some(((_, per, ..), mut stop)) = unit(r, end + 1)
    {
        let mut per = (*per).to_owned();
        for (sign, (power, _)) in powers.into_iter().chain(plain) {
            if scan::tail(t, stop).starts_with(sign) {
                stop += sign.len();
                // "Metros por segundo al cuadrado".
                let names = &r.signs().names;
                let squared = if sign.ends_with(['²', '2']) { names.squared } else { names.cubed };
                let power = if per.ends_with(amounts.metre) { power } else { squared };
                per = format!("{per} {power}");
                break;
            }
        }
        end = stop;
        let per = r.grammar().per(&per);
        one = format!("{one} {per}");
        many = format!("{many} {per}");
    }
    // `cdas/día`
    if let Some((per, stop)) = self::per(r, end) {
        one = format!("{one} {per}");
        many = format!("{many} {per}");
        end = stop;
    }
    (scan::edge(t, end)).then_some(Measure { start, end, one, many, form: *form })
}

/// Whether a word after `ha` is a participle: "il numero 3 ha preso", "el 5 ha ganado".
fn is_verb(next: &str) -> bool {
    ["to", "so", "do", "cho"].iter().any(|ending| next.ends_with(ending)) && next.len() > 3
}

/// `el m²`, `por km/h`: a squared unit or a speed without a number before it.
pub(super) fn alone(r: &mut Reader<'_>) -> bool {
    let letters = scan::letters(r.t, r.at);
    let powered = scan::tail(r.t, letters).starts_with(['²', '³']);
    if !powered || letters > r.at + 2 {
        return false;
    }
    let Some(measure) = at(r, r.at).filter(|measure| measure.start == r.at && measure.end > letters) else {
        return false;
    };
    r.say(&measure.one, measure.end);
    true
}

/// What an amount of money is paid for, `/h` or `/kg` or `/mes` at `at`, and where it ends.
pub(super) fn per(r: &Reader<'_>, at: usize) -> Option<(String, usize)> {
    if !scan::tail(r.t, at).starts_with('/') {
        return None;
    }
    if let Some(((_, per, ..), end)) = unit(r, at + 1) {
        let amounts = r.amounts();
        let power = [("²", amounts.square.0), ("³", amounts.cube.0), ("2", amounts.square.0)]
            .into_iter()
            .find(|(sign, _)| per.ends_with(amounts.metre) && scan::tail(r.t, end).starts_with(sign));
        if let Some((sign, power)) = power {
            return Some((r.grammar().per(&format!("{per} {power}")), end + sign.len()));
        }
        return scan::edge(r.t, end).then(|| (r.grammar().per(per), end));
    }
    let word = scan::word(r.t, at + 1);
    // `2 €/u`: a letter that is a word after a number.
    if matches!(word, "u" | "un" | "ud") {
        let unit = r.amounts().units.iter().find(|unit| ["uds", "un", "ud"].contains(&unit.0));
        let said = unit.map_or("unità", |unit| unit.1);
        return scan::edge(r.t, at + 1 + word.len()).then(|| (r.grammar().per(said), at + 1 + word.len()));
    }
    let named = word.chars().count() > 1 && word.chars().all(char::is_lowercase);
    named.then(|| (r.grammar().per(word), at + 1 + word.len()))
}

/// The longest unit at `at`, and its end.
fn unit(r: &Reader<'_>, at: usize) -> Option<(&'static Unit, usize)> {
    let t = r.t;
    let rest = scan::tail(t, at);
    let fits = |unit: &&Unit| {
        let end = at + unit.0.len();
        // "2024 l'inflazione": an elided word.
        rest.starts_with(unit.0)
            && !scan::tail(t, end).starts_with('\'')
            && (!scan::char_at(t, end).is_some_and(char::is_alphabetic) || unit.0 == "°")
            && !(unit.0 == "°" && scan::char_at(t, end).is_some_and(char::is_alphabetic))
    };
    r.amounts()
        .units
        .iter()
        .filter(fits)
        .max_by_key(|unit| unit.0.len())
        .map(|unit| (unit, at + unit.0.len()))
}
