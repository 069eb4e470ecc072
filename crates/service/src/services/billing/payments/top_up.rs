//! Automatic purchases: when an account's credits fall below its rule, credits are charged to its card.
//! The outcome of a purchase that is unknown is looked up, and only where the provider knows nothing of
//! it, the same request is made again.

use std::sync::Arc;

use lectern_store::{
    purchases::{self as stored, AskOutcome, Automatic, NewPurchase, Purchase},
    sessions::SignedIn,
    top_ups::{self, Card, Due, Rule, TopUp},
};
use lectern_types::{AccountId, PurchaseStatus, Timestamp, TopUpRequest};

use super::{CardOwner, Charged, PaymentContext, Payments};
use crate::{
    base::Base,
    error::{Error, Result},
};

/// The accounts that one round looks at.
const BATCH_SIZE: u32 = 20;

/// Seconds after which the outcome of a purchase is asked for again.
const AGAIN_SECONDS: i64 = 60;

/// For how long an outcome is asked for: as long as the provider surely knows the purchase's key. The
/// purchase expires a little later, and a report of the provider still counts.
const SETTLING_SECONDS: i64 = 23 * 60 * 60;

/// Why nothing is bought: the month's limit. It ends with the month.
pub const LIMIT: &str = "limit";

/// Why nothing is bought: the amount is not sold any more.
const UNSOLD: &str = "unsold";

/// An account's automatic purchases, and what was spent on them in this month.
#[derive(Debug)]
pub struct State {
    pub found: TopUp,
    /// In the currency's smallest unit.
    pub spent_minor: i64,
}

/// The account's automatic purchases.
///
/// # Errors
/// The store's.
pub async fn state(context: &PaymentContext, account: AccountId) -> Result<State> {
    let base = &context.base;
    let found = top_ups::get(&base.store, account).await?;
    let (currency, month) = (&base.config.payments.currency, month_start(base.clock.now()));
    let spent_minor = stored::spent_since(&base.store, account, currency, month).await?;
    Ok(State { found, spent_minor })
}

/// Sets the account's rule.
///
/// # Errors
/// `validation_failed` for an amount that is not sold, or a limit that is below its price.
pub async fn set_rule(context: &PaymentContext, account: AccountId, wanted: &TopUpRequest) -> Result<()> {
    let base = &context.base;
    let rule = Rule {
        below: wanted.below.credits(),
        credits: wanted.credits.credits(),
        monthly_limit_minor: wanted.monthly_limit_minor.0,
    };
    let price = base.config.payments.price(rule.credits).ok_or_else(|| super::not_sold(base))?;
    if rule.monthly_limit_minor < price {
        let why = format!("must be at least the price of these credits, which is {price}");
        return Err(Error::invalid("monthly_limit_minor", why));
    }
    let rule = Some((rule, base.config.payments.currency.as_str()));
    Ok(top_ups::set_rule(&base.store, account, rule, base.clock.now()).await?)
}

/// Removes the account's rule.
///
/// # Errors
/// The store's.
pub async fn remove_rule(context: &PaymentContext, account: AccountId) -> Result<()> {
    let base = &context.base;
    Ok(top_ups::set_rule(&base.store, account, None, base.clock.now()).await?)
}

/// The URL of the page on which the owner leaves a card.
///
/// # Errors
/// `not_found` when the provider keeps no cards; `service_unavailable`.
pub async fn card_page(context: &PaymentContext, signed_in: &SignedIn) -> Result<String> {
    let PaymentContext { base, provider, public_url } = context;
    let account = &signed_in.account;
    let owner = CardOwner {
        account: account.id,
        email: account.email.clone(),
        customer: top_ups::get(&base.store, account.id).await?.customer,
        return_url: format!("{public_url}/credits"),
    };
    let page = provider.ask_for_card(&owner).await?;
    // Before the owner is sent there: the card's event names the customer only.
    top_ups::set_customer(&base.store, account.id, &page.customer, base.clock.now()).await?;
    Ok(page.url)
}

/// Lets go of the account's card, and with it of the rule.
///
/// # Errors
/// `service_unavailable` when the provider does not respond: the card is still there then.
pub async fn forget_card(context: &PaymentContext, account: AccountId) -> Result<()> {
    let base = &context.base;
    if let Some(card) = top_ups::get(&base.store, account).await?.card {
        context.provider.forget_card(&card).await?;
    }
    Ok(top_ups::forget_card(&base.store, account, base.clock.now()).await?)
}

