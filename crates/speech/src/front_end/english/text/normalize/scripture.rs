//! Chapter and verse: `Psalm 23:4`, `1 Cor. 13:4-7`. Without a book before it, a pair of numbers is
//! a time or a ratio.

use super::{Reader, scan};

/// The books that chapters and verses are cited from, and those of their short forms that are no
/// words or names of something else before a pair of numbers.
const BOOKS: &[(&str, &str)] = &[
    ("Gen", "Genesis"),
    ("Ex", "Exodus"),
    ("Exod", "Exodus"),
    ("Lev", "Leviticus"),
    ("Num", "Numbers"),
    ("Deut", "Deuteronomy"),
    ("Josh", "Joshua"),
    ("Judg", "Judges"),
    ("Sam", "Samuel"),
    ("Kgs", "Kings"),
    ("Chron", "Chronicles"),
    ("Chr", "Chronicles"),
    ("Neh", "Nehemiah"),
    ("Ps", "Psalm"),
    ("Prov", "Proverbs"),
    ("Eccl", "Ecclesiastes"),
    ("Eccles", "Ecclesiastes"),
    ("Lam", "Lamentations"),
    ("Hab", "Habakkuk"),
    ("Zeph", "Zephaniah"),
    ("Hag", "Haggai"),
    ("Obad", "Obadiah"),
    ("Isa", "Isaiah"),
    ("Jer", "Jeremiah"),
    ("Ezek", "Ezekiel"),
    ("Dan", "Daniel"),
    ("Hos", "Hosea"),
    ("Mic", "Micah"),
    ("Zech", "Zechariah"),
    ("Mal", "Malachi"),
    ("Matt", "Matthew"),
    ("Mt", "Matthew"),
    ("Mk", "Mark"),
    ("Lk", "Luke"),
    ("Jn", "John"),
    ("Rom", "Romans"),
    ("Cor", "Corinthians"),
    ("Gal", "Galatians"),
    ("Eph", "Ephesians"),
    ("Phil", "Philippians"),
    ("Col", "Colossians"),
    ("Thess", "Thessalonians"),
    ("Tim", "Timothy"),
    ("Heb", "Hebrews"),
    ("Jas", "James"),
    ("Pet", "Peter"),
    ("Rev", "Revelation"),
];

/// Books that are always written in full, or whose short form is not known.
const FULL: &[&str] = &[
    "Acts",
    "Amos",
    "Esther",
    "Ezra",
    "Habakkuk",
    "Haggai",
    "Job",
    "Joel",
    "Jonah",
    "Jude",
    "Lamentations",
    "Maccabees",
    "Nahum",
    "Obadiah",
    "Philemon",
    "Psalms",
    "Quran",
    "Ruth",
    "Surah",
    "Titus",
    "Zephaniah",
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
    let Some(book) = full_name(written) else { return false };
    let book_end = book_at + written.len();
    let book_end = book_end + usize::from(scan::tail(r.t, book_end).starts_with('.'));
    let chapter = scan::past_space(r.t, book_end);
    let chapter_end = scan::digits(r.t, chapter);
    if chapter > book_end && !scan::tail(r.t, chapter_end).starts_with(':') {
        return whole_chapter(r, ordinal, book_at, book, chapter);
    }
    let verse = chapter_end + 1;
    let verse_end = scan::digits(r.t, verse);
    let number = |from: usize, to: usize| {
        let digits = scan::slice(r.t, from..to);
        (digits.len() <= 3 && !digits.starts_with('0')).then(|| digits.parse::<u64>().ok())?
    };
    let (Some(chapter_value), Some(verse_value)) = (number(chapter, chapter_end), number(verse, verse_end))
    else {
        return false;
    };
    if chapter == book_end
        || !scan::tail(r.t, chapter_end).starts_with(':')
        || !scan::edge(r.t, verse_end)
        || scan::tail(r.t, verse_end).starts_with(':')
    {
        return false;
    }
    let dash = scan::char_at(r.t, verse_end).filter(|c| matches!(c, '-' | '–')).map_or(0, char::len_utf8);
    let last = verse_end + dash;
    let last_end = scan::digits(r.t, last);
    let last_value = number(last, last_end)
        .filter(|_| dash > 0 && scan::edge(r.t, last_end) && !scan::tail(r.t, last_end).starts_with(':'));
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
    if let Some(value) = last_value {
        r.say("to", last);
        let words = r.language.figures.number(value);
        r.say(&words, last_end);
    }
    true
}

/// `Ps. 23`, `1 Sam. 17`: a chapter alone, after a short form or an ordinal that leaves no doubt.
fn whole_chapter(
    r: &mut Reader<'_>,
    ordinal: Option<&str>,
    book_at: usize,
    book: &str,
    chapter: usize,
) -> bool {
    let written = scan::word(r.t, book_at);
    let end = scan::digits(r.t, chapter);
    let stopped = scan::tail(r.t, book_at + written.len()).starts_with('.');
    let clear = if ordinal.is_some() {
        stopped || PAIRED.contains(&book)
    } else {
        stopped && takes_chapter("", written)
    };
    let digits = scan::slice(r.t, chapter..end);
    let goes_on = matches!(scan::char_at(r.t, end), Some('.' | ',' | '/')) && scan::digit_at(r.t, end + 1);
    if !clear || digits.is_empty() || digits.len() > 3 || goes_on || !scan::edge(r.t, end) {
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
    BOOKS.iter().any(|(short, _)| *short == word)
}

fn full_name(written: &str) -> Option<&str> {
    let short = BOOKS.iter().find(|(short, full)| *short == written || *full == written);
    short.map(|(_, full)| *full).or_else(|| FULL.iter().find(|full| **full == written).copied())
}
