//! The built files: the web application in `app/`, the guide in `guide/`. They are embedded in the
//! binary, with their compressed versions next to them.

use axum::{
    body::Body,
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY},
    },
    response::{IntoResponse as _, Response},
};
use rust_embed::RustEmbed;

use super::encoding;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[include = "app/*"]
#[include = "guide/*"]
struct Files;

/// `Cache-Control` of files whose names contain a hash of their content.
pub(crate) const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// Whether there is a file of this name.
pub(crate) fn is_there(name: &str) -> bool {
    Files::get(name).is_some()
}

/// A built file in the smallest encoding that the client accepts.
pub(crate) fn answer(name: &str, headers: &HeaderMap) -> Option<Response> {
    // Compressed files are chosen by Accept-Encoding, never by their own names.
    if matches!(name.rsplit_once('.'), Some((_, "br" | "gz"))) {
        return None;
    }
    let (found, encoding) = encoding::accepted(headers)
        .find_map(|(word, ending)| Some((Files::get(&format!("{name}{ending}"))?, Some(word))))
        .or_else(|| Some((Files::get(name)?, None)))?;
    let tag = format!("\"{}\"", hex::encode(&found.metadata.sha256_hash()[..16]));
    let same = headers.get(IF_NONE_MATCH).is_some_and(|held| held.as_bytes() == tag.as_bytes());
    let mut response = if same {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(found.data.into_owned()).into_response()
    };
    let answered = response.headers_mut();
    answered.insert(CONTENT_TYPE, HeaderValue::from_static(media_type(name)));
    answered.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        answered.insert(ETAG, tag);
    }
    if let Some(word) = encoding {
        answered.insert(CONTENT_ENCODING, HeaderValue::from_static(word));
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
