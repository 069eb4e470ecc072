//! Buying credits: an owner orders a pack, a provider takes the payment, and the purchase is
//! credited exactly once, however often and from wherever the payment is reported. The
//! configuration names the provider.

mod manual;
pub mod stripe;
pub mod top_up;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use lectern_store::{
    idempotency::Response,
    ledger::{Booking, Lease},
    purchases::{self as stored, AskOutcome, EndOutcome, NewPurchase, Once, Purchase},
    sessions::SignedIn,
    top_ups::Card,
};
use lectern_types::{
    AccountId, Credits, ErrorCode, PaymentProvider, PurchaseId, PurchaseRequest, PurchaseStatus,
};

use self::top_up::Attempt;
use crate::services::idempotency::{self, IdempotentRequest, IdempotentResponse};
use crate::{
    base::Base,
    clock,
    config::{Config, ConfigError, STEP},
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

/// An account that is to have a card.
#[derive(Debug, Clone)]
pub struct CardOwner {
    pub account: AccountId,
    pub email: String,
    /// The provider's name for the account, if it has one already.
    pub customer: Option<String>,
    /// The URL to which the browser returns; the outcome is appended.
    pub return_url: String,
}

/// Where an account leaves its card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardPage {
    /// The provider's name for the account.
    pub customer: String,
    /// The URL to visit.
    pub url: String,
}

/// What became of a charge to a card whose owner is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Charged {
    Paid,
    /// The bank has not decided yet; an event will tell.
    Undecided,
    /// Why not, one of `declined`, `authentication` and `provider`.
    Refused(&'static str),
}

/// A payment provider.
pub trait Payments: std::fmt::Debug + Send + Sync {
    fn provider(&self) -> PaymentProvider;

    /// Whether it keeps cards for automatic purchases.
    fn keeps_cards(&self) -> bool {
        false
    }

    /// Opens the page on which an account leaves its card.
    ///
    /// # Errors
    /// `service_unavailable` when the provider does not respond; `not_found` when it keeps no cards.
    fn ask_for_card<'a>(&'a self, _: &'a CardOwner) -> BoxFuture<'a, Result<CardPage>> {
        Box::pin(async { Err(ErrorCode::NotFound.into()) })
    }

    /// The card that a customer has left, by the provider's reference to the visit.
    ///
    /// # Errors
    /// As [`ask_for_card`](Self::ask_for_card).
    fn find_card<'a>(&'a self, _customer: &'a str, _reference: &'a str) -> BoxFuture<'a, Result<Card>> {
        Box::pin(async { Err(ErrorCode::NotFound.into()) })
    }

    /// Charges a purchase to a card. Repeating this for the same purchase charges nothing more.
    ///
    /// # Errors
    /// `service_unavailable` when the outcome is unknown.
    fn charge<'a>(&'a self, _: &'a Purchase, _: &'a Card, _: Attempt) -> BoxFuture<'a, Result<Charged>> {
        Box::pin(async { Ok(Charged::Refused("provider")) })
    }

    /// Lets go of a card.
    ///
    /// # Errors
    /// `service_unavailable` when the provider does not respond.
    fn forget_card<'a>(&'a self, _: &'a Card) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

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

impl PaymentContext {
    /// The context with the provider that the settings configure; browsers return to `public_url`.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn open(base: &Base, public_url: &Arc<str>) -> Result<Self, ConfigError> {
        let provider = from_config(&base.config)?;
        Ok(Self { base: base.clone(), provider, public_url: Arc::clone(public_url) })
    }
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

/// The amount that a purchase asks for, and its price.
///
/// # Errors
/// `validation_failed` for `pack_id` or `credits`.
fn amount(base: &Base, request: &PurchaseRequest) -> Result<(Credits, i64)> {
    let payments = &base.config.payments;
    let credits = match (&request.pack_id, request.credits) {
        (Some(_), Some(_)) => return Err(Error::invalid("credits", "must not come together with pack_id")),
        (None, None) => return Err(Error::invalid("pack_id", "is required, or credits")),
        (Some(pack), None) => {
            let found = payments.packs.iter().find(|found| found.credits.0.to_string() == *pack);
            found.ok_or_else(|| Error::invalid("pack_id", "is not one of the packs"))?.credits
        }
        (None, Some(credits)) => credits.credits(),
    };
    let price = payments.price(credits).ok_or_else(|| not_sold(base))?;
    Ok((credits, price))
}

/// The error for an amount that is not sold.
pub fn not_sold(base: &Base) -> Error {
    let why = match base.config.payments.custom() {
        Some((least, most)) => {
            format!(
                "must be the number of credits in a pack, or a multiple of {STEP} from {} to {}",
                least.0, most.0
            )
        }
        None => "must be the number of credits in a pack".to_owned(),
    };
    Error::invalid("credits", why)
}

/// Creates a purchase, once per `Idempotency-Key`. `show` builds the response with the next step.
///
/// # Errors
/// `validation_failed` for `pack_id` or `credits`, `rate_limited` with too many pending purchases,
/// `idempotency_key_reuse`, `service_unavailable`.
pub async fn create(
    context: &PaymentContext,
    signed_in: &SignedIn,
    request: &PurchaseRequest,
    idempotent: Option<IdempotentRequest>,
    show: impl Fn(Purchase, &NextStep) -> Result<Response>,
) -> Result<IdempotentResponse> {
    let base = &context.base;
    let (credits, price_minor) = amount(base, request)?;
    let provider = context.provider.provider();
    let currency = &base.config.payments.currency;
    let request = idempotent.as_ref().map(IdempotentRequest::request);
    let attempt = || async {
        let now = base.clock.now();
        let lease =
            Lease { owner: hex::encode(clock::random::<16>()), until: now.plus_seconds(LEASE_SECONDS) };
        let once = request.as_ref().map(|request| Once { request, lease: &lease });
        let id = base.ids.make();
        let new = NewPurchase { id, provider, credits, price_minor, currency, automatic: None };
        match stored::ask(&base.store, signed_in.account.id, &new, MAX_PENDING, once, now).await? {
            AskOutcome::Noted(purchase) => Ok(idempotency::Attempt::Done(
                start(context, purchase, &signed_in.account.email, once, &show).await?,
            )),
            AskOutcome::TooMany | AskOutcome::NotNeeded | AskOutcome::OverLimit => {
                let limit = "purchases that wait for their payment";
                Err(Error::RateLimited { limit, retry_after_seconds: RETRY_AFTER_SECONDS })
            }
            AskOutcome::Replay(replay) => Ok(idempotency::Attempt::Replay(replay)),
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
    let seller = base.config.invoices.seller();
    let terms = seller.as_ref().map(|seller| base.config.invoices.terms(seller));
    match stored::pay(&base.store, purchase, provider, terms, booking).await? {
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
