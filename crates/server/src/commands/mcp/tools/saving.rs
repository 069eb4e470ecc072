//! Files that tools write. An existing file is replaced only when the call says so, and standard
//! output, which belongs to the protocol, is never one.

use std::{io::Write as _, path::Path};

use futures_util::StreamExt as _;
use reqwest::Response;

use super::Failed;
use crate::{
    commands::{
        CommandError,
        destination::{Destination, Target},
    },
    output::chain,
};

/// Where a file is to be written.
pub(super) struct Place {
    target: Target,
    shown: String,
}

impl Place {
    /// Checks a path before anything is paid.
    pub(super) fn at(path: &Path, overwrite: bool) -> Result<Self, Failed> {
        let shown = path.display().to_string();
        if !path.is_absolute() {
            return Err(Failed(format!("`output_path` must be an absolute path; {shown} is not.")));
        }
        let target = Target::at(path).map_err(|error| failed(&error))?;
        let Some(file) = target.file() else {
            return Err(Failed(format!("{shown} is not a file.")));
        };
        if !overwrite && file.exists() {
            return Err(Failed(format!("{shown} exists; set `overwrite` to replace it.")));
        }
        if !file.parent().is_some_and(Path::is_dir) {
            return Err(Failed(format!("The folder of {shown} does not exist.")));
        }
        Ok(Self { target, shown })
    }

    /// Writes the body of a response; the length of the file. Nothing is left of one that breaks off.
    pub(super) async fn save(self, response: Response) -> Result<u64, Failed> {
        let mut file = self.target.create().map_err(|error| failed(&error))?;
        let mut written = 0;
        let mut pieces = response.bytes_stream();
        while let Some(piece) = pieces.next().await {
            let piece = piece.map_err(super::super::api::broken_off)?;
            written += piece.len() as u64;
            write(&mut file, &piece)?;
        }
        file.finish().map_err(|error| failed(&error))?;
        Ok(written)
    }

    pub(super) fn shown(&self) -> String {
        self.shown.clone()
    }
}

fn write(file: &mut Destination, bytes: &[u8]) -> Result<(), Failed> {
    file.write_all(bytes).map_err(|error| failed(&file.failure(&error)))
}

fn failed(error: &CommandError) -> Failed {
    Failed(format!("The file cannot be written: {}.", chain(error)))
}
