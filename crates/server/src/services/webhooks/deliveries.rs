//! What customers ask for of deliveries: one tried again now, and an event to try an endpoint with.

use lectern_store::{
    deliveries::{self as stored, Delivery, Owner, RetryOutcome, TestOutcome},
    idempotency::Response,
    keys::Authenticated,
};
use lectern_types::{DeliveryId, ErrorCode, WebhookId};

use super::replayed;
use crate::{
    app::App,
    error::{Error, Result},
    services::idempotency::{Answer, Guarded},
};

/// Whose endpoint's deliveries `caller` means.
pub fn owner(caller: &Authenticated, webhook: WebhookId) -> Owner {
    Owner { account: caller.account, environment: caller.key.environment, webhook }
}

/// Makes a delivery due now, once for each `Idempotency-Key`. `show` writes the response.
///
/// # Errors
/// `not_found`, also when the endpoint is not active; `already_delivered`, `already_in_flight`.
pub async fn retry(
    app: &App,
    caller: &Authenticated,
    webhook: WebhookId,
    delivery: DeliveryId,
    guarded: Option<Guarded>,
    show: impl Fn(&Delivery) -> Result<Response>,
) -> Result<Answer> {
    let owner = owner(caller, webhook);
    loop {
        let request = guarded.as_ref().map(Guarded::request);
        let now = app.clock.now();
        let due = stored::retry::<Error>(&app.store, owner, delivery, request.as_ref(), &show, now);
        match due.await? {
            RetryOutcome::Due(response) => return Ok(Answer { response, replayed: false }),
            RetryOutcome::NotFound => return Err(ErrorCode::NotFound.into()),
            RetryOutcome::Delivered => return Err(ErrorCode::AlreadyDelivered.into()),
            RetryOutcome::InFlight => return Err(ErrorCode::AlreadyInFlight.into()),
            RetryOutcome::Replay(replay) => {
                if let Some(answer) = replayed(app, guarded.as_ref(), replay).await? {
                    return Ok(answer);
                }
            }
        }
    }
}

/// Sends an endpoint a `webhook.test`, once for each `Idempotency-Key`. `show` writes the response.
///
/// # Errors
/// `not_found`, also when the endpoint is not active.
pub async fn test(
    app: &App,
    caller: &Authenticated,
    webhook: WebhookId,
    guarded: Option<Guarded>,
    show: impl Fn(&Delivery) -> Result<Response>,
) -> Result<Answer> {
    let owner = owner(caller, webhook);
    loop {
        let request = guarded.as_ref().map(Guarded::request);
        let sent = stored::test::<Error>(&app.store, owner, request.as_ref(), &show, app.writing());
        match sent.await? {
            TestOutcome::Sent(response) => return Ok(Answer { response, replayed: false }),
            TestOutcome::NotFound => return Err(ErrorCode::NotFound.into()),
            TestOutcome::Replay(replay) => {
                if let Some(answer) = replayed(app, guarded.as_ref(), replay).await? {
                    return Ok(answer);
                }
            }
        }
    }
}
