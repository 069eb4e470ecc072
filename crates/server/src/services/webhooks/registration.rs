//! Registering an endpoint.

use lectern_store::{
    idempotency::Response,
    keys::Authenticated,
    webhooks::{self as stored, CreateOutcome, NewWebhook, Webhook},
};
use lectern_types::ErrorCode;

use super::{endpoint, replayed, secrets::Secrets};
use crate::{
    app::App,
    error::Result,
    services::idempotency::{Answer, Guarded},
};

/// An endpoint to be registered, its fields of the right types.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Where it is.
    pub url: String,
    /// What it subscribes to.
    pub events: Option<Vec<String>>,
    /// For people.
    pub description: Option<String>,
}

/// Registers an endpoint in the environment of `caller`, once for each `Idempotency-Key`. `show` writes the response, with the
/// secret.
///
/// # Errors
/// In this order: `validation_failed` for the URL's form, `url_must_be_https`, `url_host_not_allowed`, `events_required`,
/// `invalid_event_type`, what the DNS says of the host, `too_many_webhook_endpoints`.
pub async fn register(
    app: &App,
    caller: &Authenticated,
    wanted: Wanted,
    guarded: Option<Guarded>,
    show: impl Fn(&Webhook, String) -> Result<Response>,
) -> Result<Answer> {
    let target = endpoint::target(app, &wanted.url)?;
    let events = endpoint::subscription(wanted.events.as_deref())?;
    endpoint::reach(app, &target).await?;
    let (account, environment) = (caller.account, caller.key.environment);
    let now = app.clock.now();
    let (id, secrets, url) = (app.ids.make(), Secrets::make(), target.to_string());
    let sealed = secrets.seal(&app.secrets.webhooks, id)?;
    let new = NewWebhook {
        id,
        url: &url,
        events: &events,
        description: wanted.description.as_deref(),
        secrets: &sealed,
    };
    let response = show(&new.made(environment, now), secrets.expose())?;
    loop {
        let kept = guarded.as_ref().map(|guarded| guarded.kept(&response)).transpose()?;
        let record = guarded.as_ref().map(Guarded::request);
        let record = record.as_ref().zip(kept.as_ref());
        match stored::create(&app.store, account, environment, &new, record, now).await? {
            CreateOutcome::Created => return Ok(Answer { response, replayed: false }),
            CreateOutcome::TooMany => return Err(ErrorCode::TooManyWebhookEndpoints.into()),
            CreateOutcome::Replay(replay) => {
                if let Some(answer) = replayed(app, guarded.as_ref(), replay).await? {
                    return Ok(answer);
                }
            }
        }
    }
}
