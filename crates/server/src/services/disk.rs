//! Whether there is room left where this process writes: the data directory, a SQLite database, objects in files.
//!
//! Reads work while a disk is full, so the disk itself must be checked. The system is asked how much is free. Only when that is
//! next to nothing is a small file written, because there may be a reserve or a quota.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    app::Base,
    config::{Config, DatabaseUrl, StorageUrl},
};

/// From here on there is room, whatever is written next.
const ENOUGH_BYTES: u64 = 4 * 1024 * 1024;

/// What is written to see whether there is: more than the journal grows by in most transactions.
const PROBE_BYTES: usize = 128 * 1024;

/// Where there is no room left, by the names that `/readyz` gives them.
pub async fn full(base: &Base) -> Vec<&'static str> {
    let config = Arc::clone(&base.config);
    let looked = tokio::task::spawn_blocking(move || {
        let places = places(&config).into_iter();
        places.filter(|(name, path)| is_full(name, path)).map(|(name, _)| name).collect()
    });
    looked.await.unwrap_or_default()
}

fn places(config: &Config) -> Vec<(&'static str, PathBuf)> {
    let mut places = vec![("data_disk", config.data_dir.clone())];
    if let DatabaseUrl::Sqlite(file) = &config.database.url
        && let Some(folder) = file.parent()
    {
        // That of a file without a folder is empty.
        places.push(("store_disk", Path::new(".").join(folder)));
    }
    if let StorageUrl::Directory(folder) = &config.storage.url {
        places.push(("objects_disk", folder.clone()));
    }
    // One that is made by the first write is no place yet.
    places.retain(|(_, path)| path.is_dir());
    places
}

fn is_full(name: &str, path: &Path) -> bool {
    let Err(error) = probe(path) else { return false };
    tracing::warn!(missing = name, path = %path.display(), error = %error, "there is no room left to write");
    true
}

fn probe(path: &Path) -> io::Result<()> {
    let Ok(free) = rustix::fs::statvfs(path) else { return Ok(()) };
    let has_names = free.f_files == 0 || free.f_favail > 0;
    if has_names && free.f_bavail.saturating_mul(free.f_frsize) >= ENOUGH_BYTES {
        return Ok(());
    }
    // Without a name: it goes when it is closed, whatever happens.
    match tempfile::tempfile_in(path).and_then(|mut file| file.write_all(&vec![0x5a; PROBE_BYTES])) {
        Err(error) if is_of_room(&error) => Err(error),
        // That it cannot be written for another reason is told by whoever writes there.
        _ => Ok(()),
    }
}

fn is_of_room(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
