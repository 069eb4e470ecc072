//! `[database]`: where the truth is kept.

use std::path::PathBuf;

use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Deserializer, de::Error as _};

/// The database.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Database {
    /// Which and where.
    pub url: DatabaseUrl,
}

/// A database that the store can use.
#[derive(Debug, Clone)]
pub enum DatabaseUrl {
    /// A file.
    Sqlite(PathBuf),
    /// A server; the URL may hold a password.
    Postgres(SecretString),
}

impl DatabaseUrl {
    /// The URL as the store takes it, with its password.
    pub fn text(&self) -> String {
        match self {
            Self::Sqlite(path) => format!("sqlite://{}", path.display()),
            Self::Postgres(url) => url.expose_secret().to_owned(),
        }
    }
}

impl<'de> Deserialize<'de> for DatabaseUrl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if let Some(path) = text.strip_prefix("sqlite://").filter(|path| !path.is_empty()) {
            return Ok(Self::Sqlite(path.into()));
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.into()));
        }
        Err(D::Error::custom("must be sqlite://FILE or postgres://USER:PASSWORD@HOST/DATABASE"))
    }
}
