//! `[storage]`: where objects are kept.

use std::{path::PathBuf, str::FromStr};

use secrecy::SecretString;
use serde::{Deserialize, Deserializer, de::Error as _};

use super::{
    ConfigError,
    values::{WebUrl, optional, optional_secret, optional_url},
};

/// The default region, which servers other than Amazon's accept.
const DEFAULT_REGION: &str = "us-east-1";

/// Object storage.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Storage {
    pub url: StorageUrl,
    /// S3: an endpoint other than Amazon's.
    #[serde(deserialize_with = "optional_url")]
    pub endpoint: Option<WebUrl>,
    /// S3: the region.
    #[serde(deserialize_with = "optional")]
    pub region: Option<String>,
    /// S3: the access key's id.
    #[serde(deserialize_with = "optional")]
    pub access_key_id: Option<String>,
    /// S3: the access key.
    #[serde(deserialize_with = "optional_secret")]
    pub secret_access_key: Option<SecretString>,
    /// S3: name the bucket in the path instead of the host.
    pub path_style: bool,
}

/// An object storage that [`crate::objects`] can use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StorageUrl {
    Directory(PathBuf),
    /// A bucket, and the prefix of every key in it.
    S3 {
        bucket: String,
        /// Without slashes at either end; may be empty.
        prefix: String,
    },
}

impl Storage {
    /// The region of requests.
    pub fn region(&self) -> &str {
        self.region.as_deref().unwrap_or(DEFAULT_REGION)
    }

    /// Both halves of the access key.
    ///
    /// # Errors
    /// [`ConfigError`] naming the half that is missing.
    pub fn access_key(&self) -> Result<(&str, &SecretString), ConfigError> {
        let missing = |key| ConfigError::new(key, "is required for s3://: every request is signed with it");
        let id = self.access_key_id.as_deref().ok_or_else(|| missing("storage.access_key_id"))?;
        let secret = self.secret_access_key.as_ref().ok_or_else(|| missing("storage.secret_access_key"))?;
        Ok((id, secret))
    }

    /// Checks the settings that `s3://` needs besides its URL. Directories need none.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        match self.url {
            StorageUrl::Directory(_) => Ok(()),
            StorageUrl::S3 { .. } => self.check_s3(),
        }
    }

    /// Checks that the settings besides the URL can be used for a bucket.
    ///
    /// # Errors
    /// [`ConfigError`] naming the setting.
    pub fn check_s3(&self) -> Result<(), ConfigError> {
        self.access_key()?;
        let plain =
            |text: &str| text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if !plain(self.region()) {
            let reason =
                "must be the name of a region, such as eu-central-1: lower-case letters, digits and -";
            return Err(ConfigError::new("storage.region", reason));
        }
        if let Some(endpoint) = &self.endpoint
            && !self.path_style
            && endpoint.host().trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok()
        {
            let reason = "must be true where storage.endpoint is an address: the bucket's name cannot be put before it";
            return Err(ConfigError::new("storage.path_style", reason));
        }
        Ok(())
    }
}

impl FromStr for StorageUrl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(path) = text.strip_prefix("file://").filter(|path| !path.is_empty()) {
            return Ok(Self::Directory(path.into()));
        }
        let Some(rest) = text.strip_prefix("s3://") else {
            return Err("must be file://DIRECTORY or s3://BUCKET/PREFIX");
        };
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let prefix = prefix.trim_end_matches('/');
        let plain =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.');
        let ends = [bucket.bytes().next(), bucket.bytes().last()];
        if !(3..=63).contains(&bucket.len())
            || !bucket.bytes().all(plain)
            || !ends.iter().flatten().all(u8::is_ascii_alphanumeric)
        {
            return Err(
                "must name a bucket: s3://BUCKET/PREFIX, of 3 to 63 lower-case letters, digits, - and .",
            );
        }
        let good = |part: &str| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
            !matches!(part, "" | "." | "..") && part.bytes().all(plain)
        };
        if prefix.len() > 512 || !(prefix.is_empty() || prefix.split('/').all(good)) {
            return Err(
                "must have a prefix of letters, digits, -, _ and . between single slashes: s3://BUCKET/PREFIX",
            );
        }
        Ok(Self::S3 { bucket: bucket.to_owned(), prefix: prefix.to_owned() })
    }
}

impl std::fmt::Display for StorageUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Directory(path) => write!(f, "file://{}", path.display()),
            Self::S3 { bucket, prefix } if prefix.is_empty() => write!(f, "s3://{bucket}"),
            Self::S3 { bucket, prefix } => write!(f, "s3://{bucket}/{prefix}"),
        }
    }
}

impl<'de> Deserialize<'de> for StorageUrl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::StorageUrl;

    #[test]
    fn a_storage_is_a_directory_or_a_bucket_with_a_plain_prefix() {
        for good in ["file:///srv/a b", "s3://lectern", "s3://my.books-2/eu/prod_1", "s3://abc"] {
            assert_eq!(good.parse::<StorageUrl>().unwrap().to_string(), good);
        }
        assert_eq!("s3://abc/x/".parse::<StorageUrl>().unwrap().to_string(), "s3://abc/x");
        for bad in [
            "",
            "file://",
            "s3://",
            "s3:///x",
            "s3://ab",
            "s3://Abc",
            "s3://a_b_c",
            "s3://-abc",
            "s3://abc.",
            "s3://abc//x",
            "s3://abc/../x",
            "s3://abc/x y",
            "s3://abc/x?y",
            "http://abc/x",
            "s3://k:s@abc/x",
        ] {
            assert!(bad.parse::<StorageUrl>().is_err(), "{bad}");
        }
    }
}
