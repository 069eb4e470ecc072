//! The chunks spoken so far: a folder next to the output, with two files for each finished chunk: its
//! frames, encoded as the book will have them, so that the folder grows no larger than the book, and
//! its metadata.
//!
//! A chunk's audio is written and renamed before its metadata, so a chunk with metadata is
//! complete, even if the process was killed. The manifest holds a hash of everything that the audio
//! depends on: another book, voice or version starts over. A lock keeps a second run of the same
//! book from using the same files.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use lectern_documents::Chunk;
use lectern_speech::audio::captions::WordTimestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use super::{CommandError, output};

/// Increase this number when the meaning of the folder's files changes.
const LAYOUT: u32 = 2;

/// Everything that determines how a chunk sounds.
#[derive(Debug, Serialize)]
pub(super) struct Key<'a> {
    pub(super) text: &'a str,
    pub(super) chunks: &'a [Chunk],
    pub(super) voice: &'a str,
    /// The voice of each speaker that has one.
    pub(super) cast: &'a [(String, String)],
    pub(super) language: &'a str,
    pub(super) speed: f32,
    pub(super) pitch: f32,
    pub(super) seed: u64,
    pub(super) pronounce: &'a [String],
    /// The entries of each lexicon.
    pub(super) lexicons: String,
    /// How chunks are encoded.
    pub(super) encoding: String,
    pub(super) pack: String,
    pub(super) version: &'a str,
}

/// The metadata of a finished chunk.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Done {
    /// The number of samples.
    pub(super) samples: u64,
    /// The size of the chunk's frames.
    pub(super) bytes: u64,
    pub(super) words: Vec<WordTimestamp>,
}

#[derive(Serialize, Deserialize)]
struct Manifest {
    layout: u32,
    key: String,
}

pub(super) struct State {
    folder: PathBuf,
    /// A temporary folder, which no other run finds and which is removed at the end.
    temporary: Option<TempDir>,
    count: usize,
    /// Held until this value is dropped.
    _lock: File,
}

impl State {
    /// Opens or creates the folder of an output file, and discards another book's files in it. An
    /// output that is not a file gets a temporary folder.
    pub(super) fn open(file: Option<&Path>, key: &Key<'_>, count: usize) -> Result<Self, CommandError> {
        let (folder, temporary) = if let Some(file) = file {
            (beside(file), None)
        } else {
            let made = tempfile::Builder::new().prefix("lectern-read-").tempdir();
            let made = made.map_err(|source| cannot_keep(&std::env::temp_dir(), source))?;
            (made.path().to_owned(), Some(made))
        };
        let failed = |source| cannot_keep(&folder, source);
        fs::create_dir_all(&folder).map_err(failed)?;
        let lock = File::create(folder.join("lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(CommandError::Refused(format!(
                    "{} is being made by another process",
                    file.unwrap_or(&folder).display()
                )));
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let state = Self { folder: folder.clone(), temporary, count, _lock: lock };
        let text = serde_json::to_string(key).map_err(CommandError::from_error)?;
        let wanted = Manifest { layout: LAYOUT, key: hex::encode(Sha256::digest(text)) };
        match state.manifest() {
            Some(found) if found.layout == wanted.layout && found.key == wanted.key => return Ok(state),
            Some(_) => {
                output::note(&format!(
                    "{} holds parts of another book, voice or version; starting anew",
                    folder.display()
                ));
            }
            None => {}
        }
        state.clear().map_err(failed)?;
        let manifest = serde_json::to_vec(&wanted).map_err(CommandError::from_error)?;
        state.put("manifest.json", &manifest).map_err(failed)?;
        Ok(state)
    }

    /// The indexes of unfinished chunks, in order.
    pub(super) fn missing(&self) -> Vec<usize> {
        (0..self.count).filter(|index| self.done(*index).is_none()).collect()
    }

    /// A chunk's metadata; `None` when the chunk is unfinished or its audio has changed.
    pub(super) fn done(&self, index: usize) -> Option<Done> {
        let done: Done = serde_json::from_slice(&fs::read(self.note(index)).ok()?).ok()?;
        let bytes = fs::metadata(self.sound(index)).ok()?.len();
        (bytes == done.bytes).then_some(done)
    }

    /// Stores a finished chunk.
    pub(super) fn keep(&self, index: usize, frames: &[u8], done: &Done) -> Result<(), CommandError> {
        let failed = |source| cannot_keep(&self.folder, source);
        let note = serde_json::to_vec(done).map_err(CommandError::from_error)?;
        self.put(&format!("{index:05}.frames"), frames).map_err(failed)?;
        self.put(&format!("{index:05}.json"), &note).map_err(failed)
    }

    /// Discards a chunk whose audio is damaged.
    pub(super) fn forget(&self, index: usize) {
        let _ = fs::remove_file(self.note(index));
    }

    /// A chunk's frames.
    pub(super) fn frames(&self, index: usize) -> io::Result<Vec<u8>> {
        fs::read(self.sound(index))
    }

    fn sound(&self, index: usize) -> PathBuf {
        self.folder.join(format!("{index:05}.frames"))
    }

    /// When this book was begun.
    pub(super) fn begun(&self) -> io::Result<SystemTime> {
        fs::metadata(self.folder.join("manifest.json"))?.modified()
    }

    /// A file without a name, for a chapter on its way into the book.
    pub(super) fn unnamed(&self) -> io::Result<File> {
        tempfile::tempfile_in(&self.folder)
    }

    fn note(&self, index: usize) -> PathBuf {
        self.folder.join(format!("{index:05}.json"))
    }

    /// The error of a run that a signal stopped.
    pub(super) fn interrupted(&self) -> CommandError {
        let then = match self.temporary {
            None => "the same command goes on where this one stopped",
            Some(_) => "nothing is kept, because the output is no file",
        };
        CommandError::Interrupted(format!("interrupted; {then}"))
    }

    /// Removes the folder when the book is complete.
    pub(super) fn remove(self) -> Result<(), CommandError> {
        fs::remove_dir_all(&self.folder).map_err(|source| cannot_keep(&self.folder, source))
    }

    fn manifest(&self) -> Option<Manifest> {
        serde_json::from_slice(&fs::read(self.folder.join("manifest.json")).ok()?).ok()
    }

    /// Removes this command's files, and no others.
    fn clear(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            // Earlier versions kept FLAC.
            let ours = path
                .extension()
                .is_some_and(|kind| kind == "frames" || kind == "flac" || kind == "json" || kind == "part");
            if ours {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    /// Writes a file under a temporary name and renames it when it is complete.
    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let part = self.folder.join(format!("{name}.part"));
        fs::write(&part, bytes)?;
        fs::rename(part, self.folder.join(name))
    }
}

/// The folder for the chunks of an output file, next to it.
fn beside(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".parts");
    file.with_file_name(name)
}

fn cannot_keep(folder: &Path, source: io::Error) -> CommandError {
    CommandError::Io { what: format!("cannot keep what is spoken in {}", folder.display()), source }
}
