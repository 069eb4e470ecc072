//! Helpers that state a case in one line.

use std::fmt::Write;

use lectern_documents::{CHUNK_CHARACTERS, Chunk, Document, Kind, Limits, Unreadable, chunks, detect, read};

/// Detects and reads a file as the service does.
pub(crate) fn open(bytes: &[u8]) -> Result<(Kind, Document), Unreadable> {
    let kind = detect(bytes, bytes)?;
    Ok((kind, read(kind, bytes, &Limits::default())?))
}

/// Reads a file of a known kind.
#[track_caller]
pub(crate) fn document(kind: Kind, bytes: impl AsRef<[u8]>) -> Document {
    let (found, document) = open(bytes.as_ref()).unwrap();
    assert_eq!(found, kind);
    document
}

pub(crate) fn titles(document: &Document) -> Vec<&str> {
    document.chapters.iter().map(|chapter| chapter.title.as_deref().unwrap_or("-")).collect()
}

pub(crate) fn texts<'a>(document: &'a Document, chunks: &[Chunk]) -> Vec<&'a str> {
    chunks.iter().map(|chunk| &document.text[chunk.range.clone()]).collect()
}

/// A document and its chunks in a readable form for golden files.
pub(crate) fn page(kind: Kind, document: &Document) -> String {
    let mut page = String::new();
    let dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    writeln!(page, "kind: {kind}").unwrap();
    writeln!(page, "title: {}", dash(&document.title)).unwrap();
    writeln!(page, "author: {}", dash(&document.author)).unwrap();
    writeln!(page, "language: {}", dash(&document.language)).unwrap();
    for chapter in &document.chapters {
        writeln!(page, "chapter: {} at {}", dash(&chapter.title), chapter.start).unwrap();
    }
    for heading in &document.headings {
        writeln!(page, "heading {}: {}", heading.level, &document.text[heading.range.clone()]).unwrap();
    }
    for (index, chunk) in chunks(document, CHUNK_CHARACTERS).iter().enumerate() {
        writeln!(page, "\n==== chunk {index}: {} characters, {}", chunk.characters, dash(&chunk.title))
            .unwrap();
        let own = &document.text[chunk.range.clone()];
        let mut at = 0;
        for rest in &chunk.pauses {
            write!(page, "{}⟨{}⟩", &own[at..rest.at], rest.pause_ms).unwrap();
            at = rest.at;
        }
        writeln!(page, "{}⟨{}⟩", own[at..].trim_end(), chunk.pause_after_ms).unwrap();
    }
    page
}
