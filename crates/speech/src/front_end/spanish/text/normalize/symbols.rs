//! Everything that is neither a number nor a word: punctuation that stays, quotes, inverted marks
//! and footnote marks that go, signs that have a name.

use super::{Reader, Spanish, emoji, lexemes, reading};
use crate::front_end::{
    normalize::symbols::{self, Names, Symbols, sign, smiley, subscript, superscript},
    scan,
};

impl<'a> Symbols<'a> for Spanish<'a> {
    const NAMES: &'static Names = &Names {
        arrow: "a",
        equals: "igual a",
        plus: "más",
        minus: "menos",
        less: "menor que",
        less_or_equal: "menor o igual que",
        greater: "mayor que",
        greater_or_equal: "mayor o igual que",
        times: "por",
        divided_by: "entre",
        backslash: "barra invertida",
        about: "unos",
        about_before: "",
        squared: "al cuadrado",
        cubed: "al cubo",
        to_the_power: "elevado a",
        n: "ene",
    };
}

/// Reads the character that comes next, if it is not simply copied.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some(c) = r.char() else { return false };
    let next = r.at + c.len_utf8();
    match c {
        '0'..='9' => reading::inside(r),
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
                // A sign without a name is silent, but keeps its neighbors apart.
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
    let tight = symbols::is_tight(r, next);
    let number_after = scan::digit_at(r.t, next);
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
    let (end, count) = symbols::stops(r);
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
    let may_stand = matches!(r.before(), None | Some(' ' | '.' | '!' | '?'));
    let Some(end) = smiley(r).filter(|_| may_stand) else { return false };
    r.skip(end);
    true
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
