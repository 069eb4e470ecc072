//! Words that are not said as they are written: abbreviations, Roman numerals, acronyms, single
//! letters, shouting; and letters of scripts that the voice has no sounds for.

use super::{Reader, ends_here, formulas, roman, scripture, spans, units};
use crate::front_end::{
    roman::value,
    romance::{
        acronyms,
        figures::Form,
        grammar::Before,
        words::{Kind, LONGEST_JOINED},
    },
    scan,
};

/// Reads the word that starts here, when it needs a rule.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    if !r.char().is_some_and(char::is_alphabetic) {
        return false;
    }
    // Pronunciations given with the call take precedence over all rules.
    let word = scan::word(r.t, r.at);
    if !r.language.lexicon.words.is_empty() && r.language.lexicon.get(word).is_some() {
        r.copy(r.at + word.len());
        return true;
    }
    at_one(r)
        || spans::read(r)
        || spans::short_month(r)
        || spans::short_day(r)
        || scripture::read(r)
        || formulas::read(r)
        || units::alone(r)
        || sign(r, &[Before::Digit])
        || joined(r)
        || sign(r, &[Before::Edge, Before::Capital, Before::Anything])
        || abbreviated(r)
        || roman::read(r)
        || single(r)
        || capitals(r)
        || unspeakable(r)
        || foreign(r)
}

/// Letters right after a digit: `3D`, `4K` are spelled; small ones stand apart.
pub(super) fn after_digit(r: &mut Reader<'_>) -> bool {
    if !r.char().is_some_and(char::is_alphabetic) {
        return false;
    }
    let end = scan::letters(r.t, r.at);
    let written = scan::slice(r.t, r.at..end);
    if let Some(name) = acronyms::letter_of(r.signs(), written) {
        r.say(name, end);
        return true;
    }
    if written.chars().count() <= 3 && written.chars().all(char::is_uppercase) {
        let words = acronyms::spelled(r.signs(), written);
        r.say(&words, end);
        return true;
    }
    if r.out.text.ends_with(char::is_alphanumeric) {
        r.out.space(r.at..r.at);
    }
    foreign(r)
}

/// `alle 1`, `dalle 1:30`: before one o'clock the preposition loses its vowel in Italian.
fn at_one(r: &mut Reader<'_>) -> bool {
    let word = scan::word(r.t, r.at);
    let Some(said) = r.grammar().at_one(word) else { return false };
    let elided = said.len() == word.len() + "'una".len();
    let one = r.at + word.len() + 1;
    if scan::tail(r.t, one - 1).starts_with("'1") {
        return elided_one(r, said, one + 1);
    }
    if elided || !scan::tail(r.t, one - 1).starts_with(" 1") || scan::digit_at(r.t, one + 1) {
        return false;
    }
    let sign = scan::char_at(r.t, one + 1);
    let goes_on =
        matches!(sign, Some('.' | ',' | ':' | '-' | '/' | '%' | '°')) && scan::digit_at(r.t, one + 2);
    if !goes_on {
        let stands_alone = scan::edge(r.t, one + 1) && !matches!(sign, Some('%' | '°'));
        if stands_alone {
            r.say(said, one + 1);
        }
        return stands_alone;
    }
    let end = scan::digits(r.t, one + 2);
    let minute = scan::slice(r.t, one + 2..end).parse::<u64>().ok().filter(|minute| *minute < 60);
    let Some(minute) = minute.filter(|_| end == one + 4 && scan::edge(r.t, end) && sign == Some(':')) else {
        return false;
    };
    let minutes = format!(" {} {}", r.signs().names.and, r.number(minute, Form::Alone));
    r.say(&format!("{said}{}", if minute == 0 { "" } else { &minutes }), end);
    true
}

/// `all'1 di notte`, where a part of the day or the end of the sentence shows that it is a time.
fn elided_one(r: &mut Reader<'_>, said: &str, end: usize) -> bool {
    let rest = scan::tail(r.t, end);
    // `all'1.30`
    let stop = scan::digits(r.t, end + 1);
    let minute = scan::slice(r.t, end + 1..stop).parse::<u64>().ok().filter(|minute| *minute < 60);
    let timed = rest.starts_with(['.', ':']) && stop == end + 3 && scan::edge(r.t, stop);
    let timed = timed && !scan::digit_at(r.t, stop + 1);
    if let Some(minute) =
        minute.filter(|_| timed && !scan::tail(r.t, scan::past_space(r.t, stop)).starts_with('%'))
    {
        let words = format!("{said} {} {}", r.signs().names.and, r.number(minute, Form::Alone));
        r.say(&words, stop);
        return true;
    }
    let parts = [" di notte", " di mattina", " del mattino", " del pomeriggio", " in punto", " e "];
    let closes = rest.is_empty() || rest.trim_start_matches(['.', '!', '?', ',']).is_empty();
    let is_time = parts.iter().any(|part| rest.starts_with(part)) || (closes && said.starts_with(['a', 'A']));
    if is_time {
        r.say(said, end);
    }
    is_time
}

