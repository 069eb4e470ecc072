//! Buying credits: an owner orders a pack, a provider takes the payment, and the purchase is
//! credited exactly once, however often and from wherever the payment is reported. The
//! configuration names the provider.

mod manual;
pub mod stripe;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use lectern_store::{
    idempotency::Response,
    ledger::{Booking, Lease},
    purchases::{self as stored, AskOutcome, EndOutcome, NewPurchase, Once, Purchase},
    sessions::SignedIn,
};
use lectern_types::{AccountId, ErrorCode, PaymentProvider, PurchaseId, PurchaseStatus};

use crate::services::idempotency::{self, Attempt, IdempotentRequest, IdempotentResponse};
use crate::{
    base::Base,
    clock,
    config::{Config, ConfigError, Pack},
    error::{Error, Result},
};

/// The most purchases of an account that may be pending at once.
const MAX_PENDING: u32 = 10;

/// Seconds after which an owner with too many pending purchases may try again.
const RETRY_AFTER_SECONDS: u64 = 3600;

/// How long a request holds its idempotency key before a repetition may run: longer than a call to
/// the provider takes.
const LEASE_SECONDS: i64 = 30;

/// Opens a provider if the settings configure it.
type Open = fn(&Config) -> Result<Option<Arc<dyn Payments>>, ConfigError>;

/// The providers that settings can configure. The first configured one is used. Without any, the
/// operator approves purchases.
const CONFIGURABLE: &[Open] = &[stripe::open];

/// How long a purchase may stay pending, for providers whose payments expire.
pub const fn pending_seconds(provider: PaymentProvider) -> Option<i64> {
    match provider {
        PaymentProvider::Manual => None,
        PaymentProvider::Stripe => Some(stripe::PENDING_SECONDS),
    }
}

/// A purchase to be paid for.
#[derive(Debug, Clone)]
pub struct Order {
    pub purchase: Purchase,
    pub email: String,
    /// The URL to which the browser returns; the outcome is appended.
    pub return_url: String,
}

/// The next step towards payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextStep {
    /// The operator must approve the purchase.
    Approval,
    /// The browser must visit the provider.
    Redirect {
        /// The provider's reference for the payment.
        reference: String,
        /// The URL to visit.
        url: String,
    },
}

/// A payment provider.
pub trait Payments: std::fmt::Debug + Send + Sync {
    fn provider(&self) -> PaymentProvider;

    /// Starts a payment. Repeating this for the same purchase starts nothing new.
    ///
    /// # Errors
    /// `service_unavailable` when the provider does not respond.
    fn start<'a>(&'a self, order: &'a Order) -> BoxFuture<'a, Result<NextStep>>;
}

/// The context of the operations on purchases. Clones share it.
#[derive(Clone)]
pub struct PaymentContext {
    pub base: Base,
    /// The provider that takes the payments.
    pub provider: Arc<dyn Payments>,
    /// The base URL of the page to which the browser returns after a payment, without a trailing
    /// slash.
    pub public_url: Arc<str>,
}

/// The provider that the settings configure.
///
/// # Errors
/// [`ConfigError`].
pub fn from_config(config: &Config) -> Result<Arc<dyn Payments>, ConfigError> {
    for open in CONFIGURABLE {
        if let Some(provider) = open(config)? {
            return Ok(provider);
        }
    }
    Ok(Arc::new(manual::Manual))
}

