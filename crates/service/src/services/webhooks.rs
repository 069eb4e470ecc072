//! Webhooks: customers' endpoints and the events that are sent to them. [`endpoint`] validates
//! endpoints; [`registration`], [`changes`] and [`deliveries`] are the operations of customers;
//! [`attempt`] posts one event once, and [`schedule`] decides when it is retried. The worker
//! decides the order of attempts.

pub mod attempt;
pub mod changes;
pub mod deliveries;
pub mod endpoint;
pub mod registration;
mod schedule;
pub mod secrets;
pub mod signature;

use lectern_store::{
    Store,
    keys::Authenticated,
    webhooks::{self as stored, Webhook},
};
use lectern_types::{ErrorCode, WebhookId};

use crate::error::Result;

/// An endpoint that `caller` can see.
///
/// # Errors
/// `not_found`.
pub async fn find(store: &Store, caller: &Authenticated, webhook: WebhookId) -> Result<Webhook> {
    let found = stored::find(store, caller.account, caller.key.environment, webhook).await?;
    found.ok_or_else(|| ErrorCode::NotFound.into())
}
