//! Places in the Bible: `Jo 3,16`, `Mt 5, 3-12`, `1 Co 13,4`, `Gn 1:1`, `Sl 23`. The books and their
//! short forms are the language's.

use std::ops::Range;

use super::Reader;
use crate::front_end::{romance::figures::Form, scan};

/// No chapter has more verses.
const MOST_VERSES: u64 = 176;

/// Reads a place that starts with its book.
pub(super) fn read(r: &mut Reader<'_>) -> bool {
    let Some((name, chapter)) = book(r, r.at) else { return false };
    r.say(name, chapter);
    place(r);
    true
}

/// Reads a place whose book has a number: `1 Co 13`, `2Pd 1,4`.
pub(super) fn numbered(r: &mut Reader<'_>) -> bool {
    let end = r.at + 1;
    let number = scan::slice(r.t, r.at..end).parse::<u64>().ok().filter(|number| (1..=3).contains(number));
    let (Some(number), false) = (number, scan::digit_at(r.t, end)) else { return false };
    let Some((name, chapter)) = book(r, scan::past_space(r.t, end)) else { return false };
    let words = format!("{} {name}", r.grammar().ordinal(number, true));
    r.say(&words, chapter);
    place(r);
    true
}

/// The name of the book at `at`, and where the chapter after it begins.
fn book(r: &Reader<'_>, at: usize) -> Option<(&'static str, usize)> {
    let written = scan::word(r.t, at);
    let book = r.words().books.iter().find(|book| book.short == written)?;
    let is_short = book.short != book.name;
    let end = at + written.len();
    let end = end + usize::from(scan::tail(r.t, end).starts_with('.') && is_short);
    let chapter = scan::past_space(r.t, end);
    let stop = scan::digits(r.t, chapter);
    let is_chapter =
        number(r, chapter..stop, book.chapters).is_some() && chapter > end && scan::edge(r.t, stop);
    // Without a verse, "João 2 anos" and "Marcos 3" are no places, and nor is "Ex. 3", which is an example.
    let is_alone = is_short && written.len() < 4 && !book.is_everyday && !measured(r, stop);
    (is_chapter && (is_alone || verse(r, stop).is_some())).then_some((book.name, chapter))
}

/// Whether something is counted by the number that ends here.
fn measured(r: &Reader<'_>, end: usize) -> bool {
    super::units::at(r, end).is_some()
        || super::counting::noun(r, false, end).is_some()
        || scan::tail(r.t, end).starts_with(['%', '.', ',', '/']) && scan::digit_at(r.t, end + 1)
}

fn number(r: &Reader<'_>, digits: Range<usize>, most: u64) -> Option<u64> {
    let value = scan::slice(r.t, digits).parse::<u64>().ok()?;
    (1..=most).contains(&value).then_some(value)
}

/// The first verse after a chapter that ends at `end`: `,16`, `, 3`, `:1`.
fn verse(r: &Reader<'_>, end: usize) -> Option<(u64, usize)> {
    let sign = scan::char_at(r.t, end).filter(|c| matches!(c, ',' | ':'))?;
    let start = if sign == ',' { scan::past_space(r.t, end + 1) } else { end + 1 };
    let stop = scan::digits(r.t, start);
    let value = number(r, start..stop, MOST_VERSES)?;
    (!scan::char_at(r.t, stop).is_some_and(char::is_alphabetic)).then_some((value, stop))
}

/// Says chapter, verse, and the last verse of a range.
fn place(r: &mut Reader<'_>) {
    let chapter_end = scan::digits(r.t, r.at);
    let chapter = r.cardinal(scan::slice(r.t, r.at..chapter_end), Form::Alone);
    let first = verse(r, chapter_end);
    r.say(&chapter, chapter_end);
    let Some((value, end)) = first else { return };
    r.out.comma(chapter_end..chapter_end);
    r.skip(end - scan::slice(r.t, ..end).bytes().rev().take_while(u8::is_ascii_digit).count());
    let words = r.number(value, Form::Alone);
    r.say(&words, end);
    let dash = scan::char_at(r.t, end).filter(|c| matches!(c, '-' | '–'));
    let Some(next) = dash.map(|c| end + c.len_utf8()) else { return };
    let stop = scan::digits(r.t, next);
    if let Some(last) = number(r, next..stop, MOST_VERSES) {
        r.say(r.amounts().to, next);
        let words = r.number(last, Form::Alone);
        r.say(&words, stop);
    }
}