/// Buys what is due, and settles what was begun. What fails for one account does not hold up the
/// others; when the provider is away, the rest waits for the next round.
///
/// # Errors
/// The store's.
pub async fn round(base: &Base, provider: &Arc<dyn Payments>) -> Result<()> {
    if !provider.keeps_cards() {
        return Ok(());
    }
    let now = base.clock.now();
    top_ups::resume(&base.store, LIMIT, month_start(now), now).await?;
    let (since, before) = (now.plus_seconds(-SETTLING_SECONDS), now.plus_seconds(-AGAIN_SECONDS));
    for (purchase, card) in stored::unsettled(&base.store, since, before, now, BATCH_SIZE).await? {
        if !goes_on(purchase.account, settle(base, provider, &purchase, &card, Attempt::Again).await) {
            return Ok(());
        }
    }
    for due in top_ups::due(&base.store, BATCH_SIZE).await? {
        if !goes_on(due.account, buy(base, provider, &due).await) {
            return Ok(());
        }
    }
    Ok(())
}

/// Whether the round goes on after this outcome: whether the provider answers.
fn goes_on(account: AccountId, outcome: Result<bool>) -> bool {
    outcome.unwrap_or_else(|error| {
        tracing::error!(error = %error, account.id = %account, "an automatic purchase failed");
        true
    })
}

/// Whether a purchase is charged for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    First,
    /// The outcome of an earlier attempt is unknown.
    Again,
}

/// The first instant of the month (UTC).
pub fn month_start(now: Timestamp) -> Timestamp {
    let day = jiff::Timestamp::from_second(now.unix_seconds()).unwrap_or_default();
    let date = day.to_zoned(jiff::tz::TimeZone::UTC).date().first_of_month();
    let start = date.to_zoned(jiff::tz::TimeZone::UTC).map_or(0, |start| start.timestamp().as_second());
    Timestamp(start.saturating_mul(1_000_000))
}

/// Orders and charges what is due; whether the provider answers.
async fn buy(base: &Base, provider: &Arc<dyn Payments>, due: &Due) -> Result<bool> {
    let Due { account, rule, currency, card } = due;
    // Of its own: a month may have begun since the round did.
    let now = base.clock.now();
    let sold_in = &base.config.payments.currency;
    let price = base.config.payments.price(rule.credits);
    // A limit in another currency says nothing about these prices.
    let Some(price_minor) = price.filter(|_| currency.as_ref() == Some(sold_in)) else {
        top_ups::stop(&base.store, *account, UNSOLD, None, now).await?;
        return Ok(true);
    };
    let new = NewPurchase {
        id: base.ids.make(),
        provider: provider.provider(),
        credits: rule.credits,
        price_minor,
        currency: sold_in,
        automatic: Some(Automatic { rule, card, since: month_start(now) }),
    };
    match stored::ask(&base.store, *account, &new, 0, None, now).await? {
        AskOutcome::Noted(purchase) => settle(base, provider, &purchase, card, Attempt::First).await,
        AskOutcome::OverLimit => {
            top_ups::stop(&base.store, *account, LIMIT, None, now).await?;
            Ok(true)
        }
        AskOutcome::TooMany | AskOutcome::NotNeeded | AskOutcome::Replay(_) => Ok(true),
    }
}

/// Charges a purchase, and books what comes of it; whether the provider answers.
async fn settle(
    base: &Base,
    provider: &Arc<dyn Payments>,
    purchase: &Purchase,
    card: &Card,
    attempt: Attempt,
) -> Result<bool> {
    match provider.charge(purchase, card, attempt).await {
        Ok(Charged::Paid) => super::pay(base, purchase.id, purchase.provider).await.map(|_| true),
        Ok(Charged::Undecided) => {
            stored::tried(&base.store, purchase.id, base.clock.now()).await?;
            Ok(true)
        }
        Ok(Charged::Refused(why)) => decline(base, purchase, why).await.map(|()| true),
        Err(Error::Unavailable { .. }) => {
            tracing::warn!(purchase.id = %purchase.id, "the outcome of an automatic purchase is unknown; it is asked for again");
            stored::tried(&base.store, purchase.id, base.clock.now()).await?;
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

/// Ends an automatic purchase that was refused, and all further ones by its card until the owner has
/// looked.
pub(super) async fn decline(base: &Base, purchase: &Purchase, why: &str) -> Result<()> {
    let ended = super::close_unpaid(base, purchase.id, purchase.provider, PurchaseStatus::Declined).await?;
    if ended.status == PurchaseStatus::Paid {
        return Ok(());
    }
    tracing::info!(purchase.id = %purchase.id, reason = why, "an automatic purchase was refused");
    Ok(top_ups::stop(&base.store, purchase.account, why, Some(purchase.id), base.clock.now()).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_starts_at_midnight_of_its_first_day() {
        let at = |text| Timestamp::parse_rfc_3339(text).unwrap();
        assert_eq!(month_start(at("2026-11-26T23:59:59Z")), at("2026-11-01T00:00:00Z"));
        assert_eq!(month_start(at("2028-03-01T00:00:00Z")), at("2028-03-01T00:00:00Z"));
    }
}
