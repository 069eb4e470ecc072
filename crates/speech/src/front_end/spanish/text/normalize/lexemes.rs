//! Words that are not said as they are written: abbreviations, Roman numerals, acronyms, single
//! letters, shouting; and letters of scripts that the voice has no sounds for.

use super::{Reader, acronyms, ends_here, roman};
use crate::front_end::{
    roman::value,
    scan,
    spanish::{
        foreign,
        text::words::{self, Kind, LONGEST_JOINED},
    },
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
    number_sign(r)
        || joined(r)
        || abbreviated(r)
        || street(r)
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
    if let Some(name) = acronyms::letter_of(written) {
        r.say(name, end);
        return true;
    }
    if written.chars().count() <= 3 && written.chars().all(char::is_uppercase) {
        let words = acronyms::spelled(written);
        r.say(&words, end);
        return true;
    }
    if r.out.text.ends_with(char::is_alphanumeric) {
        r.out.space(r.at..r.at);
    }
    foreign(r)
}

/// `n.º 5`, `N.º`, `nº 3`: "número". Cleaning wrote º as °.
fn number_sign(r: &mut Reader<'_>) -> bool {
    for (written, said) in [
        ("n.°s ", "números"),
        ("n.os ", "números"),
        ("n.°", "número"),
        ("N.°", "número"),
        ("n°", "número"),
        ("N°", "número"),
        ("No. ", "número"),
        ("M.ª", "María"),
        ("Mª", "María"),
        ("C.ª", "compañía"),
        ("P.°", "paseo"),
    ] {
        let end = r.at + written.len();
        if r.rest().starts_with(written) {
            if written == "No. " && !scan::digit_at(r.t, end) {
                continue;
            }
            let end = end - usize::from(written.ends_with(' '));
            r.say(said, end);
            return true;
        }
    }
    false
}

/// `EE. UU.`, `p. ej.`, `a. C.`, `S. A.`
fn joined(r: &mut Reader<'_>) -> bool {
    let near = scan::slice(r.rest(), ..r.rest().floor_char_boundary(LONGEST_JOINED + 4));
    if !near.contains('.') {
        return false;
    }
    let Some((bytes, said)) = words::joined_at(near) else { return false };
    let end = r.at + bytes;
    if !scan::edge(r.t, end) {
        return false;
    }
    let stop = scan::slice(r.t, ..end).ends_with('.') && ends_here(r.t, end);
    r.say(said, end - usize::from(stop));
    true
}

/// A word with a stop that shortens it: `Sr.`, `pág. 5`, `etc.`
fn abbreviated(r: &mut Reader<'_>) -> bool {
    let end = scan::letters(r.t, r.at);
    let word = scan::slice(r.t, r.at..end);
    if !scan::tail(r.t, end).starts_with('.') || scan::tail(r.t, end).starts_with("..") {
        return false;
    }
    let Some((said, kind)) = words::abbreviation(word) else { return false };
    let next_at = scan::past_space(r.t, end + 1);
    let next = scan::word(r.t, next_at);
    let stop = ends_here(r.t, end + 1);
    let fits = match kind {
        Kind::BeforeName => next.starts_with(char::is_uppercase) || (word.chars().count() > 1 && !stop),
        Kind::BeforeNumber => scan::digit_at(r.t, next_at) || value(next).is_some(),
        // Without its stop it may be a word: "una col.", "un ref."
        Kind::Anywhere => !stop || !["col", "ant", "ed", "sig", "edit", "univ", "prov"].contains(&word),
    };
    if !fits {
        return false;
    }
    // The stop that also ends the sentence is kept.
    r.say(said, end + usize::from(!stop));
    true
}

/// `C/ Mayor`, `c/ Alcalá`, `s/n`.
fn street(r: &mut Reader<'_>) -> bool {
    if r.rest().starts_with("s/n") && scan::edge(r.t, r.at + 3) {
        r.say("sin número", r.at + 3);
        return true;
    }
    let next = scan::past_space(r.t, r.at + 2);
    let name = scan::char_at(r.t, next).is_some_and(char::is_uppercase);
    if !(r.rest().starts_with("C/") || r.rest().starts_with("c/")) || !name {
        return false;
    }
    r.say("calle", r.at + 2);
    true
}

