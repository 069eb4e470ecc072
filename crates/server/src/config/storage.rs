//! `[storage]`: where audio is kept.

use std::path::PathBuf;

use secrecy::SecretString;
use serde::{Deserialize, Deserializer, de::Error as _};

use super::values::{optional, optional_secret};

/// Object storage.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Storage {
    /// Which and where.
    pub url: StorageUrl,
    /// S3: another endpoint than Amazon's.
    #[serde(deserialize_with = "optional")]
    pub endpoint: Option<String>,
    /// S3: the region.
    #[serde(deserialize_with = "optional")]
    pub region: Option<String>,
    /// S3: the access key's id.
    #[serde(deserialize_with = "optional")]
    pub access_key_id: Option<String>,
    /// S3: the access key.
    #[serde(deserialize_with = "optional_secret")]
    pub secret_access_key: Option<SecretString>,
    /// S3: the bucket in the path instead of the host name.
    pub path_style: bool,
}

/// An object storage that [`crate::objects`] can use.
#[derive(Debug, Clone)]
pub enum StorageUrl {
    /// A directory.
    Directory(PathBuf),
    /// A bucket, and what goes before every key in it.
    S3 {
        /// The bucket.
        bucket: String,
        /// Without slashes at its ends; may be empty.
        prefix: String,
    },
}

impl<'de> Deserialize<'de> for StorageUrl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if let Some(path) = text.strip_prefix("file://").filter(|path| !path.is_empty()) {
            return Ok(Self::Directory(path.into()));
        }
        if let Some(rest) = text.strip_prefix("s3://") {
            let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
            if !bucket.is_empty() {
                return Ok(Self::S3 {
                    bucket: bucket.to_owned(),
                    prefix: prefix.trim_matches('/').to_owned(),
                });
            }
        }
        Err(D::Error::custom("must be file://DIRECTORY or s3://BUCKET/PREFIX"))
    }
}
