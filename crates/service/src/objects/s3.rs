//! A bucket on a server that speaks S3.

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

/// Timeout for opening a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// Timeout between two reads of a response. There is no timeout for a whole response, which may be
/// read slowly.
const READ_TIMEOUT: Duration = Duration::from_secs(20);

/// Retries after a failed attempt. Few: callers retry longer outages themselves and report them
/// meanwhile.
const MAX_RETRIES: usize = 3;

/// Delay before the first retry; it doubles with each retry.
const RETRY_DELAY: Duration = Duration::from_millis(100);

/// How long an idle connection is kept; servers close theirs after about as long.
const IDLE_TIMEOUT: Duration = Duration::from_secs(15);

/// A bucket, and the prefix of all our objects in it.
#[derive(Debug, Clone)]
pub(super) struct Bucket {
    client: AmazonS3,
    prefix: String,
    presigner: Presigner,
    /// `s3://bucket/prefix at https://host`.
    pub(super) display_name: String,
    /// For tests with a fixed clock: an S3 server has its own.
    signing_clock: Option<Clock>,
}

impl Bucket {
    /// Sends nothing yet.
    pub(super) fn open(settings: &Storage, bucket: &str, prefix: &str) -> Result<Self, ConfigError> {
        settings.check_s3()?;
        let (access_key_id, secret) = settings.access_key()?;
        let region = settings.region();
        let endpoint = match &settings.endpoint {
            Some(endpoint) => endpoint.as_str().to_owned(),
            None => format!("https://s3.{region}.amazonaws.com"),
        };
        let invalid = |why: &str| ConfigError::new("storage.endpoint", why);
        let (scheme, host) = endpoint.split_once("://").ok_or_else(|| invalid("must be a URL"))?;
        if host.contains('/') || host.contains('@') {
            return Err(invalid(
                "must be a scheme, a host and perhaps a port, such as https://s3.example.com",
            ));
        }
        let (host, root) = if settings.path_style {
            (host.to_owned(), format!("/{bucket}/"))
        } else {
            (format!("{bucket}.{host}"), "/".to_owned())
        };
        // Signed URLs name the host as clients will, without the scheme's default port.
        let default_port = if scheme.eq_ignore_ascii_case("http") { ":80" } else { ":443" };
        let host = host.strip_suffix(default_port).unwrap_or(&host).to_ascii_lowercase();
        let builder = AmazonS3Builder::new()
            .with_bucket_name(bucket)
            .with_region(region)
            .with_access_key_id(access_key_id)
            .with_secret_access_key(secret.expose_secret())
            .with_virtual_hosted_style_request(!settings.path_style)
            .with_endpoint(if settings.path_style { endpoint.clone() } else { format!("{scheme}://{host}") })
            .with_client_options(client_options())
            // Several servers cannot delete many objects in one request.
            .with_disable_bulk_delete(true)
            .with_retry(RetryConfig {
                backoff: BackoffConfig { init_backoff: RETRY_DELAY, max_backoff: 8 * RETRY_DELAY, base: 2.0 },
                max_retries: MAX_RETRIES,
                ..RetryConfig::default()
            });
        let client = builder.build().map_err(|error| ConfigError::new("storage.url", error.to_string()))?;
        let folder = if prefix.is_empty() { root } else { format!("{root}{prefix}/") };
        let display_name =
            if prefix.is_empty() { format!("s3://{bucket}") } else { format!("s3://{bucket}/{prefix}") };
        let presigner = Presigner {
            scheme: scheme.to_ascii_lowercase(),
            host,
            folder,
            region: region.to_owned(),
            access_key_id: access_key_id.to_owned(),
            secret_access_key: secret.clone(),
        };
        let display_name = format!("{display_name} at {endpoint}");
        Ok(Self { client, prefix: prefix.to_owned(), presigner, display_name, signing_clock: None })
    }

    pub(super) fn set_signing_clock(&mut self, clock: Clock) {
        self.signing_clock = Some(clock);
    }

    /// The objects below the prefix, by keys without it.
    pub(super) fn storage(&self) -> Arc<dyn ObjectStore> {
        Arc::new(PrefixStore::new(self.client.clone(), self.prefix.as_str()))
    }

    pub(super) fn presigned(&self, object: &str, issued_at: Timestamp, seconds: u64) -> String {
        let issued_at = self.signing_clock.as_ref().map_or(issued_at, Clock::now);
        self.presigner.sign(object, issued_at, seconds)
    }

    /// Lists one name below the prefix. HEAD would not do: it responds 404 to a missing bucket and
    /// to a missing object alike.
    pub(super) async fn ping(&self) -> Result<(), Error> {
        // This prefix is nearly always empty: some servers read everything below a prefix
        // to list it.
        let separator = if self.prefix.is_empty() { "" } else { "/" };
        let prefix = format!("{}{separator}{}/", self.prefix, super::CHECKS);
        let options = PaginatedListOptions { max_keys: Some(1), ..PaginatedListOptions::default() };
        match self.client.list_paginated(Some(&prefix), options).await {
            Ok(_) => Ok(()),
            // A listing never misses an object, so the bucket is missing.
            Err(Error::NotFound { source, .. }) => {
                Err(Error::Generic { store: super::s3_error::STORE, source })
            }
            Err(error) => Err(error),
        }
    }
}

fn client_options() -> ClientOptions {
    ClientOptions::new()
        .with_allow_http(true)
        .with_connect_timeout(CONNECT_TIMEOUT)
        .with_read_timeout(READ_TIMEOUT)
        .with_timeout_disabled()
        .with_pool_idle_timeout(IDLE_TIMEOUT)
        .with_user_agent(HeaderValue::from_static(concat!("lectern/", env!("CARGO_PKG_VERSION"))))
}

/// The attributes stored with an object's bytes, for clients that fetch it with a presigned URL.
pub(super) fn attributes(key: &str) -> Attributes {
    Attributes::from_iter([
        (Attribute::ContentType, naming::media_type(key).into_owned()),
        (Attribute::ContentDisposition, naming::disposition(key)),
        (Attribute::CacheControl, format!("private, max-age={}", naming::MAX_AGE_SECONDS)),
    ])
}
