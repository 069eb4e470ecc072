//! How texts are cut into sentences: the files of examples, and what holds for every text in every
//! language.

use std::ops::Range;

use lectern_speech::front_end::{Pause, Span};
use proptest::prelude::*;

/// `\n`, `\r` and `\u{…}` in the files of examples.
pub(crate) fn unescaped(written: &str) -> String {
    let mut text = written.replace("\\n", "\n").replace("\\r", "\r");
    while let Some(start) = text.find("\\u{") {
        let end = start + text[start..].find('}').expect("a closing brace");
        let code = u32::from_str_radix(&text[start + 3..end], 16).expect("a code point");
        text.replace_range(start..=end, &char::from_u32(code).expect("a character").to_string());
    }
    text
}

fn sign(pause: Pause) -> &'static str {
    match pause {
        Pause::Phrase => "|p|",
        Pause::Clause => "|c|",
        Pause::Sentence => "|",
        Pause::Paragraph => "|P|",
        Pause::Heading => "|H|",
        Pause::Section => "|S|",
    }
}

/// Compares each text of a file of at least so many with the line after it, `= ` and its pieces.
pub(crate) fn assert_cut_as_written(file: &str, least: usize, split: impl Fn(&str) -> Vec<Span>) {
    let mut wrong = Vec::new();
    let mut count = 0;
    let mut written = "";
    for line in file.lines() {
        let Some(wanted) = line.strip_prefix('=').map(|wanted| wanted.strip_prefix(' ').unwrap_or(wanted))
        else {
            written = line;
            continue;
        };
        count += 1;
        let text = unescaped(written);
        let mut found = String::new();
        let pieces = split(&text);
        for (index, piece) in pieces.iter().enumerate() {
            found.push_str(&text[piece.range.clone()].replace('\n', "\\n").replace('\r', "\\r"));
            if index + 1 < pieces.len() {
                found.push_str(sign(piece.pause));
            }
        }
        if found != wanted {
            wrong.push(format!("{written}\n  wanted {wanted}\n  found  {found}"));
        }
    }
    assert!(count >= least, "the file has {count} cases");
    assert!(wrong.is_empty(), "{} of {count} are cut wrongly:\n{}", wrong.len(), wrong.join("\n"));
}

/// What must be true of the pieces of any text.
pub(crate) fn check_pieces(text: &str, pieces: &[Span]) -> Result<(), TestCaseError> {
    let mut end = 0;
    for piece in pieces {
        let Range { start, end: stop } = piece.range;
        prop_assert!(end <= start && start < stop, "pieces in order: {end} {piece:?}");
        prop_assert!(text.get(start..stop).is_some(), "pieces lie between characters: {piece:?}");
        // A run of one emoji is said once.
        let is_emoji = |c: char| c > '\u{2000}' && !c.is_alphabetic();
        let mut said: Vec<char> = text[start..stop].chars().collect();
        said.dedup_by(|one, before| one == before && is_emoji(*one));
        prop_assert!(said.len() <= 400, "pieces have at most 400 characters");
        let between = &text[end..start];
        prop_assert!(!between.contains(char::is_alphanumeric), "nothing readable between: {between:?}");
        end = stop;
    }
    let after = &text[end..];
    prop_assert!(!after.contains(char::is_alphanumeric), "nothing readable after it: {after:?}");
    Ok(())
}

/// What must be true of the parts of a piece that its words read, in their order.
pub(crate) fn check_sources<'a>(
    text: &str,
    piece: &Span,
    sources: impl Iterator<Item = &'a Range<usize>>,
) -> Result<(), TestCaseError> {
    let Range { start, end } = piece.range;
    let mut last = start;
    for source in sources {
        prop_assert!(start <= source.start && source.end <= end, "{source:?} lies in {start}..{end}");
        prop_assert!(text.get(source.clone()).is_some(), "{source:?} lies between characters");
        prop_assert!(last <= source.start, "sources in order: {source:?}");
        last = source.start;
    }
    Ok(())
}
