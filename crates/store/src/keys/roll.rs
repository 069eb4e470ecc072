//! Replaces a key by a new one, and sets the end of the old one.

use lectern_types::{AccountId, KeyId, KeyStatus, Timestamp};

use super::{Key, NewKey, find, insertion};
use crate::{
    Environment, Error, Result, Store,
    db::{Tx, sql},
    dialect,
    idempotency::{self, Replay, Request, Response, RowKey},
};

/// Which key is replaced, by which, and when it ends.
#[derive(Debug, Clone, Copy)]
pub struct Roll {
    /// The key to replace.
    pub key: KeyId,
    /// The new key's id.
    pub id: KeyId,
    pub now: Timestamp,
    /// When the old key ends, if not earlier. It is revoked when this is not after `now`.
    pub previous_ends_at: Timestamp,
}

/// A length of time.
pub type Microseconds = i64;

/// How a life without an end is stored.
const FOR_EVER: Microseconds = 0;

/// The parts of the new key that are decided when the old one is known.
#[derive(Debug, Clone)]
pub struct Successor {
    /// The keyed hash.
    pub hash: [u8; 32],
    /// The last characters.
    pub hint: String,
    /// When it expires, if ever.
    pub expires_at: Option<Timestamp>,
}

/// The outcome of a roll. Nothing was changed unless it is [`RollOutcome::Rolled`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RollOutcome {
    /// The new key is stored; carries the response with it.
    Rolled(Response),
    /// The old key was revoked before.
    AlreadyRevoked,
    /// There is no such key, or the caller may not see it.
    NotFound,
    /// The `Idempotency-Key` was used before.
    Replay(Replay),
}

/// Creates a key with the name, permissions and environment of another one, as seen from a key of
/// `visible_from`. `successor` decides about the new key, and whether the caller may have it; `show`
/// writes the response, from the new key and the old one, and its stored form. Their errors roll
/// everything back. `successor` is told how long the old key was made to last, if not for ever.
///
/// # Errors
/// The store's or those of `successor` and `show`.
pub async fn roll<E: From<Error>>(
    store: &Store,
    account: AccountId,
    visible_from: Environment,
    roll: Roll,
    idempotency: Option<&Request<'_>>,
    successor: impl Fn(&Key, Option<Microseconds>) -> Result<Successor, E>,
    show: impl Fn(&Key, &Key) -> Result<(Response, Response), E>,
) -> Result<RollOutcome, E> {
    let Roll { key, id, now, previous_ends_at } = roll;
    let mut tx = store.begin().await?;
    // The lock that revocations take: a key that is being revoked is not rolled.
    if tx.one(sql!(dialect::lock_account(tx.backend()), account)).await?.is_none() {
        return Ok(RollOutcome::NotFound);
    }
    let Some(mut previous) = find(&mut tx, account, visible_from, key).await? else {
        return Ok(RollOutcome::NotFound);
    };
    let row = idempotency.map(|request| (RowKey::new(account, visible_from, request), request.fingerprint));
    if previous.status(now) == KeyStatus::Revoked {
        let replay = match &row {
            Some((row, fingerprint)) => idempotency::recorded(&mut tx, row, fingerprint, now).await?,
            None => None,
        };
        return Ok(replay.map_or(RollOutcome::AlreadyRevoked, RollOutcome::Replay));
    }
    let lifetime = lifetime(&mut tx, &previous).await?;
    let Successor { hash, hint, expires_at } = successor(&previous, lifetime)?;
    let name = previous.name.clone();
    let (scopes, environment) = (previous.scopes, previous.environment);
    let new = NewKey { id, hash: &hash, hint: &hint, name: &name, scopes, environment, expires_at };
    if previous_ends_at <= now {
        previous.revoked_at = Some(now);
    } else if previous.expires_at.is_none_or(|end| end > previous_ends_at) {
        previous.expires_at = Some(previous_ends_at);
    }
    let (response, kept) = show(&new.made(now), &previous)?;
    if let Some((row, fingerprint)) = &row
        && let Some(replay) = idempotency::record(&mut tx, row, fingerprint, &kept, now).await?
    {
        return Ok(RollOutcome::Replay(replay));
    }
    tx.run(insertion(account, &new, now)).await?;
    tx.run(sql!(
        "UPDATE api_keys SET expires_at = $2, revoked_at = $3, lifetime_us = $4 WHERE id = $1",
        key,
        previous.expires_at,
        previous.revoked_at,
        lifetime.unwrap_or(FOR_EVER)
    ))
    .await?;
    tx.commit().await?;
    Ok(RollOutcome::Rolled(response))
}

/// How long a key was made to last. The end that a roll gave it says nothing of that.
async fn lifetime(tx: &mut Tx, key: &Key) -> Result<Option<Microseconds>> {
    let row = tx.one(sql!("SELECT lifetime_us FROM api_keys WHERE id = $1", key.id)).await?;
    let kept: Option<Microseconds> =
        row.as_ref().and_then(|row| row.get("lifetime_us").transpose()).transpose()?;
    let by_its_end = || key.expires_at.map(|end| end.0 - key.created_at.0);
    Ok(kept.map_or_else(by_its_end, |kept| Some(kept).filter(|kept| *kept != FOR_EVER)))
}
