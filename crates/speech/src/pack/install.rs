//! Puts a pack's pinned files into a voices directory: sources first, each checked by its hash,
//! then the files in them.
//!
//! How a source is fetched is the caller's business. A source that was fetched stays until the pack
//! is whole, so that an interrupted installation can be resumed; correct files are left alone.
//! `scripts/voice_pack.py` does the same where there is no binary yet, under the same lock.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

use super::{Manifest, PackError, PackKind, PinnedFile, Source, archive, manifest::Conversion};

/// Why a pack could not be installed or removed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// The manifest cannot be used.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// A source could not be fetched.
    #[error("{0}")]
    NotFetched(String),
    /// A fetched file does not match its pin.
    #[error("{name} is not the pinned file: its SHA-256 is {found}, wanted {wanted}")]
    Changed {
        /// The file or archive.
        name: String,
        /// Its hash.
        found: String,
        /// The pinned hash.
        wanted: String,
    },
    /// An archive lacks a file, or is not an archive.
    #[error("cannot take {name} from {archive}: {reason}")]
    Archive {
        /// The archive.
        archive: String,
        /// The name of the requested file.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// The pack's files cannot be made from the fetched ones.
    #[error("cannot convert {name}: {reason}")]
    Conversion {
        /// The name of the file to convert.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// The system failed.
    #[error("cannot write the voice pack in {path}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        #[source]
        source: io::Error,
    },
}

/// Fetches a source's archive into a folder, under the name that the manifest gives it.
pub type Fetch<'a> = &'a mut dyn FnMut(&Source, &Path) -> Result<(), InstallError>;

