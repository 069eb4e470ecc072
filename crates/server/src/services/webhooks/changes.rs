//! Changing, deleting and re-keying an endpoint.

use lectern_store::{
    idempotency::Response,
    keys::Authenticated,
    webhooks::{self as stored, Change, Description, RotateOutcome, UpdateOutcome, Webhook},
};
use lectern_types::{ErrorCode, Timestamp, WebhookId};

use super::{
    endpoint, replayed,
    secrets::{self, Secrets},
};
use crate::{
    app::App,
    error::{Error, Result},
    services::idempotency::{Answer, Guarded},
};

/// What is to change of an endpoint, its fields of the right types; `None` leaves it as it is.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Where it is.
    pub url: Option<String>,
    /// What it subscribes to.
    pub events: Option<Vec<String>>,
    /// For people.
    pub description: Description,
    /// Whether it is told.
    pub active: Option<bool>,
}

/// Changes an endpoint.
///
/// # Errors
/// What is wrong with the form of the address or with the subscription, as when it is registered; `not_found`; what the DNS says
/// of the host; `too_many_webhook_endpoints` when it is to be enabled.
pub async fn update(
    app: &App,
    caller: &Authenticated,
    webhook: Option<WebhookId>,
    wanted: Wanted,
) -> Result<Webhook> {
    let target = wanted.url.as_deref().map(|url| endpoint::target(app, url)).transpose()?;
    let events = wanted.events.as_deref().map(|words| endpoint::subscription(Some(words))).transpose()?;
    let webhook = webhook.ok_or(ErrorCode::NotFound)?;
    if let Some(target) = &target {
        super::find(app, caller, webhook).await?;
        endpoint::reach(app, target).await?;
    }
    let Wanted { description, active, .. } = wanted;
    let change = Change { url: target.map(|target| target.to_string()), events, description, active };
    let (account, environment) = (caller.account, caller.key.environment);
    match stored::update(&app.store, account, environment, webhook, change, app.clock.now()).await? {
        UpdateOutcome::Updated(webhook) => Ok(webhook),
        UpdateOutcome::NotFound => Err(ErrorCode::NotFound.into()),
        UpdateOutcome::TooMany => Err(ErrorCode::TooManyWebhookEndpoints.into()),
    }
}

/// Deletes an endpoint; as it was in the end.
///
/// # Errors
/// `not_found`, also for one that was deleted.
pub async fn delete(app: &App, caller: &Authenticated, webhook: WebhookId) -> Result<Webhook> {
    let (account, environment) = (caller.account, caller.key.environment);
    let deleted = stored::delete(&app.store, account, environment, webhook, app.clock.now()).await?;
    deleted.ok_or_else(|| ErrorCode::NotFound.into())
}

/// Gives an endpoint another secret, once for each `Idempotency-Key`; those before it stay valid for a day. `show` writes the
/// response from the endpoint, the secret and the end of the one before it.
///
/// # Errors
/// `not_found`; `rate_limited` when very many are still valid.
pub async fn rotate(
    app: &App,
    caller: &Authenticated,
    webhook: WebhookId,
    guarded: Option<Guarded>,
    show: impl Fn(&Webhook, String, Timestamp) -> Result<Response>,
) -> Result<Answer> {
    let (account, environment) = (caller.account, caller.key.environment);
    let now = app.clock.now();
    let next = |found: &Webhook, sealed: &[u8]| {
        let key = &app.secrets.webhooks;
        let secrets = Secrets::open(key, webhook, sealed)?.rotated(now).map_err(|free_at| {
            let seconds = u64::try_from(free_at.0.saturating_sub(now.0)).unwrap_or(0).div_ceil(1_000_000);
            let limit = "secrets that are valid at once";
            Error::RateLimited { limit, retry_after_seconds: seconds.max(1) }
        })?;
        let end = now.plus_seconds(secrets::OVERLAP_SECONDS);
        let response = show(found, secrets.expose(), end)?;
        let kept = match &guarded {
            Some(guarded) => guarded.kept(&response)?,
            None => response.clone(),
        };
        Ok((secrets.seal(key, webhook)?, response, kept))
    };
    loop {
        let request = guarded.as_ref().map(Guarded::request);
        let rotated =
            stored::rotate::<Error>(&app.store, account, environment, webhook, request.as_ref(), next, now);
        match rotated.await? {
            RotateOutcome::Rotated(response) => return Ok(Answer { response, replayed: false }),
            RotateOutcome::NotFound => return Err(ErrorCode::NotFound.into()),
            RotateOutcome::Replay(replay) => {
                if let Some(answer) = replayed(app, guarded.as_ref(), replay).await? {
                    return Ok(answer);
                }
            }
        }
    }
}
