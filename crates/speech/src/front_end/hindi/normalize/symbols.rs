//! Everything that is neither a number nor a word: punctuation that stays, quotes and footnote
//! marks that go, signs that have a name.

use super::{Reader, State};
use crate::front_end::{
    emoji,
    hindi::{
        script::{is_hindi, is_sign},
        words,
    },
    normalize::symbols::{self, Names, Symbols, apart, long_dash},
    scan,
};

impl<'a> Symbols<'a> for State<'a> {
    fn names(&self) -> &'static Names {
        const NAMES: Names = Names {
            arrow: "तीर",
            equals: "बराबर",
            plus: "प्लस",
            minus: "माइनस",
            less: "से कम",
            less_or_equal: "से कम या बराबर",
            greater: "से \u{95B}्यादा",
            greater_or_equal: "से \u{95B}्यादा या बराबर",
            times: "गुणा",
            divided_by: "भाग",
            backslash: "बैकस्लैश",
            about: "लगभग",
            about_before: "₹$€£",
            squared: "वर्ग",
            cubed: "घन",
            to_the_power: "घात",
            and: "और",
            n: "एन",
        };
        &NAMES
    }

    fn touches(c: char) -> bool {
        c.is_alphanumeric() || is_hindi(c)
    }
}

/// Signs that have a name.
const NAMED: &[(char, &str)] = &[
    ('%', "प्रतिशत"),
    ('@', "ऐट"),
    ('°', "डिग्री"),
    ('×', "गुणा"),
    ('÷', "भाग"),
    ('±', "प्लस माइनस"),
    ('≈', "लगभग"),
    ('≠', "बराबर नहीं"),
    ('≤', "से कम या बराबर"),
    ('≥', "से \u{95B}्यादा या बराबर"),
    ('√', "वर्गमूल"),
    ('π', "पाई"),
    ('∞', "अनंत"),
    ('§', "धारा"),
    ('→', "तीर"),
    ('©', "कॉपीराइट"),
];

/// Reads the character that comes next, if it is not simply copied.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some(c) = r.char() else { return false };
    let next = r.at + c.len_utf8();
    match c {
        ' ' | '(' | ')' => r.copy(next),
        '\'' => apart(r, next),
        '-' | '–' | '—' | '−' => dash(r, c),
        '#' => r.skip(next),
        c if symbols::read(r, c) => {}
        c if c.is_alphabetic() || is_hindi(c) || is_sign(c) => return false,
        c => named(r, c),
    }
    true
}

/// A sign with a name, an emoji, or something that says nothing.
fn named(r: &mut Reader<'_>, c: char) {
    let next = r.at + c.len_utf8();
    if let Some((_, name)) = NAMED.iter().find(|(sign, _)| *sign == c) {
        r.say(name, next);
        return;
    }
    if super::emoji::read(r) {
        return;
    }
    let end = emoji::picture(r.rest()).map_or(next, |picture| r.at + picture.len());
    if !matches!(c, '®' | '™' | '†' | '‡' | '`' | '·') {
        r.out.space(r.at..end);
    }
    r.skip(end.max(next));
}

/// A hyphen in a word stays, a dash that breaks the sentence is a mark, others are spaces.
fn dash(r: &mut Reader<'_>, c: char) {
    let end = scan::run(r.t, r.at, |c| matches!(c, '-' | '–' | '—' | '−'));
    let next = r.at + c.len_utf8();
    let (before, after) = (r.before(), scan::char_at(r.t, end));
    let tight = end == next && symbols::is_inside(r, end);
    if c == '-' && scan::tail(r.t, end).starts_with('>') {
        r.say("तीर", end + 1);
    } else if tight && c == '-' && before.is_some_and(is_hindi) && after.is_some_and(is_hindi) {
        r.copy(next);
    } else if end == next && before.is_some_and(|b| b.is_ascii_digit()) && amount_follows(r, next) {
        r.say("से", next);
    } else if tight && c != '—' {
        r.space(end);
    } else if r.sum && before == Some(' ') && after == Some(' ') && matches!(c, '-' | '−') {
        r.say("माइनस", end);
    } else {
        long_dash(r, end);
    }
}

/// Whether an amount with its sign starts at a place: `₹50-₹100`.
fn amount_follows(r: &Reader<'_>, at: usize) -> bool {
    scan::char_at(r.t, at)
        .is_some_and(|c| words::currency(c).is_some() && scan::digit_at(r.t, at + c.len_utf8()))
}
