//! Roman numerals: `Henry VIII`, `Chapter IV`, `the XIXth century`, `scene ii`, `pp. xii–xv`.

use super::{Reader, chemistry, scan};
use crate::front_end::english::text::{
    abbreviations::{self, Abbreviation},
    figures, words,
};

/// Reads the numeral that starts here.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    chain(r) || ordinal(r) || small(r) || lettered(r) || roman(r)
}

fn capitalized(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// Whether a word, or its singular, is followed by a number: `Articles`, `pages`, `vol.`
fn is_counted(word: &str) -> bool {
    let stem = word.trim_end_matches('.');
    words::counts(stem)
        || stem.strip_suffix('s').is_some_and(words::counts)
        || (stem.len() < word.len()
            && abbreviations::expansion(stem).is_some_and(|(_, kind)| kind == Abbreviation::BeforeNumber))
}

/// The numeral in either case at `at` with its value and end.
fn numeral_at(t: &str, at: usize) -> Option<(u64, usize)> {
    let end = scan::letters(t, at);
    let written = scan::slice(t, at..end);
    let one_case = !written.contains(char::is_lowercase) || !written.contains(char::is_uppercase);
    let value = figures::roman(&written.to_uppercase()).filter(|_| one_case && scan::edge(t, end))?;
    Some((value, end))
}

/// `ii–V–I`: the chords of a piece, or a list of numbers.
fn chain(r: &mut Reader<'_>) -> bool {
    let mut parts = Vec::new();
    let mut at = r.at;
    while let Some((value, end)) = numeral_at(r.t, at).filter(|(value, _)| *value <= 7) {
        parts.push((value, end));
        let Some(dash) = scan::char_at(r.t, end).filter(|c| matches!(c, '-' | '–')) else { break };
        at = end + dash.len_utf8();
    }
    if parts.len() < 3 || parts.last().is_none_or(|(_, end)| at > *end) {
        return false;
    }
    for (value, end) in parts {
        let words = r.language.figures.number(value);
        r.say(&words, end);
    }
    true
}

/// `the XIXth century`.
fn ordinal(r: &mut Reader<'_>) -> bool {
    let end = scan::letters(r.t, r.at);
    let written = scan::slice(r.t, r.at..end);
    let stem = ["th", "st", "nd", "rd"].iter().find_map(|ending| written.strip_suffix(ending));
    let Some(value) = stem.filter(|stem| stem.len() > 1).and_then(figures::roman) else { return false };
    let words = r.language.figures.ordinal(value);
    r.say(&words, end);
    true
}

/// `Stage IIIB`, `Class IIa`: a numeral with a letter, after what is graded by them.
fn lettered(r: &mut Reader<'_>) -> bool {
    const GRADED: [&str; 9] =
        ["category", "class", "grade", "group", "level", "phase", "schedule", "stage", "type"];
    let end = scan::letters(r.t, r.at);
    let Some(letter) = end.checked_sub(1).filter(|letter| *letter > r.at && scan::edge(r.t, end)) else {
        return false;
    };
    let sign = scan::slice(r.t, letter..end);
    let numeral = scan::slice(r.t, r.at..letter);
    if !matches!(sign, "A" | "B" | "C" | "a" | "b" | "c")
        || !numeral.bytes().all(|byte| b"IVX".contains(&byte))
    {
        return false;
    }
    let before = r.word_before().to_lowercase();
    // "A chip of type IC" has an initialism.
    let is_graded = GRADED.contains(&before.as_str()) && (numeral.len() > 1 || before == "stage");
    let Some(value) = figures::roman(numeral).filter(|_| is_graded) else { return false };
    let words = r.language.figures.number(value);
    r.say(&words, letter);
    match sign {
        "A" | "a" => chemistry::pronounce_a(r, end),
        sign => r.say(&sign.to_uppercase(), end),
    }
    true
}

/// Small numerals: `scene ii`, `p. iv`, `(iii)`. A single letter is one only after the words for
/// pages and parts of plays.
fn small(r: &mut Reader<'_>) -> bool {
    const SINGLE: [&str; 14] = [
        "act", "book", "canto", "chapter", "ch.", "p.", "page", "pages", "part", "pp.", "scene", "stanza",
        "vol.", "volume",
    ];
    let Some((value, end)) = numeral_at(r.t, r.at).filter(|(value, _)| *value < 100) else { return false };
    let written = scan::slice(r.t, r.at..end);
    if written.contains(char::is_uppercase) {
        return false;
    }
    let before = r.word_before();
    let gap = r.before() == Some(' ');
    let counted =
        gap && is_counted(before) && (written.len() > 1 || SINGLE.contains(&before.to_lowercase().as_str()));
    let item =
        r.before() == Some('(') && scan::tail(r.t, end).starts_with(')') && written.len() > 1 && value <= 20;
    if !(counted || item) {
        return false;
    }
    let words = r.language.figures.number(value);
    r.say(&words, end);
    until(r);
    true
}

/// The numeral after a dash: `xii–xv`, `I–V`.
fn until(r: &mut Reader<'_>) {
    let Some(dash) = r.char().filter(|c| matches!(c, '-' | '–')) else { return };
    let start = r.at + dash.len_utf8();
    if let Some((value, end)) = numeral_at(r.t, start) {
        r.say("to", start);
        let words = r.language.figures.number(value);
        r.say(&words, end);
    }
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
    let counted = gap && is_counted(before);
    let regal = gap && words::is_regal(before);
    let century =
        ["century", "centuries", "dynasty", "Century", "Dynasty", "Olympiad", "Congress"].contains(&next);
    let name_before = gap && capitalized(before) && before.len() > 1 && !words::starts_sentence(before);
    let only_small = numeral.bytes().all(|byte| b"IVX".contains(&byte));
    if numeral.len() == 1 {
        // One letter is a numeral only in the clearest places; "I" is a word nearly everywhere
        // else.
        let verb = [
            "was",
            "of",
            "died",
            "became",
            "in",
            "had",
            "and",
            "reigned",
            "ruled",
            "who",
            "from",
            "is",
            "to",
            "near",
            "by",
            "against",
            "ascended",
            "abdicated",
        ]
        .contains(&next)
            || next.is_empty();
        let clear = (counted
            && (ends_title(r, before, next)
                || numeral != "I"
                || next.is_empty()
                || !next.starts_with(char::is_lowercase)
                || (capitalized(before) && (follows_title(next) || (before == "Type" && has_types(next))))))
            || (regal && only_small && (numeral != "I" || verb));
        // `Chapter L` is the fiftieth, `Appendix C` is no hundredth one.
        let is_long_work = ["book", "canto", "ch.", "chapter", "psalm", "vol.", "volume"]
            .contains(&before.to_lowercase().as_str());
        if !clear || (!only_small && !is_long_work) || (r.shouted && !counted) {
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
    if counted {
        until(r);
    }
    true
}

/// Whether "I" numbers the war or the game before it: "World War I", "Super Bowl I was". "After the War I went" has a pronoun.
fn ends_title(r: &Reader<'_>, before: &str, next: &str) -> bool {
    let head = scan::slice(r.t, ..r.at).trim_end();
    let earlier = scan::word_ending(head, head.len() - before.len());
    let goes_on = ["and", "had", "in", "is", "of", "on", "or", "to", "took", "was", "while"].contains(&next);
    match before {
        "War" => earlier == "World",
        "Bowl" => earlier == "Super" && (next.is_empty() || goes_on),
        _ => false,
    }
}

/// Words that follow the title of a part, "Part I of the book", and not the pronoun.
fn follows_title(word: &str) -> bool {
    [
        "and",
        "begins",
        "closes",
        "contains",
        "covers",
        "deals",
        "describes",
        "ends",
        "in",
        "introduces",
        "last",
        "yesterday",
        "is",
        "of",
        "opens",
        "or",
        "starts",
        "tells",
        "to",
    ]
    .contains(&word)
}

/// What comes as "Type I" and "Type II", where "I" is not the pronoun.
fn has_types(word: &str) -> bool {
    const STEMS: [&str; 12] = [
        "collagen",
        "device",
        "diabetes",
        "drug",
        "error",
        "fiber",
        "fracture",
        "interferon",
        "muscle",
        "reaction",
        "superconductor",
        "supernova",
    ];
    STEMS.contains(&word.strip_suffix('s').unwrap_or(word)) || STEMS.contains(&word)
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
