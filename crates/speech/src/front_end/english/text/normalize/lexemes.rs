//! Words that are not said as they are written: abbreviations, Roman numerals, single Greek
//! letters, shouting; and letters of scripts that the voice has no sounds for.

use super::{
    Reader, addresses, chemistry, codes, compass, dates, maths, numbers, numerals, scan, scripture, units,
    weekdays,
};
use crate::front_end::english::text::{
    abbreviations::{self, Abbreviation},
    figures, short_forms, words,
};

/// Reads the word that starts here, when it needs a rule.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    if !r.char().is_some_and(char::is_alphabetic) {
        return false;
    }
    scripture::read(r)
        || weekdays::read(r)
        || dates::month_first(r)
        || codes::version(r)
        || maths::function(r)
        || key_with_flat(r)
        || youth(r)
        || units::rate(r)
        || addresses::direction(r)
        || addresses::quarter(r)
        || compass::read(r)
        || addresses::state(r)
        || with(r)
        || lifespan(r)
        || abbreviated(r)
        || numerals::read(r)
        || greek(r)
        || whole(r)
        || chemistry::letter_a(r)
        || foreign(r)
}

/// `Bb major`, `Eb minor`, `a Bb clarinet`: a key with a flat, or the instrument in it.
fn key_with_flat(r: &mut Reader<'_>) -> bool {
    const AFTER: &[&str] = &[
        "major",
        "minor",
        "clarinet",
        "clarinets",
        "trumpet",
        "trumpets",
        "cornet",
        "cornets",
        "horn",
        "horns",
        "tuba",
        "tubas",
        "saxophone",
        "saxophones",
        "sax",
        "chord",
        "scale",
        "instrument",
        "instruments",
    ];
    let word = scan::word(r.t, r.at);
    let Some(letter) = word.strip_suffix('b').filter(|letter| matches!(letter.as_bytes(), [b'A'..=b'G']))
    else {
        return false;
    };
    let end = r.at + word.len();
    let mode = scan::word(r.t, scan::past_space(r.t, end));
    // "a blues in Eb", "an F# and then a Bb"; `Gb` are gigabits.
    let before = r.word_before().to_lowercase();
    let is_named = (before == "in" && mode.is_empty() && MUSIC.iter().any(|word| r.t.contains(word)))
        || (["a", "an", "and", "from", "or", "to"].contains(&before.as_str()) && names_a_sharp(r.t));
    let is_key = is_named && letter != "G" && scan::edge(r.t, end) && !scan::tail(r.t, end).starts_with('/');
    if !(is_key || AFTER.contains(&mode)) {
        return false;
    }
    r.say(&format!("{letter} flat"), end);
    true
}

/// `the U21s`, `England U19 side`: a team by the age of its players.
fn youth(r: &mut Reader<'_>) -> bool {
    const TEAMS: [&str; 10] = [
        "championship",
        "final",
        "game",
        "international",
        "match",
        "player",
        "side",
        "squad",
        "team",
        "tournament",
    ];
    let end = scan::digits(r.t, r.at + 1);
    let Ok(age) = scan::slice(r.t, r.at + 1..end).parse::<u64>() else { return false };
    let plural = scan::tail(r.t, end).starts_with('s');
    let after = end + usize::from(plural);
    let next = scan::word(r.t, scan::past_space(r.t, after)).to_lowercase();
    let is_team = TEAMS.contains(&next.trim_end_matches('s'));
    if !r.rest().starts_with('U')
        || !(15..=23).contains(&age)
        || !scan::edge(r.t, after)
        || !(plural || is_team)
    {
        return false;
    }
    let words = r.language.figures.number(age);
    let words = if plural { numbers::plural(&words) } else { words };
    r.say("under", r.at + 1);
    r.say(&words, after);
    true
}

/// Whether a text names a note with a sharp: `F#`.
fn names_a_sharp(t: &str) -> bool {
    t.match_indices('#').any(|(at, _)| {
        let head = &t[..at];
        let note = head.trim_end_matches(|c| matches!(c, 'A'..='G'));
        head.len() == note.len() + 1 && !note.ends_with(char::is_alphanumeric) && scan::edge(t, at + 1)
    })
}

