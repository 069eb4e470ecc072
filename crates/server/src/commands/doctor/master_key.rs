//! `lectern doctor` on the master key: opens it as `lectern serve` does and compares it with the
//! database's.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use super::{Finding, output};
use lectern_service::{
    base::fingerprint,
    config::Config,
    secrets::{self, Secrets, SecretsError},
};

const WHAT: &str = "master key";

/// The database's fingerprint of its master key.
pub(super) enum Theirs {
    /// The database does not answer or is unusable; another finding says why.
    Unknown,
    /// There is no database yet, or it has no fingerprint.
    None,
    Fingerprint(String),
}

pub(super) fn look(config: &Config, theirs: &Theirs) -> Finding {
    let configured = config.secrets.master_key.as_ref();
    let path = secrets::key_file(&config.data_dir);
    let shown = path.display();
    let secrets = match (Secrets::find(configured, &config.data_dir), theirs) {
        (Ok(Some(secrets)), _) => secrets,
        (Ok(None), Theirs::Fingerprint(_)) => {
            return Finding::wrong(
                WHAT,
                format!("{shown} is missing, and the database was made with one"),
                "restore it from the back-up, or set secrets.master_key to that of the installation's other processes",
            );
        }
        (Ok(None), Theirs::Unknown) => {
            let detail = format!("{shown} is not there");
            let fix =
                "restore it from the back-up, unless this is a new installation: the first start makes it";
            return Finding::note(WHAT, detail, fix);
        }
        (Ok(None), Theirs::None) => {
            return Finding::fine(WHAT, format!("{shown} is not there yet; the first start makes it"));
        }
        (Err(error @ SecretsError::Io { .. }), _) => {
            let fix = format!("run as the account that owns {shown}, or give this one the right to read it");
            return Finding::wrong(WHAT, output::chain(&error), fix);
        }
        (Err(error), _) => {
            let fix = format!("restore {shown} from the back-up");
            return Finding::wrong(WHAT, output::chain(&error), fix);
        }
    };
    let place = if configured.is_some() { "secrets.master_key".to_owned() } else { shown.to_string() };
    match theirs {
        Theirs::Fingerprint(theirs) if *theirs != fingerprint(&secrets) => Finding::wrong(
            WHAT,
            format!("{place} is not the master key that the database was made with"),
            "give all processes of an installation the same secrets.master_key, or restore its file from the back-up",
        ),
        _ if configured.is_some() => Finding::fine(WHAT, "configured"),
        _ => match too_open(&path) {
            None => Finding::fine(WHAT, format!("in {shown}")),
            Some(mode) => Finding::note(
                WHAT,
                format!("{shown} can be read by others (mode {mode:o})"),
                format!("chmod 600 {shown}"),
            ),
        },
    }
}

fn too_open(path: &Path) -> Option<u32> {
    let mode = fs::metadata(path).ok()?.permissions().mode() & 0o777;
    (mode & 0o077 != 0).then_some(mode)
}
