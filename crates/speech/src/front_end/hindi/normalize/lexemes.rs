//! Words that are not said as they are written: abbreviations, initialisms with stops, amounts after
//! `रु.` and `Rs.`.

use super::{Reader, amounts};
use crate::front_end::{
    hindi::{script, words},
    scan,
};

/// The most letters of a part of an initialism.
const LONGEST_INITIAL: usize = 6;

/// Reads what starts here, if it is one of these.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    if !r.char().is_some_and(script::is_hindi) {
        return false;
    }
    given(r) || rupees(r, &["रु.", "रु", "रू.", "रुपये"]) || abbreviation(r) || initialism(r)
}

/// A word whose pronunciation the lexicon has is copied as it is.
fn given(r: &mut Reader<'_>) -> bool {
    let end = r.at + letters(r.rest());
    let known = r.language.lexicon.get(scan::slice(r.t, r.at..end)).is_some();
    if known {
        r.copy(end);
    }
    known
}

/// Bytes of the run of letters and signs at the start of a text.
fn letters(text: &str) -> usize {
    text.find(|c: char| !script::is_hindi(c)).unwrap_or(text.len())
}

/// Reads an amount after the word for rupees.
pub(super) fn rupees(r: &mut Reader<'_>, names: &[&str]) -> bool {
    let Some(name) = names.iter().find(|name| r.rest().starts_with(**name)) else { return false };
    let at = scan::past_space(r.t, r.at + name.len());
    if !scan::digit_at(r.t, at) {
        return false;
    }
    let Some(currency) = words::currency('₹') else { return false };
    amounts::money(r, at, &currency);
    true
}

/// `डॉ.`, `कि.मी.`: the longest that fits; with its last stop.
fn abbreviation(r: &mut Reader<'_>) -> bool {
    let rest = r.rest();
    let mut best: Option<(usize, &str)> = None;
    for &(own, said) in words::ABBREVIATIONS {
        let fits = rest.strip_prefix(own).is_some_and(|after| after.starts_with('.'));
        if fits && best.is_none_or(|(length, _)| own.len() > length) {
            best = Some((own.len(), said));
        }
    }
    let Some((length, said)) = best else { return false };
    let own = scan::slice(rest, ..length);
    let number_before = scan::slice(r.t, ..r.at).trim_end().ends_with(|c: char| c.is_ascii_digit());
    let number_after = scan::digit_at(r.t, scan::past_space(r.t, r.at + length + 1));
    let end = r.at + length + 1;
    let era = own == "ई" && scan::tail(r.t, end).trim_start().starts_with("सन");
    // At the end of a text the stop may be that of its sentence.
    let last = scan::tail(r.t, end).trim_start().is_empty();
    if words::BEFORE_A_NUMBER.contains(&own)
        && !number_before
        && !number_after
        && !era
        && (last || own != "मो")
    {
        return false;
    }
    r.say(said, if last { end - 1 } else { end });
    if last {
        r.skip(end - 1);
    }
    true
}

/// `बी.जे.पी.`, `एम.ए.`: letters by name, without their stops.
fn initialism(r: &mut Reader<'_>) -> bool {
    let mut at = r.at;
    let mut parts = Vec::new();
    loop {
        let length = letters(script::head(scan::tail(r.t, at)));
        let name = scan::slice(r.t, at..at + length);
        if name.is_empty() || name.chars().count() > LONGEST_INITIAL || !words::is_initial(name) {
            break;
        }
        if !scan::tail(r.t, at + length).starts_with('.') {
            break;
        }
        parts.push((at, at + length));
        at += length + 1;
    }
    // One name alone is an initial: `के. आर. नारायणन`.
    let followed = scan::tail(r.t, at).trim_start().starts_with(|c: char| c.is_alphanumeric());
    if parts.is_empty() || (parts.len() == 1 && !(followed && scan::tail(r.t, at).starts_with(' '))) {
        return false;
    }
    for &(from, to) in &parts {
        r.skip(from);
        r.out.space(from..from);
        r.copy(to);
    }
    let stop = parts.last().map_or(r.at, |&(_, to)| to);
    let last = scan::tail(r.t, stop + 1).trim_start().is_empty();
    r.skip(if last { stop } else { stop + 1 });
    if !last {
        r.out.space(stop..stop + 1);
    }
    true
}
