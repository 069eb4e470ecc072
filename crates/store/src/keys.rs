//! API keys: stored as a keyed hash, looked up in one round trip with all that a request's checks need.

use lectern_types::{AccountId, KeyId, Timestamp};

use crate::{
    Environment, Result, Scopes, Store, Tier,
    idempotency::{Replay, Request, Response},
};

/// A key about to be stored. The key itself never reaches the store.
#[derive(Debug, Clone)]
pub struct NewKey<'a> {
    /// Its id.
    pub id: KeyId,
    /// The keyed hash by which it is found.
    pub hash: &'a [u8],
    /// The last characters, kept for people.
    pub hint: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its permissions.
    pub scopes: Scopes,
    /// Its environment.
    pub environment: Environment,
    /// When it ends, if ever.
    pub expires_at: Option<Timestamp>,
}

/// A stored key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Its id.
    pub id: KeyId,
    /// Its name.
    pub name: String,
    /// Its permissions.
    pub scopes: Scopes,
    /// Its environment.
    pub environment: Environment,
    /// The last characters of the key.
    pub hint: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends, if ever.
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// A key's state at some instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyStatus {
    /// It opens the door.
    Active,
    /// It was revoked, whether or not it has ended since.
    Revoked,
    /// Its end has come.
    Expired,
}

impl Key {
    /// The key's state at this instant.
    pub fn status(&self, now: Timestamp) -> KeyStatus {
        if self.revoked_at.is_some() {
            KeyStatus::Revoked
        } else if self.expires_at.is_some_and(|end| end <= now) {
            KeyStatus::Expired
        } else {
            KeyStatus::Active
        }
    }
}

/// All that a request's checks need to know of its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authenticated {
    /// The key.
    pub key: Key,
    /// Its account.
    pub account: AccountId,
    /// The account's address.
    pub email: String,
    /// Whether the address is confirmed.
    pub email_confirmed: bool,
    /// The account's level.
    pub tier: Tier,
    /// Whether the account ever purchased credits.
    pub has_purchased_credits: bool,
    /// When the account was made.
    pub account_created_at: Timestamp,
    /// What is published and what the account accepted.
    pub consent: crate::consent::Standing,
}

/// The key with this hash and its account, in one round trip. Revoked and expired keys are found, too: the
/// caller answers each differently.
pub async fn authenticate(store: &Store, hash: &[u8]) -> Result<Option<Authenticated>> {
    todo!()
}

/// Notes that the key was used, at most once a minute: touches the database only when the last use that
/// `key` carries is older. Returns whether it did.
pub async fn touch(store: &Store, key: &Key, now: Timestamp) -> Result<bool> {
    todo!()
}

/// How making a key ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreateOutcome {
    /// It is stored.
    Created(Key),
    /// Nothing was stored: the `Idempotency-Key` had been used.
    Replay(Replay),
}

/// Stores a key, and with it the response to replay when the request carried an `Idempotency-Key`.
pub async fn create(
    store: &Store,
    account: AccountId,
    key: &NewKey<'_>,
    idempotency: Option<(&Request<'_>, &Response)>,
    now: Timestamp,
) -> Result<CreateOutcome> {
    todo!()
}

/// The account's keys that a key of `visible_from` may see, newest first: a live key sees all, a test key
/// those of its own environment. `before` is the last id of the page before.
pub async fn list(
    store: &Store,
    account: AccountId,
    visible_from: Environment,
    before: Option<KeyId>,
    limit: u32,
) -> Result<Vec<Key>> {
    todo!()
}

/// How a revocation ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RevokeOutcome {
    /// It is revoked now.
    Revoked(Key),
    /// It was revoked before.
    AlreadyRevoked,
    /// It is the account's only active admin key.
    LastAdminKey,
    /// No such key is to be seen from there.
    NotFound,
}

/// Revokes a key of the account, as seen from a key of `visible_from`. Of two concurrent revocations of
/// the last two active admin keys exactly one succeeds.
pub async fn revoke(
    store: &Store,
    account: AccountId,
    visible_from: Environment,
    key: KeyId,
    now: Timestamp,
) -> Result<RevokeOutcome> {
    todo!()
}
