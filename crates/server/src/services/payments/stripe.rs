//! Stripe Checkout: a session for each purchase, and the events by which Stripe tells what became of it. The wire is that of
//! Stripe's API reference: forms go there, JSON comes back; events are signed as "Verify webhook signatures" says.

pub mod event;
mod signature;

use std::time::Duration;

use futures_util::future::BoxFuture;
use lectern_store::purchases::Provider;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;

use super::{Begun, Order, Payments};
use crate::{
    config::{self, ConfigError},
    error::{Error, Result},
};

/// Stripe's own base.
const BASE: &str = "https://api.stripe.com";

/// The version of Stripe's API that this speaks, whatever the account's default is.
const VERSION: &str = "2024-06-20";

/// How long Stripe may take.
const PATIENCE: Duration = Duration::from_secs(15);

/// What is too long for an answer to be one of Stripe's.
const ANSWER_BYTES: usize = 256 * 1024;

/// Stripe Checkout.
#[derive(Debug)]
pub struct Stripe {
    base: String,
    secret_key: SecretString,
    client: reqwest::Client,
}

/// What is read of a session.
#[derive(Debug, Deserialize)]
struct Session {
    id: String,
    url: Option<String>,
}

impl Stripe {
    /// Stripe, when it is configured.
    ///
    /// # Errors
    /// [`ConfigError`] when no client can be made.
    pub fn of(settings: &config::Stripe) -> Result<Option<Self>, ConfigError> {
        let Some(secret_key) = settings.secret_key.clone() else { return Ok(None) };
        let base = settings.api_base.as_ref().map_or(BASE, config::WebUrl::as_str).to_owned();
        let client = client().map_err(|reason| ConfigError::new("stripe.secret_key", reason))?;
        Ok(Some(Self { base, secret_key, client }))
    }

    async fn session(&self, order: &Order) -> Result<Session> {
        let purchase = &order.purchase;
        let (id, price) = (purchase.id.to_string(), purchase.price_minor.to_string());
        let name = format!("{} credits", purchase.credits.0);
        let (paid, left) = (format!("{}&result=paid", order.back), format!("{}&result=left", order.back));
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
            .header("stripe-version", VERSION)
            .header("idempotency-key", &id)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form(&fields));
        let answer = request.send().await.map_err(|error| silent(&error.without_url()))?;
        let status = answer.status();
        let bytes = answer.bytes().await.map_err(|error| silent(&error.without_url()))?;
        if !status.is_success() {
            tracing::error!(http.status = status.as_u16(), purchase.id = id, "Stripe refused a session");
            return Err(away());
        }
        if bytes.len() > ANSWER_BYTES {
            return Err(silent(&"its answer is too long"));
        }
        serde_json::from_slice(&bytes).map_err(|error| silent(&error))
    }
}

impl Payments for Stripe {
    fn provider(&self) -> Provider {
        Provider::Stripe
    }

    fn begin<'a>(&'a self, order: &'a Order) -> BoxFuture<'a, Result<Begun>> {
        Box::pin(async {
            let Session { id: reference, url } = self.session(order).await?;
            let url = url.ok_or_else(|| silent(&"a session without a URL"))?;
            Ok(Begun::Visit { reference, url })
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

fn silent(error: &dyn std::fmt::Display) -> Error {
    tracing::error!(error = %error, "Stripe gave no session");
    away()
}

fn away() -> Error {
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
        .timeout(PATIENCE)
        // A redirect could carry the key to another host.
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
    fn brackets_and_signs_of_a_form_are_encoded() {
        assert_eq!(form(&[("a[b]", "x&y=z é"), ("c", "1")]), "a%5Bb%5D=x%26y%3Dz%20%C3%A9&c=1");
    }
}