/// `n.º 5`, `C/ Mayor`, `s/n`: signs of these kinds that stand for a word. Those before a number go
/// before abbreviations: `S.S. 16` is a road. Cleaning wrote º as °.
fn sign(r: &mut Reader<'_>, kinds: &[Before]) -> bool {
    let stands = |written: &str, needs: Before| {
        let end = r.at + written.len();
        let next = scan::past_space(r.t, end);
        r.rest().starts_with(written)
            && match needs {
                Before::Edge => scan::edge(r.t, end),
                Before::Digit => scan::digit_at(r.t, next),
                Before::Capital => scan::char_at(r.t, next).is_some_and(char::is_uppercase),
                Before::Anything => true,
            }
    };
    // `km/h` goes before `km`.
    let fitting =
        r.words().signs.iter().filter(|(written, _, needs)| kinds.contains(needs) && stands(written, *needs));
    let Some(&(written, said, needs)) = fitting.max_by_key(|(written, ..)| written.len()) else {
        return false;
    };
    if needs == Before::Edge && is_abbreviation(r, written, said) {
        return false;
    }
    let said = agreeing(r, said);
    r.say(&said, r.at + written.trim_end().len());
    true
}

/// Whether a sign has a stop and is an abbreviation of the same, too, which knows what becomes of the stop.
fn is_abbreviation(r: &Reader<'_>, written: &str, said: &str) -> bool {
    let after = scan::tail(r.t, r.at + written.len());
    after.starts_with('.')
        && !after.starts_with("..")
        && r.words().abbreviation(written) == Some((said, Kind::Anywhere))
}

/// `EE. UU.`, `p. ej.`, `a. C.`, `S. A.`
fn joined(r: &mut Reader<'_>) -> bool {
    let near = scan::slice(r.rest(), ..r.rest().floor_char_boundary(LONGEST_JOINED + 4));
    if !near.contains('.') {
        return false;
    }
    let Some((bytes, said)) = r.words().joined_at(near) else { return false };
    let end = r.at + bytes;
    // "T.V.", "E.P.D.": letters of a longer row.
    let inside = is_inside_initials(r)
        || (scan::letters(r.t, end) == end + 1 && scan::tail(r.t, end + 1).starts_with('.'));
    if !scan::edge(r.t, end) || inside {
        return false;
    }
    let stop = scan::slice(r.t, ..end).ends_with('.') && ends_here(r.t, end);
    let written: String = scan::slice(r.t, r.at..end).chars().filter(|c| *c != ' ').collect();
    let said = r.grammar().meaning(&written, &r.out.text).unwrap_or(said);
    r.say(said, end - usize::from(stop));
    true
}

/// Whether a letter with its stop stands right before: `P.D.G.`
fn is_inside_initials(r: &Reader<'_>) -> bool {
    let mut head = scan::slice(r.t, ..r.at).chars().rev();
    head.next() == Some('.')
        && head.next().is_some_and(char::is_alphabetic)
        && head.next().is_none_or(|c| !c.is_alphanumeric())
}

