//! A small book, and what is needed to read publications.

use std::{
    collections::BTreeMap,
    io::{self, Cursor, Read},
};

use jiff::Timestamp;
use lectern_publishing::{Book, Chapter, ChapterRole, Contents, SpokenText, SpokenWord};
use uuid::Uuid;
use zip::ZipArchive;

pub(crate) struct Spoken(pub(crate) Vec<SpokenText>);

impl Contents for Spoken {
    fn text(&mut self, chapter: usize) -> io::Result<SpokenText> {
        Ok(self.0[chapter].clone())
    }

    fn audio(&mut self, chapter: usize) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(Cursor::new(audio(chapter))))
    }
}

pub(crate) fn audio(chapter: usize) -> Vec<u8> {
    format!("audio of chapter {chapter}").into_bytes()
}

/// A book whose chapters have these titles and texts. Every word between spaces is spoken and takes
/// 300 milliseconds, with pauses of 100; a word in braces is not spoken.
pub(crate) fn book(chapters: &[(Option<&str>, &str)]) -> (Book, Spoken) {
    let texts: Vec<SpokenText> = chapters.iter().map(|(_, text)| spoken(text)).collect();
    let chapters = chapters.iter().zip(&texts).map(|((title, _), text)| Chapter {
        title: title.map(str::to_owned),
        level: 1,
        role: ChapterRole::Body,
        duration_ms: text.words.last().map_or(0, |word| word.end_ms + 200),
        audio_bytes: 18,
    });
    let book = Book {
        title: "The <Sea> & \u{1}the Land".to_owned(),
        author: Some("A. Writer".to_owned()),
        narrator: Some("A Voice".to_owned()),
        publisher: None,
        year: Some(1998),
        language: Some("en-GB".to_owned()),
        description: None,
        series: None,
        series_index: None,
        isbn: Some("978-3-16-148410-0".to_owned()),
        copyright: None,
        identifier: Uuid::from_u128(7),
        modified: Timestamp::from_second(1_700_000_001).unwrap(),
        cover: None,
        chapters: chapters.collect(),
    };
    (book, Spoken(texts))
}

pub(crate) fn spoken(text: &str) -> SpokenText {
    let (mut words, mut ms) = (Vec::new(), 150);
    let mut at = 0;
    for word in text.split(char::is_whitespace) {
        if !word.is_empty() && !word.starts_with('{') {
            words.push(SpokenWord { range: at..at + word.len(), start_ms: ms, end_ms: ms + 300 });
            ms += 400;
        }
        at += word.len() + 1;
    }
    SpokenText { text: text.to_owned(), words }
}

/// The files of a ZIP by name.
pub(crate) fn unzip(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut zip = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut files = BTreeMap::new();
    for at in 0..zip.len() {
        let mut entry = zip.by_index(at).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        assert!(files.insert(entry.name().unwrap().into_owned(), bytes).is_none());
    }
    files
}

pub(crate) fn text<'a>(files: &'a BTreeMap<String, Vec<u8>>, name: &str) -> &'a str {
    std::str::from_utf8(files.get(name).unwrap_or_else(|| panic!("no {name}"))).unwrap()
}

/// The document of a file, which may have a document type.
pub(crate) fn parse(text: &str) -> roxmltree::Document<'_> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    roxmltree::Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A time such as `12.345s` in milliseconds.
pub(crate) fn ms(seconds: &str) -> u64 {
    let seconds = seconds.strip_prefix("npt=").unwrap_or(seconds).strip_suffix('s').unwrap();
    let (whole, part) = seconds.split_once('.').unwrap();
    whole.parse::<u64>().unwrap() * 1000 + part.parse::<u64>().unwrap()
}

pub(crate) fn all_text(node: roxmltree::Node<'_, '_>) -> String {
    node.descendants().filter(roxmltree::Node::is_text).filter_map(|node| node.text()).collect()
}
