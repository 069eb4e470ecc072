//! Customers' operations on deliveries: retrying one now, and sending a test event.

use lectern_store::{
    deliveries::{self as stored, Delivery, Owner, RetryOutcome, TestOutcome},
    idempotency::Response,
    keys::Authenticated,
};
use lectern_types::{DeliveryId, ErrorCode, WebhookId};

use crate::{
    base::Base,
    error::{Error, Result},
    services::idempotency::{self, Attempt, IdempotentRequest, IdempotentResponse},
};

/// The owner of the deliveries to an endpoint of `caller`.
pub fn owner(caller: &Authenticated, webhook: WebhookId) -> Owner {
    Owner { account: caller.account, environment: caller.key.environment, webhook }
}

/// Makes a delivery due now, once per `Idempotency-Key`. `show` builds the response.
///
/// # Errors
/// `not_found`, also when the endpoint is not active; `already_delivered`, `already_in_flight`.
pub async fn retry(
    base: &Base,
    caller: &Authenticated,
    webhook: WebhookId,
    delivery: DeliveryId,
    idempotent: Option<IdempotentRequest>,
    show: impl Fn(&Delivery) -> Result<Response>,
) -> Result<IdempotentResponse> {
    let owner = owner(caller, webhook);
    let request = idempotent.as_ref().map(IdempotentRequest::request);
    let attempt = || async {
        let now = base.clock.now();
        let due = stored::retry::<Error>(&base.store, owner, delivery, request.as_ref(), &show, now);
        match due.await? {
            RetryOutcome::Due(response) => Ok(Attempt::Done(response)),
            RetryOutcome::NotFound => Err(ErrorCode::NotFound.into()),
            RetryOutcome::Delivered => Err(ErrorCode::AlreadyDelivered.into()),
            RetryOutcome::InFlight => Err(ErrorCode::AlreadyInFlight.into()),
            RetryOutcome::Replay(replay) => Ok(Attempt::Replay(replay)),
        }
    };
    Ok(idempotency::once(base, idempotent.as_ref(), attempt).await?.into())
}

/// Sends a `webhook.test` event to an endpoint, once per `Idempotency-Key`. `show` builds the
/// response.
///
/// # Errors
/// `not_found`, also when the endpoint is not active.
pub async fn test(
    base: &Base,
    caller: &Authenticated,
    webhook: WebhookId,
    idempotent: Option<IdempotentRequest>,
    show: impl Fn(&Delivery) -> Result<Response>,
) -> Result<IdempotentResponse> {
    let owner = owner(caller, webhook);
    let request = idempotent.as_ref().map(IdempotentRequest::request);
    let attempt = || async {
        let sent = stored::test::<Error>(&base.store, owner, request.as_ref(), &show, base.writing());
        match sent.await? {
            TestOutcome::Sent(response) => Ok(Attempt::Done(response)),
            TestOutcome::NotFound => Err(ErrorCode::NotFound.into()),
            TestOutcome::Replay(replay) => Ok(Attempt::Replay(replay)),
        }
    };
    Ok(idempotency::once(base, idempotent.as_ref(), attempt).await?.into())
}
