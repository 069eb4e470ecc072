//! `[database]`: where the data is kept.

use std::path::PathBuf;

use lectern_store::StoreOptions;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Deserializer, de::Error as _};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Database {
    pub url: DatabaseUrl,
    /// Connections of one process; `None` for the default of the kind of database.
    #[serde(deserialize_with = "connections")]
    pub connections: Option<u32>,
}

impl Database {
    /// The options for opening the store.
    pub fn store_options(&self) -> StoreOptions {
        let mut options = StoreOptions::new(self.url.text());
        options.connections = self.connections.unwrap_or(options.connections);
        options
    }
}

/// Reads the number of connections; 0 means the default of the kind of database.
fn connections<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    match i64::deserialize(deserializer)? {
        0 => Ok(None),
        number => u32::try_from(number)
            .ok()
            .filter(|number| (2..=1_000).contains(number))
            .map(Some)
            .ok_or_else(|| D::Error::custom("must be 0, or a whole number from 2 to 1,000")),
    }
}

/// A database that the store can use.
#[derive(Debug, Clone)]
pub enum DatabaseUrl {
    Sqlite(PathBuf),
    /// A server; the URL may hold a password.
    Postgres(SecretString),
}

impl DatabaseUrl {
    /// The URL in the form that the store takes, with its password.
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
