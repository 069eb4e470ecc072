//! Registers endpoints.

use lectern_store::{
    idempotency::Response,
    keys::Authenticated,
    webhooks::{self as stored, CreateOutcome, NewWebhook, Webhook},
};
use lectern_types::{CreateWebhookRequest, ErrorCode, OrNull};

use super::{endpoint, secrets::Secrets};
use crate::{
    base::Base,
    error::Result,
    services::idempotency::{self, Attempt, IdempotentRequest, IdempotentResponse},
};

/// Registers an endpoint in the environment of `caller`, once per `Idempotency-Key`. `show` builds
/// the response with the secret.
///
/// # Errors
/// In this order: `validation_failed` for the URL's form, `url_must_be_https`,
/// `url_host_not_allowed`, `events_required`, `invalid_event_type`, errors about the host's
/// addresses, `too_many_webhook_endpoints`.
pub async fn register(
    base: &Base,
    caller: &Authenticated,
    params: CreateWebhookRequest,
    idempotent: Option<IdempotentRequest>,
    show: impl Fn(&Webhook, String) -> Result<Response>,
) -> Result<IdempotentResponse> {
    let description = params.description.and_then(|OrNull(note)| Some(note?.0));
    let target = endpoint::target(&base.outbound, &params.url.0)?;
    let events = endpoint::subscription(&params.events.0)?;
    endpoint::check_host(&base.outbound, &target).await?;
    let (account, environment) = (caller.account, caller.key.environment);
    let now = base.clock.now();
    let (id, secrets, url) = (base.ids.make(), Secrets::generate(), target.to_string());
    let sealed = secrets.seal(&base.secrets.webhooks, id)?;
    let new =
        NewWebhook { id, url: &url, events: &events, description: description.as_deref(), secrets: &sealed };
    let response = show(&new.made(environment, now), secrets.expose())?;
    let idempotent = idempotent.as_ref();
    let kept = idempotent.map(|idempotent| idempotent.to_stored(&response)).transpose()?;
    let request = idempotent.map(IdempotentRequest::request);
    let record = request.as_ref().zip(kept.as_ref());
    let attempt = || async {
        match stored::create(&base.store, account, environment, &new, record, now).await? {
            CreateOutcome::Created => Ok(Attempt::Done(response.clone())),
            CreateOutcome::TooMany => Err(ErrorCode::TooManyWebhookEndpoints.into()),
            CreateOutcome::Replay(replay) => Ok(Attempt::Replay(replay)),
        }
    };
    Ok(idempotency::once(base, idempotent, attempt).await?.into())
}
