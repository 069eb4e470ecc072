//! Mail as files: each one an `.eml` in a directory, whole or not at all.

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use jiff::Timestamp;

use super::MailError;
use crate::clock::Ids;

/// A directory that mails are put into.
#[derive(Debug, Clone)]
pub(super) struct Outbox {
    pub(super) directory: PathBuf,
    pub(super) ids: Ids,
}

impl Outbox {
    pub(super) async fn write(&self, bytes: Vec<u8>) -> Result<(), MailError> {
        let (directory, name) = (self.directory.clone(), self.name());
        let written = tokio::task::spawn_blocking(move || write(&directory, &name, &bytes)).await;
        let written = written.unwrap_or_else(|_| Err(io::Error::other("the writing thread panicked")));
        written.map_err(|source| MailError::File { directory: self.directory.clone(), source })
    }

    /// A name that sorts by time, within a millisecond too, such as `20261121T070811524Z-….eml`.
    fn name(&self) -> String {
        // Any kind of id serves: what is wanted is a UUIDv7 that sorts after all before it.
        let uuid = self.ids.make::<lectern_types::kinds::Request>().uuid();
        let millis = i64::try_from(uuid.as_u128() >> 80).unwrap_or(0);
        let time = Timestamp::from_millisecond(millis).unwrap_or_default();
        format!("{}-{}.eml", time.strftime("%Y%m%dT%H%M%S%3fZ"), uuid.simple())
    }
}

/// Writes beside and renames, so that whoever watches the directory never reads half a mail.
fn write(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let beside = directory.join(format!(".{name}.part"));
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let placed = written.and_then(|()| fs::rename(&beside, directory.join(name)));
    if placed.is_err() {
        let _ = fs::remove_file(&beside);
    }
    placed
}
