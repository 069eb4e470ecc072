//! Rolls keys: a new key takes the place of an old one, which goes on working for a while.

use lectern_store::{
    Environment,
    idempotency::Response,
    keys::{self as stored, Authenticated, Key, Microseconds, Roll, RollOutcome, Successor},
};
use lectern_types::{ErrorCode, KeyId, RollKeyRequest, Timestamp};
use secrecy::{ExposeSecret as _, SecretString};

use super::create::check_escalation;
use crate::{
    base::Base,
    error::{Error, Result},
    services::idempotency::{self, Attempt, IdempotentRequest, IdempotentResponse},
};

/// Replaces a key that `caller` can see, even its own, at most once per `Idempotency-Key`. The new
/// key has the old one's name, permissions and environment, and lasts as long as the old one was
/// made to last. `show` builds the response from the new key, its secret and the old key.
///
/// # Errors
/// `not_found`, `api_key_already_revoked`, `scope_escalation`.
pub async fn roll(
    base: &Base,
    caller: &Authenticated,
    key: Option<KeyId>,
    params: RollKeyRequest,
    idempotent: Option<IdempotentRequest>,
    show: impl Fn(&Key, &SecretString, &Key) -> Result<Response>,
) -> Result<IdempotentResponse> {
    let key = key.ok_or(ErrorCode::NotFound)?;
    let now = base.clock.now();
    let grace = params.previous_ends_in_seconds.map_or(0, |seconds| i64::from(seconds.0));
    // The prefix is part of a key, and which one it gets is known once the old key is found.
    let secrets = [super::generate(false), super::generate(true)];
    let secret_of = |environment: Environment| &secrets[usize::from(environment == Environment::Live)];
    let idempotent = idempotent.as_ref();
    let request = idempotent.map(IdempotentRequest::request);
    let successor = |previous: &Key, lifetime: Option<Microseconds>| {
        check_escalation(caller, previous.scopes, previous.environment)?;
        let secret = secret_of(previous.environment).expose_secret();
        let hash = super::hash(&base.secrets.pepper, secret);
        let expires_at = expires_at(caller, lifetime, now);
        Ok(Successor { hash, hint: super::hint(secret).to_owned(), expires_at })
    };
    let show = |new: &Key, previous: &Key| {
        let response = show(new, secret_of(new.environment), previous)?;
        let kept = idempotent.map(|idempotent| idempotent.to_stored(&response)).transpose()?;
        Ok((response.clone(), kept.unwrap_or(response)))
    };
    let attempt = || async {
        let roll = Roll { key, id: base.ids.make(), now, previous_ends_at: now.plus_seconds(grace) };
        let own = caller.key.environment;
        let rolled =
            stored::roll::<Error>(&base.store, caller.account, own, roll, request.as_ref(), successor, show);
        match rolled.await? {
            RollOutcome::Rolled(response) => Ok(Attempt::Done(response)),
            RollOutcome::AlreadyRevoked => Err(ErrorCode::ApiKeyAlreadyRevoked.into()),
            RollOutcome::NotFound => Err(ErrorCode::NotFound.into()),
            RollOutcome::Replay(replay) => Ok(Attempt::Replay(replay)),
        }
    };
    Ok(idempotency::once(base, idempotent, attempt).await?.into())
}

/// When the new key expires: after as long a life as the old one was given, and not after the key
/// that rolls it. No key outlives the key that created it, and no time is later than can be written.
fn expires_at(caller: &Authenticated, lifetime: Option<Microseconds>, now: Timestamp) -> Option<Timestamp> {
    let renewed = lifetime.map(|lifetime| now.plus_micros(lifetime).min(Timestamp::LAST));
    match (renewed, caller.key.expires_at) {
        (Some(renewed), Some(own)) => Some(renewed.min(own)),
        (renewed, own) => renewed.or(own),
    }
}
