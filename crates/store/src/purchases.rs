//! Purchases of credits. A purchase becomes credits once, in the transaction that marks it paid,
//! however often and in whatever order a payment provider reports it. The server knows the prices
//! of packs and the payment providers.

mod automatic;

use lectern_types::{
    AccountId, Credits, PaymentProvider, PurchaseId, PurchaseStatus, Timestamp, TransactionId,
};

use crate::{
    Environment, Error, Result, Store,
    db::{Row, Tx, sql},
    idempotency::{self, Claimed, Replay, Request, Response, RowKey},
    invoices,
    ledger::{Addition, Booking, Lease, posting},
    notices,
};

pub use automatic::{Automatic, spent_since, tried, unsettled};

/// A purchase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purchase {
    pub id: PurchaseId,
    pub account: AccountId,
    pub provider: PaymentProvider,
    pub status: PurchaseStatus,
    pub credits: Credits,
    /// Its price, in the currency's smallest unit.
    pub price_minor: i64,
    /// The currency, an ISO 4217 code in lower case.
    pub currency: String,
    /// The provider's own name for it.
    pub provider_reference: Option<String>,
    /// The row of the ledger that books its credits.
    pub transaction: Option<TransactionId>,
    /// Whether it was ordered because few credits were left.
    pub automatic: bool,
    /// The number of its invoice.
    pub invoice: Option<String>,
    /// When it was ordered.
    pub created_at: Timestamp,
    pub paid_at: Option<Timestamp>,
}

/// A purchase to order.
#[derive(Debug, Clone, Copy)]
pub struct NewPurchase<'a> {
    pub id: PurchaseId,
    pub provider: PaymentProvider,
    pub credits: Credits,
    /// Its price, in the currency's smallest unit.
    pub price_minor: i64,
    /// The currency, an ISO 4217 code in lower case.
    pub currency: &'a str,
    /// For a purchase that is ordered because few credits are left.
    pub automatic: Option<Automatic<'a>>,
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, account_id, provider, status, credits, price_minor, currency, provider_reference,
                 transaction_id, automatic, created_at, paid_at,
                 (SELECT name FROM invoices WHERE purchase_id = purchases.id) AS invoice FROM purchases ",
            $rest
        )
    };
}

fn read(row: &Row) -> Result<Purchase> {
    Ok(Purchase {
        id: row.get("id")?,
        account: row.get("account_id")?,
        provider: row.get("provider")?,
        status: row.get("status")?,
        credits: row.get("credits")?,
        price_minor: row.get("price_minor")?,
        currency: row.get("currency")?,
        provider_reference: row.get("provider_reference")?,
        transaction: row.get("transaction_id")?,
        automatic: row.get("automatic")?,
        invoice: row.get("invoice")?,
        created_at: row.get("created_at")?,
        paid_at: row.get("paid_at")?,
    })
}

/// The outcome of ordering a purchase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskOutcome {
    /// The purchase is recorded.
    Noted(Purchase),
    /// The account has reached its limit of pending purchases.
    TooMany,
    /// An automatic purchase is not wanted any more: there are enough credits, one is pending, or the
    /// owner has changed the rule or the card.
    NotNeeded,
    /// An automatic purchase would spend more than the account's limit.
    OverLimit,
    /// The `Idempotency-Key` was used before; nothing was changed.
    Replay(Replay),
}

/// The `Idempotency-Key` of an order, and the lease of its request. The provider is called between
/// the transaction that records the purchase and the one that finishes the key's row.
#[derive(Debug, Clone, Copy)]
pub struct Once<'a> {
    pub request: &'a Request<'a>,
    /// Until when other requests wait for it.
    pub lease: &'a Lease,
}

impl Once<'_> {
    /// Purchases belong to the account, so their rows are kept in the live environment.
    fn row(&self, account: AccountId) -> RowKey {
        RowKey::new(account, Environment::Live, self.request)
    }
}