/// A word with a stop that shortens it: `Sr.`, `pág. 5`, `etc.`
fn abbreviated(r: &mut Reader<'_>) -> bool {
    let end = scan::letters(r.t, r.at);
    let word = scan::slice(r.t, r.at..end);
    if !scan::tail(r.t, end).starts_with('.') || scan::tail(r.t, end).starts_with("..") {
        return false;
    }
    let next_at = scan::past_space(r.t, end + 1);
    let next = scan::word(r.t, next_at);
    // `P.M.E.`, `J.-M. Dupont`
    let letter = word.chars().count() == 1;
    let row = letter && next_at == end + 1 && next.chars().count() == 1;
    if row || (letter && (is_inside_initials(r) || r.before() == Some('-'))) {
        return false;
    }
    // `art. L. 121-3`
    let coded = next.len() == 1
        && next.starts_with(char::is_uppercase)
        && scan::digit_at(r.t, scan::run(r.t, next_at + 1, |c| matches!(c, '.' | ' ' | '-')));
    // `al. a`, `lett. b`, `bl. A`
    let lettered = next.chars().count() == 1
        && next.starts_with(char::is_lowercase)
        && ["al", "alín", "lett", "let", "inc", "lit"].contains(&word)
        || (next.len() == 1
            && next.starts_with(char::is_uppercase)
            && ["bl", "Bl", "sc", "int", "Int", "cj", "Cj", "qd", "ap", "esc", "pta", "lt"].contains(&word));
    let before_number = scan::digit_at(r.t, next_at) || value(next).is_some() || coded || lettered;
    let numbered = r.words().abbreviation_before_number(word).filter(|_| before_number);
    let found = numbered.map(|said| (said, Kind::BeforeNumber)).or_else(|| r.words().abbreviation(word));
    let Some((said, kind)) = found else { return false };
    let stop = ends_here(r.t, end + 1);
    let fits = match kind {
        Kind::BeforeName => {
            // "J. R. R.": a single letter before another is an initial. "M. et Mme" are titles.
            let letters = word.chars().count();
            let head = scan::slice(r.t, ..r.at).trim_end();
            let mut before = head.strip_suffix('.').unwrap_or("").chars().rev();
            let after_initial = before.next().is_some_and(char::is_uppercase)
                && before.next().is_none_or(|c| !c.is_alphanumeric());
            let initial = letters == 1 && (next.chars().count() == 1 || after_initial);
            let titles = r.words().titles.contains(&word) && next == r.signs().names.and;
            (next.starts_with(char::is_uppercase) && !initial) || (letters > 1 && !stop) || titles
        }
        Kind::BeforeNumber => before_number,
        // Without its stop it may be a word: "una col.", "un ref."
        Kind::Anywhere => !stop || !r.words().ambiguous.contains(&word) || spans::follows_day(r, said),
    };
    if !fits {
        return false;
    }
    // "S. Maria", "S. Antonio": the title agrees with the name.
    if let Some((title, joined)) = r.grammar().title(said, next).filter(|_| kind == Kind::BeforeName) {
        if joined {
            r.say(&format!("{title}{next}"), next_at + next.len());
        } else {
            r.say(title, end + 1);
        }
        return true;
    }
    // The stop that also ends the sentence is kept.
    let said = r.grammar().meaning(word, &r.out.text).unwrap_or(said);
    let said = if kind == Kind::BeforeNumber { before_range(r, said, next_at) } else { said };
    let said = agreeing(r, said);
    r.say(&said, end + usize::from(!stop));
    true
}

/// `p. 23-25` are pages.
fn before_range(r: &Reader<'_>, said: &'static str, at: usize) -> &'static str {
    let end = scan::digits(r.t, at);
    let dash = scan::char_at(r.t, end).filter(|c| matches!(c, '-' | '–'));
    match said {
        _ if dash.is_none_or(|dash| !scan::digit_at(r.t, end + dash.len_utf8())) => said,
        "página" => "páginas",
        "page" => "pages",
        "pagina" => "pagine",
        "capítulo" => "capítulos",
        "chapitre" => "chapitres",
        "capitolo" => "capitoli",
        _ => said,
    }
}

/// "Máxima" and "mínima" after a feminine noun, or after each other.
fn agreeing(r: &Reader<'_>, said: &str) -> String {
    const BOTH: [&str; 6] = ["máximo", "mínimo", "massimo", "minimo", "incluso", "escluso"];
    let Some(stem) = said.strip_suffix('o').filter(|_| BOTH.contains(&said)) else { return said.to_owned() };
    let head = r.out.text.trim_end();
    let word = head.rsplit(' ').next().unwrap_or("").to_lowercase();
    let feminine = (!word.is_empty() && r.grammar().is_feminine(&word))
        || ["máxima", "mínima", "massima", "minima"].iter().any(|other| head.contains(other));
    format!("{stem}{}", if feminine { 'a' } else { 'o' })
}

