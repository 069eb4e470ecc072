//! Purchases that are ordered because few credits are left, and charged to a card that the provider
//! keeps.

use lectern_types::{AccountId, PurchaseId, Timestamp};

use super::{AskOutcome, NewPurchase, Purchase, read};
use crate::{
    Result, Store,
    db::{Row, Statement, Tx, sql},
    top_ups::{Card, Rule},
};

/// What must be true of an account when a purchase is ordered automatically: its rule and card are still
/// these, few credits are left, and the month's limit is not reached.
#[derive(Debug, Clone, Copy)]
pub struct Automatic<'a> {
    pub rule: &'a Rule,
    pub card: &'a Card,
    /// The start of the month.
    pub since: Timestamp,
}

/// Why an automatic purchase is not to be ordered, if there is a reason. The account is locked. Its
/// owner may have changed the rule since it was read.
pub(super) async fn refuse(
    tx: &mut Tx,
    account: AccountId,
    new: &NewPurchase<'_>,
    automatic: Automatic<'_>,
) -> Result<Option<AskOutcome>> {
    let Automatic { rule, card, since } = automatic;
    let NewPurchase { price_minor, currency, .. } = *new;
    let wanted = tx
        .one(sql!(
            "SELECT t.account_id FROM top_ups t JOIN account_balances b ON b.account_id = t.account_id
             WHERE t.account_id = $1 AND t.stopped IS NULL AND t.below = $2 AND t.credits = $3
                 AND t.monthly_limit = $4 AND t.customer = $5 AND t.payment_method = $6
                 AND b.balance - b.held < t.below
                 AND NOT EXISTS (SELECT 1 FROM purchases p
                     WHERE p.account_id = t.account_id AND p.automatic = 1 AND p.status = 'pending')",
            account,
            rule.below,
            rule.credits,
            rule.monthly_limit_minor,
            card.customer.as_str(),
            card.payment_method.as_str()
        ))
        .await?;
    if wanted.is_none() {
        return Ok(Some(AskOutcome::NotNeeded));
    }
    let spent = tx.one(spent_automatically(account, currency, since)).await?;
    let spent: i64 = spent.map_or(Ok(0), |row| row.scalar())?;
    Ok((spent.saturating_add(price_minor) > rule.monthly_limit_minor).then_some(AskOutcome::OverLimit))
}

fn spent_automatically(account: AccountId, currency: &str, since: Timestamp) -> Statement {
    sql!(
        "SELECT CAST(COALESCE(SUM(price_minor), 0) AS BIGINT) FROM purchases
         WHERE account_id = $1 AND automatic = 1 AND status IN ('pending', 'paid') AND currency = $2
             AND created_at >= $3",
        account,
        currency,
        since
    )
}

/// What the account has spent in this currency on automatic purchases since then, those that wait
/// included.
pub async fn spent_since(store: &Store, account: AccountId, currency: &str, since: Timestamp) -> Result<i64> {
    let row = store.one(spent_automatically(account, currency, since)).await?;
    row.map_or(Ok(0), |row| row.scalar())
}

/// Automatic purchases of any account whose outcome is to be asked for, with the cards that they were
/// charged to, at most `limit`: ordered after `since`, and last tried before `before`, and before a
/// quarter of their age. So they are asked for less and less often.
pub async fn unsettled(
    store: &Store,
    since: Timestamp,
    before: Timestamp,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<(Purchase, Card)>> {
    let rows = store
        .all(sql!(
            "SELECT id, account_id, provider, status, credits, price_minor, currency, provider_reference,
                 transaction_id, automatic, created_at, paid_at, NULL AS invoice, card_customer, card_method
             FROM purchases
             WHERE status = 'pending' AND automatic = 1 AND created_at > $1 AND updated_at < $2
                 AND ($3 - updated_at) * 4 > updated_at - created_at
             ORDER BY updated_at LIMIT $4",
            since,
            before,
            now,
            limit
        ))
        .await?;
    let read = |row: &Row| {
        let (customer, method): (Option<String>, Option<String>) =
            (row.get("card_customer")?, row.get("card_method")?);
        let card = Card {
            customer: customer.unwrap_or_default(),
            payment_method: method.unwrap_or_default(),
            label: String::new(),
        };
        Ok((read(row)?, card))
    };
    rows.iter().map(read).collect()
}

/// Notes that the outcome of a pending purchase was asked for in vain.
pub async fn tried(store: &Store, purchase: PurchaseId, now: Timestamp) -> Result<()> {
    let update = "UPDATE purchases SET updated_at = $2 WHERE id = $1 AND status = 'pending'";
    store.run(sql!(update, purchase, now)).await?;
    Ok(())
}
