//! Webhooks: endpoints of customers, what is sent to them and when. What an endpoint may be is [`endpoint`]'s, what customers
//! do with it is [`registration`]'s, [`changes`]' and [`deliveries`]'; [`attempt`] posts one event once, [`schedule`] says when it
//! is tried again. Which attempt comes when is the worker's.

pub mod attempt;
pub mod changes;
pub mod deliveries;
pub mod endpoint;
pub mod registration;
mod schedule;
pub mod secrets;
pub mod signature;

use lectern_store::{
    idempotency::Replay,
    keys::Authenticated,
    webhooks::{self as stored, Webhook},
};
use lectern_types::{ErrorCode, WebhookId};

use super::idempotency::{self, Answer, Guarded};
use crate::{
    app::App,
    error::{Error, Result},
};

/// An endpoint that `caller` sees.
///
/// # Errors
/// `not_found`.
pub async fn find(app: &App, caller: &Authenticated, webhook: WebhookId) -> Result<Webhook> {
    let found = stored::find(&app.store, caller.account, caller.key.environment, webhook).await?;
    found.ok_or_else(|| ErrorCode::NotFound.into())
}

/// Goes on from what the store said of a request that may not run now; `None` when it may after all.
async fn replayed(app: &App, guarded: Option<&Guarded>, replay: Replay) -> Result<Option<Answer>> {
    let guarded = guarded.ok_or_else(|| Error::Internal("a replay without an Idempotency-Key".to_owned()))?;
    let response = idempotency::follow(app, guarded, replay).await?;
    Ok(response.map(|response| Answer { response, replayed: true }))
}