/// Stores a purchase of an account that has fewer than `most` pending ones.
pub async fn ask(
    store: &Store,
    account: AccountId,
    new: &NewPurchase<'_>,
    most: u32,
    once: Option<Once<'_>>,
    now: Timestamp,
) -> Result<AskOutcome> {
    let mut tx = store.begin().await?;
    if let Some(once) = once
        && let Claimed::Not(replay) =
            idempotency::claim(&mut tx, &once.row(account), once.request.fingerprint, once.lease, None, now)
                .await?
    {
        return Ok(AskOutcome::Replay(replay));
    }
    tx.one(sql!(crate::dialect::lock_account(tx.backend()), account)).await?;
    let refused = match new.automatic {
        Some(automatic) => automatic::refuse(&mut tx, account, new, automatic).await?,
        None => refuse_another(&mut tx, account, most).await?,
    };
    if let Some(refused) = refused {
        return Ok(refused);
    }
    tx.run(sql!(
        "INSERT INTO purchases (id, account_id, provider, status, credits, price_minor, currency, automatic,
             card_customer, card_method, created_at, updated_at)
         VALUES ($1, $2, $3, 'pending', $4, $5, $6, $7, $8, $9, $10, $10)",
        new.id,
        account,
        new.provider,
        new.credits,
        new.price_minor,
        new.currency,
        new.automatic.is_some(),
        new.automatic.map(|automatic| automatic.card.customer.as_str()),
        new.automatic.map(|automatic| automatic.card.payment_method.as_str()),
        now
    ))
    .await?;
    if new.provider == PaymentProvider::Manual {
        notices::requested(&mut tx, account, now).await?;
    }
    tx.commit().await?;
    Ok(AskOutcome::Noted(Purchase {
        id: new.id,
        account,
        provider: new.provider,
        status: PurchaseStatus::Pending,
        credits: new.credits,
        price_minor: new.price_minor,
        currency: new.currency.to_owned(),
        provider_reference: None,
        transaction: None,
        automatic: new.automatic.is_some(),
        invoice: None,
        created_at: now,
        paid_at: None,
    }))
}

/// Why no further purchase is to be ordered, if there is a reason. The account is locked.
async fn refuse_another(tx: &mut Tx, account: AccountId, most: u32) -> Result<Option<AskOutcome>> {
    let pending =
        "SELECT COUNT(*) FROM purchases WHERE account_id = $1 AND status = 'pending' AND automatic = 0";
    let pending = tx.one(sql!(pending, account)).await?;
    let pending: i64 = pending.map_or(Ok(0), |row| row.scalar())?;
    Ok((pending >= i64::from(most)).then_some(AskOutcome::TooMany))
}

/// Stores the provider's reference for a purchase, if any, and the response to replay.
pub async fn begun(
    store: &Store,
    purchase: &Purchase,
    once: Option<(Once<'_>, &Response)>,
    now: Timestamp,
) -> Result<()> {
    let mut tx = store.begin().await?;
    if let Some(reference) = &purchase.provider_reference {
        tx.run(sql!(
            "UPDATE purchases SET provider_reference = $2, updated_at = $3 WHERE id = $1",
            purchase.id,
            reference.as_str(),
            now
        ))
        .await?;
    }
    if let Some((once, response)) = once {
        let row = once.row(purchase.account);
        tx.run(idempotency::finish(&row, &once.lease.owner, response, now)).await?;
    }
    tx.commit().await
}

/// Ends a purchase that the provider could not begin; its `Idempotency-Key` may be used again.
pub async fn abandon(
    store: &Store,
    purchase: &Purchase,
    once: Option<Once<'_>>,
    now: Timestamp,
) -> Result<()> {
    let mut tx = store.begin().await?;
    tx.run(sql!(
        "UPDATE purchases SET status = 'expired', updated_at = $2 WHERE id = $1 AND status = 'pending'",
        purchase.id,
        now
    ))
    .await?;
    if let Some(once) = once {
        tx.run(idempotency::forget(&once.row(purchase.account), &once.lease.owner)).await?;
    }
    tx.commit().await
}

/// One purchase of the account.
pub async fn find(store: &Store, account: AccountId, purchase: PurchaseId) -> Result<Option<Purchase>> {
    let row = store.one(sql!(select!("WHERE account_id = $1 AND id = $2"), account, purchase)).await?;
    row.as_ref().map(read).transpose()
}

/// One purchase of any account, for reports of payment providers.
pub async fn find_any(store: &Store, purchase: PurchaseId) -> Result<Option<Purchase>> {
    let row = store.one(sql!(select!("WHERE id = $1"), purchase)).await?;
    row.as_ref().map(read).transpose()
}

/// A page of the account's purchases, newest first. `before` is the last id of the previous page.
pub async fn list(
    store: &Store,
    account: AccountId,
    before: Option<PurchaseId>,
    limit: u32,
) -> Result<Vec<Purchase>> {
    let rows = store
        .all(sql!(
            select!("WHERE account_id = $1 AND ($2 IS NULL OR id < $2) ORDER BY id DESC LIMIT $3"),
            account,
            before,
            limit
        ))
        .await?;
    rows.iter().map(read).collect()
}

/// The account's purchases that wait for the operator, oldest first.
pub async fn waiting(store: &Store, account: AccountId) -> Result<Vec<Purchase>> {
    let waiting = select!("WHERE account_id = $1 AND status = 'pending' AND provider = 'manual' ORDER BY id");
    store.all(sql!(waiting, account)).await?.iter().map(read).collect()
}

/// All accounts' purchases for the operator, newest first, at most `limit`; those of one status, or
/// all.
pub async fn list_all(store: &Store, status: Option<PurchaseStatus>, limit: u32) -> Result<Vec<Purchase>> {
    let rows: Vec<Row> = store
        .all(sql!(select!("WHERE ($1 IS NULL OR status = $1) ORDER BY id DESC LIMIT $2"), status, limit))
        .await?;
    rows.iter().map(read).collect()
}

/// The outcome of ending a purchase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndOutcome {
    /// The purchase has ended as requested.
    Done(Purchase),
    /// The purchase had ended before and is unchanged.
    Before(Purchase),
    /// There is no such purchase.
    NotFound,
}

