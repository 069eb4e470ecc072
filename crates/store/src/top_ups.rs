//! Credits that are bought by themselves when few are left: the account's wish, its card, and the
//! purchases that are due.

use lectern_types::{AccountId, Credits, PurchaseId, Timestamp};

use crate::{
    Result, Store,
    db::{Row, sql},
    notices::{self, NoticeKind},
};

/// What an account wants to be bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Buy when fewer than these are available.
    pub below: Credits,
    /// Buy these.
    pub credits: Credits,
    /// The most that may be spent in a calendar month (UTC), in the currency's smallest unit.
    pub monthly_limit_minor: i64,
}

/// A card that the payment provider keeps.
#[derive(Clone, PartialEq, Eq)]
pub struct Card {
    /// The provider's name for the account.
    pub customer: String,
    /// The provider's name for the card.
    pub payment_method: String,
    /// What its owner knows it by: `visa 4242`.
    pub label: String,
}

impl std::fmt::Debug for Card {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Card").field("label", &self.label).finish_non_exhaustive()
    }
}

/// An account's automatic purchases.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TopUp {
    /// `None`: nothing is bought.
    pub rule: Option<Rule>,
    pub card: Option<Card>,
    /// The provider's name for the account, known before it has a card.
    pub customer: Option<String>,
    /// Why nothing is bought although there is a rule.
    pub stopped: Option<String>,
}

/// An account whose credits are below its rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    pub account: AccountId,
    pub rule: Rule,
    /// The currency of the rule's limit.
    pub currency: Option<String>,
    pub card: Card,
}

fn rule(row: &Row) -> Result<Option<Rule>> {
    let (below, credits, limit): (Option<Credits>, Option<Credits>, Option<i64>) =
        (row.get("below")?, row.get("credits")?, row.get("monthly_limit")?);
    let (Some(below), Some(credits), Some(monthly_limit_minor)) = (below, credits, limit) else {
        return Ok(None);
    };
    Ok(Some(Rule { below, credits, monthly_limit_minor }))
}

fn card(row: &Row) -> Result<Option<Card>> {
    let (customer, payment_method, label): (Option<String>, Option<String>, Option<String>) =
        (row.get("customer")?, row.get("payment_method")?, row.get("card")?);
    let (Some(customer), Some(payment_method)) = (customer, payment_method) else { return Ok(None) };
    Ok(Some(Card { customer, payment_method, label: label.unwrap_or_default() }))
}

/// The account's automatic purchases.
pub async fn get(store: &Store, account: AccountId) -> Result<TopUp> {
    let row = store
        .one(sql!(
            "SELECT below, credits, monthly_limit, customer, payment_method, card, stopped FROM top_ups
             WHERE account_id = $1",
            account
        ))
        .await?;
    let Some(row) = row else { return Ok(TopUp::default()) };
    Ok(TopUp {
        rule: rule(&row)?,
        card: card(&row)?,
        customer: row.get("customer")?,
        stopped: row.get("stopped")?,
    })
}

/// Sets or removes the account's rule, whose limit is in this currency. Purchases that had stopped
/// begin again.
pub async fn set_rule(
    store: &Store,
    account: AccountId,
    rule: Option<(Rule, &str)>,
    now: Timestamp,
) -> Result<()> {
    store
        .run(sql!(
            "INSERT INTO top_ups (account_id, below, credits, monthly_limit, currency, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (account_id) DO UPDATE SET below = excluded.below, credits = excluded.credits,
                 monthly_limit = excluded.monthly_limit, currency = excluded.currency, stopped = NULL,
                 updated_at = excluded.updated_at",
            account,
            rule.map(|(rule, _)| rule.below),
            rule.map(|(rule, _)| rule.credits),
            rule.map(|(rule, _)| rule.monthly_limit_minor),
            rule.map(|(_, currency)| currency),
            now
        ))
        .await?;
    Ok(())
}

/// Remembers the provider's name for the account. A card of another name can no longer be charged.
pub async fn set_customer(store: &Store, account: AccountId, customer: &str, now: Timestamp) -> Result<()> {
    store
        .run(sql!(
            "INSERT INTO top_ups (account_id, customer, updated_at) VALUES ($1, $2, $3)
             ON CONFLICT (account_id) DO UPDATE SET customer = excluded.customer, updated_at = excluded.updated_at,
                 payment_method = CASE WHEN top_ups.customer = excluded.customer THEN top_ups.payment_method END,
                 card = CASE WHEN top_ups.customer = excluded.customer THEN top_ups.card END",
            account,
            customer,
            now
        ))
        .await?;
    Ok(())
}

