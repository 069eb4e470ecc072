//! Records which objects earlier runs copied and verified, so that the next run need not read them
//! again: a file in the data directory with one line for each object. Losing the file costs only
//! time.

use std::{
    collections::HashSet,
    fs::{File, OpenOptions},
    io::{self, Write as _},
    path::Path,
    sync::{Mutex, PoisonError},
};

use sha2::{Digest as _, Sha256};

use crate::error::CommandError;
use lectern_service::{config::StorageUrl, objects::ListedObject};

/// Samples are the only objects that are overwritten under the same name.
const CHANGING: &str = "samples/";

#[derive(Debug)]
pub(super) struct CopyLog {
    known: HashSet<String>,
    file: Mutex<File>,
}

impl CopyLog {
    /// Opens the log of copies between these two storages.
    pub(super) fn open(data_dir: &Path, from: &StorageUrl, to: &StorageUrl) -> Result<Self, CommandError> {
        let name = hex::encode(&Sha256::digest(format!("{from}\n{to}"))[..8]);
        let path = data_dir.join(format!("storage-migration-{name}.journal"));
        let failed = |source| CommandError::Io { what: format!("{} cannot be used", path.display()), source };
        let known = match std::fs::read_to_string(&path) {
            Ok(text) => {
                // An incomplete last line names an object that will be copied again.
                let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
                whole.lines().map(str::to_owned).collect()
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => HashSet::new(),
            Err(error) => return Err(failed(error)),
        };
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        // Ends the incomplete line.
        file.write_all(b"\n").map_err(failed)?;
        Ok(Self { known, file: Mutex::new(file) })
    }

    pub(super) fn has(&self, found: &ListedObject) -> bool {
        !found.key.starts_with(CHANGING) && self.known.contains(&line(found))
    }

    pub(super) fn record(&self, found: &ListedObject) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(format!("{}\n", line(found)).as_bytes())
    }
}

fn line(found: &ListedObject) -> String {
    format!("{} {}", found.bytes, found.key)
}
