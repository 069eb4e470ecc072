//! Chapter and verse: `Psalm 23:4`, `1 Cor. 13:4-7`. Without a book before it, a pair of numbers is
//! a time or a ratio.

use super::{Reader, dates, scan};

/// The books that chapters and verses are cited from, and those of their short forms that are no
/// words or names of something else before a pair of numbers; and how many chapters they have. Of books of
/// which there are several, or that are counted differently, the most.
const BOOKS: &[(&str, &str, u64)] = &[
    ("Gen", "Genesis", 50),
    ("Ex", "Exodus", 40),
    ("Exod", "Exodus", 40),
    ("Lev", "Leviticus", 27),
    ("Num", "Numbers", 36),
    ("Deut", "Deuteronomy", 34),
    ("Josh", "Joshua", 24),
    ("Judg", "Judges", 21),
    ("Sam", "Samuel", 31),
    ("Kgs", "Kings", 25),
    ("Chron", "Chronicles", 36),
    ("Chr", "Chronicles", 36),
    ("Neh", "Nehemiah", 13),
    ("Ps", "Psalm", 151),
    ("Prov", "Proverbs", 31),
    ("Eccl", "Ecclesiastes", 12),
    ("Eccles", "Ecclesiastes", 12),
    ("Lam", "Lamentations", 5),
    ("Hab", "Habakkuk", 3),
    ("Zeph", "Zephaniah", 3),
    ("Hag", "Haggai", 2),
    ("Obad", "Obadiah", 1),
    ("Isa", "Isaiah", 66),
    ("Jer", "Jeremiah", 52),
    ("Ezek", "Ezekiel", 48),
    ("Dan", "Daniel", 14),
    ("Hos", "Hosea", 14),
    ("Mic", "Micah", 7),
    ("Zech", "Zechariah", 14),
    ("Mal", "Malachi", 4),
    ("Matt", "Matthew", 28),
    ("Mt", "Matthew", 28),
    ("Mk", "Mark", 16),
    ("Lk", "Luke", 24),
    ("Jn", "John", 21),
    ("Rom", "Romans", 16),
    ("Cor", "Corinthians", 16),
    ("Gal", "Galatians", 6),
    ("Eph", "Ephesians", 6),
    ("Phil", "Philippians", 4),
    ("Col", "Colossians", 4),
    ("Thess", "Thessalonians", 5),
    ("Tim", "Timothy", 6),
    ("Heb", "Hebrews", 13),
    ("Jas", "James", 5),
    ("Pet", "Peter", 5),
    ("Rev", "Revelation", 22),
];

/// Books that are always written in full, or whose short form is not known, and their chapters.
const FULL: &[(&str, u64)] = &[
    ("Acts", 28),
    ("Amos", 9),
    ("Esther", 16),
    ("Ezra", 10),
    ("Habakkuk", 3),
    ("Haggai", 2),
    ("Job", 42),
    ("Joel", 4),
    ("Jonah", 4),
    ("Jude", 1),
    ("Lamentations", 5),
    ("Maccabees", 16),
    ("Nahum", 3),
    ("Obadiah", 1),
    ("Philemon", 1),
    ("Psalms", 151),
    ("Quran", 114),
    ("Ruth", 4),
    ("Surah", 114),
    ("Titus", 3),
    ("Zephaniah", 3),
];

/// Reads a book with chapter and verse that starts here, at its ordinal or its name.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let ordinal = match r.rest().as_bytes() {
        [b'1' | b'I', b' ', ..] => Some("first"),
        [b'2', b' ', ..] | [b'I', b'I', b' ', ..] => Some("second"),
        [b'3', b' ', ..] | [b'I', b'I', b'I', b' ', ..] => Some("third"),
        _ => None,
    };
    let book_at = if ordinal.is_some() { r.at + r.rest().find(' ').map_or(0, |at| at + 1) } else { r.at };
    let written = scan::word(r.t, book_at);
    let Some((book, chapters)) = full_name(written) else { return false };
    let book_end = book_at + written.len();
    let book_end = book_end + usize::from(scan::tail(r.t, book_end).starts_with('.'));
    let chapter = scan::past_space(r.t, book_end);
    let chapter_end = scan::digits(r.t, chapter);
    if chapter > book_end && !scan::tail(r.t, chapter_end).starts_with(':') {
        return whole_chapter(r, ordinal, book_at, (book, chapters), chapter);
    }
    let verse = chapter_end + 1;
    let verse_end = scan::digits(r.t, verse);
    let part = verse_part(r.t, verse_end);
    let number = |from: usize, to: usize| {
        let digits = scan::slice(r.t, from..to);
        (digits.len() <= 3 && !digits.starts_with('0')).then(|| digits.parse::<u64>().ok())?
    };
    let (Some(chapter_value), Some(verse_value)) = (number(chapter, chapter_end), number(verse, verse_end))
    else {
        return false;
    };
    let following = following(r.t, verse_end);
    let verse_closes = scan::edge(r.t, verse_end) || following > verse_end || part > verse_end;
    if chapter == book_end
        || !(1..=chapters).contains(&chapter_value)
        || !scan::tail(r.t, chapter_end).starts_with(':')
        || !verse_closes
        || scan::tail(r.t, verse_end).starts_with(':')
    {
        return false;
    }
    let dash = scan::char_at(r.t, part).filter(|c| matches!(c, '-' | '–')).map_or(0, char::len_utf8);
    let last = part + dash;
    let last_end = scan::digits(r.t, last);
    let last_value = number(last, last_end).filter(|_| dash > 0 && scan::edge(r.t, last_end));
    // `1:1–2:3`: the last verse is of another chapter.
    let further = last_end + 1;
    let further_end = scan::digits(r.t, further);
    let further_value = number(further, further_end).filter(|_| scan::edge(r.t, further_end));
    let goes_on = scan::tail(r.t, last_end).starts_with(':');
    let last_value = last_value.filter(|_| !goes_on || further_value.is_some());
    if let Some(ordinal) = ordinal {
        r.say(ordinal, book_at);
    }
    if book == written {
        r.copy(book_end);
    } else {
        r.say(book, book_end);
    }
    let words = [chapter_value, verse_value].map(|value| r.language.figures.number(value));
    r.skip(chapter);
    r.say(&words[0], chapter_end);
    r.skip(verse);
    r.say(&words[1], verse_end);
    if part > verse_end {
        let letter = scan::slice(r.t, verse_end..part).to_uppercase();
        r.say(&letter, part);
    }
    if following > verse_end {
        r.say("and following", following);
    } else if let Some(value) = last_value {
        r.say("to", last);
        let words = r.language.figures.number(value);
        r.say(&words, last_end);
        if let Some(value) = further_value.filter(|_| goes_on) {
            r.skip(further);
            let words = r.language.figures.number(value);
            r.say(&words, further_end);
        }
    }
    true
}

