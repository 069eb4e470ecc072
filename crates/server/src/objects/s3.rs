//! A bucket of a storage that speaks S3, and how it is reached.

use std::{sync::Arc, time::Duration};

use lectern_types::Timestamp;
use object_store::{
    Attribute, Attributes, BackoffConfig, ClientOptions, Error, HeaderValue, ObjectStore, RetryConfig,
    aws::{AmazonS3, AmazonS3Builder},
    list::{PaginatedListOptions, PaginatedListStore as _},
    prefix::PrefixStore,
};
use secrecy::ExposeSecret as _;

use super::{naming, presigning::Presigner};
use crate::{
    clock::Clock,
    config::{ConfigError, Storage},
};

/// How long a connection may take to be made.
const CONNECTING: Duration = Duration::from_secs(3);

/// How long the other side may be silent in an answer. Answers as a whole may take as long as who reads them.
const SILENCE: Duration = Duration::from_secs(20);

/// Attempts after the first that failed. Few: what waits longer is tried again by who asked, and told of meanwhile.
const RETRIES: usize = 3;

/// Rest before the first of them; each next is twice as long.
const REST: Duration = Duration::from_millis(100);

/// How long an unused connection is kept; servers close theirs after about as long.
const IDLE: Duration = Duration::from_secs(15);

/// A bucket and the prefix below which all is ours.
#[derive(Debug, Clone)]
pub(super) struct Bucket {
    client: AmazonS3,
    prefix: String,
    presigner: Presigner,
    /// In words: `s3://bucket/prefix at https://host`.
    pub(super) shown: String,
    /// For tests whose clock stands: an S3 server reads its own.
    signing_clock: Option<Clock>,
}

impl Bucket {
    /// Nothing is sent yet.
    pub(super) fn open(settings: &Storage, bucket: &str, prefix: &str) -> Result<Self, ConfigError> {
        settings.check_s3()?;
        let (access_key_id, secret) = settings.access_key()?;
        let region = settings.region();
        let endpoint = match &settings.endpoint {
            Some(endpoint) => endpoint.as_str().to_owned(),
            None => format!("https://s3.{region}.amazonaws.com"),
        };
        let wrong = |why: &str| ConfigError::new("storage.endpoint", why);
        let (scheme, host) = endpoint.split_once("://").ok_or_else(|| wrong("must be a URL"))?;
        if host.contains('/') || host.contains('@') {
            return Err(wrong("must be a scheme, a host and perhaps a port, such as https://s3.example.com"));
        }
        let (host, root) = if settings.path_style {
            (host.to_owned(), format!("/{bucket}/"))
        } else {
            (format!("{bucket}.{host}"), "/".to_owned())
        };
        // Signed URLs name the host as clients will, who leave out the scheme's own port.
        let own_port = if scheme.eq_ignore_ascii_case("http") { ":80" } else { ":443" };
        let host = host.strip_suffix(own_port).unwrap_or(&host).to_ascii_lowercase();
        let builder = AmazonS3Builder::new()
            .with_bucket_name(bucket)
            .with_region(region)
            .with_access_key_id(access_key_id)
            .with_secret_access_key(secret.expose_secret())
            .with_virtual_hosted_style_request(!settings.path_style)
            .with_endpoint(if settings.path_style { endpoint.clone() } else { format!("{scheme}://{host}") })
            .with_client_options(client_options())
            // Deleting many in one request is what several servers cannot.
            .with_disable_bulk_delete(true)
            .with_retry(RetryConfig {
                backoff: BackoffConfig { init_backoff: REST, max_backoff: 8 * REST, base: 2.0 },
                max_retries: RETRIES,
                ..RetryConfig::default()
            });
        let client = builder.build().map_err(|error| ConfigError::new("storage.url", error.to_string()))?;
        let folder = if prefix.is_empty() { root } else { format!("{root}{prefix}/") };
        let shown =
            if prefix.is_empty() { format!("s3://{bucket}") } else { format!("s3://{bucket}/{prefix}") };
        let presigner = Presigner {
            scheme: scheme.to_ascii_lowercase(),
            host,
            folder,
            region: region.to_owned(),
            access_key_id: access_key_id.to_owned(),
            secret_access_key: secret.clone(),
        };
        let shown = format!("{shown} at {endpoint}");
        Ok(Self { client, prefix: prefix.to_owned(), presigner, shown, signing_clock: None })
    }

    pub(super) fn set_signing_clock(&mut self, clock: Clock) {
        self.signing_clock = Some(clock);
    }

    /// All below the prefix, by keys that do not name it.
    pub(super) fn storage(&self) -> Arc<dyn ObjectStore> {
        Arc::new(PrefixStore::new(self.client.clone(), self.prefix.as_str()))
    }

    pub(super) fn presigned(&self, object: &str, issued_at: Timestamp, seconds: u64) -> String {
        let issued_at = self.signing_clock.as_ref().map_or(issued_at, Clock::now);
        self.presigner.sign(object, issued_at, seconds)
    }

    /// Asks for one name below the prefix. A question about an object would not do: a missing bucket and a missing object
    /// are the same 404 to HEAD.
    pub(super) async fn ping(&self) -> Result<(), Error> {
        // Where nothing lies but for moments: some servers read through all that is below a prefix.
        let separator = if self.prefix.is_empty() { "" } else { "/" };
        let prefix = format!("{}{separator}{}/", self.prefix, super::CHECKS);
        let options = PaginatedListOptions { max_keys: Some(1), ..PaginatedListOptions::default() };
        match self.client.list_paginated(Some(&prefix), options).await {
            Ok(_) => Ok(()),
            // What is not there is more than an object.
            Err(Error::NotFound { source, .. }) => {
                Err(Error::Generic { store: super::trouble::STORE, source })
            }
            Err(error) => Err(error),
        }
    }
}

fn client_options() -> ClientOptions {
    ClientOptions::new()
        .with_allow_http(true)
        .with_connect_timeout(CONNECTING)
        .with_read_timeout(SILENCE)
        .with_timeout_disabled()
        .with_pool_idle_timeout(IDLE)
        .with_user_agent(HeaderValue::from_static(concat!("lectern/", env!("CARGO_PKG_VERSION"))))
}

/// What is stored beside an object's bytes, for those who fetch it by another URL than ours.
pub(super) fn attributes(key: &str) -> Attributes {
    Attributes::from_iter([
        (Attribute::ContentType, naming::media_type(key).to_owned()),
        (Attribute::ContentDisposition, naming::disposition(key)),
        (Attribute::CacheControl, format!("private, max-age={}", naming::MAX_AGE_SECONDS)),
    ])
}
