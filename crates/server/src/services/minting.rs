//! Making and revoking keys on behalf of a key: what the caller may give, and the secret that is shown once.

use lectern_store::{
    Environment, Scopes,
    idempotency::Response,
    keys::{self as stored, Authenticated, CreateOutcome, Key, NewKey, RevokeOutcome},
};
use lectern_types::{ErrorCode, KeyId, Timestamp};
use secrecy::{ExposeSecret as _, SecretString};

use super::{
    idempotency::{self, Answer, Guarded},
    keys,
};
use crate::{
    app::App,
    error::{Error, Result},
};

/// A key to be made, its form checked.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Its name.
    pub name: String,
    /// Its permissions, at least one.
    pub scopes: Scopes,
    /// Its environment; the caller's when `None`.
    pub environment: Option<Environment>,
    /// When it ends; with the caller when `None`.
    pub expires_at: Option<Timestamp>,
}

/// Makes a key for `caller`, at most once for an `Idempotency-Key`. `show` writes the response.
///
/// # Errors
/// `validation_failed` for an end that is past or after the caller's own, then `scope_escalation`.
pub async fn mint(
    app: &App,
    caller: &Authenticated,
    wanted: Wanted,
    guarded: Option<Guarded>,
    show: impl Fn(&Key, &SecretString) -> Result<Response>,
) -> Result<Answer> {
    let now = app.clock.now();
    let expires_at = end(caller, wanted.expires_at, now)?;
    let environment = wanted.environment.unwrap_or(caller.key.environment);
    check_escalation(caller, wanted.scopes, environment)?;
    let secret = keys::mint(environment == Environment::Live);
    let hash = keys::hash(&app.secrets.pepper, secret.expose_secret());
    let new = NewKey {
        id: app.ids.make(),
        hash: &hash,
        hint: keys::hint(secret.expose_secret()),
        name: &wanted.name,
        scopes: wanted.scopes,
        environment,
        expires_at,
    };
    let response = show(&new.made(now), &secret)?;
    loop {
        let kept = guarded.as_ref().map(|guarded| guarded.kept(&response)).transpose()?;
        let record = guarded.as_ref().map(Guarded::request);
        let record = record.as_ref().zip(kept.as_ref());
        let (account, own) = (caller.account, caller.key.environment);
        match (stored::create(&app.store, account, own, &new, record, now).await?, &guarded) {
            (CreateOutcome::Created(_), _) => return Ok(Answer { response, replayed: false }),
            (CreateOutcome::Replay(replay), Some(guarded)) => {
                if let Some(response) = idempotency::follow(app, guarded, replay).await? {
                    return Ok(Answer { response, replayed: true });
                }
            }
            (CreateOutcome::Replay(_), None) => {
                return Err(Error::Internal("a replay without an Idempotency-Key".to_owned()));
            }
        }
    }
}

/// When the key ends: an end of its own, else the caller's, so that no key outlives who made it.
fn end(caller: &Authenticated, asked: Option<Timestamp>, now: Timestamp) -> Result<Option<Timestamp>> {
    let own = caller.key.expires_at;
    match (asked, own) {
        (None, own) => Ok(own),
        (Some(end), _) if end <= now => Err(Error::invalid("expires_at", "must be in the future")),
        (Some(end), Some(own)) if end > own => {
            Err(Error::invalid("expires_at", format!("must not be after the calling key's own, {own}")))
        }
        (end, _) => Ok(end),
    }
}

fn check_escalation(caller: &Authenticated, scopes: Scopes, environment: Environment) -> Result<()> {
    let out_of_reach = caller.key.environment == Environment::Test && environment == Environment::Live;
    if scopes.is_subset_of(caller.key.scopes) && !out_of_reach {
        return Ok(());
    }
    Err(Error::ScopeEscalation {
        requested: scopes.iter().collect(),
        held: caller.key.scopes.iter().collect(),
        environment: out_of_reach.then_some(environment),
    })
}

/// Revokes a key that `caller` sees: its own is no exception, unless it is the last.
///
/// # Errors
/// `not_found`, `api_key_already_revoked`, `cannot_revoke_last_admin_key`.
pub async fn revoke(app: &App, caller: &Authenticated, key: KeyId) -> Result<Key> {
    let now = app.clock.now();
    match stored::revoke(&app.store, caller.account, caller.key.environment, key, now).await? {
        RevokeOutcome::Revoked(key) => Ok(key),
        RevokeOutcome::AlreadyRevoked => Err(ErrorCode::ApiKeyAlreadyRevoked.into()),
        RevokeOutcome::LastAdminKey => Err(ErrorCode::CannotRevokeLastAdminKey.into()),
        RevokeOutcome::NotFound => Err(ErrorCode::NotFound.into()),
    }
}
