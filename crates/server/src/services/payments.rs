//! Buying credits: an owner asks for a pack, a provider takes the money, and the purchase becomes credits once, whoever tells
//! of it and however often. Who the provider is, is configuration.

mod manual;
pub mod stripe;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use lectern_store::{
    idempotency::Response,
    ledger::{Booking, Lease},
    purchases::{
        self as stored, AskOutcome, EndOutcome, NewPurchase, Once, Provider, Purchase, PurchaseStatus,
    },
    sessions::SignedIn,
};
use lectern_types::{AccountId, ErrorCode, PurchaseId};

pub use self::stripe::Stripe;
use super::idempotency::{self, Answer, Guarded};
use crate::{
    app::{App, Base},
    clock,
    config::{Config, ConfigError, Pack},
    error::{Error, Result},
};

/// Purchases of an account that may be pending at once.
const PENDING: u32 = 10;

/// Seconds after which an owner with too many of them may look again.
const PATIENCE_SECONDS: u64 = 3600;

/// How long asking for a purchase may take before a repeated request goes on alone: longer than a provider may take.
const LEASE_SECONDS: i64 = 30;

/// After how long a purchase at Stripe that waits is given up. Its session there ends after 24 hours; an hour more lets
/// Stripe's own word come first.
pub const STRIPE_PENDING_SECONDS: i64 = 25 * 60 * 60;

/// What somebody wants to pay for.
#[derive(Debug, Clone)]
pub struct Order {
    /// The purchase.
    pub purchase: Purchase,
    /// Who pays.
    pub email: String,
    /// Where the browser comes back to, with what became of it behind.
    pub back: String,
}

/// What paying takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// The operator's approval.
    Approval,
    /// A visit to the provider.
    Visit {
        /// The provider's own name for the payment.
        reference: String,
        /// Where the browser goes.
        url: String,
    },
}

/// Who takes the money.
pub trait Payments: std::fmt::Debug + Send + Sync {
    /// Its name.
    fn provider(&self) -> Provider;

    /// Begins a payment. Repeating it for the same purchase begins nothing new.
    ///
    /// # Errors
    /// `service_unavailable` when the provider does not answer.
    fn begin<'a>(&'a self, order: &'a Order) -> BoxFuture<'a, Result<Begun>>;
}

/// The provider that the settings name.
///
/// # Errors
/// [`ConfigError`].
pub fn of(config: &Config) -> Result<Arc<dyn Payments>, ConfigError> {
    Ok(match Stripe::of(&config.stripe)? {
        Some(stripe) => Arc::new(stripe),
        None => Arc::new(manual::Manual),
    })
}

/// Asks for a pack, once for each `Idempotency-Key`. `show` writes the response of what paying for it takes.
///
/// # Errors
/// `validation_failed` of `pack_id`, `rate_limited` with too many pending purchases, `idempotency_key_reuse`,
/// `service_unavailable`.
pub async fn ask(
    app: &App,
    signed_in: &SignedIn,
    pack_id: &str,
    guarded: Option<Guarded>,
    show: impl Fn(Purchase, &Begun) -> Result<Response>,
) -> Result<Answer> {
    let packs = &app.config.payments.packs;
    let pack = packs.iter().find(|pack| pack.credits.0.to_string() == pack_id);
    let Pack { credits, price_minor } =
        *pack.ok_or_else(|| Error::invalid("pack_id", "is not one of the packs"))?;
    let provider = app.payments.provider();
    let currency = &app.config.payments.currency;
    let request = guarded.as_ref().map(Guarded::request);
    loop {
        let now = app.clock.now();
        let lease =
            Lease { owner: hex::encode(clock::random::<16>()), until: now.plus_seconds(LEASE_SECONDS) };
        let once = request.as_ref().map(|request| Once { request, lease: &lease });
        let new = NewPurchase { id: app.ids.make(), provider, credits, price_minor, currency };
        match stored::ask(&app.store, signed_in.account.id, &new, PENDING, once, now).await? {
            AskOutcome::Noted(purchase) => {
                let response = begin(app, purchase, &signed_in.account.email, once, show).await?;
                return Ok(Answer { response, replayed: false });
            }
            AskOutcome::TooMany => {
                let limit = "purchases that wait for their payment";
                return Err(Error::RateLimited { limit, retry_after_seconds: PATIENCE_SECONDS });
            }
            AskOutcome::Replay(replay) => {
                let guarded = guarded
                    .as_ref()
                    .ok_or_else(|| Error::Internal("a replay without an Idempotency-Key".to_owned()))?;
                if let Some(response) = idempotency::follow(app, guarded, replay).await? {
                    return Ok(Answer { response, replayed: true });
                }
            }
        }
    }
}