/// Words of texts that speak of keys.
const MUSIC: &[&str] = &[
    "blues", "chord", "concerto", "étude", "fugue", "guitar", "key", "nocturne", "octave", "piano", "play",
    "prelude", "quartet", "scale", "sonata", "song", "string", "symphony", "trio", "tune", "waltz",
];

/// `w/`, `w/o`, `c/o`, and `y/y` of business reports.
fn with(r: &mut Reader<'_>) -> bool {
    const SHORT: [(&str, &str); 9] = [
        ("w/o", "without"),
        ("w/", "with"),
        ("c/o", "care of"),
        ("y/y", "year over year"),
        ("q/q", "quarter over quarter"),
        ("m/m", "month over month"),
        ("w/w", "week over week"),
        ("YoY", "year over year"),
        ("QoQ", "quarter over quarter"),
    ];
    for (written, said) in SHORT {
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

/// `c. 1450`, `(b. 1809)`, `the 20th c.`: one letter before a year, or after a century.
fn lifespan(r: &mut Reader<'_>) -> bool {
    let word = scan::word(r.t, r.at);
    let end = r.at + word.len();
    if !scan::tail(r.t, end).starts_with('.') {
        return false;
    }
    let start = scan::past_space(r.t, end + 1);
    let year = (3..=4).contains(&(scan::digits(r.t, start) - start));
    let bracket = matches!(r.before(), Some('(' | '[')) || scan::slice(r.t, ..r.at).ends_with(", ");
    let before = r.word_before();
    let ordinal = before.starts_with(|c: char| c.is_ascii_digit()) && before.ends_with(char::is_alphabetic);
    let said = match word {
        "c" if year => "circa",
        "c" if ordinal => "century",
        "b" if year && bracket => "born",
        "d" if year && bracket => "died",
        // "jump to the coda at b. 60"
        "b" if is_of_bars(r.t) && scan::digits(r.t, start) > start => "bar",
        "fl" if year && bracket => "flourished",
        "r" if year && bracket => "reigned",
        _ => return false,
    };
    r.say(said, end + usize::from(!dates::ends_here(r.t, end + 1)));
    true
}

/// Whether the number at `at` may be a year.
/// Whether a text speaks of the bars of a piece.
fn is_of_bars(t: &str) -> bool {
    ["bars", "coda", "measures"].iter().any(|word| t.contains(word))
}

fn is_year(t: &str, at: usize) -> bool {
    let digits = scan::slice(t, at..scan::digits(t, at));
    digits.len() == 4 && digits.starts_with(['1', '2'])
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
    if !word.contains('.') && (!stopped || words::is_numbered_war(word)) {
        return title_without_stop(r, word);
    }
    let Some((said, kind)) =
        abbreviations::expansion(word).filter(|_| stopped && !scan::tail(r.t, end).starts_with(".."))
    else {
        return false;
    };
    let Some(said) = said_here(r, (word, said, kind), end) else { return false };
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

/// How an abbreviation that ends at `end` is said where it stands; `None` where it is none.
fn said_here(
    r: &Reader<'_>,
    (word, said, kind): (&str, &'static str, Abbreviation),
    end: usize,
) -> Option<&'static str> {
    let next_at = scan::past_space(r.t, end + 1);
    let next = scan::word(r.t, next_at);
    let next_is_name = capitalized(next);
    let number_follows = scan::digit_at(r.t, next_at)
        || scan::slice(r.t, next_at..).starts_with('#')
        || (scan::slice(r.t, next_at..).starts_with('(') && scan::digit_at(r.t, next_at + 1))
        || scan::slice(r.t, next_at..).starts_with(['-', '−'])
        || figures::roman(&next.to_uppercase()).is_some_and(|_| next.len() > 1 || next_is_name);
    let before = r.word_before();
    let numbered = is_ordinal(before);
    let name_before = (capitalized(before) && !words::starts_sentence(before)) || numbered;
    Some(match (word, kind) {
        ("St" | "Dr", _) => {
            let street = if word == "St" { "Street" } else { "Drive" };
            // "Dr. St. John" is a person.
            let titled = words::STOPLESS_TITLES.contains(&before.trim_end_matches('.')) && next_is_name;
            let ends_name =
                name_before && !titled && (!next_is_name || words::starts_sentence(next) || word == "St");
            if ends_name { street } else { said }
        }
        // "cf. v. 24"
        ("v", _) if number_follows && is_verse(r, next_at) => "verse",
        ("v", _) if !next_is_name => return None,
        ("Reg", _) if ["No", "in"].contains(&next) => "Registered",
        ("reg", _) if next == "no" => "registration",
        ("approx", _) if ["a", "an", "the", "An", "The"].contains(&before) && !number_follows => {
            "approximate"
        }
        ("incl", _) if dates::ends_here(r.t, end + 1) => "included",
        ("apt", _) if !short_forms::is_home(scan::slice(r.t, ..r.at)) => return None,
        ("exp" | "Exp", _) if !is_month_at(r.t, next_at) => return None,
        ("Sta", _) if next_is_name || !name_before => return None,
        ("Ins", _) if !name_before => return None,
        ("Lv", _) if number_follows => "Level",
        ("Lv" | "Ar" | "ar", _) if !next_is_name || !r.t.contains(':') => return None,
        ("Pat", _) => {
            let numbered = ["No", "Nos", "Pending"].contains(&next) || scan::digit_at(r.t, next_at);
            return (numbered && ["U.S.", "US"].contains(&before)).then_some(said);
        }
        // "Acme inc."
        ("inc", _) if !["VAT", "tax", "p&p", "postage", "delivery", "all", "breakfast"].contains(&next) => {
            return None;
        }
        // `dec. +22°`
        ("dec", _) => return is_angle(r.t, next_at).then_some(said),
        ("Reg", _) if scan::slice(r.t, next_at..).starts_with("(E") => said,
        ("No", _) if next == "of" => said,
        ("No" | "no", _) if short_forms::is_of_register(scan::slice(r.t, ..r.at)) => said,
        ("Bldg", _) if number_follows => said,
        ("est", _) if !number_follows => {
            if !next.starts_with(char::is_lowercase) {
                return None;
            }
            "estimated"
        }
        // `fl. 1450` and `fl. oz.` are no floors.
        ("fl" | "Fl", _) if !numbered => return None,
        // "I heard a pop. 20 people came."
        ("pop" | "Pop", _)
            if !matches!(scan::slice(r.t, ..r.at).trim_end().chars().next_back(), Some('(' | ',' | ';')) =>
        {
            return None;
        }
        ("Est", _) if !is_year(r.t, next_at) => return None,
        // "Col. Reed, Ret."
        ("Ret", _) if !scan::slice(r.t, ..r.at).trim_end().ends_with(',') => return None,
        ("exc", _) if words::weekday(next.trim_end_matches('s')).is_none() && next != "Bank" => return None,
        ("Ref" | "ref", _) => {
            let is_reference =
                short_forms::is_reference(scan::slice(r.t, ..r.at), scan::slice(r.t, next_at..));
            return is_reference.then_some(said);
        }
        ("Sched" | "Sch" | "Fig", _) if short_forms::is_lettered(scan::slice(r.t, next_at..)) => said,
        // "Max. Weber" is a person.
        ("Max" | "Min", _) if next_is_name || dates::ends_here(r.t, end + 1) => return None,
        ("long", _) if !r.t.contains("lat") && !r.t.contains("Lat") => return None,
        ("Const", _) => return ["art", "amend", "Art", "Amend"].contains(&next).then_some(said),
        ("Tel" | "tel", _) if scan::tail(r.t, end + 1).starts_with(':') => said,
        ("Ft", _) if before.ends_with(|c: char| c.is_ascii_digit()) => return None,
        ("ed", _) => {
            if !before.ends_with("st")
                && !before.ends_with("nd")
                && !before.ends_with("rd")
                && !before.ends_with("th")
            {
                return None;
            }
            said
        }
        (
            "a.m" | "p.m" | "A.M" | "P.M" | "etc" | "Mr" | "Mrs" | "Ms" | "vs" | "e.g" | "i.e" | "E.g"
            | "I.e",
            _,
        ) => said,
        _ if abbreviations::is_state(word) => {
            if !scan::slice(r.t, ..r.at).trim_end().ends_with(',') {
                return None;
            }
            said
        }
        (_, Abbreviation::BeforeNumber) if !number_follows => return None,
        (_, Abbreviation::Place)
            if !(name_before
                || (word == "Hwy" && number_follows)
                || before.ends_with(|c: char| c.is_ascii_digit())) =>
        {
            return None;
        }
        (_, Abbreviation::Title) if capitalized(word) && !next_is_name => return None,
        (_, Abbreviation::Month)
            if dates::ends_here(r.t, end + 1)
                && (scan::slice(r.t, ..r.at).trim().is_empty()
                    || (word == "Sun" && before.eq_ignore_ascii_case("the"))) =>
        {
            return None;
        }
        _ => said,
    })
}

/// Whether a verse is what is numbered at `at`, and not a version.
fn is_verse(r: &Reader<'_>, at: usize) -> bool {
    let end = scan::digits(r.t, at);
    let told = ["cf.", "see", "See", "and", "in"].contains(&r.word_before()) && r.t.contains(':');
    told && (1..=3).contains(&(end - at))
        && !(scan::tail(r.t, end).starts_with('.') && scan::digit_at(r.t, end + 1))
}

/// Whether a month starts at `at`, in digits or letters: "exp. 03/27".
fn is_month_at(t: &str, at: usize) -> bool {
    let slash = scan::digits(t, at);
    (slash > at && scan::tail(t, slash).starts_with('/')) || words::month(scan::word(t, at)).is_some()
}

/// Whether there are degrees at `at`.
fn is_angle(t: &str, at: usize) -> bool {
    let start = at + scan::char_at(t, at).filter(|c| matches!(c, '+' | '-' | '−')).map_or(0, char::len_utf8);
    scan::quantity(t, start).is_some_and(|degrees| scan::tail(t, degrees.end).starts_with('°'))
}

/// Whether a word is an ordinal in digits: `52nd`.
fn is_ordinal(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        && ["st", "nd", "rd", "th"].iter().any(|ending| word.ends_with(ending))
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
        && (capitalized(before) || before.ends_with("th") || is_ordinal(before))
        && !words::starts_sentence(before);
    let is_street = named
        && (!next_is_close(r.t, end, next)
            || is_unit(next)
            || addresses::is_quarter(r.t, scan::past_space(r.t, end)));
    let after = scan::tail(r.t, end);
    let numbered =
        after.starts_with(' ') && scan::digit_at(r.t, end + 1 + usize::from(after.starts_with(" #")));
    // "Tel: +1 …", "Fwd: Q3 report"
    let label = match word {
        _ if !scan::tail(r.t, end).starts_with(':') => None,
        "tel" | "Tel" => Some("telephone"),
        "Fwd" | "FWD" | "Fw" => Some("Forwarded"),
        "Attn" | "ATTN" => Some("Attention"),
        _ => None,
    };
    let said = if label.is_some() {
        label
    } else if word == "approx" && ["a", "an", "the", "An", "The"].contains(&before) {
        Some("approximate")
    } else if word == "Fl"
        && numbered
        && scan::digits(r.t, end + 1) <= end + 4
        && scan::slice(r.t, ..r.at).trim_end().ends_with(',')
    {
        Some("Floor")
    } else if numbered && let Some(said) = words::place(word) {
        Some(said)
    } else if is_street && let Some(said) = words::street(word) {
        Some(said)
    } else if is_title || is_saint || ["Mr", "Ms"].contains(&word) {
        abbreviations::expansion(word).map(|(said, _)| said)
    } else {
        words::shorthand(word)
    };
    let Some(said) = said else { return false };
    r.say(said, end);
    true
}

/// Whether a part of a building follows a street: "4520 Oak Blvd Ste 300".
fn is_unit(word: &str) -> bool {
    ["Apt", "Bldg", "Rm", "Ste", "Suite", "Unit"].contains(&word)
}

/// Whether a name or a number follows after one space, so that an abbreviation may belong to it.
fn next_is_close(t: &str, end: usize, next: &str) -> bool {
    scan::tail(t, end).starts_with(' ') && (capitalized(next) || next.is_empty())
}

/// One Greek letter alone is called by its name.
fn greek(r: &mut Reader<'_>) -> bool {
    let Some(c) = r.char() else { return false };
    let end = r.at + c.len_utf8();
    let variable =
        scan::char_at(r.t, end).is_some_and(|c| c.is_ascii_lowercase()) && scan::letters(r.t, end) == end + 1;
    if scan::char_at(r.t, end).is_some_and(char::is_alphabetic) && !variable {
        return false;
    }
    let Some(name) = words::greek_letter(c) else { return false };
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
