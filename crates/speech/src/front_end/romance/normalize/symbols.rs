//! Everything that is neither a number nor a word: punctuation that stays, quotes, inverted marks
//! and footnote marks that go, signs that have a name.

use super::{Reader, State, currencies, emoji, reading};
use crate::front_end::{
    normalize::symbols::{self, Names, Symbols, apart, long_dash},
    romance::figures::Form,
    scan,
};

impl<'a> Symbols<'a> for State<'a> {
    fn names(&self) -> &'static Names {
        &self.grammar.signs().names
    }
}

/// Reads the character that comes next, if it is not simply copied.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some(c) = r.char() else { return false };
    let next = r.at + c.len_utf8();
    match c {
        '0'..='9' => reading::inside(r),
        ' ' => r.copy(next),
        // Inverted marks have no sound; the marks at the end say how a sentence is said.
        '¿' | '¡' => apart(r, next),
        '\'' => apostrophe(r),
        '-' => hyphen(r),
        '–' | '—' | '−' => dash(r, c),
        '(' | ')' => bracket(r, next),
        '*' | '★' if stars(r, c) => {}
        '*' | '#' if key(r, c) => {}
        '#' | 'ª' => r.skip(next),
        '/' if per_word(r) => {}
        c if symbols::read(r, c) => {}
        c if c.is_alphabetic() => return false,
        c => named(r, c),
    }
    true
}

/// `euros/mes`, `veces/semana`: how often, after a word.
fn per_word(r: &mut Reader<'_>) -> bool {
    const TIMES: &[&str] = &[
        "mes",
        "día",
        "año",
        "semana",
        "hora",
        "persona",
        "minuto",
        "mês",
        "dia",
        "ano",
        "pessoa",
        "mois",
        "jour",
        "an",
        "semaine",
        "heure",
        "personne",
        "mese",
        "giorno",
        "anno",
        "settimana",
        "ora",
    ];
    const HEADS: &[&str] = &[
        "mujer",
        "habitante",
        "hogar",
        "familia",
        "alumno",
        "vivienda",
        "unidad",
        "paciente",
        "partido",
        "noche",
        "sesión",
        "femme",
        "habitant",
        "foyer",
        "famille",
        "élève",
        "logement",
        "unité",
        "nuit",
        "séance",
        "match",
        "enfant",
        "donna",
        "abitante",
        "famiglia",
        "alunno",
        "notte",
        "seduta",
        "partita",
        "mulher",
        "domicílio",
        "família",
        "aluno",
        "unidade",
        "noite",
        "sessão",
        "jogo",
        "kilo",
        "quilo",
        "litro",
        "chilo",
    ];
    let word = scan::word(r.t, r.at + 1);
    let after_word = r.before().is_some_and(char::is_lowercase) && r.word_before().len() > 2;
    // "1,9 hijos/mujer": something was counted.
    let head = scan::slice(r.t, ..r.at).trim_end_matches(char::is_alphabetic);
    let counted = head.strip_suffix(' ').is_some_and(|head| head.ends_with(|c: char| c.is_ascii_digit()));
    if !after_word || !(TIMES.contains(&word) || (counted && HEADS.contains(&word))) {
        return false;
    }
    let words = r.grammar().per(word);
    r.say(&words, r.at + 1 + word.len());
    true
}

/// `5★`, `un hotel 5*`, `★★★★`: how many stars something has.
fn stars(r: &mut Reader<'_>, c: char) -> bool {
    const HOUSES: [&str; 8] =
        ["hotel", "hôtel", "hôtels", "hoteles", "hostal", "albergo", "pousada", "camping"];
    let end = scan::run(r.t, r.at, |other| other == c);
    let count = scan::slice(r.t, r.at..end).chars().count() as u64;
    let (one, many) = r.signs().star;
    let digit = r.before().filter(char::is_ascii_digit).and_then(|c| c.to_digit(10));
    let head = scan::slice(r.t, ..r.at).trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let house = HOUSES.contains(&head.rsplit(' ').next().unwrap_or("").to_lowercase().as_str());
    let edge = scan::edge(r.t, end);
    match digit {
        Some(digit) if count == 1 && edge && (c == '★' || house) => {
            r.out.space(r.at..r.at);
            r.say(if digit == 1 { one } else { many }, end);
        }
        None if count > 1 && (c == '★' || house) => {
            let words = format!("{} {many}", r.number(count, Form::Feminine));
            r.say(&words, end);
        }
        _ => return false,
    }
    true
}