/// Sets the card of the account that the provider knows as this customer, unless the account changed
/// it after `at`: reports of the provider arrive late and more than once. Returns the card before, if
/// it was another one.
pub async fn set_card(store: &Store, card: &Card, at: Timestamp, now: Timestamp) -> Result<Option<Card>> {
    let mut tx = store.begin().await?;
    let found = "SELECT below, credits, monthly_limit, customer, payment_method, card FROM top_ups
         WHERE customer = $1 AND card_at < $2";
    let Some(row) = tx.one(sql!(found, card.customer.as_str(), at)).await? else { return Ok(None) };
    let before = self::card(&row)?.filter(|before| before.payment_method != card.payment_method);
    // A new card says nothing about a limit or an amount.
    tx.run(sql!(
        "UPDATE top_ups SET payment_method = $2, card = $3, card_at = $4, updated_at = $5,
             stopped = CASE WHEN stopped IN ('limit', 'unsold') THEN stopped END
         WHERE customer = $1 AND card_at < $4",
        card.customer.as_str(),
        card.payment_method.as_str(),
        card.label.as_str(),
        at,
        now
    ))
    .await?;
    tx.commit().await?;
    Ok(before)
}

/// Forgets the account's card, and with it the rule.
pub async fn forget_card(store: &Store, account: AccountId, now: Timestamp) -> Result<()> {
    store
        .run(sql!(
            "UPDATE top_ups SET payment_method = NULL, card = NULL, below = NULL, credits = NULL,
                 monthly_limit = NULL, stopped = NULL, card_at = $2, updated_at = $2 WHERE account_id = $1",
            account,
            now
        ))
        .await?;
    Ok(())
}

/// Accounts whose available credits are below their rule, and which wait for no automatic purchase; at most `limit`.
pub async fn due(store: &Store, limit: u32) -> Result<Vec<Due>> {
    let rows = store
        .all(sql!(
            "SELECT t.account_id, t.below, t.credits, t.monthly_limit, t.currency, t.customer,
                 t.payment_method, t.card
             FROM top_ups t JOIN account_balances b ON b.account_id = t.account_id
             WHERE t.below IS NOT NULL AND t.stopped IS NULL AND t.payment_method IS NOT NULL
                 AND b.balance - b.held < t.below
                 AND NOT EXISTS (SELECT 1 FROM purchases p
                     WHERE p.account_id = t.account_id AND p.automatic = 1 AND p.status = 'pending')
             ORDER BY t.account_id LIMIT $1",
            limit
        ))
        .await?;
    let mut due = Vec::new();
    for row in &rows {
        if let (Some(rule), Some(card)) = (rule(row)?, card(row)?) {
            due.push(Due { account: row.get("account_id")?, rule, currency: row.get("currency")?, card });
        }
    }
    Ok(due)
}

/// Ends the account's automatic purchases until its owner changes the rule or the card, and notes that
/// it is to be told. With a `refused` purchase they go on where the account has another card by now.
pub async fn stop(
    store: &Store,
    account: AccountId,
    why: &str,
    refused: Option<PurchaseId>,
    now: Timestamp,
) -> Result<()> {
    let mut tx = store.begin().await?;
    let stopped = tx
        .run(sql!(
            "UPDATE top_ups SET stopped = $2, stopped_at = $3, updated_at = $3
             WHERE account_id = $1 AND stopped IS NULL AND ($4 IS NULL OR EXISTS (SELECT 1 FROM purchases p
                 WHERE p.id = $4 AND p.card_method = top_ups.payment_method))",
            account,
            why,
            now,
            refused
        ))
        .await?;
    let subject = &account.to_string();
    if stopped > 0 {
        notices::add(&mut tx, NoticeKind::TopUpStopped, subject, account, now).await?;
    }
    tx.commit().await
}

/// Begins again with the automatic purchases that ended for this reason before `before`.
pub async fn resume(store: &Store, why: &str, before: Timestamp, now: Timestamp) -> Result<()> {
    store
        .run(sql!(
            "UPDATE top_ups SET stopped = NULL, updated_at = $3 WHERE stopped = $1 AND stopped_at < $2",
            why,
            before,
            now
        ))
        .await?;
    Ok(())
}
