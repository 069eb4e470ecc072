//! Authenticates requests: from a bearer token to an account's key.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use lectern_store::{
    consent::Standing,
    keys::{self as stored, Authenticated},
};
use lectern_types::{DocumentKind, ErrorCode, KeyStatus};
use tokio_util::task::TaskTracker;

use crate::services::keys;
use crate::{
    base::Base,
    error::{Error, Result},
};

/// The active key of `token`.
///
/// # Errors
/// The contract's errors for tokens that are not an active key, or the store's failure.
pub async fn authenticate(base: &Base, tasks: &TaskTracker, token: &str) -> Result<Authenticated> {
    if looks_like_jwt(token) {
        return Err(ErrorCode::BearerNotAllowedOnSaas.into());
    }
    if !keys::is_well_formed(token) {
        return Err(ErrorCode::InvalidApiKey.into());
    }
    let hash = keys::hash(&base.secrets.pepper, token);
    let found = stored::authenticate(&base.store, &hash).await?.ok_or(ErrorCode::InvalidApiKey)?;
    let now = base.clock.now();
    match found.key.status(now) {
        KeyStatus::Revoked => return Err(ErrorCode::ApiKeyRevoked.into()),
        KeyStatus::Expired => return Err(ErrorCode::ApiKeyExpired.into()),
        KeyStatus::Active => {}
    }
    note_use(base, tasks, &found);
    Ok(found)
}

/// Records the key's use in the background: the request neither waits for it nor fails with it.
fn note_use(base: &Base, tasks: &TaskTracker, found: &Authenticated) {
    let now = base.clock.now();
    if found.key.last_used_at.is_some_and(|last| now < last.plus_seconds(60)) {
        return;
    }
    let (store, key) = (base.store.clone(), found.key.clone());
    tasks.spawn(async move {
        if let Err(error) = stored::touch(&store, &key, now).await {
            tracing::warn!(error = %error, "a key's last use could not be recorded");
        }
    });
}

/// Checks that the account does not owe consent.
///
/// # Errors
/// [`Error::ConsentRequired`].
pub fn check_consent(caller: &Authenticated) -> Result<()> {
    check_standing(&caller.consent)
}

/// Checks that no consent is owed.
///
/// # Errors
/// [`Error::ConsentRequired`].
pub fn check_standing(standing: &Standing) -> Result<()> {
    let owed = standing.owed();
    if owed.is_empty() {
        return Ok(());
    }
    Err(Error::ConsentRequired {
        owed: owed.into_iter().map(DocumentKind::as_str).collect(),
        terms_version: standing.current.terms.clone(),
        privacy_version: standing.current.privacy.clone(),
    })
}

/// Whether a token looks like a session token, valid or not: three parts, the first a JSON object
/// with `alg`.
fn looks_like_jwt(token: &str) -> bool {
    let parts: Vec<&str> = token.split('.').collect();
    let [header, _, _] = parts[..] else { return false };
    let Ok(bytes) = URL_SAFE_NO_PAD.decode(header.trim_end_matches('=')) else { return false };
    serde_json::from_slice::<serde_json::Value>(&bytes)
        .is_ok_and(|value| value.as_object().is_some_and(|object| object.contains_key("alg")))
}

#[cfg(test)]
mod tests {
    use super::looks_like_jwt;

    #[test]
    fn three_parts_with_an_alg_are_a_session_token() {
        // {"alg":"none"}
        assert!(looks_like_jwt("eyJhbGciOiJub25lIn0.e30."));
        assert!(looks_like_jwt("eyJhbGciOiJub25lIn0.anything.at-all"));
        for not in ["eyJhbGciOiJub25lIn0.e30", "a.b.c", "e30.e30.e30", "svc_live_abc", "W10.x.y", ""] {
            assert!(!looks_like_jwt(not), "{not}");
        }
    }
}