/// Begins the payment of a purchase that is noted; the response.
async fn begin(
    app: &App,
    purchase: Purchase,
    email: &str,
    once: Option<Once<'_>>,
    show: impl Fn(Purchase, &Begun) -> Result<Response>,
) -> Result<Response> {
    let back = format!("{}/credits?purchase={}", app.public_url, purchase.id);
    let order = Order { purchase, email: email.to_owned(), back };
    let begun = app.payments.begin(&order).await;
    let mut purchase = order.purchase;
    let begun = match begun {
        Ok(begun) => begun,
        Err(error) => {
            // Nobody can pay what was not begun.
            stored::abandon(&app.store, &purchase, once, app.clock.now()).await?;
            return Err(error);
        }
    };
    match &begun {
        Begun::Visit { reference, .. } => purchase.provider_reference = Some(reference.clone()),
        Begun::Approval => {
            tracing::info!(purchase.id = %purchase.id, "a purchase waits: lectern admin purchases approve");
        }
    }
    let response = show(purchase.clone(), &begun)?;
    let kept = once.map(|once| (once, &response));
    stored::begun(&app.store, &purchase, kept, app.clock.now()).await?;
    Ok(response)
}

/// Gives up a purchase that waits, as its owner wishes. One that was given up before stays so.
///
/// # Errors
/// `not_found`, `purchase_not_pending` for one that is paid or was declined.
pub async fn withdraw(app: &App, account: AccountId, purchase: PurchaseId) -> Result<Purchase> {
    match stored::withdraw(&app.store, account, purchase, app.clock.now()).await? {
        EndOutcome::Done(purchase) => Ok(purchase),
        EndOutcome::Before(_) => Err(ErrorCode::PurchaseNotPending.into()),
        EndOutcome::NotFound => Err(ErrorCode::NotFound.into()),
    }
}

/// Books the credits of a purchase that was paid, unless they were booked before.
///
/// # Errors
/// `not_found` for none of this provider, or the store's.
pub async fn pay(base: &Base, purchase: PurchaseId, provider: Provider) -> Result<Purchase> {
    let ids = || base.transaction_id();
    let booking = Booking { now: base.clock.now(), ids: &ids };
    match stored::pay(&base.store, purchase, provider, booking).await? {
        EndOutcome::Done(purchase) => {
            tracing::info!(purchase.id = %purchase.id, credits = purchase.credits.0, "a purchase was paid");
            Ok(purchase)
        }
        EndOutcome::Before(purchase) => Ok(purchase),
        EndOutcome::NotFound => Err(ErrorCode::NotFound.into()),
    }
}

/// Ends a purchase that was not paid, unless it is at an end already.
///
/// # Errors
/// `not_found` for none of this provider, or the store's.
pub async fn give_up(
    base: &Base,
    purchase: PurchaseId,
    provider: Provider,
    end: PurchaseStatus,
) -> Result<Purchase> {
    match stored::give_up(&base.store, purchase, provider, end, base.clock.now()).await? {
        EndOutcome::Done(purchase) | EndOutcome::Before(purchase) => Ok(purchase),
        EndOutcome::NotFound => Err(ErrorCode::NotFound.into()),
    }
}
