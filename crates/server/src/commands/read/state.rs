//! What was spoken so far: a folder beside the output, with two files for each chunk that is done.
//!
//! A chunk's sound is written and named before its note, so a chunk with a note is whole, whenever the process died. The
//! manifest holds a hash of all that the sound depends on: another book, voice or version begins anew. A lock keeps a
//! second run of the same book from working on the same files.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use lectern_documents::Chunk;
use lectern_speech::audio::captions::WordTimestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use super::{CommandError, output};

/// Changes when the files in the folder mean something else than before.
const LAYOUT: u32 = 1;

/// Everything that decides how a chunk sounds.
#[derive(Debug, Serialize)]
pub(super) struct Key<'a> {
    pub(super) text: &'a str,
    pub(super) chunks: &'a [Chunk],
    pub(super) voice: &'a str,
    pub(super) language: &'a str,
    pub(super) speed: f32,
    pub(super) seed: u64,
    pub(super) pronounce: &'a [String],
    pub(super) pack: String,
    pub(super) version: &'a str,
}

/// What is remembered of a chunk that is done.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Done {
    /// Its length in milliseconds.
    pub(super) duration_ms: u64,
    /// The length of its FLAC file.
    pub(super) bytes: u64,
    /// When each word of it is spoken.
    pub(super) words: Vec<WordTimestamp>,
}

#[derive(Serialize, Deserialize)]
struct Manifest {
    layout: u32,
    key: String,
}

/// The folder.
pub(super) struct State {
    folder: PathBuf,
    /// The same folder, where no other run would find it and it goes when this one ends.
    temporary: Option<TempDir>,
    count: usize,
    /// Held as long as this lives.
    _lock: File,
}

impl State {
    /// Opens the folder that belongs to an output file, or makes it; what another book left there is thrown away. An output
    /// that is no file has a temporary one.
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

    /// The chunks that are not done, in order.
    pub(super) fn missing(&self) -> Vec<usize> {
        (0..self.count).filter(|index| self.done(*index).is_none()).collect()
    }

    /// What is remembered of a chunk; `None` when it is not done, or its sound is not what it was.
    pub(super) fn done(&self, index: usize) -> Option<Done> {
        let done: Done = serde_json::from_slice(&fs::read(self.note(index)).ok()?).ok()?;
        let bytes = fs::metadata(self.sound(index)).ok()?.len();
        (bytes == done.bytes).then_some(done)
    }

    /// Keeps a chunk.
    pub(super) fn keep(&self, index: usize, lossless: &[u8], done: &Done) -> Result<(), CommandError> {
        let failed = |source| cannot_keep(&self.folder, source);
        let note = serde_json::to_vec(done).map_err(CommandError::from_error)?;
        self.put(&format!("{index:05}.flac"), lossless).map_err(failed)?;
        self.put(&format!("{index:05}.json"), &note).map_err(failed)
    }

    /// Forgets a chunk whose sound turned out to be damaged.
    pub(super) fn forget(&self, index: usize) {
        let _ = fs::remove_file(self.note(index));
    }

    /// A chunk's sound, a FLAC file.
    pub(super) fn sound(&self, index: usize) -> PathBuf {
        self.folder.join(format!("{index:05}.flac"))
    }

    fn note(&self, index: usize) -> PathBuf {
        self.folder.join(format!("{index:05}.json"))
    }

    /// How a run ends that a signal stopped.
    pub(super) fn interrupted(&self) -> CommandError {
        let then = match self.temporary {
            None => "the same command goes on where this one stopped",
            Some(_) => "nothing is kept, because the output is no file",
        };
        CommandError::Interrupted(format!("interrupted; {then}"))
    }

    /// Removes the folder: the book is done.
    pub(super) fn remove(self) -> Result<(), CommandError> {
        fs::remove_dir_all(&self.folder).map_err(|source| cannot_keep(&self.folder, source))
    }

    fn manifest(&self) -> Option<Manifest> {
        serde_json::from_slice(&fs::read(self.folder.join("manifest.json")).ok()?).ok()
    }

    /// Removes what this command writes, and nothing that somebody else may have put there.
    fn clear(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let ours =
                path.extension().is_some_and(|kind| kind == "flac" || kind == "json" || kind == "part");
            if ours {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    /// Writes a file under another name and gives it its own when it is whole.
    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let part = self.folder.join(format!("{name}.part"));
        fs::write(&part, bytes)?;
        fs::rename(part, self.folder.join(name))
    }
}

/// The folder of what was spoken so far, beside the file that it is for.
fn beside(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".parts");
    file.with_file_name(name)
}

fn cannot_keep(folder: &Path, source: io::Error) -> CommandError {
    CommandError::Io { what: format!("cannot keep what is spoken in {}", folder.display()), source }
}
