//! Everything that is neither a number nor a word: punctuation that stays, quotes, inverted marks
//! and footnote marks that go, signs that have a name.

use super::{Reader, emoji, lexemes, numbers};
use crate::front_end::{
    scan,
    spanish::text::figures::{self, Form},
};

/// Reads the character that comes next, if it is not simply copied.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some(c) = r.char() else { return false };
    let next = r.at + c.len_utf8();
    match c {
        '0'..='9' => numbers::inside(r),
        ' ' => r.copy(next),
        // Inverted marks have no sound; the marks at the end say how a sentence is said.
        '"' | '{' | '}' | '¿' | '¡' | '[' | ']' => apart(r, next),
        '\'' => apostrophe(r),
        '-' => hyphen(r),
        '–' | '—' | '−' => dash(r, c),
        '.' | '…' => stops(r),
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
        '(' | ')' => bracket(r, next),
        '&' => {
            let end = if r.rest().starts_with("&amp;") { r.at + 5 } else { next };
            r.say("y", end);
        }
        '²' | '³' | '¹' | '⁰'..='⁹' | '⁺' | '⁻' | 'ⁿ' => superscript(r),
        '₀'..='₉' => subscript(r),
        '#' | 'ª' | 'º' => r.skip(next),
        c if c.is_alphabetic() => return false,
        c => named(r, c),
    }
    true
}

