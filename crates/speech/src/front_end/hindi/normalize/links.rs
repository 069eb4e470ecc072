//! What is written for machines and for clicking: Markdown links and pronunciations, tags,
//! hashtags, handles. Addresses in Latin letters are read by the English front end.

use super::{Reader, State, foreign};
use crate::front_end::{
    hindi::figures,
    normalize::links::{self, Links, name_end},
    scan,
};

/// Reads what starts here, if it is one of these.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    match r.char() {
        Some('[') => links::bracket(r),
        Some('!') if r.rest().starts_with("![") => {
            r.skip(r.at + 1);
            true
        }
        Some('<') => links::tag(r),
        Some('@') => links::handle(r),
        Some('#') => hash(r),
        _ => false,
    }
}

impl<'a> Links<'a> for State<'a> {
    const TAGS: &'static [&'static str] =
        &["a", "b", "br", "code", "div", "em", "h1", "h2", "h3", "hr", "i", "li", "p", "span", "strong", "u"];

    fn sign(&self, c: char) -> Option<&'static str> {
        (c == '@').then_some("ऐट")
    }

    fn digits(&self, digits: &str) -> String {
        figures::each(digits)
    }

    fn label(r: &mut Reader<'a>, _: usize, stop: usize, _: usize) {
        r.copy(stop);
    }

    fn address(r: &mut Reader<'a>) -> bool {
        foreign(r)
    }

    fn is_footnote(r: &Reader<'a>, inner: &str, end: usize) -> bool {
        let is_number = |number: &str| {
            number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0')
        };
        !inner.is_empty()
            && inner.len() <= 16
            && r.before().is_some_and(|c| !c.is_whitespace())
            && inner.split([',', ' ', '-', '–']).all(is_number)
            && scan::edge(r.t, end)
    }
}

/// `#मतदान`, `#1`.
fn hash(r: &mut Reader<'_>) -> bool {
    let start = r.at + 1;
    let end = name_end(r.t, start);
    let word = scan::slice(r.t, start..end);
    if word.is_empty() {
        return false;
    }
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    r.say(if is_number { "नंबर" } else { "हैशटैग" }, start);
    r.out.space(start..start);
    true
}
