//! Signs that all languages read alike but for their names: those of sums and comparisons, powers,
//! digits above and below the line, smileys.

use super::{Language, Reader};
use crate::front_end::scan;

/// What signs are called.
pub(in crate::front_end) struct Names {
    /// `=>`.
    pub(in crate::front_end) arrow: &'static str,
    pub(in crate::front_end) equals: &'static str,
    pub(in crate::front_end) plus: &'static str,
    pub(in crate::front_end) minus: &'static str,
    pub(in crate::front_end) less: &'static str,
    pub(in crate::front_end) less_or_equal: &'static str,
    pub(in crate::front_end) greater: &'static str,
    pub(in crate::front_end) greater_or_equal: &'static str,
    pub(in crate::front_end) times: &'static str,
    pub(in crate::front_end) divided_by: &'static str,
    pub(in crate::front_end) backslash: &'static str,
    /// `~` before a number, or before one of `about_before`.
    pub(in crate::front_end) about: &'static str,
    pub(in crate::front_end) about_before: &'static str,
    pub(in crate::front_end) squared: &'static str,
    pub(in crate::front_end) cubed: &'static str,
    /// Before an exponent.
    pub(in crate::front_end) to_the_power: &'static str,
    /// `&`, and the word between the last two of several things.
    pub(in crate::front_end) and: &'static str,
    /// The exponent `ⁿ`.
    pub(in crate::front_end) n: &'static str,
}

/// A language whose signs have names.
pub(in crate::front_end) trait Symbols<'a>: Language<'a> {
    fn names(&self) -> &'static Names;

    /// Whether a character belongs to a word or a number, which signs may stick to.
    fn touches(c: char) -> bool {
        c.is_alphanumeric()
    }
}

/// Reads the marks and signs that all languages read alike.
pub(in crate::front_end) fn read<'a, L: Symbols<'a>>(r: &mut Reader<'a, L>, c: char) -> bool {
    let next = r.at + c.len_utf8();
    match c {
        '"' | '{' | '}' | '[' | ']' => apart(r, next),
        '.' | '…' | '॥' => full_stops(r),
        '!' | '?' => {
            let end = scan::run(r.t, r.at, |c| matches!(c, '!' | '?'));
            // A row of both asks.
            let mark = if scan::slice(r.t, r.at..end).contains('?') { "?" } else { "!" };
            r.out.mark(mark, r.at..end);
            r.skip(end);
        }
        ',' | ';' => {
            let end = scan::run(r.t, next, |c| matches!(c, ',' | ';'));
            if r.out.text.is_empty() {
                r.skip(end);
            } else {
                r.copy(next);
            }
            r.skip(end);
        }
        ':' | '<' if face(r) => {}
        ':' => colon(r),
        '<' | '>' | '=' | '+' | '*' | '/' | '\\' | '~' | '^' | '_' => sign(r, c),
        '|' => {
            r.out.comma(r.at..next);
            r.skip(next);
        }
        '&' => {
            let end = if r.rest().starts_with("&amp;") { r.at + 5 } else { next };
            r.say(r.language.names().and, end);
        }
        '²' | '³' | '¹' | '⁰'..='⁹' | '⁺' | '⁻' | 'ⁿ' => superscript(r),
        '₀'..='₉' => subscript(r),
        _ => return false,
    }
    true
}

/// Whether a word or a number stands on both sides of the reader's place and `end`.
pub(in crate::front_end) fn is_inside<'a, L: Symbols<'a>>(r: &Reader<'a, L>, end: usize) -> bool {
    r.before().is_some_and(L::touches) && scan::char_at(r.t, end).is_some_and(L::touches)
}

/// A mark without sound; between letters it is a space.
pub(in crate::front_end) fn apart<'a, L: Symbols<'a>>(r: &mut Reader<'a, L>, next: usize) {
    if is_inside(r, next) {
        r.out.space(r.at..next);
    }
    r.skip(next);
}

/// Writes a dash that breaks the sentence, up to `end`: none where the sentence begins, and none
/// before another mark, which says more.
pub(in crate::front_end) fn long_dash<'a, L: Language<'a>>(r: &mut Reader<'a, L>, end: usize) {
    let after = scan::char_at(r.t, scan::past_space(r.t, end));
    let said = r.out.text.trim_end();
    if after.is_none_or(|c| matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '…' | ')')) {
        return r.skip(end);
    }
    if said.is_empty() || said.ends_with(['—', ',', ';', ':', '.', '!', '?']) {
        r.out.space(r.at..end);
    } else {
        r.out.glue("—", r.at..end);
    }
    r.skip(end);
}

