//! Sign-ins. A session token names its row, so that signing out ends it at once. The server knows
//! the form of a token.

use lectern_types::{AccountId, SessionId, Timestamp};

use crate::{
    Result, Store,
    accounts::{self, Account},
    consent::{Standing, Versions},
    db::{Row, Statement, sql},
    dialect,
};

/// A live session and everything that a request's checks need to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    pub session: SessionId,
    pub expires_at: Timestamp,
    pub account: Account,
    /// The published versions and those that the account accepted.
    pub consent: Standing,
}

/// A session to create.
#[derive(Debug, Clone, Copy)]
pub struct NewSession<'a> {
    pub id: SessionId,
    pub account: AccountId,
    pub expires_at: Timestamp,
    /// The client's IP address.
    pub ip: Option<&'a str>,
    /// The client's user agent.
    pub user_agent: Option<&'a str>,
}

/// A live session, as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub id: SessionId,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    /// The IP address from which it was started.
    pub ip: Option<String>,
    /// The client's user agent.
    pub user_agent: Option<String>,
}

/// Creates a session for somebody who gave the password with this hash. Stores nothing and returns
/// false when the account's password has changed since: a reset in between ends the sessions of the
/// old one.
pub async fn create(store: &Store, new: NewSession<'_>, password_hash: &str, now: Timestamp) -> Result<bool> {
    let mut tx = store.begin().await?;
    if tx.one(sql!(dialect::lock_account(tx.backend()), new.account)).await?.is_none() {
        return Ok(false);
    }
    let unchanged =
        sql!("SELECT id FROM accounts WHERE id = $1 AND password_hash = $2", new.account, password_hash);
    if tx.one(unchanged).await?.is_none() {
        return Ok(false);
    }
    tx.run(sql!(
        "INSERT INTO sessions (id, account_id, created_at, expires_at, ip, user_agent)
         VALUES ($1, $2, $3, $4, $5, $6)",
        new.id,
        new.account,
        now,
        new.expires_at,
        new.ip,
        new.user_agent
    ))
    .await?;
    tx.commit().await?;
    Ok(true)
}

/// The session with its account, in one round trip; `None` when it is unknown, expired or revoked.
pub async fn find(store: &Store, session: SessionId, now: Timestamp) -> Result<Option<SignedIn>> {
    let row = store
        .one(sql!(
            "SELECT a.id, a.email, a.state, a.email_confirmed_at, a.tier, a.has_purchased_credits,
                 a.terms_accepted_version, a.privacy_accepted_version, a.created_at,
                 s.expires_at, t.version AS terms_version, p.version AS privacy_version
             FROM sessions s
             JOIN accounts a ON a.id = s.account_id
             LEFT JOIN consent_current t ON t.document = 'terms'
             LEFT JOIN consent_current p ON p.document = 'privacy'
             WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > $2",
            session,
            now
        ))
        .await?;
    row.map(|row| {
        let account = accounts::read(&row)?;
        let accepted = Versions {
            terms: account.terms_accepted_version.clone(),
            privacy: account.privacy_accepted_version.clone(),
        };
        Ok(SignedIn {
            session,
            expires_at: row.get("expires_at")?,
            account,
            consent: Standing {
                current: Versions { terms: row.get("terms_version")?, privacy: row.get("privacy_version")? },
                accepted,
            },
        })
    })
    .transpose()
}

/// The account's live sessions, newest first, at most `limit`.
pub async fn list(store: &Store, account: AccountId, now: Timestamp, limit: u32) -> Result<Vec<Listed>> {
    let rows = store
        .all(sql!(
            "SELECT id, created_at, expires_at, ip, user_agent FROM sessions
             WHERE account_id = $1 AND revoked_at IS NULL AND expires_at > $2 ORDER BY id DESC LIMIT $3",
            account,
            now,
            limit
        ))
        .await?;
    rows.iter().map(listed).collect()
}

/// One live session of the account.
pub async fn one(
    store: &Store,
    account: AccountId,
    session: SessionId,
    now: Timestamp,
) -> Result<Option<Listed>> {
    let row = store
        .one(sql!(
            "SELECT id, created_at, expires_at, ip, user_agent FROM sessions
             WHERE account_id = $1 AND id = $3 AND revoked_at IS NULL AND expires_at > $2",
            account,
            now,
            session
        ))
        .await?;
    row.as_ref().map(listed).transpose()
}

fn listed(row: &Row) -> Result<Listed> {
    Ok(Listed {
        id: row.get("id")?,
        created_at: row.get("created_at")?,
        expires_at: row.get("expires_at")?,
        ip: row.get("ip")?,
        user_agent: row.get("user_agent")?,
    })
}

/// Changes the account's password from `old` to `new` and ends all its sessions except `kept`.
/// Changes nothing and returns false when the current password is not `old`.
pub async fn change_password(
    store: &Store,
    account: AccountId,
    kept: SessionId,
    hashes: PasswordChange<'_>,
    now: Timestamp,
) -> Result<bool> {
    let mut tx = store.begin().await?;
    if tx.one(sql!(dialect::lock_account(tx.backend()), account)).await?.is_none() {
        return Ok(false);
    }
    let changed = tx
        .run(sql!(
            "UPDATE accounts SET password_hash = $3, updated_at = $4 WHERE id = $1 AND password_hash = $2",
            account,
            hashes.old,
            hashes.new,
            now
        ))
        .await?;
    if changed == 0 {
        return Ok(false);
    }
    tx.run(sql!(
        "UPDATE sessions SET revoked_at = $2
         WHERE account_id = $1 AND id <> $3 AND revoked_at IS NULL AND expires_at > $2",
        account,
        now,
        kept
    ))
    .await?;
    tx.commit().await?;
    Ok(true)
}

/// The hashes of an old password and of the one that replaces it.
#[derive(Clone, Copy)]
pub struct PasswordChange<'a> {
    /// The hash of the current password.
    pub old: &'a str,
    /// The hash of the new password.
    pub new: &'a str,
}

/// Ends a session of the account; returns whether it was live.
pub async fn revoke(store: &Store, account: AccountId, session: SessionId, now: Timestamp) -> Result<bool> {
    let revoked = store
        .run(sql!(
            "UPDATE sessions SET revoked_at = $3
             WHERE id = $2 AND account_id = $1 AND revoked_at IS NULL AND expires_at > $3",
            account,
            session,
            now
        ))
        .await?;
    Ok(revoked == 1)
}

/// The statement that ends every session of an account.
pub(crate) fn revocation_of_all(account: AccountId, now: Timestamp) -> Statement {
    sql!(
        "UPDATE sessions SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL AND expires_at > $2",
        account,
        now
    )
}

/// Deletes ended sessions, at most `limit`; returns how many.
pub async fn sweep(store: &Store, now: Timestamp, limit: u32) -> Result<u64> {
    store
        .run(sql!(
            "DELETE FROM sessions WHERE id IN (
                 SELECT id FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)",
            now,
            limit
        ))
        .await
}
