//! The URLs under which clients fetch objects, wherever the objects are.

use std::sync::Arc;

use lectern_types::Timestamp;

use super::{
    Objects,
    signing::{Signer, URL_SECONDS},
};

/// Makes the URLs of objects.
#[derive(Debug, Clone)]
pub struct MediaUrls {
    objects: Objects,
    /// Signs and checks the URLs of this service.
    pub signer: Signer,
    public_url: Arc<str>,
}

impl MediaUrls {
    /// Makes URLs of `objects`; clients reach this service at `public_url`.
    pub fn new(objects: Objects, signer: Signer, public_url: Arc<str>) -> Self {
        Self { objects, signer, public_url }
    }

    /// The URL of `object` for the next 24 hours, and when it expires: a presigned S3 URL where
    /// objects are stored in S3, else one of this service.
    pub fn url(&self, object: &str, now: Timestamp) -> (String, Timestamp) {
        let expires_at = Self::expiry(now);
        let now = expires_at.plus_seconds(-i64::from(URL_SECONDS));
        let url = self.objects.presigned(object, now, u64::from(URL_SECONDS));
        (url.unwrap_or_else(|| self.own_url(object, expires_at)), expires_at)
    }

    /// The URL of `object` at this service, wherever objects are stored.
    pub fn own_url(&self, object: &str, expires_at: Timestamp) -> String {
        format!("{}{}", self.public_url, self.signer.sign(object, expires_at))
    }

    /// Like [`Self::url`], but valid until `expires_at`.
    pub fn url_until(&self, object: &str, now: Timestamp, expires_at: Timestamp) -> String {
        let seconds = u64::try_from(expires_at.unix_seconds() - now.unix_seconds()).unwrap_or_default();
        let url = self.objects.presigned(object, now, seconds.max(1));
        url.unwrap_or_else(|| self.own_url(object, expires_at))
    }

    /// Until when a URL made at `now` is valid. URLs carry whole seconds.
    fn expiry(now: Timestamp) -> Timestamp {
        Timestamp(now.unix_seconds() * 1_000_000).plus_seconds(i64::from(URL_SECONDS))
    }
}
