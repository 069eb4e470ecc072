//! Checks for free space where this process writes: the data directory, a SQLite database, and
//! objects in files.
//!
//! Reading works even when a disk is full, so a full disk shows only in a check. The file system
//! reports how much space is free. When little is left, a small file is written as a test, because
//! part of the free space may be reserved or beyond a quota.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::config::{Config, DatabaseUrl, StorageUrl};

/// With this much free space, the next write fits.
const ENOUGH_BYTES: u64 = 4 * 1024 * 1024;

/// Size of the test file: more than the journal grows in most transactions.
const PROBE_BYTES: usize = 128 * 1024;

/// The names of the full disks, as `/readyz` shows them.
pub async fn full_disks(config: &Arc<Config>) -> Vec<&'static str> {
    let config = Arc::clone(config);
    let checked = tokio::task::spawn_blocking(move || {
        let directories = directories(&config).into_iter();
        directories.filter(|(name, path)| is_full(name, path)).map(|(name, _)| name).collect()
    });
    checked.await.unwrap_or_default()
}

fn directories(config: &Config) -> Vec<(&'static str, PathBuf)> {
    let mut directories = vec![("data_disk", config.data_dir.clone())];
    if let DatabaseUrl::Sqlite(file) = &config.database.url
        && let Some(folder) = file.parent()
    {
        // The parent of a bare file name is empty.
        directories.push(("store_disk", Path::new(".").join(folder)));
    }
    if let StorageUrl::Directory(folder) = &config.storage.url {
        directories.push(("objects_disk", folder.clone()));
    }
    // A directory that does not exist yet is created by the first write.
    directories.retain(|(_, path)| path.is_dir());
    directories
}

fn is_full(name: &str, path: &Path) -> bool {
    let Err(error) = probe(path) else { return false };
    tracing::warn!(missing = name, path = %path.display(), error = %error, "no space left to write");
    true
}

fn probe(path: &Path) -> io::Result<()> {
    let Ok(free) = rustix::fs::statvfs(path) else { return Ok(()) };
    let has_names = free.f_files == 0 || free.f_favail > 0;
    if has_names && free.f_bavail.saturating_mul(free.f_frsize) >= ENOUGH_BYTES {
        return Ok(());
    }
    // An unnamed file is removed when it is closed, whatever happens.
    match tempfile::tempfile_in(path).and_then(|mut file| file.write_all(&vec![0x5a; PROBE_BYTES])) {
        Err(error) if is_out_of_space(&error) => Err(error),
        // The code that writes there reports other errors.
        _ => Ok(()),
    }
}

fn is_out_of_space(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
