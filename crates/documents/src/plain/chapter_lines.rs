//! Lines of a plain text that start chapters: "CHAPTER I. The Harbour", "Chapter 12", "PROLOGUE", set off by blank
//! lines. Lines of a table of contents look the same; they stand line by line, without text between them.

use crate::{Heading, chapters::Start, paragraphs};

/// The most characters of a line that is a chapter's title.
const LINE: usize = 100;

/// Finds the headings of chapters, and where the chapters start.
pub(super) fn find(text: &str) -> (Vec<Heading>, Vec<Start>) {
    let (mut headings, mut starts) = (Vec::new(), Vec::new());
    let mut blocks = paragraphs::paragraphs(text).peekable();
    while let Some(block) = blocks.next() {
        let Some((line, more)) = of_block(&text[block.clone()]) else { continue };
        let first = block.start..block.start + line.line.len();
        // A chapter's title often stands below its number.
        let mut title = text[first.clone()].to_owned();
        headings.push(Heading { range: first, level: 1 });
        let below = match more {
            Some(more) => Some(block.start + more..block.end),
            None if line.is_bare => blocks.next_if(|next| is_title(&text[next.clone()])),
            None => None,
        };
        if let Some(below) = below {
            let number = title.trim_end_matches(['.', ':', '—', '–', '-', ' ']).to_owned();
            title = format!("{number}: {}", &text[below.clone()]);
            headings.push(Heading { range: below, level: 2 });
        }
        starts.push(Start { at: block.start, title: Some(title) });
    }
    (headings, starts)
}

struct Line<'a> {
    line: &'a str,
    /// Whether it is a number only, without a title.
    is_bare: bool,
}

/// The chapter line that a block of lines starts with, and where a title of its own starts below it.
fn of_block(block: &str) -> Option<(Line<'_>, Option<usize>)> {
    let line = block.lines().next()?.trim_end();
    let is_bare = chapter_line(line)?;
    let line = Line { line, is_bare };
    let Some(below) = block.get(line.line.len()..).map(str::trim_start).filter(|below| !below.is_empty())
    else {
        return Some((line, None));
    };
    let second = below.lines().next()?;
    if chapter_line(second.trim()).is_some() {
        return None;
    }
    if is_bare && is_title(below) {
        return Some((line, Some(block.len() - below.len())));
    }
    // The text goes on right below: a bare number is a heading all the same, and a title that wraps is one.
    (is_bare || (block.lines().count() == 2 && is_title(second))).then_some((line, None))
}

/// A short line of its own that ends without a stop.
fn is_title(block: &str) -> bool {
    let short = block.len() <= LINE && block.lines().count() <= 2;
    let begins = block
        .chars()
        .next()
        .is_some_and(|c| c.is_uppercase() || c.is_numeric() || matches!(c, '“' | '"' | '‘'));
    let shouted = !block.chars().any(char::is_lowercase) && block.chars().any(char::is_uppercase);
    let stopped = block.ends_with(['.', '!', '?', ',', ';', ':', '"', '”', '…', '—']);
    short && begins && (shouted || !stopped) && chapter_line(block).is_none()
}

/// Whether a line starts a chapter, and if so whether it is bare of a title.
fn chapter_line(line: &str) -> Option<bool> {
    if line.len() > 4 * LINE || line.chars().take(LINE + 1).count() > LINE {
        return None;
    }
    if let Some(rest) = line.strip_prefix('第') {
        return east_asian(rest);
    }
    let (word, rest) =
        line.split_at(line.find(|c: char| !c.is_alphabetic() && c != '-').unwrap_or(line.len()));
    if !word.starts_with(char::is_uppercase) {
        return None;
    }
    let shouted = !line.chars().any(char::is_lowercase);
    let word = word.to_lowercase();
    if ALONE.contains(&word.as_str()) {
        let titled = shouted || rest.starts_with([':', '.', '—', '–']) || rest.starts_with(" —");
        return (rest.trim_matches(['.', ':', ' ']).is_empty() || titled).then_some(false);
    }
    if !NUMBERED.contains(&word.as_str()) {
        return None;
    }
    let rest = rest.strip_prefix(' ')?.trim_start();
    let rest = rest
        .strip_prefix("the ")
        .or_else(|| rest.strip_prefix("THE "))
        .or_else(|| rest.strip_prefix("The "))
        .unwrap_or(rest);
    let (number, title) =
        rest.split_at(rest.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(rest.len()));
    if !is_number(number) {
        return None;
    }
    let bare =
        title.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ':' | '—' | '–' | '-' | ']'));
    if bare.is_empty() {
        return Some(true);
    }
    // "Chapter 12 was the longest." is a sentence, "Chapter 12. The Longest" is not.
    let parted = title.trim_start().starts_with(['.', ':', '—', '–', '-', '(']);
    let named =
        bare.starts_with(|c: char| c.is_uppercase() || c.is_numeric()) && !line.ends_with(['.', ',', ';']);
    (parted || named || shouted).then_some(false)
}

