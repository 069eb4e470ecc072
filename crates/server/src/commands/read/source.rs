//! Reads the book: its bytes, its text, its chunks. The errors explain why a book cannot be read.

use std::{fs::File, io::Read as _, path::Path, time::SystemTime};

use lectern_documents::{
    CHUNK_CHARACTERS, Chunk, Document, Kind, Limits, MarkedLanguage, NotesMode, chunks_with, detect,
    language, read,
};
use lectern_speech::spec::{InLanguage, PauseAt};

use super::CommandError;
use lectern_service::services::materials::chunking::AsSpoken;

/// The largest file accepted, larger than any book.
const MOST_BYTES: u64 = 512 << 20;

/// A book, ready to be spoken.
pub(super) struct Source {
    pub(super) document: Document,
    pub(super) chunks: Vec<Chunk>,
    /// The file's name without its extension.
    pub(super) name: Option<String>,
    /// The file itself, if it is an EPUB.
    pub(super) epub: Option<Vec<u8>>,
    /// When the file last changed; `None` for standard input.
    pub(super) modified: Option<SystemTime>,
}

impl Source {
    /// Reads a file; `-` is standard input. Chapters that a listener does not want, such as the imprint, are left out
    /// unless `all_chapters` are read, or there are no others.
    pub(super) fn read(path: &Path, notes: NotesMode, all_chapters: bool) -> Result<Self, CommandError> {
        let from_standard_input = path == Path::new("-");
        let origin =
            if from_standard_input { "standard input".to_owned() } else { path.display().to_string() };
        let refused =
            |reason: &dyn std::fmt::Display| CommandError::Refused(format!("cannot read {origin}: {reason}"));
        let mut bytes = Vec::new();
        let mut modified = None;
        let count = if from_standard_input {
            std::io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes)
        } else {
            File::open(path).and_then(|file| {
                modified = file.metadata().and_then(|about| about.modified()).ok();
                file.take(MOST_BYTES + 1).read_to_end(&mut bytes)
            })
        };
        if count.map_err(|error| refused(&error))? as u64 > MOST_BYTES {
            return Err(refused(&format_args!("it has more than {} MiB", MOST_BYTES >> 20)));
        }
        let kind = detect(&bytes, &bytes).map_err(|error| refused(&error.message))?;
        // The parsers are tested not to panic, but nothing proves it.
        let document = std::panic::catch_unwind(|| read(kind, &bytes, &Limits::default()))
            .map_err(|_| refused(&"its parser gave up"))?
            .map_err(|error| refused(&error.message))?;
        let document = document.with_notes(notes);
        let language = language::of_document(document.language.as_deref(), &document.text);
        let tag = language.as_ref().map(|language| language.tag.as_str());
        let mut chunks = chunks_with(&document, CHUNK_CHARACTERS, tag, &AsSpoken);
        let is_wanted = |chunk: &Chunk| {
            let chapter = document.chapters.get(chunk.chapter as usize);
            chapter.is_none_or(|chapter| chapter.role.is_included_by_default())
        };
        if !all_chapters && chunks.iter().any(is_wanted) {
            chunks.retain(is_wanted);
        }
        if chunks.is_empty() {
            return Err(refused(&"there is nothing in it to say"));
        }
        let name = path.file_stem().filter(|_| !from_standard_input);
        let name = name.map(|name| name.to_string_lossy().into_owned());
        let epub = (kind == Kind::Epub).then_some(bytes);
        Ok(Self { document, chunks, name, epub, modified })
    }

    pub(super) fn text(&self, index: usize) -> &str {
        self.document.text.get(self.chunks[index].range.clone()).unwrap_or_default()
    }

    /// The pauses of a chunk.
    pub(super) fn pauses(&self, index: usize) -> Vec<PauseAt> {
        let pauses = self.chunks[index].pauses.iter();
        pauses.map(|pause| PauseAt { at: pause.at, pause_ms: pause.pause_ms }).collect()
    }

    /// The stretches of a chunk that are in a language of their own.
    pub(super) fn marked(&self, index: usize) -> Vec<InLanguage> {
        let marked = self.chunks[index].languages.iter();
        let known = |marked: &MarkedLanguage| {
            Some(InLanguage { range: marked.range.clone(), language: marked.tag.parse().ok()? })
        };
        marked.filter_map(known).collect()
    }

    /// The chapter of a chunk, from 1.
    pub(super) fn chapter(&self, index: usize) -> usize {
        self.chunks[..=index].iter().filter(|chunk| chunk.starts_chapter).count().max(1)
    }

    pub(super) fn chapters(&self) -> usize {
        self.chapter(self.chunks.len() - 1)
    }
}
