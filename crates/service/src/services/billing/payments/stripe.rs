//! Stripe Checkout: a session for each purchase, and the events in which Stripe reports its
//! outcome. The protocol follows Stripe's API reference: form-encoded requests, JSON responses, and
//! events signed as described in "Verify webhook signatures".

pub mod event;
mod signature;

use std::{sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use lectern_types::PaymentProvider;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;

use super::{NextStep, Order, Payments};
use crate::{
    config::{self, Config, ConfigError},
    error::{Error, Result},
};

/// Stripe's own base URL.
const BASE: &str = "https://api.stripe.com";

/// The version of Stripe's API that is used, whatever the account's default.
const API_VERSION: &str = "2024-06-20";

/// Timeout for a response from Stripe.
const TIMEOUT: Duration = Duration::from_secs(15);

/// How long a purchase at Stripe stays pending. Its session there expires after 24 hours; an hour
/// more lets Stripe's own event arrive first.
pub(super) const PENDING_SECONDS: i64 = 25 * 60 * 60;

/// The largest response accepted from Stripe, in bytes.
const MAX_RESPONSE_BYTES: usize = 256 * 1024;

/// Stripe Checkout.
#[derive(Debug)]
pub struct Stripe {
    base: String,
    secret_key: SecretString,
    client: reqwest::Client,
}

/// The fields of a session that this module reads.
#[derive(Debug, Deserialize)]
struct Session {
    id: String,
    url: Option<String>,
}

/// Stripe, if it is configured.
///
/// # Errors
/// [`ConfigError`] when no HTTP client can be created.
pub(super) fn open(config: &Config) -> Result<Option<Arc<dyn Payments>>, ConfigError> {
    let settings = &config.stripe;
    let Some(secret_key) = settings.secret_key.clone() else { return Ok(None) };
    let base = settings.api_base.as_ref().map_or(BASE, config::WebUrl::as_str).to_owned();
    let client = client().map_err(|reason| ConfigError::new("stripe.secret_key", reason))?;
    Ok(Some(Arc::new(Stripe { base, secret_key, client })))
}

impl Stripe {
    async fn session(&self, order: &Order) -> Result<Session> {
        let purchase = &order.purchase;
        let (id, price) = (purchase.id.to_string(), purchase.price_minor.to_string());
        let name = format!("{} credits", purchase.credits.0);
        let (paid, left) =
            (format!("{}&result=paid", order.return_url), format!("{}&result=left", order.return_url));
        let fields = [
            ("mode", "payment"),
            ("client_reference_id", &id),
            ("customer_email", &order.email),
            ("success_url", &paid),
            ("cancel_url", &left),
            ("metadata[purchase_id]", &id),
            ("payment_intent_data[metadata][purchase_id]", &id),
            ("line_items[0][quantity]", "1"),
            ("line_items[0][price_data][currency]", &purchase.currency),
            ("line_items[0][price_data][unit_amount]", &price),
            ("line_items[0][price_data][product_data][name]", &name),
        ];
        let request = self
            .client
            .post(format!("{}/v1/checkout/sessions", self.base))
            .bearer_auth(self.secret_key.expose_secret())
            .header("stripe-version", API_VERSION)
            .header("idempotency-key", &id)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form(&fields));
        let response = request.send().await.map_err(|error| no_session(&error.without_url()))?;
        let status = response.status();
        let bytes = response.bytes().await.map_err(|error| no_session(&error.without_url()))?;
        if !status.is_success() {
            tracing::error!(
                http.status = status.as_u16(),
                purchase.id = id,
                "Stripe refused to create a session"
            );
            return Err(unavailable());
        }
        if bytes.len() > MAX_RESPONSE_BYTES {
            return Err(no_session(&"its response is too long"));
        }
        serde_json::from_slice(&bytes).map_err(|error| no_session(&error))
    }
}

impl Payments for Stripe {
    fn provider(&self) -> PaymentProvider {
        PaymentProvider::Stripe
    }

    fn start<'a>(&'a self, order: &'a Order) -> BoxFuture<'a, Result<NextStep>> {
        Box::pin(async {
            let Session { id: reference, url } = self.session(order).await?;
            let url = url.ok_or_else(|| no_session(&"a session without a URL"))?;
            Ok(NextStep::Redirect { reference, url })
        })
    }
}

/// Fields as `application/x-www-form-urlencoded`.
fn form(fields: &[(&str, &str)]) -> String {
    let encode = |text| utf8_percent_encode(text, NON_ALPHANUMERIC);
    let pairs: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
    pairs.join("&")
}

fn no_session(error: &dyn std::fmt::Display) -> Error {
    tracing::error!(error = %error, "Stripe did not create a session");
    unavailable()
}

fn unavailable() -> Error {
    Error::Unavailable { what: "the payment provider does not answer", retry_after_seconds: 10 }
}

fn client() -> Result<reqwest::Client, String> {
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .timeout(TIMEOUT)
        // A redirect could send the key to another host.
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .no_proxy()
        .user_agent(concat!("Lectern/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::form;

    #[test]
    fn form_fields_are_percent_encoded() {
        assert_eq!(form(&[("a[b]", "x&y=z é"), ("c", "1")]), "a%5Bb%5D=x%26y%3Dz%20%C3%A9&c=1");
    }
}