/// Where the letter of a part of a verse ends: `3:4b`.
fn verse_part(t: &str, at: usize) -> usize {
    let is_part = matches!(scan::char_at(t, at), Some('a' | 'b' | 'c')) && scan::edge(t, at + 1);
    at + usize::from(is_part)
}

/// Where `f.` or `ff.` after a verse ends: "and the following".
fn following(t: &str, at: usize) -> usize {
    let end = scan::letters(t, at);
    let stopped = scan::tail(t, end).starts_with('.') && !dates::ends_here(t, end + 1);
    match scan::slice(t, at..end) {
        "f" | "ff" if scan::edge(t, end) => end + usize::from(stopped),
        _ => at,
    }
}

/// `Ps. 23`, `1 Sam. 17`: a chapter alone, after a short form or an ordinal that leaves no doubt.
fn whole_chapter(
    r: &mut Reader<'_>,
    ordinal: Option<&str>,
    book_at: usize,
    (book, chapters): (&str, u64),
    chapter: usize,
) -> bool {
    let written = scan::word(r.t, book_at);
    let end = scan::digits(r.t, chapter);
    let stopped = scan::tail(r.t, book_at + written.len()).starts_with('.');
    let clear = if ordinal.is_some() {
        stopped || PAIRED.contains(&book)
    } else {
        // "Rev. 21 (vv. 1–4)": elsewhere a reverend, or a revision.
        let has_verses = written == "Rev"
            && [" (v. ", " (vv. "].iter().any(|verses| scan::tail(r.t, end).starts_with(verses));
        stopped && (takes_chapter("", written) || has_verses)
    };
    let digits = scan::slice(r.t, chapter..end);
    let goes_on = matches!(scan::char_at(r.t, end), Some('.' | ',' | '/')) && scan::digit_at(r.t, end + 1);
    let is_there = digits.parse().is_ok_and(|chapter: u64| (1..=chapters).contains(&chapter));
    if !clear || !is_there || goes_on || !scan::edge(r.t, end) {
        return false;
    }
    if let Some(ordinal) = ordinal {
        r.say(ordinal, book_at);
    }
    r.say(book, chapter - 1);
    r.skip(chapter);
    let words = r.language.figures.cardinal(digits);
    r.say(&words, end);
    true
}

/// Books of which there are two or three.
const PAIRED: &[&str] =
    &["Chronicles", "Corinthians", "John", "Kings", "Peter", "Samuel", "Thessalonians", "Timothy"];

/// Whether a chapter alone may follow a short form: it is no first name or title, or an ordinal
/// stands before it.
pub(in crate::front_end::english::text) fn takes_chapter(head: &str, word: &str) -> bool {
    const CLEAR: &[&str] = &[
        "Chron", "Cor", "Deut", "Eccl", "Eccles", "Eph", "Exod", "Ezek", "Gen", "Heb", "Isa", "Kgs", "Lev",
        "Matt", "Neh", "Prov", "Ps", "Rom", "Thess", "Zech",
    ];
    let before = head.trim_end();
    let ordinal = head.ends_with(' ')
        && before.ends_with(['1', '2', '3', 'I'])
        && !before.trim_end_matches(['1', '2', '3', 'I']).ends_with(char::is_alphanumeric);
    CLEAR.contains(&word) || (ordinal && is_short_form(word))
}

/// Whether a word without its stop is a book's short form.
pub(in crate::front_end::english::text) fn is_short_form(word: &str) -> bool {
    BOOKS.iter().any(|(short, ..)| *short == word)
}

/// The name of a book and the number of its chapters.
fn full_name(written: &str) -> Option<(&str, u64)> {
    let short = BOOKS.iter().find(|(short, full, _)| *short == written || *full == written);
    let short = short.map(|(_, full, chapters)| (*full, *chapters));
    short.or_else(|| FULL.iter().find(|(full, _)| *full == written).copied())
}