/// Words that a number follows. Lower case.
const NUMBERED: &[&str] = &[
    "chapter",
    "part",
    "book",
    "volume",
    "act",
    "canto",
    "letter",
    "stave",
    "section",
    "chapitre",
    "partie",
    "livre",
    "tome",
    "kapitel",
    "teil",
    "buch",
    "band",
    "capítulo",
    "capitulo",
    "parte",
    "libro",
    "capitolo",
    "hoofdstuk",
    "deel",
    "kapitola",
    "rozdział",
    "глава",
    "часть",
    "книга",
];

/// Words that stand alone. Lower case.
const ALONE: &[&str] = &[
    "prologue",
    "epilogue",
    "preface",
    "foreword",
    "introduction",
    "afterword",
    "appendix",
    "conclusion",
    "interlude",
    "postscript",
    "acknowledgments",
    "acknowledgements",
    "dedication",
    "prolog",
    "epilog",
    "vorwort",
    "nachwort",
    "einleitung",
    "préface",
    "avant-propos",
    "prólogo",
    "epílogo",
    "prologo",
    "epilogo",
    "пролог",
    "эпилог",
];

/// Numbers as words, in English. Lower case.
const NUMBERS: &[&str] = &[
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
    "hundred",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "last",
];

fn is_number(word: &str) -> bool {
    let figures = (1..=4).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    let roman =
        !word.is_empty() && word.len() <= 9 && word.bytes().all(|byte| b"IVXLCDMivxlc".contains(&byte));
    figures || roman || word.to_lowercase().split('-').all(|part| NUMBERS.contains(&part))
}

/// `第三章 海港`, behind its first character.
fn east_asian(rest: &str) -> Option<bool> {
    let number = rest.chars().take_while(|c| {
        c.is_ascii_digit() || "〇零一二三四五六七八九十百千两０１２３４５６７８９".contains(*c)
    });
    let length: usize = number.map(char::len_utf8).sum();
    let behind = rest[length..].strip_prefix(['章', '回', '节', '節', '卷', '巻', '部', '話', '篇'])?;
    let apart = behind.is_empty()
        || behind.starts_with(|c: char| c.is_whitespace() || matches!(c, '：' | ':' | '、'));
    (length > 0 && apart && !behind.ends_with('。')).then(|| behind.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_chapters_are_told_from_sentences() {
        for line in [
            "CHAPTER I.",
            "Chapter 12",
            "CHAPTER XIV. The Long Night",
            "Chapter Twenty-One: Home",
            "PROLOGUE",
            "Preface",
            "PART THE SECOND",
            "BOOK ONE",
            "Kapitel 3",
            "ГЛАВА 5",
            "第三章 海港",
            "第12回",
            "Letter 4",
            "Chapter 7 The Harbour",
            "INTRODUCTION TO THE SECOND EDITION",
        ] {
            assert!(chapter_line(line).is_some(), "{line}");
        }
        for line in [
            "Chapter 12 was the longest.",
            "chapter 3",
            "Part of the crew stayed.",
            "Book early!",
            "Introduction of steam",
            "The chapter",
            "Letter to a friend",
            "第三章是最长的。",
            "Chapters 1 and 2",
            "Act now.",
            "Section houses stood along the line, and in each of them a lamp was burning although it was a bright day in June",
        ] {
            assert!(chapter_line(line).is_none(), "{line}");
        }
    }
}
