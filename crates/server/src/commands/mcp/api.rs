//! The service's API, and its failures in words for a person.

use std::{
    fmt::{self, Write as _},
    time::Duration,
};

use futures_util::StreamExt as _;
use lectern_service::{config::WebUrl, error::chain};
use reqwest::{Client, RequestBuilder, Response};
use secrecy::{ExposeSecret as _, SecretString};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// How long connecting may take, and each wait for the next bytes: a text of 5,000 characters is spoken in
/// less, and the API waits for a book's file for 20 s.
const CONNECTING: Duration = Duration::from_secs(10);
const READING: Duration = Duration::from_mins(5);

/// The longest JSON that is read.
const JSON_BYTES: usize = 16 * 1024 * 1024;

/// Why a call failed, in words for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failed(pub(super) String);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<String> for Failed {
    fn from(text: String) -> Self {
        Self(text)
    }
}

/// The service.
#[derive(Debug)]
pub(super) struct Api {
    client: Client,
    base: String,
    key: SecretString,
}

impl Api {
    pub(super) fn new(url: &WebUrl, key: SecretString) -> reqwest::Result<Self> {
        let client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECTING)
            .read_timeout(READING)
            .build()?;
        Ok(Self { client, base: url.as_str().trim_end_matches('/').to_owned(), key })
    }

    pub(super) fn get(&self, path: &str) -> RequestBuilder {
        self.client.get(format!("{}{path}", self.base)).bearer_auth(self.key.expose_secret())
    }

    pub(super) fn post(&self, path: &str) -> RequestBuilder {
        self.client.post(format!("{}{path}", self.base)).bearer_auth(self.key.expose_secret())
    }

    /// The response to a request that the service grants.
    pub(super) async fn send(&self, request: RequestBuilder) -> Result<Response, Failed> {
        let unreachable = |error: reqwest::Error| {
            Failed(format!("The service at {} does not answer: {}", self.base, chain(&error.without_url())))
        };
        let response = request.send().await.map_err(unreachable)?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status().as_u16();
        let body = bounded(response, JSON_BYTES).await?;
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        let foreign = || format!("The server at {} answered {status} and is not Lectern.", self.base);
        Err(Failed(refusal(&body["error"]).unwrap_or_else(foreign)))
    }

    /// The JSON of such a response.
    pub(super) async fn json<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, Failed> {
        read_json(self.send(request).await?).await
    }
}

/// The JSON of a response.
pub(super) async fn read_json<T: DeserializeOwned>(response: Response) -> Result<T, Failed> {
    let body = bounded(response, JSON_BYTES).await?;
    serde_json::from_slice(&body)
        .map_err(|error| Failed(format!("The service answered what this version does not know: {error}")))
}

/// A body of at most this many bytes.
async fn bounded(response: Response, most: usize) -> Result<Vec<u8>, Failed> {
    let mut body = Vec::new();
    let mut pieces = response.bytes_stream();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(broken_off)?;
        if body.len() + piece.len() > most {
            return Err(Failed(format!("The service answered more than {most} bytes.")));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

/// The failure of a body that did not come whole.
pub(super) fn broken_off(error: reqwest::Error) -> Failed {
    Failed(format!("The answer broke off: {}", chain(&error.without_url())))
}

/// A refusal in words: the message, the fields, and the code to look up. `None` for what is no envelope. A newer service may
/// have codes that this version does not know.
fn refusal(error: &Value) -> Option<String> {
    let mut text = error["message"].as_str()?.to_owned();
    for (field, sentence) in error["details"]["fields"].as_object().into_iter().flatten() {
        let _ = write!(text, " `{field}` {}.", sentence.as_str().unwrap_or("is wrong"));
    }
    let (code, request) = (error["code"].as_str()?, error["request_id"].as_str().unwrap_or("unknown"));
    Some(format!("{text} ({code}, request {request})"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_refusal_names_the_fields_and_the_code() {
        let error = json!({
            "code": "validation_failed", "message": "Some fields are wrong.", "request_id": "req_1",
            "details": { "fields": { "speed": "must be a number from 0.5 to 2" } },
        });
        let text = "Some fields are wrong. `speed` must be a number from 0.5 to 2. (validation_failed, request req_1)";
        assert_eq!(refusal(&error).as_deref(), Some(text));
        assert_eq!(refusal(&json!("<html>")), None);
    }
}
