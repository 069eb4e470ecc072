//! Everything that is neither a number nor a word: punctuation that stays, quotes and footnote
//! marks that go, signs that have a name.

use super::{Reader, emoji, lexemes, numbers, scan};
use crate::front_end::english::text::words;

/// Reads the character that comes next, if it is not simply copied.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some(c) = r.char() else { return false };
    let next = r.at + c.len_utf8();
    match c {
        '0'..='9' => numbers::inside(r),
        ' ' => r.copy(next),
        '"' => quote(r),
        '\'' => apostrophe(r),
        '-' => hyphen(r),
        '–' | '—' | '−' => dash(r, c),
        '.' | '…' => stops(r),
        '!' | '?' => {
            let end = scan::run(r.t, r.at, |c| matches!(c, '!' | '?'));
            r.copy(end.min(r.at + 3));
            r.skip(end);
        }
        ',' | ';' => {
            r.copy(next);
            r.skip(scan::run(r.t, next, |c| matches!(c, ',' | ';')));
        }
        ':' | '<' if face(r) => {}
        ':' => colon(r),
        '<' | '>' | '=' | '+' | '*' | '/' | '\\' | '~' | '^' | '_' => return sign(r, c),
        '|' => {
            r.out.comma(r.at..next);
            r.skip(next);
        }
        '(' | ')' => bracket(r, next),
        '#' => {
            let musical = r.before().is_some_and(|c| c.is_ascii_uppercase()) && scan::edge(r.t, next);
            if musical { r.say("sharp", next) } else { r.skip(next) }
        }
        '&' => {
            let end = if r.rest().starts_with("&amp;") { r.at + 5 } else { next };
            r.say("and", end);
        }
        '²' | '³' | '¹' | '⁰'..='⁹' | '⁺' | '⁻' | 'ⁿ' => superscript(r),
        '₀'..='₉' => subscript(r),
        c if c.is_alphabetic() => return false,
        c => named(r, c),
    }
    true
}

/// A sign with a name, an emoji, or something that says nothing.
fn named(r: &mut Reader<'_>, c: char) {
    let next = r.at + c.len_utf8();
    let name = match c {
        '@' => "at",
        '%' => "percent",
        '‰' => "per mille",
        '$' => "dollar",
        '€' => "euro",
        '£' => "pound",
        '¥' => "yen",
        '₹' => "rupee",
        '¢' => "cent",
        '°' => "degrees",
        '§' => "section",
        '¶' => "paragraph",
        '©' => "copyright",
        '×' | '⨯' => "times",
        '÷' => "divided by",
        '±' => "plus or minus",
        '≈' | '≃' => "approximately",
        '≠' => "is not equal to",
        '≤' => "less than or equal to",
        '≥' => "greater than or equal to",
        '≡' => "is equivalent to",
        '→' | '⇒' | '➔' | '➜' => "to",
        '∞' => "infinity",
        '√' => "the square root of",
        '∑' => "the sum of",
        '∫' => "the integral of",
        '∂' => "partial",
        '∆' | '∇' => "delta",
        '∈' => "in",
        '∪' => "union",
        '∩' => "intersection",
        '⅓' => "one third",
        '♯' => "sharp",
        '♭' => "flat",
        _ => {
            if !emoji::read(r) {
                // What has no name says nothing, but keeps its neighbors apart.
                let keeps_apart = !lexemes::is_sayable(c)
                    && !matches!(c, '®' | '™' | '†' | '‡' | '¿' | '¡' | '{' | '}' | '[' | ']' | '`');
                if keeps_apart {
                    r.out.space(r.at..next);
                }
                r.skip(next);
            }
            return;
        }
    };
    r.say(name, next);
}

/// Double quotes have no sound; between letters they are a space.
fn quote(r: &mut Reader<'_>) {
    let next = r.at + 1;
    let between = r.before().is_some_and(char::is_alphanumeric) && !scan::edge(r.t, next);
    if between {
        r.out.space(r.at..next);
    }
    r.skip(next);
}

/// An apostrophe stays, a quotation mark goes.
fn apostrophe(r: &mut Reader<'_>) {
    let next = r.at + 1;
    let before = r.before();
    // The bracket that ends `[word](/ipa/)` stands for the word.
    let pronounced = before == Some(')') && r.out.ends_with_pronounced();
    let letter_before = pronounced || before.is_some_and(char::is_alphanumeric);
    let letter_after = !scan::edge(r.t, next);
    match (letter_before, letter_after) {
        (true, true) => r.copy(next),
        (false, true) => {
            let word = scan::word(r.t, next);
            if r.rest().starts_with("'n'") {
                r.copy(r.at + 3);
            } else if words::is_elided(word) && !(r.rest()[1 + word.len()..].starts_with('\'')) {
                r.copy(next);
            } else {
                r.quoted = true;
                r.skip(next);
            }
        }
        (true, false) if !r.quoted && matches!(before, Some('s' | 'S' | 'n')) => r.copy(next),
        _ => {
            r.quoted = false;
            r.skip(next);
        }
    }
}