/// Creates a purchase of a pack, once per `Idempotency-Key`. `show` builds the response with the
/// next step.
///
/// # Errors
/// `validation_failed` for `pack_id`, `rate_limited` with too many pending purchases,
/// `idempotency_key_reuse`, `service_unavailable`.
pub async fn create(
    context: &PaymentContext,
    signed_in: &SignedIn,
    pack_id: &str,
    idempotent: Option<IdempotentRequest>,
    show: impl Fn(Purchase, &NextStep) -> Result<Response>,
) -> Result<IdempotentResponse> {
    let base = &context.base;
    let packs = &base.config.payments.packs;
    let pack = packs.iter().find(|pack| pack.credits.0.to_string() == pack_id);
    let Pack { credits, price_minor } =
        *pack.ok_or_else(|| Error::invalid("pack_id", "is not one of the packs"))?;
    let provider = context.provider.provider();
    let currency = &base.config.payments.currency;
    let request = idempotent.as_ref().map(IdempotentRequest::request);
    let attempt = || async {
        let now = base.clock.now();
        let lease =
            Lease { owner: hex::encode(clock::random::<16>()), until: now.plus_seconds(LEASE_SECONDS) };
        let once = request.as_ref().map(|request| Once { request, lease: &lease });
        let new = NewPurchase { id: base.ids.make(), provider, credits, price_minor, currency };
        match stored::ask(&base.store, signed_in.account.id, &new, MAX_PENDING, once, now).await? {
            AskOutcome::Noted(purchase) => {
                Ok(Attempt::Done(start(context, purchase, &signed_in.account.email, once, &show).await?))
            }
            AskOutcome::TooMany => {
                let limit = "purchases that wait for their payment";
                Err(Error::RateLimited { limit, retry_after_seconds: RETRY_AFTER_SECONDS })
            }
            AskOutcome::Replay(replay) => Ok(Attempt::Replay(replay)),
        }
    };
    Ok(idempotency::once(base, idempotent.as_ref(), attempt).await?.into())
}

/// Starts the payment of a recorded purchase and returns the response.
async fn start(
    context: &PaymentContext,
    purchase: Purchase,
    email: &str,
    once: Option<Once<'_>>,
    show: impl Fn(Purchase, &NextStep) -> Result<Response>,
) -> Result<Response> {
    let PaymentContext { base, provider, public_url } = context;
    let return_url = format!("{public_url}/credits?purchase={}", purchase.id);
    let order = Order { purchase, email: email.to_owned(), return_url };
    let next_step = provider.start(&order).await;
    let mut purchase = order.purchase;
    let next_step = match next_step {
        Ok(next_step) => next_step,
        Err(error) => {
            // A payment that was not started cannot be completed later.
            stored::abandon(&base.store, &purchase, once, base.clock.now()).await?;
            return Err(error);
        }
    };
    match &next_step {
        NextStep::Redirect { reference, .. } => purchase.provider_reference = Some(reference.clone()),
        NextStep::Approval => {
            tracing::info!(purchase.id = %purchase.id, "a purchase awaits approval: lectern admin purchases approve");
        }
    }
    let response = show(purchase.clone(), &next_step)?;
    let stored_response = once.map(|once| (once, &response));
    stored::begun(&base.store, &purchase, stored_response, base.clock.now()).await?;
    Ok(response)
}

/// Cancels a pending purchase at its owner's request. Cancelling it again succeeds.
///
/// # Errors
/// `not_found`; `purchase_not_pending` for a purchase that was paid or declined.
pub async fn withdraw(base: &Base, account: AccountId, purchase: PurchaseId) -> Result<Purchase> {
    match stored::withdraw(&base.store, account, purchase, base.clock.now()).await? {
        EndOutcome::Done(purchase) => Ok(purchase),
        EndOutcome::Before(_) => Err(ErrorCode::PurchaseNotPending.into()),
        EndOutcome::NotFound => Err(ErrorCode::NotFound.into()),
    }
}

/// Credits a paid purchase, unless it was credited before.
///
/// # Errors
/// `not_found` when this provider has no such purchase, or the store's.
pub async fn pay(base: &Base, purchase: PurchaseId, provider: PaymentProvider) -> Result<Purchase> {
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

/// Closes a purchase that was not paid, unless it is closed already.
///
/// # Errors
/// `not_found` when this provider has no such purchase, or the store's.
pub async fn close_unpaid(
    base: &Base,
    purchase: PurchaseId,
    provider: PaymentProvider,
    end: PurchaseStatus,
) -> Result<Purchase> {
    match stored::give_up(&base.store, purchase, provider, end, base.clock.now()).await? {
        EndOutcome::Done(purchase) | EndOutcome::Before(purchase) => Ok(purchase),
        EndOutcome::NotFound => Err(ErrorCode::NotFound.into()),
    }
}
