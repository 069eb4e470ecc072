//! A complete response, with assertions for tests.

use reqwest::{StatusCode, header::HeaderMap};
use serde_json::Value;

/// A complete response.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Reply {
    pub async fn read(response: reqwest::Response) -> Self {
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = response.bytes().await.expect("the body arrives").to_vec();
        Self { status, headers, bytes }
    }

    /// The body as JSON; null when it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_default()
    }

    /// A header's value; empty when it is absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The error's code, after checking that the whole response follows the contract for errors.
    pub fn refusal(&self) -> String {
        let body = self.json();
        let error = &body["error"];
        let text = || String::from_utf8_lossy(&self.bytes).into_owned();
        let code = error["code"]
            .as_str()
            .unwrap_or_else(|| panic!("{} is not an envelope: {}", self.status, text()));
        // ElevenLabs' routes say the same once more.
        let detail = body.get("detail");
        let repeats =
            |detail: &Value| detail["status"] == error["code"] && detail["message"] == error["message"];
        assert!(detail.is_none_or(repeats), "{}", text());
        let fields = 1 + usize::from(detail.is_some());
        assert_eq!(body.as_object().map(serde_json::Map::len), Some(fields), "{}", text());
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{}", text());
        assert!(error.get("details").is_none_or(Value::is_object), "{}", text());
        assert_eq!(error["request_id"].as_str(), Some(self.header("x-request-id")), "{}", text());
        assert_eq!(self.header("content-type"), "application/json");
        let known: lectern_types::ErrorCode =
            serde_json::from_value(error["code"].clone()).unwrap_or_else(|_| panic!("{code} is not a code"));
        assert_eq!(known.http_status(), self.status.as_u16(), "{}", text());
        match self.status.as_u16() {
            401 => assert_eq!(self.header("www-authenticate"), "Bearer"),
            405 => assert!(!self.header("allow").is_empty()),
            429 | 503 => {
                assert!(
                    self.header("retry-after").parse::<u64>().is_ok_and(|seconds| seconds > 0),
                    "{}",
                    text()
                );
            }
            _ => {}
        }
        code.to_owned()
    }

    /// The names of the fields in a `validation_failed` error.
    pub fn fields(&self) -> Vec<String> {
        assert_eq!(self.refusal(), "validation_failed");
        let body = self.json();
        let fields = body["error"]["details"]["fields"].as_object();
        fields.map(|fields| fields.keys().cloned().collect()).unwrap_or_default()
    }
}
