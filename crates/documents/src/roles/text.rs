//! What texts of front and back matter look like.

use super::BookFacts;
use crate::characters;

/// As much of a text is looked at, because parts may be nested.
const SHAPE_BYTES: usize = 32_000;

/// The lines and paragraphs of a text, counted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shape {
    lines: usize,
    bytes: usize,
    /// Lines that are longer than an entry of a list.
    long: usize,
    /// Lines that end as a sentence does.
    ended: usize,
    /// Lines with a number, or a reference to another entry.
    referring: usize,
}

/// The longest entry of a list.
const MAX_ENTRY_BYTES: usize = 140;

impl Shape {
    pub(super) fn of(text: &str) -> Self {
        let mut shape = Self::default();
        let head = &text[..text.floor_char_boundary(SHAPE_BYTES)];
        for line in head.lines().map(str::trim).filter(|line| !line.is_empty()) {
            shape.lines += 1;
            shape.bytes += line.len();
            shape.long += usize::from(line.len() > MAX_ENTRY_BYTES);
            shape.ended += usize::from(ends_sentence(line));
            let lower = line.to_lowercase();
            let refers = [" see ", "see also", "siehe", "voir", "véase", "vedi", "→"];
            shape.referring += usize::from(
                line.contains(|c: char| c.is_ascii_digit()) || refers.iter().any(|word| lower.contains(word)),
            );
        }
        shape
    }

    /// Whether it is short entries, which are no sentences.
    pub(super) fn is_list(self) -> bool {
        self.lines > 0 && self.long * 5 <= self.lines && self.ended * 3 <= self.lines
    }

    /// Whether it is entries with numbers of pages.
    pub(super) fn is_index(self) -> bool {
        self.lines >= 5
            && self.long * 3 <= self.lines
            && self.ended * 4 <= self.lines
            && self.referring * 2 >= self.lines
    }

    /// Whether it is paragraphs of sentences.
    pub(super) fn is_prose(self) -> bool {
        self.ended * 2 > self.lines && self.bytes > 100 * self.lines.max(1)
    }
}

/// Whether a line ends as a sentence does. "J. M. Dent and Sons Ltd." and "CHAPTER I." are no
/// sentences.
fn ends_sentence(line: &str) -> bool {
    let bare = line.trim_end_matches(['"', '”', '’', '»', ')', '」', '』']);
    bare.ends_with(['.', '!', '?', '…', '。', '！', '？', '।']) && line.len() > 45
}

/// Signs of a page about rights, in lower case. Each line counts once.
const COPYRIGHT_SIGNS: &[&[&str]] = &[
    &["©", "copyright", "(c) ", "זכויות יוצרים"],
    &[
        "all rights reserved",
        "alle rechte vorbehalten",
        "tous droits réservés",
        "todos los derechos",
        "tutti i diritti",
        "todos os direitos",
        "版权所有",
        "alle rechten voorbehouden",
        "все права",
        "כל הזכויות",
        "wszelkie prawa",
        "無断転載",
    ],
    &["isbn"],
    &[
        "first published",
        "first edition",
        "erstausgabe",
        "originalausgabe",
        "dépôt légal",
        "primera edición",
        "prima edizione",
    ],
    &["printed in", "gedruckt in", "imprimé en", "impreso en", "stampato in", "impresso em"],
    &["library of congress", "british library", "deutsche nationalbibliothek", "cataloging", "cataloguing"],
    &["no part of this", "public domain", "creative commons", "without the prior", "uncopyright"],
];

/// How many different signs of a page about rights a text has.
pub(super) fn copyright_signs(text: &str) -> usize {
    let head = text[..text.floor_char_boundary(20_000)].to_lowercase();
    COPYRIGHT_SIGNS.iter().filter(|signs| signs.iter().any(|sign| head.contains(sign))).count()
}

/// Whether a text without a title is a page about rights.
pub(super) fn is_copyright(text: &str) -> bool {
    if text.len() > 8_000 {
        return false;
    }
    let signs = copyright_signs(text);
    // A sentence may mention the copyright.
    let stated = ["©", "copyright ©", "copyright (c)"].iter().any(|sign| text.to_lowercase().contains(sign));
    (stated && (signs >= 2 || text.len() <= 400)) || signs >= 3
}

/// Names of licences, and words of all of them, in lower case.
const LICENCES: &[&str] = &[
    "gutenberg",
    "creative commons",
    "gnu general public",
    "gnu free documentation",
    "apache license",
    "mit license",
];
const LICENCE_WORDS: &[&str] = &[
    "license",
    "licence",
    "lizenz",
    "licencia",
    "licenza",
    "licença",
    "permission",
    "copyright",
    "warrant",
    "liab",
    "conditions",
    "redistribut",
    "hereby",
    "grant",
];

/// Whether a text is a licence.
pub(super) fn is_licence(text: &str) -> bool {
    let head = text[..text.floor_char_boundary(8_000)].to_lowercase();
    let is_named = LICENCES.iter().any(|name| head.contains(name));
    let words = LICENCE_WORDS.iter().filter(|word| head.contains(*word)).count();
    text.len() <= 60_000 && words >= if is_named { 1 } else { 4 }
}

/// Whether a text is Project Gutenberg's header or licence, and not a book that mentions it.
pub(super) fn is_gutenberg(text: &str) -> bool {
    if text.len() > 60_000 {
        return false;
    }
    let head = text[..text.floor_char_boundary(4_000)].to_lowercase();
    head.contains("project gutenberg")
        && [
            "this ebook is for the use of anyone",
            "this etext is for the use of anyone",
            "full license",
            "project gutenberg license",
            "gutenberg-tm license",
            "start of the project gutenberg",
            "end of the project gutenberg",
            "end of project gutenberg",
            "gutenberg literary archive foundation",
        ]
        .iter()
        .any(|sign| head.contains(sign))
}

