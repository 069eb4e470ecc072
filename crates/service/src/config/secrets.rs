//! `[secrets]`: the master key.

use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Deserializer, de::Error as _};

use super::values::optional_secret;

/// The shortest master key that the configuration may hold, in bytes.
const MIN_BYTES: usize = 32;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Secrets {
    /// The key from which all others are derived; `None`: created once and kept in the data
    /// directory.
    #[serde(deserialize_with = "master_key")]
    pub master_key: Option<SecretString>,
}

fn master_key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<SecretString>, D::Error> {
    let key = optional_secret(deserializer)?;
    match &key {
        Some(key) if key.expose_secret().len() < MIN_BYTES => {
            Err(D::Error::custom("must have at least 32 characters"))
        }
        _ => Ok(key),
    }
}
