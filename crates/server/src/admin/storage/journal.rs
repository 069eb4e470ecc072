//! Which objects an earlier run copied and proved, so that the next one need not read them again: a file in the data directory,
//! one line an object. Losing it costs time only.

use std::{
    collections::HashSet,
    fs::{File, OpenOptions},
    io::{self, Write as _},
    path::Path,
    sync::{Mutex, PoisonError},
};

use sha2::{Digest as _, Sha256};

use crate::{commands::CommandError, config::StorageUrl, objects::Found};

/// The one kind of object that is stored anew under its name.
const CHANGING: &str = "samples/";

#[derive(Debug)]
pub(super) struct Journal {
    known: HashSet<String>,
    file: Mutex<File>,
}

impl Journal {
    /// That of copies between these two storages.
    pub(super) fn open(data_dir: &Path, from: &StorageUrl, to: &StorageUrl) -> Result<Self, CommandError> {
        let name = hex::encode(&Sha256::digest(format!("{from}\n{to}"))[..8]);
        let path = data_dir.join(format!("storage-migration-{name}.journal"));
        let failed = |source| CommandError::Io { what: format!("{} cannot be used", path.display()), source };
        let known = match std::fs::read_to_string(&path) {
            Ok(text) => {
                // A line that was cut off names an object that is looked at again.
                let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
                whole.lines().map(str::to_owned).collect()
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => HashSet::new(),
            Err(error) => return Err(failed(error)),
        };
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        // Ends what was cut off.
        file.write_all(b"\n").map_err(failed)?;
        Ok(Self { known, file: Mutex::new(file) })
    }

    pub(super) fn has(&self, found: &Found) -> bool {
        !found.key.starts_with(CHANGING) && self.known.contains(&line(found))
    }

    pub(super) fn note(&self, found: &Found) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(format!("{}\n", line(found)).as_bytes())
    }
}

fn line(found: &Found) -> String {
    format!("{} {}", found.bytes, found.key)
}
