//! Responses with a stored object: entity tags, one byte range, HEAD (RFC 9110 sections 8.8,
//! 13.1.2, 13.1.5, 14).

use std::{borrow::Cow, ops::Range};

use axum::{
    body::Body,
    http::{
        HeaderMap, HeaderValue, Method, StatusCode,
        header::{
            ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE,
            ETAG, IF_NONE_MATCH, IF_RANGE, RANGE,
        },
    },
    response::Response,
};

use lectern_service::{
    error::{Error, Result},
    objects::Objects,
};

/// An object and how to serve it.
#[derive(Debug)]
pub struct Blob<'a> {
    pub object: &'a str,
    pub media_type: Cow<'static, str>,
    /// Its `Content-Disposition`.
    pub disposition: String,
    /// How long a private cache may keep it, in seconds.
    pub max_age_seconds: u64,
}

/// Answers a GET or HEAD with the object; `None` when it does not exist.
///
/// # Errors
/// [`Error::RangeNotSatisfiable`], or the storage's failure.
pub async fn answer(
    objects: &Objects,
    blob: &Blob<'_>,
    method: &Method,
    request: &HeaderMap,
) -> Result<Option<Response>> {
    answer_with(objects, blob, None, method, request).await
}

/// Like [`answer`], with only a part of the object, as if it were one of its own.
///
/// # Errors
/// As [`answer`].
pub async fn answer_with(
    objects: &Objects,
    blob: &Blob<'_>,
    part: Option<Range<u64>>,
    method: &Method,
    request: &HeaderMap,
) -> Result<Option<Response>> {
    let Some(mut about) = objects.head(blob.object).await? else { return Ok(None) };
    let part = part.map_or(0..about.bytes, |part| part.start..part.end.min(about.bytes));
    about.bytes = part.end.saturating_sub(part.start);
    let mut response = Response::new(Body::empty());
    let headers = response.headers_mut();
    let mut put = |name, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    put(ETAG, &about.etag);
    put(CACHE_CONTROL, &format!("private, max-age={}", blob.max_age_seconds));
    if matches_none(request, &about.etag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Ok(Some(response));
    }
    // Only GET has ranges (RFC 9110 section 14.2).
    let wanted = if method == Method::GET { range(request, &about.etag, about.bytes)? } else { None };
    put(ACCEPT_RANGES, "bytes");
    put(CONTENT_TYPE, &blob.media_type);
    put(CONTENT_DISPOSITION, &blob.disposition);
    if let Some(Range { start, end }) = &wanted {
        put(CONTENT_RANGE, &format!("bytes {start}-{}/{}", end - 1, about.bytes));
    }
    let is_part = wanted.is_some();
    let bytes = wanted.unwrap_or(0..about.bytes);
    put(CONTENT_LENGTH, &(bytes.end - bytes.start).to_string());
    if is_part {
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    }
    if method == Method::GET && !bytes.is_empty() {
        let bytes = part.start + bytes.start..part.start + bytes.end;
        let Some(pieces) = objects.read(blob.object, bytes).await? else { return Ok(None) };
        *response.body_mut() = Body::from_stream(pieces);
    }
    Ok(Some(response))
}

/// Whether `If-None-Match` names the tag (weak comparison) or `*`.
fn matches_none(request: &HeaderMap, etag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    request
        .get_all(IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|list| list.split(',').any(|tag| tag.trim() == "*" || opaque(tag) == opaque(etag)))
}

/// The requested range. `None` means the whole object: there is no range, several, a malformed one,
/// or `If-Range` names another tag.
fn range(request: &HeaderMap, etag: &str, length: u64) -> Result<Option<Range<u64>>> {
    let mut values = request.get_all(RANGE).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return Ok(None) };
    if request.get(IF_RANGE).is_some_and(|tag| tag.as_bytes() != etag.as_bytes()) {
        return Ok(None);
    }
    let Some(spec) = value.to_str().ok().and_then(|text| strip_unit(text)) else { return Ok(None) };
    let Some((first, last)) = spec.trim().split_once('-') else { return Ok(None) };
    let number = |text: &str| -> Option<u64> {
        // A number that does not fit u64 is also beyond the end of every object.
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse().unwrap_or(u64::MAX))
    };
    let wanted = match (first, last) {
        ("", last) => match number(last) {
            Some(suffix) => length.saturating_sub(suffix)..length,
            None => return Ok(None),
        },
        (first, "") => match number(first) {
            Some(first) => first..length,
            None => return Ok(None),
        },
        (first, last) => match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => first..last.saturating_add(1).min(length),
            _ => return Ok(None),
        },
    };
    if wanted.start >= wanted.end {
        return Err(Error::RangeNotSatisfiable { length });
    }
    Ok(Some(wanted))
}

fn strip_unit(text: &str) -> Option<&str> {
    let (unit, spec) = text.split_once('=')?;
    unit.trim().eq_ignore_ascii_case("bytes").then_some(spec)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranged(value: &str) -> Result<Option<Range<u64>>, String> {
        let headers = HeaderMap::from_iter([(RANGE, HeaderValue::from_str(value).unwrap())]);
        range(&headers, "\"e\"", 10).map_err(|error| error.to_string())
    }

    #[test]
    fn one_range_is_read_as_rfc_9110_says() {
        assert_eq!(ranged("bytes=0-0"), Ok(Some(0..1)));
        assert_eq!(ranged("bytes=2-"), Ok(Some(2..10)));
        assert_eq!(ranged("bytes=-3"), Ok(Some(7..10)));
        assert_eq!(ranged("bytes=-99"), Ok(Some(0..10)));
        assert_eq!(ranged("Bytes=5-99999999999999999999999"), Ok(Some(5..10)));
        for whole in ["bytes=0-1,3-4", "bytes=x", "bytes=4-2", "items=0-1", "bytes=", "bytes=-", "bytes=+1-2"]
        {
            assert_eq!(ranged(whole), Ok(None), "{whole}");
        }
        for outside in ["bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999999-"] {
            assert!(ranged(outside).is_err(), "{outside}");
        }
    }

    #[test]
    fn if_range_with_another_tag_gives_the_whole() {
        let mut headers = HeaderMap::from_iter([(RANGE, HeaderValue::from_static("bytes=0-0"))]);
        headers.insert(IF_RANGE, HeaderValue::from_static("\"other\""));
        assert!(matches!(range(&headers, "\"e\"", 10), Ok(None)));
        headers.insert(IF_RANGE, HeaderValue::from_static("\"e\""));
        assert!(matches!(range(&headers, "\"e\"", 10), Ok(Some(_))));
    }

    #[test]
    fn if_none_match_compares_weakly() {
        let with = |value| {
            let headers = HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_static(value))]);
            matches_none(&headers, "\"e\"")
        };
        assert!(with("\"e\"") && with("W/\"e\"") && with("\"a\", \"e\"") && with("*"));
        assert!(!with("\"a\"") && !with("e"));
    }
}
