//! The master key and the keys derived from it: one for each purpose, so that a key cannot be used
//! for another purpose.

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

/// The file name of the master key in the data directory.
const FILE: &str = "master.key";

/// A 256-bit key for one purpose.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl Key {
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The HMAC-SHA-256 of the concatenated `parts`. Parts of variable length need a separator.
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
    /// Identifies a master key without revealing anything about it.
    pub fingerprint: Key,
    pub pepper: Key,
    /// Signs `/media` URLs.
    pub media: Key,
    pub cursors: Key,
    pub invites: Key,
    /// Root of the keys that sign sessions, one for each period.
    pub sessions: Key,
    /// Hashes the tokens in mails.
    pub email_tokens: Key,
    /// Seals mails until they are delivered.
    pub mails: Key,
    /// Hashes the keys of velocity limits: e-mail addresses and client IP addresses.
    pub velocity: Key,
    /// Contributes to the keys that seal stored responses with a secret in them.
    pub sealing: Key,
    /// Derives the CSRF tokens that browsers send with a change.
    pub csrf: Key,
    /// Derives the demo account's password.
    pub demo: Key,
    /// Seals the secrets of webhooks.
    pub webhooks: Key,
    /// Makes the secret URLs of podcast feeds.
    pub feeds: Key,
    /// Makes the secret part of share links.
    pub shares: Key,
}

/// A reason why there is no usable master key.
#[derive(Debug, thiserror::Error)]
pub enum SecretsError {
    #[error("cannot read the master key {}", path.display())]
    Io {
        path: PathBuf,
        /// The operating system's error.
        #[source]
        source: io::Error,
    },
    #[error("cannot create the master key {}", path.display())]
    NotCreated {
        path: PathBuf,
        /// The operating system's error.
        #[source]
        source: io::Error,
    },
    /// The file does not hold a master key.
    #[error(
        "{} is not a master key: it holds {found}, not 64 hexadecimal digits; restore the right one from the back-up, \
         or all keys are lost", path.display()
    )]
    Unreadable {
        path: PathBuf,
        /// A description of its content that reveals none of it.
        found: String,
    },
    /// There is no file, although the store was created with a key.
    #[error(
        "the master key {} is missing, and the database was made with one: restore it from the back-up, or set \
         secrets.master_key to that of the installation's other processes; none was made", path.display()
    )]
    Lost { path: PathBuf },
    /// The file holds another store's key.
    #[error(
        "{} is not the master key that this store was made with; restore the right one from the back-up, or name the \
         right database.url", path.display()
    )]
    WrongStore { path: PathBuf },
}

impl Secrets {
    /// The keys derived from the configured master key, or from the one in the data directory;
    /// `None` when there is neither.
    ///
    /// # Errors
    /// [`SecretsError`].
    pub fn find(configured: Option<&SecretString>, data_dir: &Path) -> Result<Option<Self>, SecretsError> {
        match configured {
            Some(key) => Ok(Some(Self::derive(key.expose_secret().as_bytes()))),
            None => Ok(read(key_file(data_dir))?.map(|key| Self::derive(&key))),
        }
    }

    /// Creates a master key in the data directory, unless another process has just done so, and
    /// derives the keys from the stored one.
    ///
    /// # Errors
    /// [`SecretsError`].
    pub fn create(data_dir: &Path) -> Result<Self, SecretsError> {
        let path = key_file(data_dir);
        let not_created = |source| SecretsError::NotCreated { path: path.clone(), source };
        fs::create_dir_all(data_dir).map_err(not_created)?;
        create_file(data_dir, &path).map_err(not_created)?;
        // Read it back: when two processes start together, only one of their keys is kept.
        let key = read(path.clone())?.ok_or_else(|| not_created(io::ErrorKind::NotFound.into()))?;
        Ok(Self::derive(&key))
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
            feeds: key("lectern podcast feed v1"),
            shares: key("lectern share link v1"),
        }
    }
}

/// Derives the key for one purpose.
fn expand(hkdf: &Hkdf<Sha256>, purpose: &str) -> Key {
    let mut key = [0; 32];
    #[expect(clippy::expect_used, reason = "HKDF-SHA-256 gives up to 8160 bytes; 32 are asked for")]
    hkdf.expand(purpose.as_bytes(), &mut key).expect("32 bytes are within HKDF's limit");
    Key(key)
}

/// Where the master key is stored when it is not configured.
pub fn key_file(data_dir: &Path) -> PathBuf {
    data_dir.join(FILE)
}

/// The key in a file; `None` where there is no file.
fn read(path: PathBuf) -> Result<Option<[u8; 32]>, SecretsError> {
    let io = |source| SecretsError::Io { path: path.clone(), source };
    let bytes = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        read => read.map_err(io)?,
    };
    if fs::metadata(&path).map_err(io)?.permissions().mode() & 0o077 != 0 {
        tracing::warn!(path = %path.display(), "the master key is readable by others; run chmod 600 on it");
    }
    let digits = bytes.trim_ascii();
    let mut key = [0; 32];
    if hex::decode_to_slice(digits, &mut key).is_err() {
        let found = match digits.len() {
            0 => "nothing".to_owned(),
            64 => "64 characters that are not all digits".to_owned(),
            length => format!("{length} characters"),
        };
        return Err(SecretsError::Unreadable { path, found });
    }
    Ok(Some(key))
}

/// Creates the file completely or not at all: writes a temporary file and links it, which fails
/// when another process was first.
fn create_file(data_dir: &Path, path: &Path) -> io::Result<()> {
    let temporary = data_dir.join(format!(".{FILE}.{}", hex::encode(clock::random::<8>())));
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    file.write_all(hex::encode(clock::random::<32>()).as_bytes())?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    let linked = fs::hard_link(&temporary, path);
    fs::remove_file(&temporary)?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_master_key_is_created_once_and_only_its_owner_reads_it() {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        assert!(Secrets::find(None, &data).unwrap().is_none() && !data.exists(), "`find` created a key");
        let first = Secrets::create(&data).unwrap();
        let again = Secrets::create(&data).unwrap();
        let found = Secrets::find(None, &data).unwrap().unwrap();
        assert_eq!(first.pepper.bytes(), found.pepper.bytes());
        assert_eq!(first.pepper.bytes(), again.pepper.bytes());
        assert_ne!(first.pepper.bytes(), first.media.bytes());
        let mode = fs::metadata(data.join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(&data).unwrap().count(), 1, "the temporary file is still there");
    }

    #[test]
    fn a_damaged_master_key_is_refused_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let almost = "0".repeat(63) + "x";
        for (content, found) in [
            (&b"nonsense"[..], "8 characters"),
            (b"", "nothing"),
            (b"\xff\xfe", "2 characters"),
            (almost.as_bytes(), "not all digits"),
        ] {
            fs::write(dir.path().join(FILE), content).unwrap();
            for opened in [Secrets::find(None, dir.path()), Secrets::create(dir.path()).map(Some)] {
                let said = opened.unwrap_err().to_string();
                assert!(said.contains(found) && said.contains("master.key"), "{said}");
            }
            assert_eq!(fs::read(dir.path().join(FILE)).unwrap(), content);
        }
    }
}
