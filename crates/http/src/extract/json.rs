//! JSON bodies: read under a limit that is enforced while reading, and parsed strictly (no key
//! twice). The type of a body, a `lectern_types::Request`, says what its fields must be.

use std::{cell::Cell, fmt, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, header},
};
use futures_util::StreamExt as _;
use lectern_types::ErrorCode;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use sha2::{Digest as _, Sha256};

use crate::request::Stopping;
use lectern_service::error::{Error, Result};

/// The field name in errors about the whole body.
pub(super) const BODY: &str = "body";

/// The most values in a body, counting nested ones and the keys of objects: a value takes many
/// times the memory of the two bytes that write it. The longest list that a route takes is that of
/// a material's chunks.
const MOST_VALUES: usize = 100_000;

/// Refuses a body whose declared length is over the limit, before any other check.
pub fn check_declared_length(headers: &HeaderMap, max_bytes: u64) -> Result<()> {
    let declared = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    match declared.and_then(|text| text.parse::<u64>().ok()) {
        Some(bytes) if bytes > max_bytes => Err(Error::RequestTooLarge { max_bytes }),
        _ => Ok(()),
    }
}

/// Reads a whole body of at most `max_bytes` within `patience`.
pub async fn read(body: Body, max_bytes: u64, patience: Duration) -> Result<Bytes> {
    let all = async {
        let mut stream = body.into_data_stream();
        let mut bytes = Vec::new();
        while let Some(chunk) = stream.next().await {
            let chunk = chunk.map_err(|error| broken_off(&error))?;
            if (bytes.len() + chunk.len()) as u64 > max_bytes {
                return Err(Error::RequestTooLarge { max_bytes });
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(Bytes::from(bytes))
    };
    tokio::time::timeout(patience, all).await.unwrap_or(Err(ErrorCode::RequestTimeout.into()))
}

/// The error for a body that broke off. Usually the client is gone and only the log will show it.
pub(super) fn broken_off(error: &axum::Error) -> Error {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.is::<Stopping>() {
            return Error::Unavailable { what: "it is stopping", retry_after_seconds: 1 };
        }
        cause = error.source();
    }
    Error::invalid(BODY, "did not arrive whole")
}

/// Parses a JSON object whose media type the headers name.
pub fn parse_object(headers: &HeaderMap, bytes: &[u8]) -> Result<Map<String, Value>> {
    if !is_json(headers) {
        return Err(Error::invalid(BODY, "must be JSON, sent as Content-Type: application/json"));
    }
    object(BODY, bytes)
}

/// Parses a JSON object strictly. Errors name `field`.
///
/// # Errors
/// What is wrong with it.
pub fn object(field: &str, bytes: &[u8]) -> Result<Map<String, Value>> {
    let left = Cell::new(Some(MOST_VALUES));
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let parsed = Strict(&left).deserialize(&mut deserializer);
    match parsed.and_then(|value| deserializer.end().map(|()| value)) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Error::invalid(field, "must be a JSON object")),
        Err(_) if left.get().is_none() => {
            Err(Error::invalid(field, format!("must not hold more than {MOST_VALUES} values")))
        }
        Err(error) => Err(Error::invalid(field, sentence(&error))),
    }
}

/// What is wrong with the JSON, and where. Syntax errors are in `serde_json`'s own words, which
/// repeat nothing of the body.
fn sentence(error: &serde_json::Error) -> String {
    let place = format!("line {}, column {}", error.line(), error.column());
    match error.classify() {
        serde_json::error::Category::Eof => format!("is not whole JSON: it ends at {place}"),
        serde_json::error::Category::Data => format!("has a key twice, before {place}"),
        _ => format!("is not JSON: {error}"),
    }
}

/// Whether the body is JSON. A missing media type counts as JSON; another media type, or a charset
/// other than UTF-8, does not.
fn is_json(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(header::CONTENT_TYPE).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return !headers.contains_key(header::CONTENT_TYPE);
    };
    value.to_str().is_ok_and(|text| is_in_utf8(text, "application/json"))
}

/// Whether a media type is this one, with no charset but UTF-8.
pub fn is_in_utf8(text: &str, kind: &str) -> bool {
    let mut parts = text.split(';').map(str::trim);
    let media_type = parts.next().unwrap_or_default();
    media_type.eq_ignore_ascii_case(kind)
        && parts.all(|parameter| match parameter.split_once('=') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("charset") => {
                value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
            }
            _ => true,
        })
}

/// The fingerprint of a body for idempotency: SHA-256 of its canonical form, which ignores the
/// order of keys, white space and the spelling of a whole number (`1`, `1.0`, `1e0`).
pub fn fingerprint(object: &Map<String, Value>) -> [u8; 32] {
    let mut canonical = Canonical(Sha256::new());
    canonical.object(object);
    canonical.0.finalize().into()
}

/// The canonical form, hashed as it is written, so that a text of many megabytes is not copied.
struct Canonical(Sha256);

impl Canonical {
    fn object(&mut self, object: &Map<String, Value>) {
        let mut entries: Vec<_> = object.iter().collect();
        entries.sort_by(|a, b| a.0.cmp(b.0));
        self.0.update("{");
        for (key, value) in entries {
            self.text(key);
            self.0.update(":");
            self.value(value);
            self.0.update(",");
        }
        self.0.update("}");
    }