/// `-`: in a word, between words, alone, in a row.
fn hyphen(r: &mut Reader<'_>) {
    let end = scan::run(r.t, r.at, |c| c == '-');
    let next = r.at + 1;
    if scan::tail(r.t, end).starts_with('>') {
        r.say("to", end + 1);
        return;
    }
    let before = r.before();
    let after = scan::char_at(r.t, end);
    if end - r.at > 1 {
        long_dash(r, end);
        return;
    }
    match (before, after) {
        (Some(b), Some(a)) if b.is_alphabetic() && a.is_alphabetic() => r.copy(next),
        (Some(' '), Some(' ')) if r.sum => r.say("minus", next),
        (Some(' '), Some(' ')) => long_dash(r, next),
        _ => {
            r.out.space(r.at..next);
            r.skip(next);
        }
    }
}

/// An en dash between numbers is "to", in a word a hyphen, elsewhere a break.
fn dash(r: &mut Reader<'_>, c: char) {
    let next = r.at + c.len_utf8();
    let before = r.before();
    let after = scan::char_at(r.t, next);
    let tight = before.is_some_and(|b| b.is_alphanumeric() || matches!(b, '%' | '°' | '.'))
        && after.is_some_and(char::is_alphanumeric);
    let number_after = after.is_some_and(|a| a.is_ascii_digit());
    match c {
        '–' if tight && number_after => r.say("to", next),
        '–' if tight && before.is_some_and(char::is_alphabetic) => {
            r.out.glue("-", r.at..next);
            r.skip(next);
        }
        '−' if r.sum || number_after => r.say("minus", next),
        _ => {
            let end = scan::run(r.t, r.at, |c| matches!(c, '–' | '—'));
            long_dash(r, end.max(next));
        }
    }
}

/// Writes a dash that breaks the sentence, up to `end`.
fn long_dash(r: &mut Reader<'_>, end: usize) {
    if !r.out.text.trim_end().ends_with('—') {
        r.out.glue("—", r.at..end);
    }
    r.skip(end);
}

/// Full stops and ellipses; a row of any length is one ellipsis.
fn stops(r: &mut Reader<'_>) {
    // `. . .` is an ellipsis, too.
    let mut end = r.at;
    let mut count = 0;
    while let Some(c) = scan::char_at(r.t, end).filter(|c| matches!(c, '.' | '…')) {
        end += c.len_utf8();
        count += if c == '…' { 3 } else { 1 };
        let spaced = scan::tail(r.t, end).starts_with(" .")
            && (scan::char_at(r.t, end + 2).is_none_or(|c| matches!(c, ' ' | '.')));
        if spaced {
            end += 1;
        }
    }
    let one = r.at + r.char().map_or(1, char::len_utf8);
    let joins_number = r.before().is_some_and(char::is_alphabetic) && scan::digit_at(r.t, end);
    if count == 1 && joins_number {
        // `X.509`
        r.out.space(r.at..one);
        r.skip(one);
    } else if count == 1 && r.out.text.trim_end().ends_with('.') && r.before() == Some(' ') {
        r.skip(one);
    } else if count == 1 || (count == 3 && end == one) {
        r.copy(one);
    } else if count == 2 {
        r.copy(end.min(r.at + 1));
        r.skip(end);
    } else {
        if r.out.text.ends_with(' ')
            && !r.out.text.trim_end().is_empty()
            && scan::tail(r.t, r.at).starts_with(". .")
        {
            r.out.mark("...", r.at..end);
        } else {
            r.out.glue("...", r.at..end);
        }
        r.skip(end);
    }
}

fn colon(r: &mut Reader<'_>) {
    let end = scan::run(r.t, r.at, |c| c == ':');
    let inside = r.before().is_some_and(char::is_alphanumeric) && !scan::edge(r.t, end);
    if end - r.at > 1 || (inside && scan::digit_at(r.t, end)) {
        r.out.space(r.at..end);
        r.skip(end);
    } else {
        r.copy(end);
    }
}

/// Smileys made of signs say nothing; a heart does.
fn face(r: &mut Reader<'_>) -> bool {
    if !matches!(r.before(), None | Some(' ' | '.' | '!' | '?')) {
        return false;
    }
    if r.rest().starts_with("<3") && scan::edge(r.t, r.at + 2) && !r.sum {
        r.say("heart", r.at + 2);
        return true;
    }
    let end = scan::run(r.t, r.at, |c| {
        matches!(c, ':' | '-' | ')' | '(' | 'D' | 'P' | 'p' | 'o' | 'O' | '/' | '|' | '*' | '\'')
    });
    let is_face = r.char() == Some(':')
        && (2..=5).contains(&(end - r.at))
        && matches!(scan::char_at(r.t, end), None | Some(' ' | '.' | ','));
    if is_face {
        r.skip(end);
    }
    is_face
}

