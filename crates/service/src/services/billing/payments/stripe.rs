//! Stripe: a Checkout session for each purchase and for each card that is left, payments by such a
//! card, and the events in which Stripe reports their outcome. The protocol follows Stripe's API reference: form-encoded requests, JSON responses, and
//! events signed as described in "Verify webhook signatures".

mod amount;
pub mod event;
mod signature;

use std::{collections::HashMap, sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use lectern_store::{purchases::Purchase, top_ups::Card};
use lectern_types::PaymentProvider;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, de::DeserializeOwned};

use super::{CardOwner, CardPage, Charged, NextStep, Order, Payments, top_up::Attempt};
use crate::{
    clock,
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

/// What is encoded in an id of Stripe's that is part of a path.
const OF_IDS: &AsciiSet = &NON_ALPHANUMERIC.remove(b'_');

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

/// The fields of a customer that this module reads.
#[derive(Debug, Deserialize)]
struct Customer {
    id: String,
}

/// The fields of a payment that this module reads.
#[derive(Debug, Deserialize)]
struct PaymentIntent {
    status: String,
    #[serde(default)]
    metadata: HashMap<String, String>,
    last_payment_error: Option<RefusalReason>,
}

/// A list of payments.
#[derive(Debug, Deserialize)]
struct Listed {
    data: Vec<PaymentIntent>,
}

/// The fields of an answer that refuses a payment.
#[derive(Debug, Deserialize)]
struct Refusal {
    error: RefusalReason,
}

#[derive(Debug, Deserialize)]
struct RefusalReason {
    code: Option<String>,
    /// The field that is wrong.
    param: Option<String>,
}

/// The fields of a setup that this module reads.
#[derive(Debug, Deserialize)]
struct SetupIntent {
    payment_method: PaymentMethod,
}

#[derive(Debug, Deserialize)]
struct PaymentMethod {
    id: String,
    card: Option<CardFacts>,
}

#[derive(Debug, Deserialize)]
struct CardFacts {
    brand: String,
    last4: String,
}

/// An answer of Stripe's.
struct Answer {
    status: u16,
    bytes: Vec<u8>,
}

impl Answer {
    fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Whether this request is refused, and not all of them: with a wrong key, say, or too many.
    fn is_refused(&self) -> bool {
        matches!(self.status, 400 | 404)
    }

    /// Whether Stripe does not know what this field of the request names.
    fn misses(&self, field: &str) -> bool {
        let refused = self.is_refused().then(|| self.parse::<Refusal>().ok()).flatten();
        refused.is_some_and(|Refusal { error }| {
            error.code.as_deref() == Some("resource_missing") && error.param.as_deref() == Some(field)
        })
    }

    fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_slice(&self.bytes).map_err(|error| failed(&error))
    }
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
    /// Posts a form. Repeating it under the same key does nothing new.
    async fn post(&self, path: &str, key: &str, fields: &[(&str, &str)]) -> Result<Answer> {
        let request = self
            .client
            .post(format!("{}{path}", self.base))
            .header("idempotency-key", key)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form(fields));
        self.send(request).await
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> Result<Answer> {
        let request =
            request.bearer_auth(self.secret_key.expose_secret()).header("stripe-version", API_VERSION);
        let response = request.send().await.map_err(|error| failed(&error.without_url()))?;
        let status = response.status().as_u16();
        let bytes = response.bytes().await.map_err(|error| failed(&error.without_url()))?;
        if bytes.len() > MAX_RESPONSE_BYTES {
            return Err(failed(&"its response is too long"));
        }
        Ok(Answer { status, bytes: bytes.into() })
    }

    /// The answer to a request that Stripe has no reason to refuse.
    fn expect<T: DeserializeOwned>(what: &str, answer: &Answer) -> Result<T> {
        if !answer.is_success() {
            tracing::error!(http.status = answer.status, stripe.request = what, "Stripe refused a request");
            return Err(unavailable());
        }
        answer.parse()
    }

    async fn session(&self, order: &Order) -> Result<Session> {
        let purchase = &order.purchase;
        let (id, price) = (purchase.id.to_string(), amount(purchase));
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
        let answer = self.post("/v1/checkout/sessions", &id, &fields).await?;
        Self::expect("a session", &answer)
    }

    /// A name for an account, other than one that Stripe does not know any more.
    async fn customer(&self, owner: &CardOwner, gone: Option<&str>) -> Result<String> {
        let account = owner.account.to_string();
        let fields = [("email", owner.email.as_str()), ("metadata[account_id]", &account)];
        // Under the key of the first customer Stripe would return that one for a day.
        let key =
            gone.map_or_else(|| format!("customer-{account}"), |gone| format!("customer-{account}-{gone}"));
        let answer = self.post("/v1/customers", &key, &fields).await?;
        Ok(Self::expect::<Customer>("a customer", &answer)?.id)
    }

    /// The answer to a request for a page on which this customer leaves a card.
    async fn setup(&self, owner: &CardOwner, customer: &str) -> Result<Answer> {
        let account = owner.account.to_string();
        let (kept, left) =
            (format!("{}?card=kept", owner.return_url), format!("{}?card=left", owner.return_url));
        let fields = [
            ("mode", "setup"),
            ("customer", customer),
            ("client_reference_id", &account),
            ("payment_method_types[0]", "card"),
            ("success_url", &kept),
            ("cancel_url", &left),
        ];
        // Each visit is a page of its own.
        self.post("/v1/checkout/sessions", &hex::encode(clock::random::<16>()), &fields).await
    }

    async fn card_page(&self, owner: &CardOwner) -> Result<CardPage> {
        let mut customer = match &owner.customer {
            Some(customer) => customer.clone(),
            None => self.customer(owner, None).await?,
        };
        let mut answer = self.setup(owner, &customer).await?;
        if answer.misses("customer") {
            tracing::warn!(account.id = %owner.account, "Stripe no longer knows the account's customer; it gets a new one");
            customer = self.customer(owner, Some(&customer)).await?;
            answer = self.setup(owner, &customer).await?;
        }
        let url = Self::expect::<Session>("a session", &answer)?.url;
        Ok(CardPage { customer, url: url.ok_or_else(|| failed(&"a session without a URL"))? })
    }

    /// The card that a customer has left.
    ///
    /// # Errors
    /// `service_unavailable` when Stripe does not respond.
    async fn card(&self, customer: &str, setup_intent: &str) -> Result<Card> {
        let setup_intent = utf8_percent_encode(setup_intent, OF_IDS);
        let url = format!("{}/v1/setup_intents/{setup_intent}?expand[]=payment_method", self.base);
        let answer = self.send(self.client.get(url)).await?;
        let PaymentMethod { id, card } = Self::expect::<SetupIntent>("a setup", &answer)?.payment_method;
        let label = card.map(|card| format!("{} {}", card.brand, card.last4)).unwrap_or_default();
        Ok(Card { customer: customer.to_owned(), payment_method: id, label })
    }

    /// The payment of a purchase that was asked for before, if Stripe knows of one.
    async fn earlier(&self, purchase: &Purchase, card: &Card) -> Result<Option<Charged>> {
        let customer = utf8_percent_encode(&card.customer, OF_IDS);
        let url = format!("{}/v1/payment_intents?customer={customer}&limit=100", self.base);
        let answer = self.send(self.client.get(url)).await?;
        if answer.is_refused() {
            tracing::error!(http.status = answer.status, purchase.id = %purchase.id, "Stripe does not tell of a payment");
            return Ok(Some(Charged::Undecided));
        }
        let Listed { data } = Self::expect("the payments of a customer", &answer)?;
        let id = purchase.id.to_string();
        let found = data.iter().find(|payment| payment.metadata.get("purchase_id") == Some(&id));
        Ok(found.map(PaymentIntent::outcome))
    }

    async fn charged(&self, purchase: &Purchase, card: &Card, attempt: Attempt) -> Result<Charged> {
        // Stripe forgets keys, but no payments.
        if attempt == Attempt::Again
            && let Some(outcome) = self.earlier(purchase, card).await?
        {
            return Ok(outcome);
        }
        let (id, price) = (purchase.id.to_string(), amount(purchase));
        let description = format!("{} credits", purchase.credits.0);
        let fields = [
            ("amount", price.as_str()),
            ("currency", &purchase.currency),
            ("customer", &card.customer),
            ("payment_method", &card.payment_method),
            ("payment_method_types[0]", "card"),
            ("off_session", "true"),
            ("confirm", "true"),
            ("description", &description),
            ("metadata[purchase_id]", &id),
        ];
        let answer = self.post("/v1/payment_intents", &id, &fields).await?;
        match answer.status {
            // The card was refused.
            402 => {
                let code = answer.parse::<Refusal>().ok().and_then(|refusal| refusal.error.code);
                Ok(Charged::Refused(reason(code.as_deref())))
            }
            // The request itself is wrong, so the same one stays wrong: the card or customer is gone, say. Of a
            // repeated request it is not known what became of the first.
            _ if answer.is_refused() => {
                tracing::error!(
                    http.status = answer.status,
                    purchase.id = id,
                    "Stripe refused an automatic payment"
                );
                Ok(if attempt == Attempt::First { Charged::Refused("provider") } else { Charged::Undecided })
            }
            _ => Ok(Self::expect::<PaymentIntent>("a payment", &answer)?.outcome()),
        }
    }
}