    /// Hashes a text after its length, so that two texts in a row cannot look like two others.
    fn text(&mut self, text: &str) {
        self.0.update(format!("\"{}:", text.len()));
        self.0.update(text);
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Object(object) => self.object(object),
            Value::String(text) => self.text(text),
            Value::Array(items) => {
                self.0.update("[");
                for item in items {
                    self.value(item);
                    self.0.update(",");
                }
                self.0.update("]");
            }
            Value::Number(number) => match number.as_f64() {
                // Beyond 2^53 two whole numbers may share one float, so those keep their own
                // digits.
                Some(float) if float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0 => {
                    self.0.update((float as i64).to_string());
                }
                _ => self.0.update(number.to_string()),
            },
            Value::Null | Value::Bool(_) => self.0.update(value.to_string()),
        }
    }
}

/// Parses a JSON value in which no object has a key twice, and counts the values that may still
/// follow; `None` after there were too many.
#[derive(Clone, Copy)]
struct Strict<'a>(&'a Cell<Option<usize>>);

impl Strict<'_> {
    /// Counts a value.
    fn count<E: de::Error>(self) -> Result<(), E> {
        self.0.set(self.0.get().and_then(|left| left.checked_sub(1)));
        self.0.get().map(|_| ()).ok_or_else(|| E::custom("too many values"))
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.count()?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }
    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            self.count()?;
            let value = entries.next_value_seed(self)?;
            if object.insert(key, value).is_some() {
                return Err(de::Error::custom("a key twice"));
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn object(text: &str) -> Result<Map<String, Value>> {
        parse_object(&HeaderMap::new(), text.as_bytes())
    }

    // Negative control: if the result of the insertion is not checked, the three bodies with a key
    // twice are accepted.
    #[test]
    fn a_key_twice_is_refused_at_any_depth() {
        for text in [r#"{"a":1,"a":1}"#, r#"{"a":{"b":1,"b":2}}"#, r#"{"a":[{"b":1,"\u0062":2}]}"#] {
            assert!(matches!(object(text), Err(Error::Invalid(_))), "{text} was accepted");
        }
        assert!(object(r#"{"a":{"b":1},"c":{"b":1}}"#).is_ok());
    }

    // Negative control: without counting values, the list is accepted; without counting keys, the
    // object is.
    #[test]
    fn a_body_of_very_many_values_is_refused_whatever_they_are() {
        let keys: Vec<_> = (0..60_000).map(|at| format!("\"{at}\":0")).collect();
        let deep = "[".repeat(100).repeat(1_100);
        for text in
            [format!("{{\"a\":[0{}]}}", ",0".repeat(100_000)), format!("{{{}}}", keys.join(",")), deep]
        {
            assert!(
                matches!(object(&text), Err(Error::Invalid(_))),
                "a body of {} bytes was accepted",
                text.len()
            );
        }
        assert!(object(&format!("{{\"a\":[0{}]}}", ",0".repeat(90_000))).is_ok());
    }

    #[test]
    fn what_is_not_a_json_object_is_refused() {
        let deep = "[".repeat(10_000);
        for text in
            ["", "{", "[]", "1", "\"a\"", "{} x", "{'a':1}", r#"{"a":"\ud800"}"#, "{\"a\":1e999}", &deep]
        {
            assert!(matches!(object(text), Err(Error::Invalid(_))), "{text} was accepted");
        }
        assert!(parse_object(&HeaderMap::new(), b"{\"a\":\"\xff\"}").is_err());
        assert!(parse_object(&HeaderMap::new(), b"\xef\xbb\xbf{}").is_err());
    }

    #[test]
    fn only_json_in_utf_8_is_taken() {
        let with = |value: &'static str| {
            let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(value))]);
            parse_object(&headers, b"{}").is_ok()
        };
        for good in
            ["application/json", "Application/JSON; charset=\"UTF-8\"", "application/json;charset=utf-8"]
        {
            assert!(with(good), "{good}");
        }
        for bad in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", ""]
        {
            assert!(!with(bad), "{bad}");
        }
    }

    #[test]
    fn the_fingerprint_sees_the_meaning_not_the_spelling() {
        let print = |text: &str| fingerprint(&object(text).unwrap());
        assert_eq!(print(r#"{"a":1,"b":[1.0]}"#), print(r#" { "b" : [1] , "a" : 1e0 } "#));
        assert_eq!(print(r#"{"a":"\u0041"}"#), print(r#"{"a":"A"}"#));
        assert_ne!(print(r#"{"a":"A"}"#), print(r#"{"a":"A "}"#));
        assert_ne!(print(r#"{"a":9007199254740993}"#), print(r#"{"a":9007199254740992}"#));
        assert_ne!(print(r#"{"a":[1,2]}"#), print(r#"{"a":[2,1]}"#));
        assert_ne!(print(r#"{"a":"1"}"#), print(r#"{"a":1}"#));
    }

    #[tokio::test]
    async fn the_cap_counts_while_reading() {
        let endless =
            futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(Bytes::from_static(&[32; 1024])));
        let body = Body::from_stream(endless);
        let outcome = read(body, 4096, Duration::from_secs(5)).await;
        assert!(matches!(outcome, Err(Error::RequestTooLarge { max_bytes: 4096 })));
    }
}