/// A single letter that is not a word is read by its name, and so is a Greek letter.
fn single(r: &mut Reader<'_>) -> bool {
    let end = scan::letters(r.t, r.at);
    let written = scan::slice(r.t, r.at..end);
    let mut chars = written.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return false };
    if scan::tail(r.t, end).starts_with('\'') {
        return false;
    }
    if let Some(name) = greek(c) {
        r.say(name, end);
        return true;
    }
    let Some(name) = acronyms::letter_of(written) else { return false };
    // "a", "e", "o", "u", "y" are words.
    let coded = scan::digit_at(r.t, end) || (r.shouted && c.is_uppercase());
    if (name.len() == 1 && !coded) || (c == 'y' || (c == 'Y' && scan::tail(r.t, end).starts_with(' '))) {
        return false;
    }
    // The stop of an initial is not the end of anything: "J. R. R. Tolkien".
    let initial = c.is_uppercase() && scan::tail(r.t, end).starts_with('.') && !ends_here(r.t, end + 1);
    r.say(name, end + usize::from(initial));
    true
}

fn greek(c: char) -> Option<&'static str> {
    const NAMES: [(&str, &str); 24] = [
        ("αΑ", "alfa"),
        ("βΒ", "beta"),
        ("γΓ", "gamma"),
        ("δΔ", "delta"),
        ("εΕ", "épsilon"),
        ("ζΖ", "zeta"),
        ("ηΗ", "eta"),
        ("θΘ", "theta"),
        ("ιΙ", "iota"),
        ("κΚ", "kappa"),
        ("λΛ", "lambda"),
        ("μΜ", "mu"),
        ("νΝ", "nu"),
        ("ξΞ", "xi"),
        ("οΟ", "ómicron"),
        ("πΠ", "pi"),
        ("ρΡ", "ro"),
        ("σΣς", "sigma"),
        ("τΤ", "tau"),
        ("υΥ", "ípsilon"),
        ("φΦϕ", "fi"),
        ("χΧ", "ji"),
        ("ψΨ", "psi"),
        ("ωΩ", "omega"),
    ];
    NAMES.iter().find(|(letters, _)| letters.contains(c)).map(|(_, name)| *name)
}

/// Reads a word in capitals. An acronym is read as a word or spelled; on a shouted line, other
/// words are ordinary words. Only whole words of at least two letters count.
fn capitals(r: &mut Reader<'_>) -> bool {
    let end = scan::letters(r.t, r.at);
    let run = scan::slice(r.t, r.at..end);
    // `ONGs`, `DVDs`
    let plural = run.len() > 3 && run.ends_with('s');
    let word = if plural { &run[..run.len() - 1] } else { run };
    let length = word.chars().count();
    if length < 2 || !word.chars().all(char::is_uppercase) {
        return false;
    }
    if let Some(said) = acronyms::meant(word) {
        r.say(said, end);
    } else if (r.shouted && !acronyms::is_spelled(word) && acronyms::is_readable(word))
        || acronyms::is_word(word)
    {
        let lower = word.to_lowercase();
        r.say(&(if plural { lower + "s" } else { lower }), end);
    } else {
        let words = acronyms::spelled(word);
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
    if word.len() < 2 || !word.bytes().all(|byte| byte.is_ascii_alphabetic()) || acronyms::is_readable(word) {
        return false;
    }
    if word.contains(|c: char| "aeiouyAEIOUY".contains(c)) {
        return false;
    }
    if acronyms::is_noise(word) {
        return false;
    }
    let words = acronyms::spelled(word);
    r.say(&words, end);
    true
}

/// Letters of scripts the voice cannot say are passed over.
fn foreign(r: &mut Reader<'_>) -> bool {
    let end = scan::run(r.t, r.at, |c| c.is_alphabetic() && !is_sayable(c));
    if end == r.at {
        return false;
    }
    r.space(end);
    true
}

/// Latin, Greek and Cyrillic letters.
pub(super) fn is_sayable(c: char) -> bool {
    matches!(c as u32, 0x41..=0x24F | 0x1E00..=0x1EFF) || foreign::is_known(c)
}