/// A purchase's price in Stripe's numbers.
fn amount(purchase: &Purchase) -> String {
    amount::of(purchase.price_minor, &purchase.currency).to_string()
}

/// Why a card was refused, by Stripe's code.
fn reason(code: Option<&str>) -> &'static str {
    if code == Some("authentication_required") { "authentication" } else { "declined" }
}

impl PaymentIntent {
    fn outcome(&self) -> Charged {
        match self.status.as_str() {
            "succeeded" => Charged::Paid,
            "processing" => Charged::Undecided,
            "requires_action" => Charged::Refused("authentication"),
            _ => {
                let code = self.last_payment_error.as_ref().and_then(|error| error.code.as_deref());
                Charged::Refused(reason(code))
            }
        }
    }
}

impl Payments for Stripe {
    fn provider(&self) -> PaymentProvider {
        PaymentProvider::Stripe
    }

    fn start<'a>(&'a self, order: &'a Order) -> BoxFuture<'a, Result<NextStep>> {
        Box::pin(async {
            let Session { id: reference, url } = self.session(order).await?;
            let url = url.ok_or_else(|| failed(&"a session without a URL"))?;
            Ok(NextStep::Redirect { reference, url })
        })
    }

    fn keeps_cards(&self) -> bool {
        true
    }

