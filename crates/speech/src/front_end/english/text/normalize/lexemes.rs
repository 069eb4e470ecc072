//! Words that are not said as they are written: abbreviations, Roman numerals, single Greek
//! letters, shouting; and letters of scripts that the voice has no sounds for.

use super::{Reader, codes, dates, scan, scripture};
use crate::front_end::english::text::{
    figures,
    words::{self, Abbreviation},
};

/// Reads the word that starts here, when it needs a rule.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    if !r.char().is_some_and(char::is_alphabetic) {
        return false;
    }
    scripture::read(r)
        || dates::month_first(r)
        || codes::version(r)
        || with(r)
        || abbreviated(r)
        || roman(r)
        || greek(r)
        || whole(r)
        || foreign(r)
}

/// `w/`, `w/o`.
fn with(r: &mut Reader<'_>) -> bool {
    for (written, said) in [("w/o", "without"), ("w/", "with")] {
        let end = r.at + written.len();
        if r.rest().starts_with(written)
            && (scan::edge(r.t, end) || written == "w/")
            && !scan::slice(r.t, end..).starts_with('/')
        {
            r.say(said, end);
            return true;
        }
    }
    false
}

fn capitalized(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// A word shortened by a period: `Dr.`, `e.g.`, `No. 5`.
fn abbreviated(r: &mut Reader<'_>) -> bool {
    let run_end = scan::run(r.t, r.at, |c| c.is_alphabetic() || c == '.');
    let mut end = r.at + scan::slice(r.t, r.at..run_end).trim_end_matches('.').len();
    let word = scan::slice(r.t, r.at..end);
    let stopped = scan::tail(r.t, end).starts_with('.');
    if !stopped && !word.contains('.') {
        return title_without_stop(r, word);
    }
    let Some((said, kind)) =
        words::expansion(word).filter(|_| stopped && !scan::tail(r.t, end).starts_with(".."))
    else {
        return false;
    };
    let next_at = scan::past_space(r.t, end + 1);
    let next = scan::word(r.t, next_at);
    let next_is_name = capitalized(next);
    let number_follows = scan::digit_at(r.t, next_at)
        || scan::slice(r.t, next_at..).starts_with('#')
        || figures::roman(next).is_some();
    let before = r.word_before();
    let numbered = before.starts_with(|c: char| c.is_ascii_digit())
        && ["st", "nd", "rd", "th"].iter().any(|ending| before.ends_with(ending));
    let name_before = (capitalized(before) && !words::starts_sentence(before)) || numbered;
    let said = match (word, kind) {
        ("St" | "Dr", _) => {
            let street = if word == "St" { "Street" } else { "Drive" };
            let ends_name = name_before && (!next_is_name || words::starts_sentence(next) || word == "St");
            if ends_name { street } else { said }
        }
        ("Ft", _) if before.ends_with(|c: char| c.is_ascii_digit()) => return false,
        ("ed", _) => {
            if !before.ends_with("st")
                && !before.ends_with("nd")
                && !before.ends_with("rd")
                && !before.ends_with("th")
            {
                return false;
            }
            said
        }
        (
            "a.m" | "p.m" | "A.M" | "P.M" | "etc" | "Mr" | "Mrs" | "Ms" | "vs" | "e.g" | "i.e" | "E.g"
            | "I.e",
            _,
        ) => said,
        _ if words::is_state(word) => {
            if !scan::slice(r.t, ..r.at).trim_end().ends_with(',') {
                return false;
            }
            said
        }
        (_, Abbreviation::BeforeNumber) if !number_follows => return false,
        (_, Abbreviation::Place) if !(name_before || before.ends_with(|c: char| c.is_ascii_digit())) => {
            return false;
        }
        (_, Abbreviation::Title) if capitalized(word) && !next_is_name => return false,
        (_, Abbreviation::Month)
            if dates::ends_here(r.t, end + 1) && ["Sat", "Sun", "Mar", "Wed", "Mon"].contains(&word) =>
        {
            return false;
        }
        _ => said,
    };
    // The stop that also ends the sentence is kept.
    if said.ends_with('.') || !dates::ends_here(r.t, end + 1) {
        end += 1;
    }
    r.say(said, end);
    if said == "for example" || said == "that is" {
        breath_after(r);
    }
    true
}

/// A comma after "for example", as it is said, unless one is written.
fn breath_after(r: &mut Reader<'_>) {
    if r.rest().starts_with(' ') {
        r.out.comma(r.at..r.at);
    }
}

/// `Dr Smith`, `vs`, `No 5`.
fn title_without_stop(r: &mut Reader<'_>, word: &str) -> bool {
    let end = r.at + word.len();
    if !scan::edge(r.t, end) {
        return false;
    }
    let next = scan::word(r.t, scan::past_space(r.t, end));
    let is_title =
        words::STOPLESS_TITLES.contains(&word) && capitalized(next) && scan::tail(r.t, end).starts_with(' ');
    let is_saint = word == "St"
        && capitalized(next)
        && !capitalized(r.word_before())
        && scan::tail(r.t, end).starts_with(' ');
    let before = r.word_before();
    let named = r.before() == Some(' ')
        && (capitalized(before) || before.ends_with("th"))
        && !words::starts_sentence(before);
    let is_street = named && !next_is_close(r.t, end, next);
    let said = if is_street && let Some(said) = words::street(word) {
        Some(said)
    } else if is_title || is_saint || ["Mr", "Ms"].contains(&word) {
        words::expansion(word).map(|(said, _)| said)
    } else {
        words::shorthand(word)
    };
    let Some(said) = said else { return false };
    r.say(said, end);
    true
}

/// Whether a name or a number follows after one space, so that an abbreviation may belong to it.
fn next_is_close(t: &str, end: usize, next: &str) -> bool {
    scan::tail(t, end).starts_with(' ') && (capitalized(next) || next.is_empty())
}

/// `Henry VIII`, `Chapter IV`, `World War II`, `the XIX century`.
fn roman(r: &mut Reader<'_>) -> bool {
    let end = scan::letters(r.t, r.at);
    let numeral = scan::slice(r.t, r.at..end);
    let Some(value) = figures::roman(numeral).filter(|_| scan::edge(r.t, end)) else { return false };
    let before = r.word_before();
    let gap = r.before() == Some(' ')
        && !before.is_empty()
        && scan::slice(r.t, ..r.at).trim_end().ends_with(before);
    let next = scan::word(r.t, scan::past_space(r.t, end));
    // `vol. II`, `ch. IV`: such a short form always has a number after it.
    let shortened = before
        .strip_suffix('.')
        .and_then(words::expansion)
        .is_some_and(|(_, kind)| kind == Abbreviation::BeforeNumber);
    let counted = gap && (words::counts(before) || shortened);
    let regal = gap && words::is_regal(before);
    let century =
        ["century", "centuries", "dynasty", "Century", "Dynasty", "Olympiad", "Congress"].contains(&next);
    let name_before = gap && capitalized(before) && before.len() > 1 && !words::starts_sentence(before);
    let only_small = numeral.bytes().all(|byte| b"IVX".contains(&byte));
    if numeral.len() == 1 {
        // One letter is a numeral only in the clearest places; "I" is a word nearly everywhere
        // else.
        let verb = [
            "was", "of", "died", "became", "in", "had", "and", "reigned", "ruled", "who", "from", "is", "to",
        ]
        .contains(&next)
            || next.is_empty();
        let clear = (counted
            && (before == "War"
                || numeral != "I"
                || next.is_empty()
                || !next.starts_with(char::is_lowercase)))
            || (regal && only_small && (numeral != "I" || verb));
        if !clear || (!only_small && !counted) || (shouted_word(r) && !counted) {
            return false;
        }
    } else if !(counted
        || regal
        || century
        || (name_before && only_small)
        || (only_small && numeral.len() > 2))
    {
        return year(r, numeral, value, end);
    }
    let person = name_before && !counted && value <= 5 && is_person(r, before);
    let words = if century {
        r.language.figures.ordinal(value)
    } else if regal || person {
        format!("the {}", r.language.figures.ordinal(value))
    } else {
        r.language.figures.number(value)
    };
    r.say(&words, end);
    true
}

fn shouted_word(r: &Reader<'_>) -> bool {
    r.shouted
}

/// `John Smith III`: two names before the numeral.
fn is_person(r: &Reader<'_>, before: &str) -> bool {
    let head = scan::slice(r.t, ..r.at).trim_end();
    let earlier = scan::word_ending(r.t, head.len() - before.len());
    let given = earlier.trim_end_matches('.');
    capitalized(given)
        && !words::starts_sentence(given)
        && !words::counts(given)
        && given.len() < 12
        && !words::is_initialism(given)
}

/// `MCMXCIX`: a long numeral is a year or a number wherever it stands.
fn year(r: &mut Reader<'_>, numeral: &str, value: u64, end: usize) -> bool {
    if numeral.len() < 4 || !(1000..2100).contains(&value) {
        return false;
    }
    let words = r.language.figures.year(value);
    r.say(&words, end);
    true
}

/// One Greek letter alone is called by its name.
fn greek(r: &mut Reader<'_>) -> bool {
    const NAMES: [(&str, &str); 24] = [
        ("αΑ", "alpha"),
        ("βΒ", "beta"),
        ("γΓ", "gamma"),
        ("δΔ", "delta"),
        ("εΕ", "epsilon"),
        ("ζΖ", "zeta"),
        ("ηΗ", "eta"),
        ("θΘ", "theta"),
        ("ιΙ", "iota"),
        ("κΚ", "kappa"),
        ("λΛ", "lambda"),
        ("μΜ", "mu"),
        ("νΝ", "nu"),
        ("ξΞ", "xi"),
        ("οΟ", "omicron"),
        ("πΠ", "pi"),
        ("ρΡ", "rho"),
        ("σΣς", "sigma"),
        ("τΤ", "tau"),
        ("υΥ", "upsilon"),
        ("φΦϕ", "phi"),
        ("χΧ", "chi"),
        ("ψΨ", "psi"),
        ("ωΩ", "omega"),
    ];
    let Some(c) = r.char() else { return false };
    let end = r.at + c.len_utf8();
    if scan::char_at(r.t, end).is_some_and(char::is_alphabetic) {
        return false;
    }
    let Some((_, name)) = NAMES.iter().find(|(letters, _)| letters.contains(c)) else { return false };
    r.say(name, end);
    true
}

/// A whole word in capitals on a shouted line: in small letters, so that it is not spelled.
fn whole(r: &mut Reader<'_>) -> bool {
    let word = scan::word(r.t, r.at);
    let end = r.at + word.len();
    let length = word.chars().count();
    if !r.shouted
        || length < 2
        || word.chars().any(char::is_lowercase)
        || !scan::edge(r.t, end)
        || words::is_initialism(word)
    {
        return false;
    }
    let lower = word.to_lowercase();
    let stem = lower.split('\'').next().unwrap_or(&lower);
    if !r.language.tagger.knows(stem) && length <= 4 && !lower.contains('\'') {
        return false;
    }
    r.say(&lower, end);
    // A contraction is one word: nothing may be put between its parts.
    true
}

/// Letters of scripts the voice cannot say are passed over.
fn foreign(r: &mut Reader<'_>) -> bool {
    let end = scan::run(r.t, r.at, |c| c.is_alphabetic() && !is_sayable(c));
    if end == r.at {
        return false;
    }
    r.out.space(r.at..end);
    r.skip(end);
    true
}

/// Latin, Greek, Cyrillic, Armenian and Georgian letters: the pronouncer knows some of each and
/// spells the rest.
pub(super) fn is_sayable(c: char) -> bool {
    matches!(c as u32, 0x41..=0x24F | 0x250..=0x2AF | 0x2BB..=0x2C1 | 0x370..=0x52F | 0x531..=0x587 | 0x10A0..=0x10FF | 0x1D00..=0x1DBF | 0x1E00..=0x1FFF | 0x2C60..=0x2C7F | 0xA720..=0xA7FF | 0xAB30..=0xAB6F | 0x2071 | 0x207F | 0x2090..=0x209C)
}
