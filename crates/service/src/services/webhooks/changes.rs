//! Updates and deletes endpoints and rotates their secrets.

use lectern_store::{
    idempotency::Response,
    keys::Authenticated,
    webhooks::{self as stored, Change, Description, RotateOutcome, UpdateOutcome, Webhook},
};
use lectern_types::{ErrorCode, OrNull, Timestamp, UpdateWebhookRequest, WebhookId, WebhookSwitch};

use super::{
    endpoint,
    secrets::{self, Secrets},
};
use crate::{
    base::Base,
    error::{Error, Result},
    services::idempotency::{self, Attempt, IdempotentRequest, IdempotentResponse},
};

/// Updates an endpoint.
///
/// # Errors
/// The errors about the URL's form and the subscription that registration has; `not_found`; errors
/// about the host's addresses; `too_many_webhook_endpoints` when it would be enabled.
pub async fn update(
    base: &Base,
    caller: &Authenticated,
    webhook: Option<WebhookId>,
    params: UpdateWebhookRequest,
) -> Result<Webhook> {
    let target = params.url.map(|url| endpoint::target(&base.outbound, &url.0)).transpose()?;
    let events = params.events.map(|names| endpoint::subscription(&names.0)).transpose()?;
    let webhook = webhook.ok_or(ErrorCode::NotFound)?;
    if let Some(target) = &target {
        super::find(&base.store, caller, webhook).await?;
        endpoint::check_host(&base.outbound, target).await?;
    }
    let description = match params.description {
        None => Description::Kept,
        Some(OrNull(None)) => Description::Removed,
        Some(OrNull(Some(note))) => Description::Set(note.0),
    };
    let active = params.status.map(|status| status == WebhookSwitch::Active);
    let change = Change { url: target.map(|target| target.to_string()), events, description, active };
    let (account, environment) = (caller.account, caller.key.environment);
    match stored::update(&base.store, account, environment, webhook, change, base.clock.now()).await? {
        UpdateOutcome::Updated(webhook) => Ok(webhook),
        UpdateOutcome::NotFound => Err(ErrorCode::NotFound.into()),
        UpdateOutcome::TooMany => Err(ErrorCode::TooManyWebhookEndpoints.into()),
    }
}

/// Deletes an endpoint and returns its last state.
///
/// # Errors
/// `not_found`, also for one that is already deleted.
pub async fn delete(base: &Base, caller: &Authenticated, webhook: WebhookId) -> Result<Webhook> {
    let (account, environment) = (caller.account, caller.key.environment);
    let deleted = stored::delete(&base.store, account, environment, webhook, base.clock.now()).await?;
    deleted.ok_or_else(|| ErrorCode::NotFound.into())
}

/// Gives an endpoint a new secret, once per `Idempotency-Key`; earlier ones stay valid for a day.
/// `show` builds the response from the endpoint, the new secret and the time at which the previous
/// one expires.
///
/// # Errors
/// `not_found`; `rate_limited` when too many are still valid.
pub async fn rotate(
    base: &Base,
    caller: &Authenticated,
    webhook: WebhookId,
    idempotent: Option<IdempotentRequest>,
    show: impl Fn(&Webhook, String, Timestamp) -> Result<Response>,
) -> Result<IdempotentResponse> {
    let (account, environment) = (caller.account, caller.key.environment);
    let now = base.clock.now();
    let next = |found: &Webhook, sealed: &[u8]| {
        let key = &base.secrets.webhooks;
        let secrets = Secrets::open(key, webhook, sealed)?.rotated(now).map_err(|free_at| {
            let seconds = u64::try_from(free_at.0.saturating_sub(now.0)).unwrap_or(0).div_ceil(1_000_000);
            let limit = "secrets that are valid at once";
            Error::RateLimited { limit, retry_after_seconds: seconds.max(1) }
        })?;
        let end = now.plus_seconds(secrets::OVERLAP_SECONDS);
        let response = show(found, secrets.expose(), end)?;
        let stored = match &idempotent {
            Some(idempotent) => idempotent.to_stored(&response)?,
            None => response.clone(),
        };
        Ok((secrets.seal(key, webhook)?, response, stored))
    };
    let request = idempotent.as_ref().map(IdempotentRequest::request);
    let attempt = || async {
        let rotated =
            stored::rotate::<Error>(&base.store, account, environment, webhook, request.as_ref(), next, now);
        match rotated.await? {
            RotateOutcome::Rotated(response) => Ok(Attempt::Done(response)),
            RotateOutcome::NotFound => Err(ErrorCode::NotFound.into()),
            RotateOutcome::Replay(replay) => Ok(Attempt::Replay(replay)),
        }
    };
    Ok(idempotency::once(base, idempotent.as_ref(), attempt).await?.into())
}
