//! The master key and the keys derived from it: one for each purpose, so that none can stand in for another.

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use hkdf::Hkdf;
use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::{ExposeSecret as _, SecretString};
use sha2::Sha256;

use crate::clock;

/// The name of the master key's file in the data directory.
const FILE: &str = "master.key";

/// A 256-bit key for one purpose.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl Key {
    /// The key itself.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The HMAC-SHA-256 of `parts`, one after the other. Parts that could run into each other need a separator.
    pub fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = self.hmac();
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }

    /// A key derived from this one.
    #[must_use]
    pub fn derive(&self, purpose: &str) -> Self {
        expand(&Hkdf::<Sha256>::new(None, &self.0), purpose)
    }

    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    fn hmac(&self) -> Hmac<Sha256> {
        Hmac::new_from_slice(&self.0).expect("HMAC takes keys of any length")
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

/// The keys of the service.
#[derive(Debug, Clone)]
pub struct Secrets {
    /// Tells one master key from another without telling anything of it.
    pub fingerprint: Key,
    /// Hashes API keys.
    pub pepper: Key,
    /// Signs `/media` URLs.
    pub media: Key,
    /// Tags cursors.
    pub cursors: Key,
    /// Hashes invitation tokens.
    pub invites: Key,
    /// Root of the keys that sign sessions, one for each period.
    pub sessions: Key,
    /// Hashes the tokens of mails.
    pub email_tokens: Key,
    /// Seals mails until they are delivered.
    pub mails: Key,
    /// Hashes what velocity limits count by: e-mail addresses and clients' IP addresses.
    pub velocity: Key,
    /// Takes part in the keys that stored responses with a secret in them are sealed under.
    pub sealing: Key,
    /// Makes what a browser must say to change something.
    pub csrf: Key,
    /// Makes the demo account's password.
    pub demo: Key,
    /// Seals the secrets of webhooks.
    pub webhooks: Key,
}

/// Why there is no master key.
#[derive(Debug, thiserror::Error)]
pub enum SecretsError {
    /// The file could not be read or made.
    #[error("cannot read or make the master key {path}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        #[source]
        source: io::Error,
    },
    /// The file holds something else.
    #[error(
        "{path} is not a master key (64 hexadecimal digits); put the right one back, or all keys are lost"
    )]
    Unreadable {
        /// The file.
        path: PathBuf,
    },
}

impl Secrets {
    /// The keys derived from the configured master key, or from the one in the data directory, which is made
    /// when it is not there.
    ///
    /// # Errors
    /// [`SecretsError`].
    pub fn open(configured: Option<&SecretString>, data_dir: &Path) -> Result<Self, SecretsError> {
        match configured {
            Some(key) => Ok(Self::derive(key.expose_secret().as_bytes())),
            None => Ok(Self::derive(&master_key_in(data_dir)?)),
        }
    }

    /// The keys derived from `master`.
    pub fn derive(master: &[u8]) -> Self {
        let hkdf = Hkdf::<Sha256>::new(None, master);
        let key = |purpose| expand(&hkdf, purpose);
        Self {
            fingerprint: key("lectern master key fingerprint v1"),
            pepper: key("lectern api key pepper v1"),
            media: key("lectern media url v1"),
            cursors: key("lectern cursor v1"),
            invites: key("lectern invitation v1"),
            sessions: key("lectern session v1"),
            email_tokens: key("lectern e-mail token v1"),
            mails: key("lectern outgoing mail v1"),
            velocity: key("lectern velocity v1"),
            csrf: key("lectern csrf v1"),
            demo: key("lectern demo password v1"),
            sealing: key("lectern sealed response v1"),
            webhooks: key("lectern webhook secrets v1"),
        }
    }
}

/// The key for one purpose.
fn expand(hkdf: &Hkdf<Sha256>, purpose: &str) -> Key {
    let mut key = [0; 32];
    #[expect(clippy::expect_used, reason = "HKDF-SHA-256 gives up to 8160 bytes; 32 are asked for")]
    hkdf.expand(purpose.as_bytes(), &mut key).expect("32 bytes are within HKDF's limit");
    Key(key)
}

/// Where the master key lies when it is not configured.
pub fn key_file(data_dir: &Path) -> PathBuf {
    data_dir.join(FILE)
}

fn master_key_in(data_dir: &Path) -> Result<[u8; 32], SecretsError> {
    let path = key_file(data_dir);
    let io = |source| SecretsError::Io { path: path.clone(), source };
    fs::create_dir_all(data_dir).map_err(io)?;
    match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => make(data_dir, &path).map_err(io)?,
        Err(error) => return Err(io(error)),
        Ok(_) => {}
    }
    // Read back even when just made: of two processes that start together, one's key is the one that stays.
    let text = fs::read_to_string(&path).map_err(io)?;
    if fs::metadata(&path).map_err(io)?.permissions().mode() & 0o077 != 0 {
        tracing::warn!(path = %path.display(), "the master key can be read by others: chmod 600 it");
    }
    let mut key = [0; 32];
    hex::decode_to_slice(text.trim(), &mut key).map_err(|_| SecretsError::Unreadable { path })?;
    Ok(key)
}

/// Makes the file whole or not at all: written beside, then linked, which fails when another was faster.
fn make(data_dir: &Path, path: &Path) -> io::Result<()> {
    let beside = data_dir.join(format!(".{FILE}.{}", hex::encode(clock::random::<8>())));
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
    file.write_all(hex::encode(clock::random::<32>()).as_bytes())?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    let linked = fs::hard_link(&beside, path);
    fs::remove_file(&beside)?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_master_key_is_made_once_and_only_its_owner_reads_it() {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        let first = Secrets::open(None, &data).unwrap();
        let again = Secrets::open(None, &data).unwrap();
        assert_eq!(first.pepper.bytes(), again.pepper.bytes());
        assert_ne!(first.pepper.bytes(), first.media.bytes());
        let mode = fs::metadata(data.join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(&data).unwrap().count(), 1, "the file written beside was left");
    }

    #[test]
    fn a_damaged_master_key_is_refused_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(FILE), "nonsense").unwrap();
        assert!(matches!(Secrets::open(None, dir.path()), Err(SecretsError::Unreadable { .. })));
        assert_eq!(fs::read_to_string(dir.path().join(FILE)).unwrap(), "nonsense");
    }
}
