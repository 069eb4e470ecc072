//! API keys, stored as a keyed hash. One round trip looks up a key, everything that a request's
//! checks need, and the account's balance, which many requests ask for.

use lectern_types::{AccountId, KeyId, KeyStatus, Timestamp};

use crate::{
    Environment, Result, Scopes, Store, Tier,
    consent::{Standing, Versions},
    db::{Row, Statement, Tx, sql},
    dialect,
    idempotency::{self, Replay, Request, Response, RowKey},
    ledger::Balance,
};

mod rename;
mod roll;

pub use rename::rename;
pub use roll::{Microseconds, Roll, RollOutcome, Successor, roll};

/// A key to store. The key itself never reaches the store.
#[derive(Debug, Clone)]
pub struct NewKey<'a> {
    pub id: KeyId,
    /// The keyed hash by which the key is found.
    pub hash: &'a [u8],
    /// The last characters, kept for people.
    pub hint: &'a str,
    pub name: &'a str,
    /// Its permissions.
    pub scopes: Scopes,
    pub environment: Environment,
    /// When it expires, if ever.
    pub expires_at: Option<Timestamp>,
}

impl NewKey<'_> {
    /// The key as it is when created at this instant.
    pub fn made(&self, now: Timestamp) -> Key {
        Key {
            id: self.id,
            name: self.name.to_owned(),
            scopes: self.scopes,
            environment: self.environment,
            hint: self.hint.to_owned(),
            created_at: now,
            expires_at: self.expires_at,
            last_used_at: None,
            revoked_at: None,
        }
    }
}

/// A stored key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    pub id: KeyId,
    pub name: String,
    /// Its permissions.
    pub scopes: Scopes,
    pub environment: Environment,
    /// The last characters of the key.
    pub hint: String,
    pub created_at: Timestamp,
    /// When it expires, if ever.
    pub expires_at: Option<Timestamp>,
    /// When it was last used, accurate to a minute.
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

impl Key {
    /// Whether it is the key under which sessions act. Only that one has no hint, because nobody was
    /// ever shown it.
    pub fn is_of_pages(&self) -> bool {
        self.hint.is_empty()
    }

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

/// Everything that a request's checks need to know about its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authenticated {
    pub key: Key,
    pub account: AccountId,
    pub email: String,
    /// Whether the account's address is confirmed.
    pub email_confirmed: bool,
    pub tier: Tier,
    /// Whether the account ever purchased credits.
    pub has_purchased_credits: bool,
    pub account_created_at: Timestamp,
    /// The published versions and those that the account accepted.
    pub consent: Standing,
    /// The account's credits.
    pub balance: Balance,
}

/// A use is recorded when the last recorded use is at least this old.
const NOTED_SECONDS: i64 = 60;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT k.id, k.name, k.scope_read, k.scope_write, k.scope_admin, k.environment, k.hint,
                 k.created_at, k.expires_at, k.last_used_at, k.revoked_at",
            $rest
        )
    };
}

macro_rules! with_account {
    ($condition:literal) => {
        concat!(
            select!(
                ", a.id AS account_id, a.email, a.email_confirmed_at, a.tier, a.has_purchased_credits,
                 a.created_at AS account_created_at, t.version AS terms_version, p.version AS privacy_version,
                 a.terms_accepted_version, a.privacy_accepted_version, b.balance, b.held
             FROM api_keys k
             JOIN accounts a ON a.id = k.account_id
             JOIN account_balances b ON b.account_id = a.id
             LEFT JOIN consent_current t ON t.document = 'terms'
             LEFT JOIN consent_current p ON p.document = 'privacy'
             WHERE "
            ),
            $condition
        )
    };
}

fn read(row: &Row) -> Result<Key> {
    Ok(Key {
        id: row.get("id")?,
        name: row.get("name")?,
        scopes: Scopes {
            read: row.get("scope_read")?,
            write: row.get("scope_write")?,
            admin: row.get("scope_admin")?,
        },
        environment: row.get("environment")?,
        hint: row.get("hint")?,
        created_at: row.get("created_at")?,
        expires_at: row.get("expires_at")?,
        last_used_at: row.get("last_used_at")?,
        revoked_at: row.get("revoked_at")?,
    })
}

