//! The document of a chapter: its paragraphs, with an element around each word or sentence.

use std::{
    io::{self, Write},
    ops::Range,
};

use super::Granularity;
use crate::{
    Book, ChapterRole, SpokenText,
    markup::{Escaped, Lines, is_right_to_left, language},
    names::chapter_title,
    sentences::{Layout, Paragraph},
};

/// The id of the element around the whole chapter.
pub(super) const WHOLE: &str = "chapter";

pub(super) struct Page<'a> {
    pub(super) book: &'a Book,
    pub(super) chapter: usize,
    pub(super) spoken: &'a SpokenText,
    pub(super) layout: &'a Layout,
    pub(super) granularity: Granularity,
}

pub(super) fn paragraph_id(number: usize) -> String {
    format!("p{}", number + 1)
}

impl Page<'_> {
    /// The id of a word or sentence, by its position in the chapter.
    pub(super) fn unit_id(&self, unit: usize) -> String {
        match self.granularity {
            Granularity::Word => format!("w{}", unit + 1),
            Granularity::Sentence => format!("s{}", unit + 1),
        }
    }

    /// The words or sentences of a paragraph.
    pub(super) fn units(&self, paragraph: &Paragraph) -> Range<usize> {
        let sentences = &self.layout.sentences[paragraph.sentences.clone()];
        match (self.granularity, sentences) {
            (Granularity::Sentence, _) => paragraph.sentences.clone(),
            (Granularity::Word, [first, .., last]) => first.words.start..last.words.end,
            (Granularity::Word, [only]) => only.words.clone(),
            (Granularity::Word, []) => 0..0,
        }
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let facts = &self.book.chapters[self.chapter];
        let title = chapter_title(self.book, self.chapter);
        start(self.book, &title, "../css/style.css", out)?;
        writeln!(out, "<body>\n<section id=\"{WHOLE}\"{}>", section_type(facts.role))?;
        let level = self.book.levels()[self.chapter];
        let text = &self.spoken.text;
        let headings = match &facts.title {
            Some(_) => title_paragraphs(text, self.layout, &title),
            None => 0,
        };
        if headings == 0 && facts.title.is_some() {
            writeln!(out, "<h{level}>{}</h{level}>", Escaped(&title))?;
        }
        for (number, paragraph) in self.layout.paragraphs.iter().enumerate() {
            let (open, close) = match number {
                0 if headings > 0 => (format!("h{level}"), format!("h{level}")),
                _ if number < headings => ("p class=\"subtitle\"".to_owned(), "p".to_owned()),
                _ => ("p".to_owned(), "p".to_owned()),
            };
            // The id comes last, so that the element's name and class stand first.
            write!(out, "<{open} id=\"{}\">", paragraph_id(number))?;
            self.write_paragraph(paragraph, out)?;
            writeln!(out, "</{close}>")?;
        }
        writeln!(out, "</section>\n</body>\n</html>")
    }

    fn write_paragraph(&self, paragraph: &Paragraph, out: &mut dyn Write) -> io::Result<()> {
        let text = &self.spoken.text;
        let mut at = paragraph.range.start;
        for unit in self.units(paragraph) {
            let range = match self.granularity {
                Granularity::Word => &self.spoken.words[unit].range,
                Granularity::Sentence => &self.layout.sentences[unit].range,
            };
            // A word may reach into the next paragraph; its element does not.
            let range = range.start.max(at)..range.end.min(paragraph.range.end);
            let is_spoken = match self.granularity {
                Granularity::Word => true,
                Granularity::Sentence => !self.layout.sentences[unit].words.is_empty(),
            };
            if !is_spoken || range.is_empty() {
                continue;
            }
            write!(out, "{}", Lines(&text[at..range.start]))?;
            write!(out, "<span id=\"{}\">{}</span>", self.unit_id(unit), Lines(&text[range.clone()]))?;
            at = range.end;
        }
        write!(out, "{}", Lines(&text[at..paragraph.range.end]))
    }
}

/// The start of a document, up to its body.
pub(super) fn start(book: &Book, title: &str, style: &str, out: &mut dyn Write) -> io::Result<()> {
    let language = language(book.language.as_deref());
    let direction = if is_right_to_left(&language) { " dir=\"rtl\"" } else { "" };
    writeln!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n\
         <html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\" \
         lang=\"{language}\" xml:lang=\"{language}\"{direction}>\n\
         <head>\n<title>{}</title>\n<link rel=\"stylesheet\" type=\"text/css\" href=\"{style}\"/>\n</head>",
        Escaped(title)
    )
}

/// How many paragraphs at the start of a chapter are its title: "Chapter 1" and "The Sea" are the
/// title "Chapter 1: The Sea".
pub(crate) fn title_paragraphs(text: &str, layout: &Layout, title: &str) -> usize {
    /// A longer paragraph is no heading.
    const LONGEST: usize = 400;
    /// Letters, as bytes, that may stand before a title in its paragraph.
    const MORE: usize = 40;
    let title = letters(title);
    let mut rest = &*title;
    for (number, paragraph) in layout.paragraphs.iter().enumerate() {
        let paragraph = &text[paragraph.range.clone()];
        if paragraph.len() > LONGEST {
            return if rest.is_empty() { number } else { 0 };
        }
        let paragraph = letters(paragraph);
        // "CHAPTER I. The Sea" has the title "The Sea".
        let is_longer =
            |paragraph: &str| paragraph.len() <= title.len() + MORE && paragraph.ends_with(&title);
        if number == 0 && !title.is_empty() && is_longer(&paragraph) {
            return 1;
        }
        match rest.strip_prefix(&*paragraph) {
            Some(after) if !paragraph.is_empty() => rest = after,
            _ => return if rest.is_empty() { number } else { 0 },
        }
    }
    if rest.is_empty() { layout.paragraphs.len() } else { 0 }
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The attributes that state a chapter's purpose.
fn section_type(role: ChapterRole) -> &'static str {
    match role {
        ChapterRole::Cover => " epub:type=\"cover\"",
        ChapterRole::TitlePage => " epub:type=\"titlepage\"",
        ChapterRole::Imprint => " epub:type=\"imprint\"",
        ChapterRole::Copyright => " epub:type=\"copyright-page\"",
        ChapterRole::Dedication => " epub:type=\"dedication\" role=\"doc-dedication\"",
        ChapterRole::Foreword => " epub:type=\"foreword\" role=\"doc-foreword\"",
        ChapterRole::Body => " epub:type=\"chapter\" role=\"doc-chapter\"",
        ChapterRole::Notes => " epub:type=\"endnotes\" role=\"doc-endnotes\"",
        ChapterRole::Appendix => " epub:type=\"appendix\" role=\"doc-appendix\"",
        ChapterRole::Bibliography => " epub:type=\"bibliography\" role=\"doc-bibliography\"",
        // The elements that these types demand are not known here.
        ChapterRole::Toc
        | ChapterRole::Glossary
        | ChapterRole::Index
        | ChapterRole::Licence
        | ChapterRole::Advertisement => "",
    }
}
