//! The form of the header `Idempotency-Key`. `services::idempotency` handles its meaning.

use axum::http::{HeaderMap, HeaderName};
use lectern_types::ErrorCode;
use utoipa::IntoParams;

use lectern_service::error::Result;

const HEADER: HeaderName = HeaderName::from_static("idempotency-key");

/// The header in the API's document.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "only its description is used; `key` reads the header")]
pub struct Header {
    /// Makes the call safe to repeat for 24 hours: 1 to 128 characters of A-Z, a-z, 0-9, _ and -
    #[param(rename = "Idempotency-Key", max_length = 128, min_length = 1, pattern = "^[A-Za-z0-9_-]+$")]
    idempotency_key: Option<String>,
}

/// The longest key.
const LONGEST: usize = 128;

/// The header's value, if it was sent.
///
/// # Errors
/// `invalid_idempotency_key` for a value that is empty, sent twice, too long or has characters
/// outside the allowed set.
pub fn key(headers: &HeaderMap) -> Result<Option<String>> {
    let mut values = headers.get_all(HEADER).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let text = value.to_str().unwrap_or_default();
    let in_alphabet = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if values.next().is_some() || text.is_empty() || text.len() > LONGEST || !in_alphabet {
        return Err(ErrorCode::InvalidIdempotencyKey.into());
    }
    Ok(Some(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn a_key_has_1_to_128_characters_of_its_alphabet_and_comes_once() {
        let one = |value: &str| {
            let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
            key(&HeaderMap::from_iter([(HEADER, value)])).ok().flatten()
        };
        assert_eq!(one("a-B_9"), Some("a-B_9".to_owned()));
        assert!(one(&"k".repeat(128)).is_some());
        for bad in ["", "a b", "a.b", "é", &"k".repeat(129)] {
            assert_eq!(one(bad), None, "{bad} was accepted");
        }
        let mut twice = HeaderMap::new();
        twice.append(HEADER, HeaderValue::from_static("a"));
        twice.append(HEADER, HeaderValue::from_static("a"));
        assert!(key(&twice).is_err());
        assert!(matches!(key(&HeaderMap::new()), Ok(None)));
    }
}