/// The key with this hash and its account, in one round trip. Revoked and expired keys are found,
/// too, because the caller answers each differently.
pub async fn authenticate(store: &Store, hash: &[u8]) -> Result<Option<Authenticated>> {
    let row = store.one(sql!(with_account!("k.hash = $1"), hash)).await?;
    row.as_ref().map(read_with_account).transpose()
}

fn read_with_account(row: &Row) -> Result<Authenticated> {
    let mut found = Authenticated {
        key: read(row)?,
        account: row.get("account_id")?,
        email: row.get("email")?,
        email_confirmed: row.get::<Option<Timestamp>>("email_confirmed_at")?.is_some(),
        tier: row.get("tier")?,
        has_purchased_credits: row.get("has_purchased_credits")?,
        account_created_at: row.get("account_created_at")?,
        consent: Standing {
            current: Versions { terms: row.get("terms_version")?, privacy: row.get("privacy_version")? },
            accepted: Versions {
                terms: row.get("terms_accepted_version")?,
                privacy: row.get("privacy_accepted_version")?,
            },
        },
        balance: Balance {
            balance: row.get("balance")?,
            held: row.get("held")?,
            has_purchased_credits: false,
        },
    };
    found.balance.has_purchased_credits = found.has_purchased_credits;
    Ok(found)
}

/// The key under which the account's pages act in this environment, with everything that
/// [`authenticate`] returns; `None` when it was never created.
pub async fn of_pages(
    store: &Store,
    account: AccountId,
    environment: Environment,
) -> Result<Option<Authenticated>> {
    let row = store
        .one(sql!(
            with_account!("k.account_id = $1 AND k.environment = $2 AND k.origin = 'web'"),
            account,
            environment
        ))
        .await?;
    row.as_ref().map(read_with_account).transpose()
}

/// Creates the key under which the account's pages act, unless it exists.
pub async fn create_of_pages(
    store: &Store,
    account: AccountId,
    key: &NewKey<'_>,
    now: Timestamp,
) -> Result<()> {
    store
        .run(sql!(
            "INSERT INTO api_keys (id, account_id, environment, name, scope_read, scope_write, scope_admin, hash,
                 hint, created_at, origin)
             VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8, $9, 'web') ON CONFLICT DO NOTHING",
            key.id,
            account,
            key.environment,
            key.name,
            key.scopes.read,
            key.scopes.write,
            key.hash,
            key.hint,
            now
        ))
        .await?;
    Ok(())
}

/// Records that the key was used, at most once a minute: touches the database only when the last
/// use that `key` carries is older. Returns whether it did.
pub async fn touch(store: &Store, key: &Key, now: Timestamp) -> Result<bool> {
    let stale = now.plus_seconds(-NOTED_SECONDS);
    if key.last_used_at.is_some_and(|last| last > stale) {
        return Ok(false);
    }
    // The condition is repeated, so that only one of the requests that read the same old use
    // writes.
    let touched = store
        .run(sql!(
            "UPDATE api_keys SET last_used_at = $2
             WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)",
            key.id,
            now,
            stale
        ))
        .await?;
    Ok(touched == 1)
}

/// The outcome of creating a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreateOutcome {
    /// It is stored.
    Created(Key),
    /// Nothing was stored: the `Idempotency-Key` was used before.
    Replay(Replay),
}

