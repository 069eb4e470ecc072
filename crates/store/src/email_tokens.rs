//! The tokens in mails, which prove that somebody reads an address. The store sees only their keyed
//! hashes. Each token works once and expires.

use lectern_types::{AccountId, Timestamp};

use crate::{
    Result, Store,
    accounts::{self, Account},
    db::{Statement, Tx, sql},
    dialect,
    mails::{self, MailKind, NewMail},
    sessions,
    vocabulary::text_enum,
};

text_enum! {
    /// What a token permits.
    Purpose {
        /// To confirm an address.
        Confirm "confirm",
        /// To set a new password.
        Reset "reset",
    }
}

impl From<Purpose> for MailKind {
    fn from(purpose: Purpose) -> Self {
        match purpose {
            Purpose::Confirm => Self::Confirm,
            Purpose::Reset => Self::Reset,
        }
    }
}

/// A token to store. The token itself never reaches the store.
#[derive(Debug, Clone, Copy)]
pub struct NewToken<'a> {
    /// The keyed hash by which it is found.
    pub hash: &'a [u8],
    pub purpose: Purpose,
    pub expires_at: Timestamp,
}

/// The statement that stores a token.
pub(crate) fn insertion(account: AccountId, token: &NewToken<'_>, now: Timestamp) -> Statement {
    sql!(
        "INSERT INTO email_tokens (hash, account_id, purpose, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
        token.hash,
        account,
        token.purpose,
        now,
        token.expires_at
    )
}

/// Stores a token and the mail that carries it, unless the account was sent a mail of the same
/// purpose after `not_since`. Returns whether it did.
pub async fn issue(
    store: &Store,
    account: AccountId,
    token: &NewToken<'_>,
    mail: &NewMail<'_>,
    not_since: Timestamp,
    now: Timestamp,
) -> Result<bool> {
    let mut tx = store.begin().await?;
    // Of two concurrent calls, the second waits here and then finds the first one's token.
    if tx.one(sql!(dialect::lock_account(tx.backend()), account)).await?.is_none() {
        return Ok(false);
    }
    let recent = sql!(
        "SELECT created_at FROM email_tokens WHERE account_id = $1 AND purpose = $2 AND created_at > $3 LIMIT 1",
        account,
        token.purpose,
        not_since
    );
    if tx.one(recent).await?.is_some() {
        return Ok(false);
    }
    tx.run(insertion(account, token, now)).await?;
    tx.run(mails::insertion(account, mail, now)).await?;
    tx.commit().await?;
    Ok(true)
}

/// The account of this token, as long as the token can be used.
pub async fn find(store: &Store, hash: &[u8], purpose: Purpose, now: Timestamp) -> Result<Option<Account>> {
    let found = store
        .one(sql!(
            "SELECT account_id FROM email_tokens
             WHERE hash = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > $3",
            hash,
            purpose,
            now
        ))
        .await?;
    match found {
        Some(row) => accounts::find(store, row.scalar()?).await,
        None => Ok(None),
    }
}

/// Uses a confirmation token: the account's address counts as confirmed. `None` when it cannot be
/// used.
pub async fn confirm(store: &Store, hash: &[u8], now: Timestamp) -> Result<Option<Account>> {
    let mut tx = store.begin().await?;
    let Some(account) = spend(&mut tx, hash, Purpose::Confirm, now).await? else { return Ok(None) };
    let Some(row) = tx.one(accounts::confirmation(account, now)).await? else { return Ok(None) };
    let account = accounts::read(&row)?;
    tx.commit().await?;
    Ok(Some(account))
}

/// Uses a reset token: gives the registered account this password, marks its address as confirmed,
/// and ends all its sessions and other reset tokens. `None` when it cannot be used.
pub async fn reset(
    store: &Store,
    hash: &[u8],
    password_hash: &str,
    now: Timestamp,
) -> Result<Option<Account>> {
    let mut tx = store.begin().await?;
    let Some(account) = spend(&mut tx, hash, Purpose::Reset, now).await? else { return Ok(None) };
    let set = tx
        .run(sql!(
            "UPDATE accounts SET password_hash = $2, email_confirmed_at = COALESCE(email_confirmed_at, $3),
                 updated_at = $3 WHERE id = $1 AND state = 'registered'",
            account,
            password_hash,
            now
        ))
        .await?;
    if set == 0 {
        return Ok(None);
    }
    tx.run(sql!(
        "UPDATE email_tokens SET used_at = $2 WHERE account_id = $1 AND purpose = 'reset' AND used_at IS NULL",
        account,
        now
    ))
    .await?;
    tx.run(sessions::revocation_of_all(account, now)).await?;
    let account = accounts::find_in(&mut tx, account).await?;
    tx.commit().await?;
    Ok(account)
}

/// Marks a usable token as used and locks its account; returns the account. Of concurrent calls,
/// one succeeds.
async fn spend(tx: &mut Tx, hash: &[u8], purpose: Purpose, now: Timestamp) -> Result<Option<AccountId>> {
    let found = tx.one(sql!("SELECT account_id FROM email_tokens WHERE hash = $1", hash)).await?;
    let Some(found) = found else { return Ok(None) };
    let account: AccountId = found.scalar()?;
    // Always lock the account before its tokens: two resets of one account would otherwise wait for
    // each other.
    tx.one(sql!(dialect::lock_account(tx.backend()), account)).await?;
    let spent = tx
        .run(sql!(
            "UPDATE email_tokens SET used_at = $3
             WHERE hash = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > $3",
            hash,
            purpose,
            now
        ))
        .await?;
    Ok((spent == 1).then_some(account))
}

/// Deletes expired tokens, at most `limit`; returns how many.
pub async fn sweep(store: &Store, now: Timestamp, limit: u32) -> Result<u64> {
    store
        .run(sql!(
            "DELETE FROM email_tokens WHERE hash IN (
                 SELECT hash FROM email_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)",
            now,
            limit
        ))
        .await
}
