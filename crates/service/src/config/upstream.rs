//! `[upstream]`: the engine that speaks the OpenAI speech protocol.

use secrecy::SecretString;
use serde::Deserialize;

use super::values::{WebUrl, optional_secret, optional_url};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Upstream {
    /// The URL that `/audio/speech` is appended to; `None`: there is no upstream.
    #[serde(deserialize_with = "optional_url")]
    pub base_url: Option<WebUrl>,
    /// Sent as a bearer token.
    #[serde(deserialize_with = "optional_secret")]
    pub api_key: Option<SecretString>,
}