/// A single letter that is not a word is read by its name, and so is a Greek letter.
fn single(r: &mut Reader<'_>) -> bool {
    let end = scan::letters(r.t, r.at);
    let written = scan::slice(r.t, r.at..end);
    let mut chars = written.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return false };
    // `l'eau`, `a-t-il`
    let bound = |c: Option<char>| c == Some('\'') || (c == Some('-') && r.signs().keeps_hyphens);
    let coded = c.is_uppercase() && scan::tail(r.t, end).starts_with('-') && scan::digit_at(r.t, end + 1);
    if (bound(scan::char_at(r.t, end)) && !coded) || (c.is_lowercase() && bound(r.before())) {
        return false;
    }
    if let Some(name) = greek(c).and_then(|index| r.signs().greek.get(index)) {
        r.say(name, end);
        return true;
    }
    // `40° 25' N`
    let head = scan::slice(r.t, ..r.at).trim_end();
    let degrees = head.ends_with(['\'', '"', '°', '′', '″']) && head.contains('°');
    let direction = ["N", "S", "E", "OW"].iter().position(|letters| letters.contains(c));
    if let Some(name) = direction.filter(|_| degrees).and_then(|index| r.signs().compass.get(index)) {
        r.say(name, end);
        return true;
    }
    let Some(name) = acronyms::letter_of(r.signs(), written) else { return false };
    let is_word = r.words().single_letters.contains(c)
        || (c.is_uppercase()
            && scan::tail(r.t, end).starts_with(' ')
            && r.words().single_letters.contains(|word: char| c.to_lowercase().eq([word])));
    let coded = scan::digit_at(r.t, end) || (r.shouted && c.is_uppercase());
    // "Y²": where the letter is the word for "and", too.
    let powered = scan::tail(r.t, end).starts_with(['²', '³']) && r.signs().names.and == "y";
    if is_word && !powered && (!coded || matches!(c, 'y' | 'Y')) {
        return false;
    }
    // The stop of an initial is not the end of anything: "J. R. R. Tolkien".
    let initial = c.is_uppercase() && scan::tail(r.t, end).starts_with('.') && !ends_here(r.t, end + 1);
    r.say(name, end + usize::from(initial));
    true
}

/// The place of a Greek letter in the alphabet.
fn greek(c: char) -> Option<usize> {
    const LETTERS: [&str; 24] = [
        "αΑ", "βΒ", "γΓ", "δΔ", "εΕ", "ζΖ", "ηΗ", "θΘ", "ιΙ", "κΚ", "λΛ", "μΜ", "νΝ", "ξΞ", "οΟ", "πΠ", "ρΡ",
        "σΣς", "τΤ", "υΥ", "φΦϕ", "χΧ", "ψΨ", "ωΩ",
    ];
    LETTERS.iter().position(|letters| letters.contains(c))
}

/// Reads a word in capitals. An acronym is read as a word or spelled; on a shouted line, other
/// words are ordinary words. Only whole words of at least two letters count.
fn capitals(r: &mut Reader<'_>) -> bool {
    let end = scan::letters(r.t, r.at);
    let run = scan::slice(r.t, r.at..end);
    // `ONGs`, `DVDs`
    let plural = run.len() > 2 && run.ends_with('s');
    let word = if plural { &run[..run.len() - 1] } else { run };
    let length = word.chars().count();
    if length < 2 || !word.chars().all(char::is_uppercase) {
        return false;
    }
    if let Some(said) = acronyms::meant(r.signs(), word) {
        r.say(said, end);
    } else if (r.shouted
        && !acronyms::is_spelled(r.signs(), word)
        && acronyms::is_readable(&r.signs().syllables, word))
        || acronyms::is_word(r.signs(), word)
    {
        let lower = word.to_lowercase();
        r.say(&(if plural { lower + "s" } else { lower }), end);
    } else {
        let words = acronyms::spelled(r.signs(), word);
        if words.is_empty() {
            return false;
        }
        r.say(&words, end);
    }
    true
}

/// Spells a word without a vowel, unless it is an interjection.
fn unspeakable(r: &mut Reader<'_>) -> bool {
    let end = scan::letters(r.t, r.at);
    let word = scan::slice(r.t, r.at..end);
    if word.len() < 2
        || !word.bytes().all(|byte| byte.is_ascii_alphabetic())
        || acronyms::is_readable(&r.signs().syllables, word)
    {
        return false;
    }
    if word.contains(|c: char| "aeiouyAEIOUY".contains(c)) {
        return false;
    }
    if acronyms::is_noise(word) {
        return false;
    }
    let words = acronyms::spelled(r.signs(), word);
    r.say(&words, end);
    true
}

/// Letters of scripts the voice cannot say are passed over.
fn foreign(r: &mut Reader<'_>) -> bool {
    let grammar = r.grammar();
    let end = scan::run(r.t, r.at, |c| c.is_alphabetic() && !grammar.can_say(c));
    if end == r.at {
        return false;
    }
    r.space(end);
    true
}
