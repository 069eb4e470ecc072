//! Finds the lines of a plain text that start chapters: "CHAPTER I. The Harbour", "Chapter 12",
//! "PROLOGUE", separated by blank lines. The lines of a table of contents look the same but have no
//! text between them.

use crate::{Heading, chapters::ChapterStart, paragraphs};

/// The longest line that is a chapter title.
const MAX_LINE_CHARACTERS: usize = 100;

/// Finds chapter headings and chapter starts.
pub(super) fn find(text: &str) -> (Vec<Heading>, Vec<ChapterStart>) {
    let (mut headings, mut starts) = (Vec::new(), Vec::new());
    let mut blocks = paragraphs::paragraphs(text).peekable();
    while let Some(block) = blocks.next() {
        let Some((line, more)) = parse_block(&text[block.clone()]) else { continue };
        let first = block.start..block.start + line.line.len();
        // A chapter's title is often below its number.
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
        starts.push(ChapterStart { at: block.start, title: Some(title) });
    }
    (headings, starts)
}

struct Line<'a> {
    line: &'a str,
    /// Whether it is only a number, without a title.
    is_bare: bool,
}

/// The chapter line at the start of a block, and where its own title starts below it.
fn parse_block(block: &str) -> Option<(Line<'_>, Option<usize>)> {
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
    // The text may follow directly. A bare number is still a heading, and so is a title that wraps
    // to a second line.
    (is_bare || (block.lines().count() == 2 && is_title(second))).then_some((line, None))
}

/// Whether a block is a short line without a stop at its end.
fn is_title(block: &str) -> bool {
    let short = block.len() <= MAX_LINE_CHARACTERS && block.lines().count() <= 2;
    let begins = block
        .chars()
        .next()
        .is_some_and(|c| c.is_uppercase() || c.is_numeric() || matches!(c, '“' | '"' | '‘'));
    let shouted = !block.chars().any(char::is_lowercase) && block.chars().any(char::is_uppercase);
    let stopped = block.ends_with(['.', '!', '?', ',', ';', ':', '"', '”', '…', '—']);
    short && begins && (shouted || !stopped) && chapter_line(block).is_none()
}

/// `Some` if the line starts a chapter, with whether it has no title.
fn chapter_line(line: &str) -> Option<bool> {
    if line.len() > 4 * MAX_LINE_CHARACTERS
        || line.chars().take(MAX_LINE_CHARACTERS + 1).count() > MAX_LINE_CHARACTERS
    {
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
    if STANDALONE_WORDS.contains(&word.as_str()) {
        let titled = shouted || rest.starts_with([':', '.', '—', '–']) || rest.starts_with(" —");
        return (rest.trim_matches(['.', ':', ' ']).is_empty() || titled).then_some(false);
    }
    if !NUMBERED_WORDS.contains(&word.as_str()) {
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
    // "Chapter 12 was the longest." is a sentence, "Chapter 12. The Longest" is a heading.
    let parted = title.trim_start().starts_with(['.', ':', '—', '–', '-', '(']);
    let named =
        bare.starts_with(|c: char| c.is_uppercase() || c.is_numeric()) && !line.ends_with(['.', ',', ';']);
    (parted || named || shouted).then_some(false)
}

/// Words before a number, in lower case.
const NUMBERED_WORDS: &[&str] = &[
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

/// Words that are a heading on their own, in lower case.
const STANDALONE_WORDS: &[&str] = &[
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

/// English number words, in lower case.
const NUMBER_WORDS: &[&str] = &[
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
    figures || roman || word.to_lowercase().split('-').all(|part| NUMBER_WORDS.contains(&part))
}

/// `第三章 海港`, after its first character.
fn east_asian(rest: &str) -> Option<bool> {
    let number = rest.chars().take_while(|c| {
        c.is_ascii_digit() || "〇零一二三四五六七八九十百千两０１２３４５６７８９".contains(*c)
    });
    let length: usize = number.map(char::len_utf8).sum();
    let passed = rest[length..].strip_prefix(['章', '回', '节', '節', '卷', '巻', '部', '話', '篇'])?;
    let apart = passed.is_empty()
        || passed.starts_with(|c: char| c.is_whitespace() || matches!(c, '：' | ':' | '、'));
    (length > 0 && apart && !passed.ends_with('。')).then(|| passed.trim().is_empty())
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