/// An arrow that leads to no name and no number is a sign: "flecha".
fn arrow(r: &Reader<'_>, c: char) -> Option<&'static str> {
    let next = scan::char_at(r.t, scan::past_space(r.t, r.at + c.len_utf8()));
    let phrase = next.is_some_and(char::is_lowercase) && r.before().is_none_or(|c| c == ' ');
    (matches!(c, '→' | '➔' | '➜' | '⇒') && phrase && !r.sum).then_some(r.signs().arrow_sign)
}

/// The keys of a telephone: `pulse * o #`, `marque *111#`.
fn key(r: &mut Reader<'_>, c: char) -> bool {
    let next = r.at + 1;
    let after = scan::char_at(r.t, next);
    let apart = after.is_none_or(|c| matches!(c, ' ' | '.' | ',' | ')' | '?' | ';' | ':' | '"'));
    let code =
        |text: &str| text.contains('#') && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '*' | '#'));
    let word =
        |text: &str| text.split(' ').next().map(|word| word.trim_end_matches(['.', ','])).is_some_and(code);
    let stands = match r.before() {
        Some(' ') => (apart && !r.sum) || word(r.rest()),
        Some(b) if b.is_ascii_digit() || matches!(b, '*' | '#') => {
            let head = scan::slice(r.t, ..r.at);
            let start = head.rfind(' ').map_or(0, |space| space + 1);
            head[start..].starts_with(['*', '#']) && word(&r.t[start..])
        }
        _ => false,
    };
    let name = r.signs().in_addresses.iter().find(|(sign, _)| *sign == c).map(|(_, name)| *name);
    if let Some(name) = name.filter(|_| stands) {
        r.say(name, next);
        return true;
    }
    false
}

/// A sign with a name, an emoji, or something that says nothing.
fn named(r: &mut Reader<'_>, c: char) {
    let next = r.at + c.len_utf8();
    if let Some(name) = arrow(r, c) {
        r.say(name, next);
    } else if let Some(name) = currencies::counted_name(r, c) {
        r.say(name, next);
    } else if let Some((_, name)) = r.signs().named.iter().find(|(sign, _)| *sign == c) {
        r.say(name, next);
    } else if !emoji::read(r) {
        // A sign without a name is silent, but keeps its neighbors apart.
        let keeps_apart = !r.grammar().can_say(c) && !matches!(c, '®' | '™' | '†' | '‡' | '`' | '·');
        if keeps_apart {
            r.out.space(r.at..next);
        }
        r.skip(next);
    }
}

/// An apostrophe between letters stays (`O'Brien`, `d'Artagnan`), elsewhere it is a quotation mark.
fn apostrophe(r: &mut Reader<'_>) {
    let next = r.at + 1;
    if r.before().is_some_and(char::is_alphabetic)
        && scan::char_at(r.t, next).is_some_and(char::is_alphanumeric)
    {
        // `L'11 novembre`, too.
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
        r.say(r.signs().names.arrow, end + 1);
        return;
    }
    let (before, after) = (r.before(), scan::char_at(r.t, end));
    match (before, after) {
        _ if end - r.at > 1 => long_dash(r, end),
        (Some(b), Some(a)) if b.is_alphabetic() && a.is_alphabetic() => {
            if r.signs().keeps_hyphens && r.out.text.ends_with(char::is_alphanumeric) {
                r.copy(next);
            } else {
                r.space(next);
            }
        }
        (Some(' '), Some(' ')) if r.sum => r.say(r.signs().names.minus, next),
        (Some(' ') | None, _) | (_, Some(' ')) => long_dash(r, next),
        _ => r.space(next),
    }
}

/// An en dash between numbers is "to", in a word a space, elsewhere a break.
fn dash(r: &mut Reader<'_>, c: char) {
    let next = r.at + c.len_utf8();
    let tight = symbols::is_tight(r, next);
    let number_after = scan::digit_at(r.t, next);
    match c {
        '–' if tight && number_after => r.say(r.amounts().to, next),
        '–' if tight => r.space(next),
        '−' if r.sum || number_after => r.say(r.signs().names.minus, next),
        _ => {
            let end = scan::run(r.t, r.at, |c| matches!(c, '–' | '—'));
            long_dash(r, end.max(next));
        }
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
