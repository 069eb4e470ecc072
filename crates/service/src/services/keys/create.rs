//! Creates, renames and revokes keys on behalf of a key: checks what the caller may grant, and
//! returns the secret, which is shown once.

use lectern_store::{
    Environment, Scopes,
    idempotency::Response,
    keys::{self as stored, Authenticated, CreateOutcome, Key, NewKey, RevokeOutcome},
};
use lectern_types::{CreateKeyRequest, ErrorCode, KeyId, Timestamp, UpdateKeyRequest};
use secrecy::{ExposeSecret as _, SecretString};

use crate::services::idempotency::{self, Attempt, IdempotentRequest, IdempotentResponse};
use crate::{
    base::Base,
    error::{Error, Result},
};

/// Creates a key for `caller`, at most once per `Idempotency-Key`. `show` builds the response.
///
/// # Errors
/// `validation_failed` for an expiry in the past or after the caller's own, then
/// `scope_escalation`.
pub async fn create(
    base: &Base,
    caller: &Authenticated,
    params: CreateKeyRequest,
    idempotent: Option<IdempotentRequest>,
    show: impl Fn(&Key, &SecretString) -> Result<Response>,
) -> Result<IdempotentResponse> {
    let now = base.clock.now();
    let expires_at = expires_at_within(caller, params.expires_at, now)?;
    let environment = params.environment.unwrap_or(caller.key.environment);
    let scopes = params.scopes.0.into_iter().collect();
    check_escalation(caller, scopes, environment)?;
    let secret = super::generate(environment == Environment::Live);
    let hash = super::hash(&base.secrets.pepper, secret.expose_secret());
    let new = NewKey {
        id: base.ids.make(),
        hash: &hash,
        hint: super::hint(secret.expose_secret()),
        name: &params.name.0,
        scopes,
        environment,
        expires_at,
    };
    let response = show(&new.made(now), &secret)?;
    let idempotent = idempotent.as_ref();
    let kept = idempotent.map(|idempotent| idempotent.to_stored(&response)).transpose()?;
    let request = idempotent.map(IdempotentRequest::request);
    let record = request.as_ref().zip(kept.as_ref());
    let (account, own) = (caller.account, caller.key.environment);
    let attempt = || async {
        Ok(match stored::create(&base.store, account, own, &new, record, now).await? {
            CreateOutcome::Created(_) => Attempt::Done(response.clone()),
            CreateOutcome::Replay(replay) => Attempt::Replay(replay),
        })
    };
    Ok(idempotency::once(base, idempotent, attempt).await?.into())
}

/// When the key expires: as requested, or with the caller's key. No key outlives the key that
/// created it.
fn expires_at_within(
    caller: &Authenticated,
    requested: Option<Timestamp>,
    now: Timestamp,
) -> Result<Option<Timestamp>> {
    let own = caller.key.expires_at;
    match (requested, own) {
        (None, own) => Ok(own),
        (Some(requested), _) if requested <= now => {
            Err(Error::invalid("expires_at", "must be in the future"))
        }
        (Some(requested), Some(own)) if requested > own => {
            Err(Error::invalid("expires_at", format!("must not be after the calling key's own, {own}")))
        }
        (requested, _) => Ok(requested),
    }
}

pub(super) fn check_escalation(
    caller: &Authenticated,
    scopes: Scopes,
    environment: Environment,
) -> Result<()> {
    let is_live_from_test = caller.key.environment == Environment::Test && environment == Environment::Live;
    if scopes.is_subset_of(caller.key.scopes) && !is_live_from_test {
        return Ok(());
    }
    Err(Error::ScopeEscalation {
        requested: scopes.iter().collect(),
        held: caller.key.scopes.iter().collect(),
        environment: is_live_from_test.then_some(environment),
    })
}

/// Renames a key that `caller` can see.
///
/// # Errors
/// `not_found`.
pub async fn rename(
    base: &Base,
    caller: &Authenticated,
    key: Option<KeyId>,
    params: UpdateKeyRequest,
) -> Result<Key> {
    let key = key.ok_or(ErrorCode::NotFound)?;
    let name = params.name.as_ref().map(|name| name.0.as_str());
    let renamed = stored::rename(&base.store, caller.account, caller.key.environment, key, name).await?;
    renamed.ok_or_else(|| ErrorCode::NotFound.into())
}

/// Revokes a key that `caller` can see, even its own, unless it is the last admin key.
///
/// # Errors
/// `not_found`, `api_key_already_revoked`, `cannot_revoke_last_admin_key`.
pub async fn revoke(base: &Base, caller: &Authenticated, key: KeyId) -> Result<Key> {
    let now = base.clock.now();
    match stored::revoke(&base.store, caller.account, caller.key.environment, key, now).await? {
        RevokeOutcome::Revoked(key) => Ok(key),
        RevokeOutcome::AlreadyRevoked => Err(ErrorCode::ApiKeyAlreadyRevoked.into()),
        RevokeOutcome::LastAdminKey => Err(ErrorCode::CannotRevokeLastAdminKey.into()),
        RevokeOutcome::NotFound => Err(ErrorCode::NotFound.into()),
    }
}
