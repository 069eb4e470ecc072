//! Reads the book: its bytes, its text, its chunks. The errors explain why a book cannot be read.

use std::{
    fs::File,
    io::{Read as _, Write as _},
    ops::Range,
    panic::AssertUnwindSafe,
    path::Path,
    time::SystemTime,
};

use lectern_documents::{
    CHUNK_CHARACTERS, Chunk, Document, Kind, MarkedLanguage, NotesMode, chunks_with, detect, detect_pictures,
    language,
};
use lectern_speech::spec::{InLanguage, PauseAt};
use tempfile::NamedTempFile;

use super::{
    CommandError,
    scan::{Recognizer, Refusal},
    selection::{Listed, Selection},
};
use lectern_service::services::materials::chunking::{AsSpoken, ipa};

/// The largest file accepted, larger than any book.
const MOST_BYTES: u64 = 512 << 20;

/// A book, ready to be spoken.
pub(super) struct Source {
    pub(super) document: Document,
    /// Those that are read.
    pub(super) chunks: Vec<Chunk>,
    /// All chapters.
    pub(super) listed: Vec<Listed>,
    /// The file's name without its extension.
    pub(super) name: Option<String>,
    /// The file itself, if it is an EPUB.
    pub(super) epub: Option<Vec<u8>>,
    /// When the file last changed; `None` for standard input.
    pub(super) modified: Option<SystemTime>,
}

impl Source {
    /// Reads a file; `-` is standard input. Of its chunks those are left out whose chapters are not selected.
    pub(super) fn read(
        path: &Path,
        notes: NotesMode,
        selection: Selection<'_>,
        recognizer: &Recognizer<'_>,
    ) -> Result<Self, CommandError> {
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
        let picture = || detect_pictures(&bytes, &bytes).filter(|_| recognizer.is_wanted());
        let kind = detect(&bytes, &bytes).or_else(|error| picture().ok_or(error));
        let kind = kind.map_err(|error| refused(&error.message))?;
        // The parsers are tested not to panic, but nothing proves it.
        let document = {
            // Programs that recognize text need a file.
            let is_unnamed = from_standard_input && recognizer.is_wanted();
            let file = is_unnamed.then(|| kept(&bytes)).transpose()?;
            let path = file.as_ref().map_or(path, NamedTempFile::path);
            let path = std::path::absolute(path).map_err(|error| refused(&error))?;
            std::panic::catch_unwind(AssertUnwindSafe(|| recognizer.read(kind, &bytes, &path)))
        };
        let document = document.map_err(|_| refused(&"its parser gave up"))?.map_err(|error| match error {
            Refusal::Unreadable(why) => refused(&why.message),
            Refusal::Programs(missing) => refused(&format_args!(
                "it is a scan, and this machine lacks {} to recognize its text (Debian: tesseract-ocr, poppler-utils)",
                missing.join(", ")
            )),
            Refusal::Failed(error) => error,
        })?;
        let document = document.with_notes(notes);
        let language = language::of_document(document.language.as_deref(), &document.text);
        let tag = language.as_ref().map(|language| language.tag.as_str());
        let mut chunks = chunks_with(&document, CHUNK_CHARACTERS, tag, &AsSpoken);
        let listed = selection.of(&document, &mut chunks).map_err(|reason| refused(&reason))?;
        if chunks.is_empty() {
            return Err(refused(&"there is nothing in it to say"));
        }
        let name = path.file_stem().filter(|_| !from_standard_input);
        let name = name.map(|name| name.to_string_lossy().into_owned());
        let epub = (kind == Kind::Epub).then_some(bytes);
        Ok(Self { document, chunks, listed, name, epub, modified })
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

    /// The stretches of a chunk whose pronunciation the book gives, in the voices' alphabet.
    pub(super) fn pronounced(&self, index: usize) -> Vec<(Range<usize>, String)> {
        let text = self.text(index);
        let given = self.chunks[index].pronounced.iter();
        given.filter_map(|one| Some((one.range.clone(), ipa(text, one)?))).collect()
    }

    /// The chapter of a chunk, from 1.
    pub(super) fn chapter(&self, index: usize) -> usize {
        self.chunks[..=index].iter().filter(|chunk| chunk.starts_chapter).count().max(1)
    }

    pub(super) fn chapters(&self) -> usize {
        self.chapter(self.chunks.len() - 1)
    }
}

/// A temporary file of what came from standard input.
fn kept(bytes: &[u8]) -> Result<NamedTempFile, CommandError> {
    let failed = |source| CommandError::Io { what: "standard input cannot be kept".to_owned(), source };
    let mut file = tempfile::Builder::new().prefix("lectern-read-").tempfile().map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    Ok(file)
}
