//! Outgoing mails, from the transaction that made them to their delivery. The server seals their
//! text, sends them, and decides when to try again.

use lectern_types::{AccountId, MailId, Timestamp};

use crate::{
    Result, Store,
    db::{Row, Statement, sql},
    vocabulary::text_enum,
};

text_enum! {
    /// What a mail is for.
    MailKind {
        /// To confirm an address.
        Confirm "confirm",
        /// To set a new password.
        Reset "reset",
        /// A book's conversion has ended.
        BookReady "book_ready",
        /// Few credits are left.
        LowCredits "low_credits",
        /// A purchase was paid.
        Receipt "receipt",
        /// An automatic purchase was not paid, so there are no more.
        TopUpStopped "top_up_stopped",
        /// A purchase of the account waits for the operator, who receives this mail.
        PurchaseRequested "purchase_requested",
    }
}

/// A mail to store.
#[derive(Debug, Clone, Copy)]
pub struct NewMail<'a> {
    pub id: MailId,
    pub kind: MailKind,
    /// Address and text, sealed.
    pub sealed: &'a [u8],
    /// When the mail becomes pointless, so that it is no longer sent.
    pub expires_at: Timestamp,
    /// Until when only the process that stores it attempts its delivery.
    pub reserved_until: Timestamp,
}

/// A mail waiting for its delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    pub id: MailId,
    /// The account that the mail is about. It receives the mail, unless the operator does.
    pub account: AccountId,
    /// Address and text, sealed.
    pub sealed: Vec<u8>,
    pub attempts: u32,
}

/// The progress of a mail's delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    pub id: MailId,
    pub kind: MailKind,
    pub created_at: Timestamp,
    /// When its delivery is tried next, unless it was delivered already.
    pub next_attempt_at: Timestamp,
    /// Attempted deliveries.
    pub attempts: u32,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
    pub delivered_at: Option<Timestamp>,
}

/// The statement that stores a mail.
pub(crate) fn insertion(account: AccountId, mail: &NewMail<'_>, now: Timestamp) -> Statement {
    sql!(
        "INSERT INTO outgoing_mails (id, account_id, purpose, sealed, created_at, expires_at, next_attempt_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        mail.id,
        account,
        mail.kind,
        mail.sealed,
        now,
        mail.expires_at,
        mail.reserved_until
    )
}

/// Claims up to `limit` due mails, reserving them until `reserved_until`.
pub async fn claim_due(
    store: &Store,
    now: Timestamp,
    reserved_until: Timestamp,
    limit: u32,
) -> Result<Vec<Waiting>> {
    // The condition occurs twice: PostgreSQL checks the outer one again after it has waited for
    // another worker.
    let rows = store
        .change(sql!(
            "UPDATE outgoing_mails SET next_attempt_at = $2
             WHERE delivered_at IS NULL AND next_attempt_at <= $1 AND expires_at > $1 AND id IN (
                 SELECT id FROM outgoing_mails
                 WHERE delivered_at IS NULL AND next_attempt_at <= $1 AND expires_at > $1
                 ORDER BY next_attempt_at LIMIT $3)
             RETURNING id, account_id, sealed, attempts",
            now,
            reserved_until,
            limit
        ))
        .await?;
    let read = |row: &Row| {
        Ok(Waiting {
            id: row.get("id")?,
            account: row.get("account_id")?,
            sealed: row.get("sealed")?,
            attempts: row.get("attempts")?,
        })
    };
    rows.iter().map(read).collect()
}

/// Marks a mail as delivered and deletes its text.
pub async fn delivered(store: &Store, mail: MailId, now: Timestamp) -> Result<()> {
    store
        .run(sql!(
            "UPDATE outgoing_mails SET delivered_at = $2, sealed = NULL, attempts = attempts + 1
             WHERE id = $1 AND delivered_at IS NULL",
            mail,
            now
        ))
        .await?;
    Ok(())
}

/// Records a failed delivery and the time of the next attempt.
pub async fn failed(store: &Store, mail: MailId, error: &str, next_attempt_at: Timestamp) -> Result<()> {
    store
        .run(sql!(
            "UPDATE outgoing_mails SET attempts = attempts + 1, last_error = $2, next_attempt_at = $3
             WHERE id = $1 AND delivered_at IS NULL",
            mail,
            error,
            next_attempt_at
        ))
        .await?;
    Ok(())
}

/// The account's mails, newest first.
pub async fn list(store: &Store, account: AccountId, limit: u32) -> Result<Vec<Progress>> {
    let rows = store
        .all(sql!(
            "SELECT id, purpose, created_at, next_attempt_at, attempts, last_error, delivered_at
             FROM outgoing_mails WHERE account_id = $1 ORDER BY id DESC LIMIT $2",
            account,
            limit
        ))
        .await?;
    let read = |row: &Row| {
        Ok(Progress {
            id: row.get("id")?,
            kind: row.get("purpose")?,
            created_at: row.get("created_at")?,
            next_attempt_at: row.get("next_attempt_at")?,
            attempts: row.get("attempts")?,
            last_error: row.get("last_error")?,
            delivered_at: row.get("delivered_at")?,
        })
    };
    rows.iter().map(read).collect()
}

/// Deletes expired mails, at most `limit`; returns how many.
pub async fn sweep(store: &Store, now: Timestamp, limit: u32) -> Result<u64> {
    store
        .run(sql!(
            "DELETE FROM outgoing_mails WHERE id IN (
                 SELECT id FROM outgoing_mails WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)",
            now,
            limit
        ))
        .await
}
