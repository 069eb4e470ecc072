//! `[stripe]`: payments.

use secrecy::SecretString;
use serde::Deserialize;

use super::values::{WebUrl, optional_secret, optional_url};

/// Payments by Stripe Checkout.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stripe {
    /// The secret key; `None`: an operator approves purchases.
    #[serde(deserialize_with = "optional_secret")]
    pub secret_key: Option<SecretString>,
    /// The secret that Stripe signs its webhooks with.
    #[serde(deserialize_with = "optional_secret")]
    pub webhook_secret: Option<SecretString>,
    /// A base URL other than Stripe's own.
    #[serde(deserialize_with = "optional_url")]
    pub api_base: Option<WebUrl>,
}