    fn ask_for_card<'a>(&'a self, owner: &'a CardOwner) -> BoxFuture<'a, Result<CardPage>> {
        Box::pin(self.card_page(owner))
    }

    fn find_card<'a>(&'a self, customer: &'a str, reference: &'a str) -> BoxFuture<'a, Result<Card>> {
        Box::pin(self.card(customer, reference))
    }

    fn charge<'a>(
        &'a self,
        purchase: &'a Purchase,
        card: &'a Card,
        attempt: Attempt,
    ) -> BoxFuture<'a, Result<Charged>> {
        Box::pin(self.charged(purchase, card, attempt))
    }

    fn forget_card<'a>(&'a self, card: &'a Card) -> BoxFuture<'a, Result<()>> {
        Box::pin(async {
            let method = utf8_percent_encode(&card.payment_method, OF_IDS);
            let key = hex::encode(clock::random::<16>());
            let answer = self.post(&format!("/v1/payment_methods/{method}/detach"), &key, &[]).await?;
            // Detached before is as good.
            if answer.is_success() || matches!(answer.status, 400 | 404) {
                Ok(())
            } else {
                Err(unavailable())
            }
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

fn failed(error: &dyn std::fmt::Display) -> Error {
    tracing::error!(error = %error, "Stripe did not answer as it should");
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
