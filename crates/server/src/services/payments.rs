//! Buying credits: an owner asks for a pack, a provider takes the money, and the purchase becomes credits once, whoever tells
//! of it and however often. Who the provider is, is configuration.

mod manual;
pub mod stripe;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use lectern_store::{
    ledger::Booking,
    purchases::{self as stored, AskOutcome, EndOutcome, NewPurchase, Provider, Purchase, PurchaseStatus},
    sessions::SignedIn,
};
use lectern_types::{ErrorCode, PurchaseId};

pub use self::stripe::Stripe;
use crate::{
    app::{App, Base},
    config::{Config, ConfigError, Pack},
    error::{Error, Result},
};

/// Purchases of an account that may be pending at once.
const PENDING: u32 = 10;

/// Seconds after which an owner with too many of them may look again.
const PATIENCE_SECONDS: u64 = 3600;

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

/// Asks for a pack; what paying for it takes.
///
/// # Errors
/// `validation_failed` of `pack_id`, `rate_limited` with too many pending purchases, `service_unavailable`.
pub async fn ask(app: &App, signed_in: &SignedIn, pack_id: &str) -> Result<(Purchase, Begun)> {
    let packs = &app.config.payments.packs;
    let pack = packs.iter().find(|pack| pack.credits.0.to_string() == pack_id);
    let Pack { credits, price_minor } =
        *pack.ok_or_else(|| Error::invalid("pack_id", "is not one of the packs"))?;
    let provider = app.payments.provider();
    let currency = &app.config.payments.currency;
    let new = NewPurchase { id: app.ids.make(), provider, credits, price_minor, currency };
    let now = app.clock.now();
    let purchase = match stored::ask(&app.store, signed_in.account.id, &new, PENDING, now).await? {
        AskOutcome::Noted(purchase) => purchase,
        AskOutcome::TooMany => {
            let limit = "purchases that wait for their payment";
            return Err(Error::RateLimited { limit, retry_after_seconds: PATIENCE_SECONDS });
        }
    };
    let back = format!("{}/credits?purchase={}", app.public_url, purchase.id);
    let order = Order { purchase, email: signed_in.account.email.clone(), back };
    let begun = app.payments.begin(&order).await;
    let mut purchase = order.purchase;
    match begun {
        Ok(Begun::Visit { reference, url }) => {
            stored::refer(&app.store, purchase.id, &reference, app.clock.now()).await?;
            purchase.provider_reference = Some(reference.clone());
            Ok((purchase, Begun::Visit { reference, url }))
        }
        Ok(Begun::Approval) => {
            tracing::info!(purchase.id = %purchase.id, "a purchase waits: lectern admin purchases approve");
            Ok((purchase, Begun::Approval))
        }
        Err(error) => {
            // Nobody can pay what was not begun.
            let end = PurchaseStatus::Expired;
            stored::give_up(&app.store, purchase.id, provider, end, app.clock.now()).await?;
            Err(error)
        }
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
