//! The built files: the web application in `app/`, the guide in `guide/`. They are embedded in the
//! binary: texts compressed with Brotli and in no other form, because the three forms together
//! would be a fifth of a package. What clients without Brotli get is made when the first of them asks, and kept.

use std::{
    borrow::Cow,
    collections::HashMap,
    hash::Hash,
    io::{Read as _, Write as _},
    sync::{LazyLock, Mutex, PoisonError},
};

use axum::{
    body::{Body, Bytes},
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY},
    },
    response::{IntoResponse as _, Response},
};
use flate2::{Compression, write::GzEncoder};
use rust_embed::{EmbeddedFile, RustEmbed};

use super::encoding::{self, Encoding};

/// `web/scripts/compress.js` compresses each file of the types that are left out here.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[include = "app/*"]
#[include = "guide/*"]
#[exclude = "*.css"]
#[exclude = "*.html"]
#[exclude = "*.js"]
#[exclude = "*.json"]
#[exclude = "*.svg"]
#[exclude = "*.webmanifest"]
struct Files;

/// `Cache-Control` of files whose names contain a hash of their content.
pub(crate) const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// The files in other forms than the embedded one. There are at most two of each file.
static MADE: LazyLock<Kept<([u8; 32], Form)>> = LazyLock::new(Kept::default);

/// A form that a file is not embedded in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    Plain,
    Gzip,
}

/// What is made once and then kept.
#[derive(Debug)]
pub(super) struct Kept<K>(Mutex<HashMap<K, Bytes>>);

impl<K> Default for Kept<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash> Kept<K> {
    /// What is kept under `key`, or else what `make` makes. Requests that come at the same time may make it, too.
    pub(super) fn get(&self, key: K, make: impl FnOnce() -> Option<Bytes>) -> Option<Bytes> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept().get(&key).cloned();
        if found.is_some() {
            return found;
        }
        let bytes = make()?;
        kept().insert(key, bytes.clone());
        Some(bytes)
    }
}

/// A file as it is embedded.
enum Embedded {
    Brotli(EmbeddedFile),
    Plain(EmbeddedFile),
}

impl Embedded {
    fn find(name: &str) -> Option<Self> {
        // Nobody asks for a compressed file by its own name.
        if matches!(name.rsplit_once('.'), Some((_, "br"))) {
            return None;
        }
        let compressed = Files::get(&format!("{name}.br")).map(Self::Brotli);
        compressed.or_else(|| Files::get(name).map(Self::Plain))
    }

    fn plain(self) -> Option<Bytes> {
        let hash = self.hash();
        match self {
            Self::Plain(file) => Some(bytes(file)),
            Self::Brotli(file) => MADE.get((hash, Form::Plain), || {
                let mut plain = Vec::new();
                brotli::Decompressor::new(&*file.data, 4096).read_to_end(&mut plain).ok()?;
                Some(Bytes::from(plain))
            }),
        }
    }

    fn hash(&self) -> [u8; 32] {
        match self {
            Self::Plain(file) | Self::Brotli(file) => file.metadata.sha256_hash(),
        }
    }

    /// The encoding that the client gets of what it accepts.
    fn encoding(&self, headers: &HeaderMap) -> Option<Encoding> {
        match self {
            Self::Plain(_) => None,
            Self::Brotli(_) => encoding::accepted(headers).next(),
        }
    }

    fn encoded(self, encoding: Option<Encoding>) -> Option<Bytes> {
        match (encoding, self) {
            (Some(Encoding::Brotli), Self::Brotli(file)) | (None, Self::Plain(file)) => Some(bytes(file)),
            (Some(Encoding::Gzip), file) => file.gzipped(),
            (_, file) => file.plain(),
        }
    }

    fn gzipped(self) -> Option<Bytes> {
        MADE.get((self.hash(), Form::Gzip), || {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(&self.plain()?).ok()?;
            Some(Bytes::from(encoder.finish().ok()?))
        })
    }
}

fn bytes(file: EmbeddedFile) -> Bytes {
    match file.data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    }
}

/// Whether there is a file of this name.
pub(crate) fn is_there(name: &str) -> bool {
    Embedded::find(name).is_some()
}

/// A built file as text.
pub(crate) fn text(name: &str) -> Option<String> {
    String::from_utf8(Embedded::find(name)?.plain()?.into()).ok()
}

/// A built file in the smallest encoding that the client accepts.
pub(crate) fn answer(name: &str, headers: &HeaderMap) -> Option<Response> {
    let file = Embedded::find(name)?;
    let encoding = file.encoding(headers);
    // Each encoding is a representation of its own.
    let form = encoding.map_or("", Encoding::name);
    let tag = format!("\"{}{form}\"", hex::encode(&file.hash()[..16]));
    let same = headers.get(IF_NONE_MATCH).is_some_and(|held| held.as_bytes() == tag.as_bytes());
    let mut response = if same {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(file.encoded(encoding)?).into_response()
    };
    let answered = response.headers_mut();
    answered.insert(CONTENT_TYPE, HeaderValue::from_static(media_type(name)));
    answered.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        answered.insert(ETAG, tag);
    }
    if let Some(encoding) = encoding {
        answered.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
    }
    Some(response)
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        "epub" => "application/epub+zip",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Seen to fail without the insertion: it was made twice.
    #[test]
    fn what_was_made_is_kept() {
        let (kept, mut made) = (Kept::default(), 0);
        for (key, expected) in [("a", 1), ("a", 1), ("b", 2), ("a", 2)] {
            let found = kept.get(key, || {
                made += 1;
                Some(Bytes::from(key))
            });
            assert_eq!((found.as_deref(), made), (Some(key.as_bytes()), expected), "{key}");
        }
        assert_eq!(kept.get("c", || None), None);
    }
}