/// Full stops and ellipses; a row of any length is one ellipsis.
fn full_stops<'a, L: Symbols<'a>>(r: &mut Reader<'a, L>) {
    let (mut end, count) = stops(r);
    if end == r.at {
        end = scan::run(r.t, r.at, |c| matches!(c, '॥' | '.'));
    }
    let inside = is_inside(r, end);
    let said = r.out.text.trim_end();
    if count > 2 {
        if said.is_empty() { r.skip(end) } else { r.out.mark("…", r.at..end) }
    } else if count == 1 && inside {
        r.out.space(r.at..end);
    } else if !said.is_empty() && !said.ends_with(['.', '!', '?', '…']) {
        r.out.mark(".", r.at..end);
    }
    r.skip(end);
}

fn colon<'a, L: Symbols<'a>>(r: &mut Reader<'a, L>) {
    let end = scan::run(r.t, r.at, |c| c == ':');
    if end - r.at > 1 || is_inside(r, end) || r.out.text.is_empty() {
        r.space(end);
    } else {
        r.copy(end);
    }
}

/// Smileys made of signs say nothing.
fn face<'a, L: Language<'a>>(r: &mut Reader<'a, L>) -> bool {
    let may_stand = matches!(r.before(), None | Some(' ' | '.' | '!' | '?'));
    let Some(end) = smiley(r).filter(|_| may_stand) else { return false };
    r.skip(end);
    true
}

/// Signs whose reading depends on their neighbors.
pub(in crate::front_end) fn sign<'a, L: Symbols<'a>>(r: &mut Reader<'a, L>, c: char) {
    let names = r.language.names();
    let next = r.at + 1;
    let end = scan::run(r.t, r.at, |other| other == c);
    let before = scan::slice(r.t, ..r.at).trim_end().chars().next_back();
    let after = scan::char_at(r.t, scan::past_space(r.t, end));
    let tight = r.before().is_some_and(char::is_alphanumeric) && !scan::edge(r.t, next);
    let operands = before.is_some_and(|b| b.is_alphanumeric() || ")²³%\"'°".contains(b))
        && after.is_some_and(|a| a.is_alphanumeric() || "(-−+.$£€√".contains(a));
    let spaced = r.before() == Some(' ');
    let number_after = after.is_some_and(|a| a.is_ascii_digit());
    let numbers = before.is_some_and(|b| b.is_ascii_digit()) && number_after;
    let name = match c {
        '=' if r.rest().starts_with("=>") => return r.say(names.arrow, next + 1),
        '=' if end - r.at <= 2 => names.equals,
        '+' => return r.say(names.plus, next),
        '<' | '>' => {
            let (name, or_equal) = if c == '<' {
                (names.less, names.less_or_equal)
            } else {
                (names.greater, names.greater_or_equal)
            };
            if scan::tail(r.t, next).starts_with('=') {
                return r.say(or_equal, next + 1);
            }
            if !(operands || number_after) || end - r.at > 1 {
                return r.skip(end);
            }
            name
        }
        '*' if numbers && end == next => names.times,
        '*' if r.sum && spaced && operands && end == next => names.times,
        '/' if r.sum && numbers => names.divided_by,
        '\\' if tight || before == Some(':') => names.backslash,
        '~' if end == next && (number_after || after.is_some_and(|a| names.about_before.contains(a))) => {
            names.about
        }
        '^' if operands => return power(r, next),
        _ => {
            if tight || (c == '/' && (spaced || !scan::edge(r.t, next))) || c == '=' {
                r.out.space(r.at..end);
            }
            return r.skip(end);
        }
    };
    r.say(name, end);
}

/// `x^2`, `10^6`, `10^-3`.
fn power<'a, L: Symbols<'a>>(r: &mut Reader<'a, L>, next: usize) {
    let names = r.language.names();
    let end = scan::digits(r.t, next);
    match (scan::slice(r.t, next..end), scan::edge(r.t, end)) {
        ("2", true) => r.say(names.squared, end),
        ("3", true) => r.say(names.cubed, end),
        _ => match scan::char_at(r.t, next).filter(|c| matches!(c, '-' | '−' | '–')) {
            Some(sign) => {
                r.say(&format!("{} {}", names.to_the_power, names.minus), next + sign.len_utf8());
            }
            None => r.say(names.to_the_power, next),
        },
    }
}