/// Stores a key. When the request carried an `Idempotency-Key`, also stores the response to replay,
/// in the environment of the calling key (`caller`).
pub async fn create(
    store: &Store,
    account: AccountId,
    caller: Environment,
    key: &NewKey<'_>,
    idempotency: Option<(&Request<'_>, &Response)>,
    now: Timestamp,
) -> Result<CreateOutcome> {
    let mut tx = store.begin().await?;
    if let Some((request, response)) = idempotency {
        let row = RowKey::new(account, caller, request);
        if let Some(replay) = idempotency::record(&mut tx, &row, request.fingerprint, response, now).await? {
            return Ok(CreateOutcome::Replay(replay));
        }
    }
    tx.run(insertion(account, key, now)).await?;
    tx.commit().await?;
    Ok(CreateOutcome::Created(key.made(now)))
}

/// The statement that stores a key.
pub(crate) fn insertion(account: AccountId, key: &NewKey<'_>, now: Timestamp) -> Statement {
    sql!(
        "INSERT INTO api_keys (id, account_id, environment, name, scope_read, scope_write, scope_admin, hash,
             hint, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        key.id,
        account,
        key.environment,
        key.name,
        key.scopes.read,
        key.scopes.write,
        key.scopes.admin,
        key.hash,
        key.hint,
        now,
        key.expires_at
    )
}

/// The account's keys that a key of `visible_from` may see, newest first: a live key sees all keys,
/// a test key only those of its own environment. `before` is the last id of the previous page.
pub async fn list(
    store: &Store,
    account: AccountId,
    visible_from: Environment,
    before: Option<KeyId>,
    limit: u32,
) -> Result<Vec<Key>> {
    let rows = store
        .all(sql!(
            select!(
                " FROM api_keys k
             WHERE k.account_id = $1 AND ($2 = 'live' OR k.environment = 'test') AND ($3 IS NULL OR k.id < $3)
               AND k.origin = 'api' ORDER BY k.id DESC LIMIT $4"
            ),
            account,
            visible_from,
            before,
            limit
        ))
        .await?;
    rows.iter().map(read).collect()
}

/// The account's keys of one environment, newest first. `before` is the last id of the previous
/// page.
pub async fn list_of(
    store: &Store,
    account: AccountId,
    environment: Environment,
    before: Option<KeyId>,
    limit: u32,
) -> Result<Vec<Key>> {
    let rows = store
        .all(sql!(
            select!(
                " FROM api_keys k
             WHERE k.account_id = $1 AND k.environment = $2 AND ($3 IS NULL OR k.id < $3)
               AND k.origin = 'api' ORDER BY k.id DESC LIMIT $4"
            ),
            account,
            environment,
            before,
            limit
        ))
        .await?;
    rows.iter().map(read).collect()
}

/// The outcome of a revocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RevokeOutcome {
    /// It is revoked now.
    Revoked(Key),
    /// It was revoked before.
    AlreadyRevoked,
    /// It is the account's only active admin key.
    LastAdminKey,
    /// There is no such key, or the caller may not see it.
    NotFound,
}

/// Revokes a key of the account, as seen from a key of `visible_from`. Of two concurrent
/// revocations of the last two active admin keys exactly one succeeds.
pub async fn revoke(
    store: &Store,
    account: AccountId,
    visible_from: Environment,
    key: KeyId,
    now: Timestamp,
) -> Result<RevokeOutcome> {
    let mut tx = store.begin().await?;
    // Without this lock, two concurrent revocations on PostgreSQL would each count the other's key
    // as still active.
    if tx.one(sql!(dialect::lock_account(tx.backend()), account)).await?.is_none() {
        return Ok(RevokeOutcome::NotFound);
    }
    let Some(mut found) = find(&mut tx, account, visible_from, key).await? else {
        return Ok(RevokeOutcome::NotFound);
    };
    match found.status(now) {
        KeyStatus::Revoked => return Ok(RevokeOutcome::AlreadyRevoked),
        KeyStatus::Active if found.scopes.admin => {
            let other = tx
                .one(sql!(
                    "SELECT id FROM api_keys WHERE account_id = $1 AND id <> $2 AND scope_admin = 1
                       AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3) LIMIT 1",
                    account,
                    key,
                    now
                ))
                .await?;
            if other.is_none() {
                return Ok(RevokeOutcome::LastAdminKey);
            }
        }
        KeyStatus::Active | KeyStatus::Expired => {}
    }
    tx.run(sql!("UPDATE api_keys SET revoked_at = $2 WHERE id = $1", key, now)).await?;
    tx.commit().await?;
    found.revoked_at = Some(now);
    Ok(RevokeOutcome::Revoked(found))
}

/// A key of the account that a key of `visible_from` may see.
async fn find(tx: &mut Tx, account: AccountId, visible_from: Environment, key: KeyId) -> Result<Option<Key>> {
    let found = tx
        .one(sql!(
            select!(
                " FROM api_keys k
             WHERE k.account_id = $1 AND ($2 = 'live' OR k.environment = 'test') AND k.id = $3
               AND k.origin = 'api'"
            ),
            account,
            visible_from,
            key
        ))
        .await?;
    found.as_ref().map(read).transpose()
}
