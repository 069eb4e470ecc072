//! `[secrets]`: the master key.

use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Deserializer, de::Error as _};

use super::values::optional_secret;

/// The shortest master key that is taken from the configuration, in bytes.
const SHORTEST: usize = 32;

/// The master key.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Secrets {
    /// What every other key is derived from; `None`: made once and kept in the data directory.
    #[serde(deserialize_with = "master_key")]
    pub master_key: Option<SecretString>,
}

fn master_key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<SecretString>, D::Error> {
    let key = optional_secret(deserializer)?;
    match &key {
        Some(key) if key.expose_secret().len() < SHORTEST => {
            Err(D::Error::custom("must have at least 32 characters"))
        }
        _ => Ok(key),
    }
}