/// Superscript digits, in order.
pub(in crate::front_end) const SUPERSCRIPTS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/// The digits that superscripts stand for; other signs are left out.
pub(in crate::front_end) fn of_superscripts(written: &str) -> String {
    let digits = written.chars().filter_map(|c| SUPERSCRIPTS.chars().position(|digit| digit == c));
    digits.map(|value| value.to_string()).collect()
}

/// Powers after a number, a bracket or a short symbol; elsewhere the mark of a footnote.
pub(in crate::front_end) fn superscript<'a, L: Symbols<'a>>(r: &mut Reader<'a, L>) {
    let names = r.language.names();
    let end = scan::run(r.t, r.at, |c| SUPERSCRIPTS.contains(c) || matches!(c, '⁺' | '⁻' | 'ⁿ'));
    let written = scan::slice(r.t, r.at..end);
    let head = scan::slice(r.t, ..r.at);
    let letters = head.chars().rev().take_while(|c| c.is_alphabetic()).count();
    let is_power = head.ends_with(|c: char| c.is_ascii_digit() || c == ')') || (1..=2).contains(&letters);
    if !is_power {
        r.skip(end);
        return;
    }
    let words = match written {
        "²" => names.squared.to_owned(),
        "³" => names.cubed.to_owned(),
        "ⁿ" => format!("{} {}", names.to_the_power, names.n),
        _ => {
            let digits = of_superscripts(written);
            match (digits.is_empty(), written.contains('⁻')) {
                (true, true) => names.minus.to_owned(),
                (true, false) => names.plus.to_owned(),
                // The charge of an ion: `Ca²⁺`.
                (false, _) if written.ends_with(['⁺', '⁻']) => {
                    let sign = if written.ends_with('⁺') { names.plus } else { names.minus };
                    format!("{} {sign}", r.language.cardinal(&digits))
                }
                (false, _) => {
                    let minus = written.starts_with('⁻').then_some(names.minus);
                    let number = r.language.cardinal(&digits);
                    let words = [Some(names.to_the_power), minus, Some(number.as_str())];
                    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
                }
            }
        }
    };
    r.say(&words, end);
}

/// `CO₂`.
pub(in crate::front_end) fn subscript<'a, L: Language<'a>>(r: &mut Reader<'a, L>) {
    let end = scan::run(r.t, r.at, |c| ('₀'..='₉').contains(&c));
    let digits: String =
        scan::slice(r.t, r.at..end).chars().filter_map(|c| char::from_digit(c as u32 - 0x2080, 10)).collect();
    let words = r.language.cardinal(&digits);
    r.say(&words, end);
}

/// Where the smiley ends that starts with a colon here, if one may stand here.
pub(in crate::front_end) fn smiley<'a, L: Language<'a>>(r: &Reader<'a, L>) -> Option<usize> {
    if r.char() != Some(':') {
        return None;
    }
    let end = scan::run(r.t, r.at, |c| {
        matches!(c, ':' | '-' | ')' | '(' | 'D' | 'P' | 'p' | 'o' | 'O' | '/' | '|' | '*' | '\'')
    });
    let is_apart = matches!(scan::char_at(r.t, end), None | Some(' ' | '.' | ','));
    (is_apart && (2..=5).contains(&(end - r.at))).then_some(end)
}

/// The full stops and ellipses that start here: where they end, and how many stops they stand for.
/// `. . .` is an ellipsis, too.
pub(in crate::front_end) fn stops<'a, L: Language<'a>>(r: &Reader<'a, L>) -> (usize, usize) {
    let (mut end, mut count) = (r.at, 0);
    while let Some(c) = scan::char_at(r.t, end).filter(|c| matches!(c, '.' | '…')) {
        end += c.len_utf8();
        count += if c == '…' { 3 } else { 1 };
        let spaced = scan::tail(r.t, end).starts_with(" .")
            && scan::char_at(r.t, end + 2).is_none_or(|c| matches!(c, ' ' | '.'));
        if spaced {
            end += 1;
        }
    }
    (end, count)
}

/// Whether a dash of this kind at the reader's place sticks to what stands on both sides.
pub(in crate::front_end) fn is_tight<'a, L: Language<'a>>(r: &Reader<'a, L>, next: usize) -> bool {
    r.before().is_some_and(|b| b.is_alphanumeric() || matches!(b, '%' | '°' | '.'))
        && scan::char_at(r.t, next).is_some_and(char::is_alphanumeric)
}