/// What an installation is about to do.
#[derive(Debug, Clone, Copy)]
pub enum Step<'a> {
    /// It begins: these sources are needed, of which some may be there.
    Sources(&'a [&'a Source]),
    /// A source is not there, or not whole.
    Fetching(&'a Source),
    /// A source is there and right.
    Fetched(&'a Source),
    /// Everything is fetched; something is joined, converted, or checked.
    Making(&'a str),
}

/// Completes a pack and reports every step. Returns the names of the files that it added.
///
/// # Errors
/// [`InstallError`]; existing files are unchanged.
pub fn install(
    kind: PackKind,
    voices: &Path,
    fetch: Fetch<'_>,
    tell: &mut dyn FnMut(Step<'_>),
) -> Result<Vec<String>, InstallError> {
    let manifest = kind.manifest()?;
    let folder = kind.folder(voices);
    let _lock = lock(voices)?;
    let is_wrong = |file: &&PinnedFile| !is_right(&folder.join(&file.name), file.bytes, &file.sha256);
    let wrong: Vec<&PinnedFile> = manifest.files.iter().filter(is_wrong).collect();
    if wrong.is_empty() {
        return Ok(Vec::new());
    }
    let sources = voices.join(format!(".{}-sources", kind.name()));
    make_folder(&sources)?;
    let needed = needed(&manifest, &wrong);
    tell(Step::Sources(&needed));
    for source in needed {
        fetch_once(source, &sources, fetch, tell)?;
        tell(Step::Fetched(source));
    }
    // Next to the target, so that moving into place is one rename on one file system.
    let fresh = voices.join(format!(".{}-new", kind.name()));
    let _ = fs::remove_dir_all(&fresh);
    make_folder(&fresh)?;
    let made = make(kind, &manifest, &wrong, (&sources, &fresh), tell);
    if let Err(error) = made.and_then(|()| move_into_place(&wrong, &fresh, &folder)) {
        // A full disk must not stay full of useless files.
        let _ = fs::remove_dir_all(&fresh);
        return Err(error);
    }
    // Space only; what stays is taken or replaced the next time.
    let _ = fs::remove_dir_all(&fresh);
    let _ = fs::remove_dir_all(&sources);
    Ok(wrong.into_iter().map(|file| file.name.clone()).collect())
}

/// Moves the files that were made to where they belong, and waits until the disk has the names, too:
/// a pack that was said to be installed is there after a power failure.
fn move_into_place(files: &[&PinnedFile], fresh: &Path, folder: &Path) -> Result<(), InstallError> {
    sync(fresh)?;
    if folder.exists() {
        for file in files {
            let target = folder.join(&file.name);
            fs::rename(fresh.join(&file.name), &target).map_err(|error| unwritten(&target, error))?;
        }
        sync(folder)?;
    } else {
        fs::rename(fresh, folder).map_err(|error| unwritten(folder, error))?;
    }
    folder.parent().map_or(Ok(()), sync)
}

/// Deletes a pack. Returns whether there was one.
///
/// # Errors
/// [`InstallError::Io`].
pub fn remove(kind: PackKind, voices: &Path) -> Result<bool, InstallError> {
    let folder = kind.folder(voices);
    if !folder.is_dir() {
        return Ok(false);
    }
    let _lock = lock(voices)?;
    // Gone at once: half a pack would be found and refused.
    let gone = voices.join(format!(".{}-removed", kind.name()));
    let _ = fs::remove_dir_all(&gone);
    fs::rename(&folder, &gone).map_err(|error| unwritten(&folder, error))?;
    sync(voices)?;
    fs::remove_dir_all(&gone).map_err(|error| unwritten(&gone, error))?;
    Ok(true)
}

/// The sources of these files, in the manifest's order.
fn needed<'a>(manifest: &'a Manifest, files: &[&PinnedFile]) -> Vec<&'a Source> {
    let holds = |source: &&Source| {
        let mut members = files.iter().flat_map(|file| manifest.members_of(file));
        members.any(|(of, _)| of.package == source.package)
    };
    manifest.sources.iter().filter(holds).collect()
}

fn fetch_once(
    source: &Source,
    sources: &Path,
    fetch: Fetch<'_>,
    tell: &mut dyn FnMut(Step<'_>),
) -> Result<(), InstallError> {
    let archive = sources.join(&source.file);
    if hash(&archive).is_ok_and(|found| found == source.sha256) {
        return Ok(());
    }
    tell(Step::Fetching(source));
    fetch(source, sources)?;
    let found = hash(&archive)
        .map_err(|_| InstallError::NotFetched(format!("{} did not come with {source}", source.file)))?;
    if found != source.sha256 {
        let _ = fs::remove_file(&archive);
        return Err(InstallError::Changed {
            name: source.file.clone(),
            found,
            wanted: source.sha256.clone(),
        });
    }
    Ok(())
}

/// Puts the files that are wrong into `fresh`.
fn make(
    kind: PackKind,
    manifest: &Manifest,
    wrong: &[&PinnedFile],
    (sources, fresh): (&Path, &Path),
    tell: &mut dyn FnMut(Step<'_>),
) -> Result<(), InstallError> {
    let is_made = |conversion: &&Conversion| wrong.iter().any(|file| conversion.into.contains(&file.name));
    for conversion in manifest.conversions.iter().filter(is_made) {
        let refused = |reason: String| InstallError::Conversion { name: conversion.of.clone(), reason };
        let convert = kind.conversion().ok_or_else(|| refused("nothing here can do that".to_owned()))?;
        tell(Step::Making(&conversion.of));
        let joined = fresh.join(&conversion.of);
        let parts = manifest.parts_of(&conversion.of);
        let members = parts.filter_map(|part| Some((manifest.source(&part.source)?, part.name.as_str())));
        join(members, sources, &joined)?;
        check(&joined, &conversion.of, conversion.bytes, &conversion.sha256)?;
        convert(&joined, fresh).map_err(refused)?;
        fs::remove_file(&joined).map_err(|error| unwritten(&joined, error))?;
    }
    for file in wrong {
        tell(Step::Making(&file.name));
        let target = fresh.join(&file.name);
        if manifest.conversion_into(&file.name).is_none() {
            join(manifest.members_of(file), sources, &target)?;
        }
        check(&target, &file.name, file.bytes, &file.sha256)?;
    }
    Ok(())
}

/// Writes members of archives one after the other, and waits until the disk has them.
fn join<'a>(
    members: impl IntoIterator<Item = (&'a Source, &'a str)>,
    sources: &Path,
    target: &Path,
) -> Result<(), InstallError> {
    let mut written = File::create(target).map_err(|error| unwritten(target, error))?;
    let members: Vec<(&Source, &str)> = members.into_iter().collect();
    for members in members.chunk_by(|(one, _), (next, _)| one.file == next.file) {
        let source = members[0].0;
        let names: Vec<&str> = members.iter().map(|(_, name)| *name).collect();
        archive::append(source, &sources.join(&source.file), &names, &mut written).map_err(|error| {
            match error {
                archive::AppendError::Archive { name, reason } => {
                    InstallError::Archive { archive: source.file.clone(), name, reason }
                }
                archive::AppendError::Written(error) => unwritten(target, error),
            }
        })?;
    }
    written.sync_all().map_err(|error| unwritten(target, error))
}

/// Refuses a file that is not the pinned one.
fn check(path: &Path, name: &str, bytes: u64, sha256: &str) -> Result<(), InstallError> {
    if is_right(path, bytes, sha256) {
        return Ok(());
    }
    let found = hash(path).unwrap_or_default();
    Err(InstallError::Changed { name: name.to_owned(), found, wanted: sha256.to_owned() })
}

fn is_right(path: &Path, bytes: u64, sha256: &str) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() == bytes)
        && hash(path).is_ok_and(|found| found == sha256)
}

/// The SHA-256 of a file.
pub(super) fn hash(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut block = vec![0; 1 << 20];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(hex::encode(hash.finalize())),
            read => hash.update(&block[..read]),
        }
    }
}

/// Keeps two installers of one directory apart, for as long as the file is open.
fn lock(voices: &Path) -> Result<File, InstallError> {
    make_folder(voices)?;
    let path = voices.join(".lock");
    let lock = File::create(&path).and_then(|file| file.lock().map(|()| file));
    lock.map_err(|error| unwritten(&path, error))
}

fn make_folder(path: &Path) -> Result<(), InstallError> {
    fs::create_dir_all(path).map_err(|error| unwritten(path, error))
}

/// Waits until the disk has the names in a folder.
fn sync(folder: &Path) -> Result<(), InstallError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| unwritten(folder, error))
}

fn unwritten(path: &Path, source: io::Error) -> InstallError {
    InstallError::Io { path: path.to_owned(), source }
}