/// A sign with a name, an emoji, or something that says nothing.
fn named(r: &mut Reader<'_>, c: char) {
    let next = r.at + c.len_utf8();
    let name = match c {
        '@' => "arroba",
        '%' => "por ciento",
        '‰' => "por mil",
        '$' => "dólar",
        '€' => "euro",
        '£' => "libra",
        '¥' => "yen",
        '₹' => "rupia",
        '¢' => "céntimo",
        '°' => "grados",
        '§' => "sección",
        '©' => "copyright",
        '×' | '⨯' => "por",
        '÷' => "entre",
        '±' => "más menos",
        '≈' | '≃' => "aproximadamente",
        '≠' => "distinto de",
        '≤' => "menor o igual que",
        '≥' => "mayor o igual que",
        '≡' => "idéntico a",
        '→' | '⇒' | '➔' | '➜' => "a",
        '∞' => "infinito",
        '√' => "raíz cuadrada de",
        '∑' => "suma de",
        '∫' => "integral de",
        '∆' | '∇' => "delta",
        '∈' => "en",
        '∪' => "unión",
        '∩' => "intersección",
        '♯' => "sostenido",
        '♭' => "bemol",
        _ => {
            if !emoji::read(r) {
                // What has no name says nothing, but keeps its neighbors apart.
                let keeps_apart = !lexemes::is_sayable(c) && !matches!(c, '®' | '™' | '†' | '‡' | '`' | '·');
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

/// A mark without sound; between letters it is a space.
fn apart(r: &mut Reader<'_>, next: usize) {
    if r.before().is_some_and(char::is_alphanumeric) && !scan::edge(r.t, next) {
        r.out.space(r.at..next);
    }
    r.skip(next);
}

/// An apostrophe between letters stays (`O'Brien`, `d'Artagnan`), elsewhere it is a quotation mark.
fn apostrophe(r: &mut Reader<'_>) {
    let next = r.at + 1;
    if r.before().is_some_and(char::is_alphabetic)
        && scan::char_at(r.t, next).is_some_and(char::is_alphabetic)
    {
        r.copy(next);
    } else {
        apart(r, next);
    }
}

/// `-`: in a word, between words, alone, in a row.
fn hyphen(r: &mut Reader<'_>) {
    let end = scan::run(r.t, r.at, |c| c == '-');
    let next = r.at + 1;
    if scan::tail(r.t, end).starts_with('>') {
        r.say("a", end + 1);
        return;
    }
    let (before, after) = (r.before(), scan::char_at(r.t, end));
    match (before, after) {
        _ if end - r.at > 1 => long_dash(r, end),
        (Some(b), Some(a)) if b.is_alphabetic() && a.is_alphabetic() => r.space(next),
        (Some(' '), Some(' ')) if r.sum => r.say("menos", next),
        (Some(' ') | None, _) | (_, Some(' ')) => long_dash(r, next),
        _ => r.space(next),
    }
}

/// An en dash between numbers is "a", in a word a space, elsewhere a break.
fn dash(r: &mut Reader<'_>, c: char) {
    let next = r.at + c.len_utf8();
    let after = scan::char_at(r.t, next);
    let tight = r.before().is_some_and(|b| b.is_alphanumeric() || matches!(b, '%' | '°' | '.'))
        && after.is_some_and(char::is_alphanumeric);
    let number_after = after.is_some_and(|a| a.is_ascii_digit());
    match c {
        '–' if tight && number_after => r.say("a", next),
        '–' if tight => r.space(next),
        '−' if r.sum || number_after => r.say("menos", next),
        _ => {
            let end = scan::run(r.t, r.at, |c| matches!(c, '–' | '—'));
            long_dash(r, end.max(next));
        }
    }
}

/// Writes a dash that breaks the sentence, up to `end`: none where the sentence begins, and none
/// before another mark, which says more.
fn long_dash(r: &mut Reader<'_>, end: usize) {
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
fn stops(r: &mut Reader<'_>) {
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
    let inside = r.before().is_some_and(char::is_alphanumeric) && !scan::edge(r.t, end);
    let said = r.out.text.trim_end();
    if count > 2 {
        if said.is_empty() { r.skip(end) } else { r.out.mark("…", r.at..end) }
    } else if count == 1 && inside {
        r.out.space(r.at..one);
    } else if !said.is_empty() && !said.ends_with(['.', '!', '?', '…']) {
        r.out.mark(".", r.at..end);
    }
    r.skip(end);
}

fn colon(r: &mut Reader<'_>) {
    let end = scan::run(r.t, r.at, |c| c == ':');
    let inside = r.before().is_some_and(char::is_alphanumeric) && !scan::edge(r.t, end);
    if end - r.at > 1 || inside || r.out.text.is_empty() {
        r.space(end);
    } else {
        r.copy(end);
    }
}

/// Smileys made of signs say nothing.
fn face(r: &mut Reader<'_>) -> bool {
    if !matches!(r.before(), None | Some(' ' | '.' | '!' | '?')) || r.char() != Some(':') {
        return false;
    }
    let end = scan::run(r.t, r.at, |c| {
        matches!(c, ':' | '-' | ')' | '(' | 'D' | 'P' | 'p' | 'o' | 'O' | '/' | '|' | '*' | '\'')
    });
    let is_face =
        (2..=5).contains(&(end - r.at)) && matches!(scan::char_at(r.t, end), None | Some(' ' | '.' | ','));
    if is_face {
        r.skip(end);
    }
    is_face
}

/// Signs whose reading depends on their neighbors.
fn sign(r: &mut Reader<'_>, c: char) {
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
        '=' if r.rest().starts_with("=>") => return r.say("a", next + 1),
        '=' if end - r.at <= 2 => "igual a",
        '+' => return r.say("más", next),
        '<' | '>' => {
            let or_equal = scan::slice(r.t, next..).starts_with('=');
            let name = if c == '<' { "menor" } else { "mayor" };
            if or_equal {
                return r.say(&format!("{name} o igual que"), next + 1);
            }
            if !(operands || after.is_some_and(|a| a.is_ascii_digit())) || end - r.at > 1 {
                return r.skip(end);
            }
            return r.say(&format!("{name} que"), end);
        }
        '*' if numbers && end == next => "por",
        '*' if r.sum && spaced && operands && end == next => "por",
        '/' if r.sum && numbers => "entre",
        '\\' if tight || before == Some(':') => "barra invertida",
        '~' if after.is_some_and(|a| a.is_ascii_digit()) && end == next => "unos",
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
fn power(r: &mut Reader<'_>, next: usize) {
    let end = scan::digits(r.t, next);
    match (scan::slice(r.t, next..end), scan::edge(r.t, end)) {
        ("2", true) => r.say("al cuadrado", end),
        ("3", true) => r.say("al cubo", end),
        _ => match scan::char_at(r.t, next).filter(|c| matches!(c, '-' | '−' | '–')) {
            Some(sign) => r.say("elevado a menos", next + sign.len_utf8()),
            None => r.say("elevado a", next),
        },
    }
}

/// Brackets are marks; inside a word (`niño(s)`, `él(la)`) they are not heard.
fn bracket(r: &mut Reader<'_>, next: usize) {
    let opens = r.char() == Some('(');
    let inside_word = if opens {
        r.before().is_some_and(char::is_alphabetic) && !scan::edge(r.t, next)
    } else {
        r.before().is_some_and(char::is_alphabetic)
            && scan::slice(r.t, ..r.at).rfind('(').is_some_and(|open| {
                scan::slice(r.t, ..open).ends_with(char::is_alphabetic)
                    && !scan::slice(r.t, open..r.at).contains(' ')
            })
    };
    if inside_word || r.rest().starts_with("()") {
        r.skip(if r.rest().starts_with("()") { r.at + 2 } else { next });
    } else {
        r.copy(next);
    }
}

const SUPERSCRIPTS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/// Powers after a number, a bracket or a short symbol; elsewhere the mark of a footnote.
fn superscript(r: &mut Reader<'_>) {
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
        "²" => "al cuadrado".to_owned(),
        "³" => "al cubo".to_owned(),
        "ⁿ" => "elevado a ene".to_owned(),
        _ => {
            let digits: String = written
                .chars()
                .filter_map(|c| SUPERSCRIPTS.chars().position(|digit| digit == c))
                .map(|value| value.to_string())
                .collect();
            let sign = if written.starts_with('⁻') { "menos " } else { "" };
            if digits.is_empty() {
                (if written.contains('⁻') { "menos" } else { "más" }).to_owned()
            } else {
                format!("elevado a {sign}{}", figures::cardinal(&digits, Form::Alone))
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
    let words = figures::cardinal(&digits, Form::Alone);
    r.say(&words, end);
}
