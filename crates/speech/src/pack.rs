//! The voice pack on disk: which files it has, that each is the very file we pinned, and reading them.
//!
//! Fetching is not done here: `./run` and `./test` do it with the package client.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use sha2::{Digest as _, Sha256};

/// The pinned list, which the installer reads as well.
const MANIFEST: &str = include_str!("../hibari-pack.toml");

/// What the pack's folder is called inside the voices directory.
pub const FOLDER: &str = "hibari";

#[derive(Debug, Deserialize)]
struct Manifest {
    file: Vec<PinnedFile>,
}

#[derive(Debug, Deserialize)]
struct PinnedFile {
    name: String,
    bytes: u64,
    sha256: String,
}

/// Why a voice pack cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// A file is not there.
    #[error("the voice pack in {folder} lacks {name}; ./run fetches it, or: {MENDING_COMMAND}")]
    Missing {
        /// The pack's folder.
        folder: PathBuf,
        /// The file's name.
        name: String,
    },
    /// A file differs from the one we pinned.
    #[error(
        "voice pack file {path} is not the pinned one: its SHA-256 is {found}, wanted {wanted}; \
         delete {folder} and fetch it again: {MENDING_COMMAND}"
    )]
    Changed {
        /// The pack's folder.
        folder: PathBuf,
        /// The file.
        path: PathBuf,
        /// Its hash.
        found: String,
        /// The pinned hash.
        wanted: String,
    },
    /// A file is the pinned one but says something this code does not understand.
    #[error("voice pack file {name} cannot be used: {reason}")]
    Unusable {
        /// The file's name.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// Reading failed.
    #[error("cannot read voice pack file {path}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        #[source]
        source: io::Error,
    },
}

/// The command that installs the pack.
pub const MENDING_COMMAND: &str = "./run --fetch-only";

/// A voice pack whose files are all there and are the pinned ones.
#[derive(Debug, Clone)]
pub struct Pack {
    folder: PathBuf,
}

impl Pack {
    /// Opens the pack in `<voices>/hibari` and checks every file's size and hash.
    ///
    /// # Errors
    /// [`PackError`], naming the file and the command that mends it.
    pub fn open(voices: &Path) -> Result<Self, PackError> {
        let folder = voices.join(FOLDER);
        let pack = Self { folder };
        for file in manifest()?.file {
            pack.check(&file)?;
        }
        Ok(pack)
    }

    /// Whether `<voices>/hibari` has a pack at all, checked or not.
    pub fn is_at(voices: &Path) -> bool {
        voices.join(FOLDER).join("hibari.onnx").is_file()
    }

    /// The first of some voices directories that has a pack, checked or not.
    pub fn find(candidates: impl IntoIterator<Item = PathBuf>) -> Option<PathBuf> {
        candidates.into_iter().find(|voices| Self::is_at(voices))
    }

    /// The user's own voices directory, which every store of theirs shares: `$XDG_DATA_HOME/lectern/voices`, or
    /// the same below `~/.local/share`. `None` when the environment names no home.
    #[expect(clippy::disallowed_methods, reason = "the home of this look-up of the environment")]
    pub fn user_voices_dir() -> Option<PathBuf> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let data = set("XDG_DATA_HOME").or_else(|| set("HOME").map(|home| home.join(".local/share")))?;
        Some(data.join("lectern/voices"))
    }

    /// A hash that tells this pack from every other: of the pinned list.
    pub fn identity() -> String {
        hex::encode(Sha256::digest(MANIFEST))
    }

    /// The bytes of one of its files.
    ///
    /// # Errors
    /// [`PackError::Missing`] or [`PackError::Io`].
    pub fn read(&self, name: &str) -> Result<Vec<u8>, PackError> {
        let path = self.folder.join(name);
        fs::read(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => {
                PackError::Missing { folder: self.folder.clone(), name: name.to_owned() }
            }
            _ => PackError::Io { path, source },
        })
    }

    /// An error that says why the content of a file cannot be used.
    pub fn unusable(name: &str, reason: &impl ToString) -> PackError {
        PackError::Unusable { name: name.to_owned(), reason: reason.to_string() }
    }

    fn check(&self, file: &PinnedFile) -> Result<(), PackError> {
        let bytes = self.read(&file.name)?;
        let found = hex::encode(Sha256::digest(&bytes));
        if bytes.len() as u64 == file.bytes && found == file.sha256 {
            return Ok(());
        }
        Err(PackError::Changed {
            folder: self.folder.clone(),
            path: self.folder.join(&file.name),
            found,
            wanted: file.sha256.clone(),
        })
    }
}

fn manifest() -> Result<Manifest, PackError> {
    toml::from_str(MANIFEST).map_err(|error| Pack::unusable("hibari-pack.toml", &error))
}
