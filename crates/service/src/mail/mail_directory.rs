//! Mail as files: each mail is one `.eml` in a directory, written completely or not at all.

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use jiff::Timestamp;

use super::MailError;
use crate::clock::Ids;

/// A directory that mails are written to.
#[derive(Debug, Clone)]
pub(super) struct MailDirectory {
    pub(super) directory: PathBuf,
    pub(super) ids: Ids,
}

impl MailDirectory {
    pub(super) async fn write(&self, bytes: Vec<u8>) -> Result<(), MailError> {
        let (directory, name) = (self.directory.clone(), self.name());
        let written = tokio::task::spawn_blocking(move || write(&directory, &name, &bytes)).await;
        let written = written.unwrap_or_else(|_| Err(io::Error::other("the writing thread panicked")));
        written.map_err(|source| MailError::File { directory: self.directory.clone(), source })
    }

    /// A name that sorts by time, even within a millisecond, such as `20261121T070811524Z-….eml`.
    fn name(&self) -> String {
        // Any kind of id will do, as all are UUIDv7s that sort after every earlier one.
        let uuid = self.ids.make::<lectern_types::kinds::Request>().uuid();
        let millis = i64::try_from(uuid.as_u128() >> 80).unwrap_or(0);
        let time = Timestamp::from_millisecond(millis).unwrap_or_default();
        format!("{}-{}.eml", time.strftime("%Y%m%dT%H%M%S%3fZ"), uuid.simple())
    }
}

/// Writes a temporary file and renames it, so that a program watching the directory never reads
/// half a mail.
fn write(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let temporary = directory.join(format!(".{name}.part"));
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let placed = written.and_then(|()| fs::rename(&temporary, directory.join(name)));
    if placed.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    placed
}