/// Signs whose reading depends on their neighbors.
fn sign(r: &mut Reader<'_>, c: char) -> bool {
    let next = r.at + 1;
    let end = scan::run(r.t, r.at, |other| other == c);
    let before = scan::slice(r.t, ..r.at).trim_end().chars().next_back();
    let after = scan::char_at(r.t, scan::past_space(r.t, end));
    let tight = r.before().is_some_and(char::is_alphanumeric) && !scan::edge(r.t, next);
    let operands = before.is_some_and(|b| b.is_alphanumeric() || ")²³%\"'°".contains(b))
        && after.is_some_and(|a| a.is_alphanumeric() || "(-−+.$£€√".contains(a));
    let spaced = r.before() == Some(' ');
    let numbers = before.is_some_and(|b| b.is_ascii_digit()) && after.is_some_and(|a| a.is_ascii_digit());
    let name = match c {
        '=' if r.rest().starts_with("=>") => return say_long(r, "to", next + 1),
        '=' if end - r.at <= 2 => "equals",
        '+' => "plus",
        '<' | '>' => {
            let or_equal = scan::slice(r.t, next..).starts_with('=');
            let name = if c == '<' { "less than" } else { "greater than" };
            if or_equal {
                return say_long(r, &format!("{name} or equal to"), next + 1);
            }
            if !(operands || after.is_some_and(|a| a.is_ascii_digit())) || end - r.at > 1 {
                r.skip(end);
                return true;
            }
            name
        }
        '*' if numbers && end == next => "times",
        '*' if r.sum && spaced && operands && end == next => "times",
        '/' if r.sum && numbers => "divided by",
        '\\' if tight || before == Some(':') => "backslash",
        '~' if after.is_some_and(|a| a.is_ascii_digit() || "$£€".contains(a)) && end == next => "about",
        '^' if operands => return power(r, next),
        _ => {
            if tight || (c == '/' && (spaced || !scan::edge(r.t, next))) || c == '=' {
                r.out.space(r.at..end);
            }
            r.skip(end);
            return true;
        }
    };
    r.say(name, if c == '+' { next } else { end });
    true
}

fn say_long(r: &mut Reader<'_>, words: &str, end: usize) -> bool {
    r.say(words, end);
    true
}

/// `x^2`, `10^6`, `10^-3`.
fn power(r: &mut Reader<'_>, next: usize) -> bool {
    let end = scan::digits(r.t, next);
    match (scan::slice(r.t, next..end), scan::edge(r.t, end)) {
        ("2", true) => r.say("squared", end),
        ("3", true) => r.say("cubed", end),
        _ => match scan::char_at(r.t, next).filter(|c| matches!(c, '-' | '−' | '–')) {
            Some(sign) => r.say("to the power of minus", next + sign.len_utf8()),
            None => r.say("to the power of", next),
        },
    }
    true
}

/// A bracket inside a word (`word(s)`) is not heard.
fn bracket(r: &mut Reader<'_>, next: usize) {
    if r.rest().starts_with("(s)") && r.before().is_some_and(char::is_alphabetic) {
        r.out.glue("s", r.at..r.at + 3);
        r.skip(r.at + 3);
    } else if r.rest().starts_with("()") {
        r.skip(r.at + 2);
    } else {
        r.copy(next);
    }
}

/// Powers after a number, a bracket or a short symbol; elsewhere the mark of a footnote.
fn superscript(r: &mut Reader<'_>) {
    const DIGITS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let end = scan::run(r.t, r.at, |c| DIGITS.contains(c) || matches!(c, '⁺' | '⁻' | 'ⁿ'));
    let written = scan::slice(r.t, r.at..end);
    let head = scan::slice(r.t, ..r.at);
    let letters = head.chars().rev().take_while(|c| c.is_alphabetic()).count();
    let is_power = head.ends_with(|c: char| c.is_ascii_digit() || c == ')') || (1..=2).contains(&letters);
    if !is_power {
        r.skip(end);
        return;
    }
    let words = match written {
        "²" => "squared".to_owned(),
        "³" => "cubed".to_owned(),
        "ⁿ" => "to the power of N".to_owned(),
        _ => {
            let digits: String = written
                .chars()
                .filter_map(|c| DIGITS.chars().position(|digit| digit == c))
                .map(|value| value.to_string())
                .collect();
            let sign = if written.starts_with('⁻') { "minus " } else { "" };
            if digits.is_empty() {
                (if written.contains('⁻') { "minus" } else { "plus" }).to_owned()
            } else {
                format!("to the power of {sign}{}", r.figures.cardinal(&digits))
            }
        }
    };
    r.say(&words, end);
}

/// `CO₂`.
fn subscript(r: &mut Reader<'_>) {
    let end = scan::run(r.t, r.at, |c| ('₀'..='₉').contains(&c));
    let digits: String =
        scan::slice(r.t, r.at..end).chars().filter_map(|c| char::from_digit(c as u32 - 0x2080, 10)).collect();
    let words = r.figures.cardinal(&digits);
    r.say(&words, end);
}
