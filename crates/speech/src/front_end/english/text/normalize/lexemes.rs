//! Words that are not said as they are written: abbreviations, Roman numerals, single Greek
//! letters, shouting; and letters of scripts that the voice has no sounds for.

use super::{
    Reader, addresses, chemistry, chords, codes, compass, dates, maths, numerals, rates, reading, scan,
    scripture, shortened, weekdays,
};
use crate::front_end::english::text::{short_forms, words};

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
        || chords::read(r)
        || youth(r)
        || rates::alone(r)
        || addresses::direction(r)
        || addresses::quarter(r)
        || compass::read(r)
        || addresses::state(r)
        || key(r)
        || with(r)
        || lifespan(r)
        || shortened::read(r)
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
    let words = if plural { reading::plural(&words) } else { words };
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

/// `Ctrl+Alt+Del`, "press Esc": keys in short form, beside other keys.
fn key(r: &mut Reader<'_>) -> bool {
    let said = match scan::word(r.t, r.at) {
        "Esc" => "Escape",
        "Del" => "Delete",
        _ => return false,
    };
    let end = r.at + 3;
    let beside = r.before() == Some('+') || scan::tail(r.t, end).starts_with('+');
    let pressed = ["hit", "press", "pressed", "pressing", "the"]
        .contains(&r.word_before().to_lowercase().as_str())
        && (r.word_before() != "the" || scan::tail(r.t, end).starts_with(" key"));
    if !(beside || pressed) || !scan::edge(r.t, end) {
        return false;
    }
    r.say(said, end);
    true
}

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
    let about = ["c. ", "ca. "].iter().find(|about| scan::tail(r.t, start).starts_with(**about));
    let year_at = start + about.map_or(0, |about| about.len());
    let year = (3..=4).contains(&(scan::digits(r.t, year_at) - year_at));
    let before = r.word_before();
    let bracket = short_forms::is_of_life(scan::slice(r.t, ..r.at), word);
    let said = match word {
        "c" if year => "circa",
        "c" if short_forms::is_ordinal(before) => "century",
        "c" if short_forms::is_about(scan::slice(r.t, ..r.at), scan::tail(r.t, start)) => "circa",
        "b" if year && bracket => "born",
        "d" if year && bracket => "died",
        // "jump to the coda at b. 60"
        "b" if short_forms::is_of_bars(r.t) && scan::digits(r.t, start) > start => "bar",
        "fl" if year && bracket => "flourished",
        "r" if year && bracket => "reigned",
        _ => return false,
    };
    r.say(said, end + usize::from(!dates::ends_here(r.t, end + 1)));
    true
}

/// One Greek letter alone is called by its name.
pub(super) fn greek(r: &mut Reader<'_>) -> bool {
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
