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
        // URLs carry whole seconds.
        let now = Timestamp(now.unix_seconds() * 1_000_000);
        let expires_at = now.plus_seconds(i64::from(URL_SECONDS));
        let url = self.objects.presigned(object, now, u64::from(URL_SECONDS));
        let own = || format!("{}{}", self.public_url, self.signer.sign(object, expires_at));
        (url.unwrap_or_else(own), expires_at)
    }
}
