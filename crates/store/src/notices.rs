//! Notices: rows that say that an account, or the operator, is to get a mail, written in the transaction of what happened.
//! The server writes the mail when a notice is due. It reads the facts then, so that the mail is true
//! when it is sent.

use lectern_types::{AccountId, MaterialId, PurchaseId, Timestamp};

use crate::{
    Result, Store,
    db::{Row, Tx, sql},
    mails::{self, NewMail},
    vocabulary::text_enum,
};

/// The shortest conversion that is followed by a mail, in seconds. After a shorter one its owner is still
/// on the page.
const WORTH_A_MAIL_SECONDS: i64 = 60;

/// The shortest time between two mails to the operator about the same account, in seconds.
const REQUESTS_APART_SECONDS: i64 = 10 * 60;

text_enum! {
    /// The kind of a notice.
    NoticeKind {
        /// A book's conversion has ended; the subject is the material.
        BookReady "book_ready",
        /// The credits fell below the threshold; the subject is the account.
        LowCredits "low_credits",
        /// A purchase was paid; the subject is the purchase.
        Receipt "receipt",
        /// Automatic purchases have stopped; the subject is the account.
        TopUpStopped "top_up_stopped",
        /// Purchases wait for the operator's approval; the subject is the account. The mail is the operator's.
        PurchaseRequested "purchase_requested",
    }
}

/// A mail that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub kind: NoticeKind,
    pub account: AccountId,
    /// The id of what it is about.
    pub subject: String,
    /// When what it is about happened.
    pub due_at: Timestamp,
}

/// Adds a notice that is due now. One of the same kind and subject that still waits stays as it is.
pub(crate) async fn add(
    tx: &mut Tx,
    kind: NoticeKind,
    subject: &str,
    account: AccountId,
    now: Timestamp,
) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO notices (kind, subject, account_id, created_at, due_at) VALUES ($1, $2, $3, $4, $4)
         ON CONFLICT (kind, subject) DO NOTHING",
        kind,
        subject,
        account,
        now
    ))
    .await?;
    Ok(())
}

/// Notes that the account's credits fell below its threshold, if it wants to be told.
pub(crate) async fn low_credits(tx: &mut Tx, account: AccountId, now: Timestamp) -> Result<()> {
    let refused = "SELECT 1 FROM account_preferences WHERE account_id = $1 AND mail_low_credits = 0";
    if tx.one(sql!(refused, account)).await?.is_none() {
        add(tx, NoticeKind::LowCredits, &account.to_string(), account, now).await?;
    }
    Ok(())
}

/// Notes that the account is to be told when the conversion of this material has ended, if it wants that.
pub(crate) async fn watch_book(
    tx: &mut Tx,
    account: AccountId,
    material: MaterialId,
    now: Timestamp,
) -> Result<()> {
    let refused = "SELECT 1 FROM account_preferences WHERE account_id = $1 AND mail_book_ready = 0";
    if tx.one(sql!(refused, account)).await?.is_some() {
        return Ok(());
    }
    tx.run(sql!(
        "INSERT INTO notices (kind, subject, account_id, created_at) VALUES ('book_ready', $1, $2, $3)
         ON CONFLICT (kind, subject) DO UPDATE SET created_at = excluded.created_at, due_at = NULL",
        material,
        account,
        now
    ))
    .await?;
    Ok(())
}

/// Makes the notice of a material due whose conversion has ended; drops it when that took no time.
pub(crate) async fn book_ended(tx: &mut Tx, material: MaterialId, now: Timestamp) -> Result<()> {
    let since = now.plus_seconds(-WORTH_A_MAIL_SECONDS);
    tx.run(sql!(
        "DELETE FROM notices WHERE kind = 'book_ready' AND subject = $1 AND due_at IS NULL AND created_at > $2",
        material,
        since
    ))
    .await?;
    tx.run(sql!(
        "UPDATE notices SET due_at = $2 WHERE kind = 'book_ready' AND subject = $1 AND due_at IS NULL",
        material,
        now
    ))
    .await?;
    Ok(())
}

/// Drops the notice of a material whose conversion was cancelled, or which is deleted.
pub(crate) async fn forget_book(tx: &mut Tx, material: MaterialId) -> Result<()> {
    tx.run(sql!("DELETE FROM notices WHERE kind = 'book_ready' AND subject = $1", material)).await?;
    Ok(())
}

/// Notes that a purchase was paid.
pub(crate) async fn paid(
    tx: &mut Tx,
    account: AccountId,
    purchase: PurchaseId,
    now: Timestamp,
) -> Result<()> {
    add(tx, NoticeKind::Receipt, &purchase.to_string(), account, now).await
}

/// Notes that purchases of an account wait for the operator's approval. The mail is due at once, but not sooner than
/// [`REQUESTS_APART_SECONDS`] after the last one: an account must not flood the operator.
pub(crate) async fn requested(tx: &mut Tx, account: AccountId, now: Timestamp) -> Result<()> {
    let last = "SELECT created_at FROM outgoing_mails WHERE account_id = $1 AND purpose = $2
                ORDER BY created_at DESC LIMIT 1";
    let last = tx.one(sql!(last, account, mails::MailKind::PurchaseRequested)).await?;
    let last: Option<Timestamp> = last.as_ref().map(Row::scalar).transpose()?;
    let due = last.map_or(now, |last| last.plus_seconds(REQUESTS_APART_SECONDS).max(now));
    add(tx, NoticeKind::PurchaseRequested, &account.to_string(), account, due).await
}

/// The notices that are due, at most `limit`. A newer program may have left some of other kinds.
pub async fn due(store: &Store, now: Timestamp, limit: u32) -> Result<Vec<Notice>> {
    let rows = store
        .all(sql!(
            "SELECT kind, subject, account_id, due_at FROM notices
             WHERE due_at IS NOT NULL AND due_at <= $1
                 AND kind IN ('book_ready', 'low_credits', 'receipt', 'top_up_stopped', 'purchase_requested')
             ORDER BY due_at LIMIT $2",
            now,
            limit
        ))
        .await?;
    let read = |row: &Row| {
        Ok(Notice {
            kind: row.get("kind")?,
            account: row.get("account_id")?,
            subject: row.get("subject")?,
            due_at: row.get("due_at")?,
        })
    };
    rows.iter().map(read).collect()
}

/// Makes a notice due later, because its mail could not be written.
pub async fn postpone(store: &Store, notice: &Notice, until: Timestamp) -> Result<()> {
    store
        .run(sql!(
            "UPDATE notices SET due_at = $4 WHERE kind = $1 AND subject = $2 AND due_at = $3",
            notice.kind,
            notice.subject.as_str(),
            notice.due_at,
            until
        ))
        .await?;
    Ok(())
}

/// Replaces a notice by its mail, or by nothing when there is nothing to say any more. False when
/// another process has done so.
pub async fn settle(
    store: &Store,
    notice: &Notice,
    mail: Option<&NewMail<'_>>,
    now: Timestamp,
) -> Result<bool> {
    let mut tx = store.begin().await?;
    let gone = tx
        .run(sql!(
            "DELETE FROM notices WHERE kind = $1 AND subject = $2 AND due_at = $3",
            notice.kind,
            notice.subject.as_str(),
            notice.due_at
        ))
        .await?;
    if gone == 0 {
        return Ok(false);
    }
    if let Some(mail) = mail {
        tx.run(mails::insertion(notice.account, mail, now)).await?;
    }
    tx.commit().await?;
    Ok(true)
}