/// The longest title page.
const MAX_TITLE_PAGE_BYTES: usize = 900;

/// Whether a text is only the book's title, its author and its publisher.
pub(super) fn is_title_page(text: &str, facts: BookFacts<'_>) -> bool {
    if text.len() > MAX_TITLE_PAGE_BYTES {
        return false;
    }
    let lines = || text.lines().map(str::trim).filter(|line| characters::is_speakable(line));
    let title = letters(facts.title.unwrap_or_default());
    let has_title = |line: &str| {
        let line = letters(line);
        title.len() >= 6 && line.len() <= 2 * title.len() && line.contains(&title)
    };
    let named = lines().take(3).any(|line| is_title(line, facts) || has_title(line))
        || lines().take(1).any(|line| is_author(line, facts));
    // A title page may have a motto, but it has no paragraphs.
    named && lines().all(|line| line.len() <= 220) && lines().filter(|line| ends_sentence(line)).count() <= 1
}

/// Whether a line is the book's title, or a part of it that is long enough.
pub(super) fn is_title(line: &str, facts: BookFacts<'_>) -> bool {
    let (line, title) = (letters(line), letters(facts.title.unwrap_or_default()));
    let least = if line.starts_with(characters::is_unspaced) { 2 } else { 6 };
    !title.is_empty()
        && (line == title
            || (line.chars().count() >= least
                && (title.starts_with(&line) || line.starts_with(&title))
                && line.len() <= 3 * title.len()))
}

/// Whether a line is the author's name, perhaps after "by".
pub(super) fn is_author(line: &str, facts: BookFacts<'_>) -> bool {
    if line.len() > 120 {
        return false;
    }
    let lower = line.trim().to_lowercase();
    let name = BY.iter().find_map(|by| lower.strip_prefix(by)).unwrap_or(&lower);
    let (name, author) = (letters(name), letters(facts.author.unwrap_or_default()));
    name.chars().count() >= 4
        && !author.is_empty()
        && (name == author || (name.len() >= 8 && author.contains(&name)))
}

/// Words before the name of an author.
const BY: &[&str] =
    &["by ", "by: ", "von ", "von: ", "par ", "par : ", "por ", "por: ", "di ", "de ", "written by "];

/// Whether a heading is a word such as "by" and a name.
pub(super) fn is_byline(line: &str) -> bool {
    let lower = line.to_lowercase();
    let name = BY.iter().find_map(|by| lower.starts_with(by).then(|| line.get(by.len()..)).flatten());
    name.is_some_and(|name| {
        name.trim_start().starts_with(char::is_uppercase) && name.split_whitespace().count() <= 5
    })
}

/// The letters and digits of a text in lower case.
fn letters(text: &str) -> String {
    text.chars().take(400).filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a short text at the front is a dedication.
pub(super) fn is_dedication(text: &str) -> bool {
    let text = text.trim();
    let lower = text.to_lowercase();
    let begins = [
        "to ",
        "for ",
        "für ",
        "dem andenken",
        "in memory of",
        "in memoriam",
        "à ",
        "pour ",
        "a mi ",
        "para ",
        "per ",
        "alla memoria",
        "献给",
    ];
    text.len() <= 200
        && text.lines().count() <= 4
        && begins.iter().any(|word| lower.starts_with(word))
        && !text.contains(['“', '"', '?', ':'])
}

#[cfg(test)]
mod tests {
    use super::{BookFacts, Shape, is_copyright, is_dedication, is_title_page};

    const FACTS: BookFacts<'_> =
        BookFacts { title: Some("Pride and Prejudice"), author: Some("Jane Austen"), bytes: 100_000 };

    #[test]
    fn title_pages_are_short_and_name_the_book() {
        for text in [
            "PRIDE AND PREJUDICE\n\nBy Jane Austen",
            "Pride and Prejudice\n\nA Novel\n\nby\n\nJane Austen\n\nLondon 1813",
            "By Jane Austen",
        ] {
            assert!(is_title_page(text, FACTS), "{text}");
        }
        for text in [
            "Chapter 1\n\nIt is a truth universally acknowledged.",
            "Pride\n\nThere is no such thing as pride in this house, he said to me. \n\nI was astonished to hear that from him of all people.",
            "",
        ] {
            assert!(!is_title_page(text, FACTS), "{text}");
        }
    }

    #[test]
    fn pages_about_rights_have_their_words() {
        assert!(is_copyright("Copyright © 2020 Ada Marlow"));
        assert!(is_copyright("First published 1990\n\nAll rights reserved.\n\nISBN 123"));
        assert!(!is_copyright("He spoke of copyright for an hour, and nobody listened."));
    }

    #[test]
    fn lists_are_told_from_prose() {
        let prose = "The lamp was lit, and the keeper went down to the sea before anyone woke.\n\n".repeat(6);
        let list = "Chapter I\n\nThe Harbour\n\nThe Long Night of the Keeper\n\n".repeat(3);
        let index = "lamps, 12, 44\n\noil, see lamps\n\nsea, 3\n\nships, 8\n\nstorms, 9\n";
        assert!(Shape::of(&list).is_list() && !Shape::of(&list).is_index());
        assert!(Shape::of(index).is_index());
        assert!(!Shape::of(&prose).is_list() && !Shape::of(&prose).is_index());
        assert!(is_dedication("To my brother Frank Wells, this rendering of his idea."));
        assert!(!is_dedication("To be, or not to be: that is the question"));
    }
}
