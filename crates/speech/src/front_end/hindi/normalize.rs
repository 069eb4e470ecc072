//! From cleaned text to spoken words: which rules are asked at a place, in which order. The rules
//! themselves are one file a subject below; what they share with other languages is in
//! [`crate::front_end::normalize`].

mod amounts;
mod clock;
mod dates;
mod emoji;
mod lexemes;
mod links;
mod numbers;
mod phones;
mod quantities;
mod symbols;

use super::{figures, script, words};
use crate::{
    front_end::{
        clean::Clean,
        normalize::{self, Language},
        scan,
        spoken::Spoken,
    },
    phonemes::Lexicon,
};

/// Reads a cleaned text.
pub(super) fn read(clean: &Clean, lexicon: &Lexicon) -> Spoken {
    normalize::read(clean, State { lexicon })
}

/// The state of one reading.
type Reader<'a> = normalize::Reader<'a, State<'a>>;

/// What a reading keeps besides what it keeps for all languages.
pub(super) struct State<'a> {
    lexicon: &'a Lexicon,
}

impl<'a> Language<'a> for State<'a> {
    fn read(r: &mut Reader<'a>) -> bool {
        let opens = matches!(r.char(), Some('[' | '<'));
        let fresh = opens || !r.before().is_some_and(|c| c.is_alphanumeric() || script::is_sign(c));
        (fresh && links::read(r))
            || numbers::read(r)
            || (fresh && (foreign(r) || lexemes::read(r)))
            || symbols::read(r)
    }

    fn cardinal(&self, digits: &str) -> String {
        figures::cardinal(digits)
    }

    fn inside_word(r: &mut Reader<'a>) {
        let end = scan::digits(r.t, r.at);
        let words = quantities::plain(scan::slice(r.t, r.at..end));
        r.say(&words, end);
    }
}

/// Copies what the English front end reads.
fn foreign(r: &mut Reader<'_>) -> bool {
    if lexemes::rupees(r, &["Rs.", "Rs", "INR"]) {
        return true;
    }
    if roman(r) {
        return true;
    }
    let Some(end) = script::foreign(r.t, r.at) else { return false };
    r.copy(end);
    true
}

/// `अध्याय IV`, `जॉर्ज VI`, `XXI सदी`: Roman numerals beside Hindi words.
fn roman(r: &mut Reader<'_>) -> bool {
    let end = scan::letters(r.t, r.at);
    let numeral = scan::slice(r.t, r.at..end);
    let touches = |c: char| c.is_alphanumeric() || matches!(c, '.' | '@' | '-' | '\'');
    let after = scan::char_at(r.t, end);
    if !numeral.bytes().all(|byte| b"IVXLC".contains(&byte))
        || after.is_some_and(|c| touches(c) && !(c == '.' && scan::tail(r.t, end + 1).trim().is_empty()))
    {
        return false;
    }
    let Some(value) = crate::front_end::roman::value(numeral) else { return false };
    let before = if r.before() == Some(' ') { word_before(r) } else { "" };
    let next = word_after(r, end);
    let numbered = words::NUMBERED.contains(&before);
    let words = if numbered {
        figures::number(value)
    } else if words::CENTURIES.contains(&next) {
        figures::ordinal(&value.to_string(), "वीं")
    } else if words::KINGS.contains(&before) || (numeral.len() > 1 && before.starts_with(script::is_hindi)) {
        figures::regal(value)
    } else {
        return false;
    };
    r.say(&words, end);
    true
}

/// The word before, across one space at most.
fn word_before<'a>(r: &Reader<'a>) -> &'a str {
    let head = scan::slice(r.t, ..r.at);
    let head = head.strip_suffix(' ').unwrap_or(head);
    script::word_ending(head)
}

/// The word after `at`, across one space at most, with its marks.
fn word_after<'a>(r: &Reader<'a>, at: usize) -> &'a str {
    let rest = scan::tail(r.t, scan::past_space(r.t, at));
    let end = rest.char_indices().take(script::LONGEST_LOOK).find(|(_, c)| !script::is_hindi(*c));
    end.map_or_else(|| script::head(rest), |(end, _)| &rest[..end])
}