/// Books the credits of a paid purchase, unless they were booked before. A payment counts even if
/// the purchase was declined or expired before. With `terms` it gets an invoice; its account is told
/// either way.
///
/// # Errors
/// [`Error::CreditsOutOfRange`] when the balance would leave the range.
pub async fn pay(
    store: &Store,
    purchase: PurchaseId,
    provider: PaymentProvider,
    terms: Option<invoices::Terms<'_>>,
    booking: Booking<'_>,
) -> Result<EndOutcome> {
    let found = store.one(sql!(select!("WHERE id = $1 AND provider = $2"), purchase, provider)).await?;
    let Some(found) = found else { return Ok(EndOutcome::NotFound) };
    let account = read(&found)?.account;
    let mut tx = store.begin().await?;
    // Concurrent reports of the same payment are serialized here.
    tx.one(sql!(crate::dialect::lock_account(tx.backend()), account)).await?;
    let row = tx.one(sql!(select!("WHERE id = $1"), purchase)).await?;
    let Some(row) = row else { return Ok(EndOutcome::NotFound) };
    let mut found = read(&row)?;
    if found.status == PurchaseStatus::Paid {
        return Ok(EndOutcome::Before(found));
    }
    let reference = found.id.to_string();
    let booked =
        posting::add(&mut tx, account, Addition::Purchase, found.credits, Some(&reference), booking).await?;
    let booked =
        booked.ok_or_else(|| Error::Unreadable { what: "an account without a balance".to_owned() })?;
    tx.run(sql!(
        "UPDATE purchases SET status = 'paid', transaction_id = $2, paid_at = $3, updated_at = $3 WHERE id = $1",
        purchase,
        booked.id,
        booking.now
    ))
    .await?;
    if let Some(terms) = terms {
        let sold = invoices::Sold {
            purchase,
            account,
            credits: found.credits,
            price_minor: found.price_minor,
            currency: &found.currency,
        };
        found.invoice = Some(invoices::issue(&mut tx, &sold, terms, booking.now).await?);
    }
    notices::paid(&mut tx, account, purchase, booking.now).await?;
    tx.commit().await?;
    found.status = PurchaseStatus::Paid;
    found.transaction = Some(booked.id);
    found.paid_at = Some(booking.now);
    Ok(EndOutcome::Done(found))
}

/// Marks a pending purchase as declined or expired; nothing else is changed.
pub async fn give_up(
    store: &Store,
    purchase: PurchaseId,
    provider: PaymentProvider,
    end: PurchaseStatus,
    now: Timestamp,
) -> Result<EndOutcome> {
    store
        .run(sql!(
            "UPDATE purchases SET status = $3, updated_at = $4
             WHERE id = $1 AND provider = $2 AND status = 'pending' AND $3 IN ('declined', 'expired')",
            purchase,
            provider,
            end,
            now
        ))
        .await?;
    let row = store.one(sql!(select!("WHERE id = $1 AND provider = $2"), purchase, provider)).await?;
    let Some(row) = row else { return Ok(EndOutcome::NotFound) };
    let found = read(&row)?;
    Ok(if found.status == end { EndOutcome::Done(found) } else { EndOutcome::Before(found) })
}

/// Gives up a pending purchase of the account, at its owner's request; nothing else is changed. An
/// automatic one may have been paid already, so it waits for its outcome.
pub async fn withdraw(
    store: &Store,
    account: AccountId,
    purchase: PurchaseId,
    now: Timestamp,
) -> Result<EndOutcome> {
    let Some(found) = find(store, account, purchase).await? else { return Ok(EndOutcome::NotFound) };
    if found.automatic {
        return Ok(EndOutcome::Before(found));
    }
    give_up(store, purchase, found.provider, PurchaseStatus::Expired, now).await
}

/// Gives up pending purchases of this provider that were ordered before `old`, at most `limit`;
/// returns how many.
pub async fn sweep(
    store: &Store,
    provider: PaymentProvider,
    old: Timestamp,
    limit: u32,
    now: Timestamp,
) -> Result<u64> {
    store
        .run(sql!(
            "UPDATE purchases SET status = 'expired', updated_at = $4
             WHERE status = 'pending' AND id IN (
                 SELECT id FROM purchases WHERE status = 'pending' AND provider = $1 AND created_at < $2
                 ORDER BY id LIMIT $3)",
            provider,
            old,
            limit,
            now
        ))
        .await
}
