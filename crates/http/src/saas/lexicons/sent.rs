//! The body of a lexicon: JSON, or a file of the W3C's Pronunciation Lexicon Specification.

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, Uri, header},
};
use lectern_types::{Field as _, LexiconRequest, Name, Request as _};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::extract::{
    auth::{Access, Write},
    json,
    page::Parameters,
};
use lectern_service::{
    base::Base,
    config::Limits,
    error::Result,
    services::lexicons::contents::{self, AboutFile, Contents},
};

/// The largest body.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// The media type of a file.
pub(super) const PLS: &str = "application/pls+xml";

/// A key with the scope `write`, for a body of these routes.
#[derive(Debug)]
pub struct Changing;

impl Access for Changing {
    const SCOPE: Option<lectern_store::Scope> = Write::SCOPE;

    fn check_length(_: &Limits, headers: &HeaderMap) -> Result<()> {
        json::check_declared_length(headers, MOST_BYTES)
    }
}

/// A body that was read.
#[derive(Debug)]
pub(super) enum Sent {
    Json(Map<String, Value>),
    File(Bytes),
}

impl Sent {
    /// Reads a body.
    ///
    /// # Errors
    /// An error of the body as a whole.
    pub(super) async fn read(base: &Base, headers: &HeaderMap, body: Body) -> Result<Self> {
        let patience = Duration::from_secs(base.config.http.body_seconds);
        let bytes = json::read(body, MOST_BYTES, patience).await?;
        if is_file(headers) {
            Ok(Self::File(bytes))
        } else {
            Ok(Self::Json(json::parse_object(headers, &bytes)?))
        }
    }

    /// The fingerprint for idempotency. A file's is that of its bytes with what the URL says about it.
    pub(super) fn fingerprint(&self, uri: &Uri) -> [u8; 32] {
        match self {
            Self::Json(object) => json::fingerprint(object),
            Self::File(bytes) => {
                let mut hash = Sha256::new();
                hash.update(uri.query().unwrap_or_default());
                hash.update([0]);
                hash.update(bytes);
                hash.finalize().into()
            }
        }
    }

    /// What it stores.
    ///
    /// # Errors
    /// `validation_failed`.
    pub(super) async fn contents(self, uri: &Uri) -> Result<Contents> {
        let mut parameters = Parameters::of(uri);
        match self {
            Self::Json(object) => {
                parameters.finish()?;
                contents::of_request(LexiconRequest::parse(object)?).await
            }
            Self::File(bytes) => {
                let name = |text: &str| {
                    let name = Name::<100>::read(Value::String(text.to_owned()));
                    name.map_err(|_| "must be 1 to 100 characters, not only white space".to_owned())
                };
                let name = parameters.read("name", name);
                let (language, is_default) = (parameters.take("language"), parameters.switch("default"));
                parameters.finish()?;
                contents::of_file(bytes.into(), AboutFile { name, language, is_default }).await
            }
        }
    }
}

/// Whether the headers announce a file. Its encoding must be UTF-8, whatever they say about it.
fn is_file(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = value.and_then(|value| value.split(';').next()).unwrap_or_default();
    media_type.trim().eq_ignore_ascii_case(PLS)
}
