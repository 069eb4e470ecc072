//! Stripe's events: the purchase or card that an event concerns, and its effect. Events
//! arrive more than once and in any order, so each is judged only by its own payment status, never
//! by earlier events.

use std::collections::HashMap;

use lectern_store::{Store, purchases as stored, top_ups};
use lectern_types::{ErrorCode, PaymentProvider, PurchaseId, PurchaseStatus, Timestamp};
use serde::Deserialize;

use super::{amount, signature};
use crate::{
    base::Base,
    error::{Error, Result},
    services::billing::payments::{self, PaymentContext, top_up},
};

/// The fields of an event that this module reads.
#[derive(Debug, Deserialize)]
struct Event {
    id: String,
    r#type: String,
    /// When what it reports happened, in seconds since 1970.
    #[serde(default)]
    created: i64,
    data: Data,
}

#[derive(Debug, Deserialize)]
struct Data {
    object: serde_json::Value,
}

/// The fields of a Checkout session that this module reads.
#[derive(Debug, Deserialize)]
struct Session {
    mode: Option<String>,
    client_reference_id: Option<String>,
    payment_status: Option<String>,
    amount_total: Option<i64>,
    currency: Option<String>,
    customer: Option<String>,
    setup_intent: Option<String>,
}

/// The fields of a payment that this module reads.
#[derive(Debug, Deserialize)]
struct Payment {
    #[serde(default)]
    metadata: HashMap<String, String>,
    amount_received: Option<i64>,
    currency: Option<String>,
    last_payment_error: Option<PaymentError>,
}

#[derive(Debug, Deserialize)]
struct PaymentError {
    code: Option<String>,
}

/// The effect of an event on a purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Paid,
    Ended(PurchaseStatus),
    Nothing,
}

/// Handles an event.
///
/// # Errors
/// `not_found` when Stripe is not configured, `payment_signature_invalid`, `validation_failed` for
/// a malformed event, or the store's or Stripe's failure, after which Stripe sends it again.
pub async fn handle(context: &PaymentContext, signed: &str, body: &[u8]) -> Result<()> {
    let base = &context.base;
    let secret = base.config.stripe.webhook_secret.as_ref().ok_or(ErrorCode::NotFound)?;
    if !signature::is_valid(secret, signed, body, base.clock.now().unix_seconds()) {
        return Err(ErrorCode::PaymentSignatureInvalid.into());
    }
    let event: Event = serde_json::from_slice(body).map_err(|_| malformed())?;
    let result = if event.r#type.starts_with("checkout.session.") {
        checkout(context, event).await
    } else if event.r#type.starts_with("payment_intent.") {
        payment(base, event).await
    } else {
        Ok(())
    };
    match result {
        // The purchase belongs to another installation with the same Stripe account.
        Err(Error::Refused(ErrorCode::NotFound)) => Ok(()),
        other => other,
    }
}

fn malformed() -> Error {
    Error::invalid("body", "is not an event of Stripe's")
}

/// An event of a visit to Checkout: for a purchase, or to leave a card.
async fn checkout(context: &PaymentContext, event: Event) -> Result<()> {
    let base = &context.base;
    let session: Session = serde_json::from_value(event.data.object).map_err(|_| malformed())?;
    if session.mode.as_deref() == Some("setup") {
        return keep_card(context, &event.r#type, event.created, &session).await;
    }
    let reference = session.client_reference_id.as_deref();
    let Some(purchase) = reference.and_then(|text| text.parse::<PurchaseId>().ok()) else {
        tracing::info!(stripe.event = event.id, "a Stripe event does not concern any of our purchases");
        return Ok(());
    };
    let price = (session.amount_total, session.currency.as_deref());
    match outcome(&event.r#type, session.payment_status.as_deref()) {
        Outcome::Nothing => Ok(()),
        Outcome::Paid => pay(base, &event.id, purchase, price).await,
        Outcome::Ended(end) => {
            payments::close_unpaid(base, purchase, PaymentProvider::Stripe, end).await.map(drop)
        }
    }
}

/// Keeps the card that a customer has left.
async fn keep_card(context: &PaymentContext, kind: &str, created: i64, session: &Session) -> Result<()> {
    let (Some(customer), Some(setup)) = (&session.customer, &session.setup_intent) else { return Ok(()) };
    if kind != "checkout.session.completed" {
        return Ok(());
    }
    let card = context.provider.find_card(customer, setup).await?;
    let base = &context.base;
    let at = Timestamp(created.saturating_mul(1_000_000));
    if let Some(before) = top_ups::set_card(&base.store, &card, at, base.clock.now()).await?
        && let Err(error) = context.provider.forget_card(&before).await
    {
        tracing::warn!(error = %error, "a card that was replaced could not be let go");
    }
    Ok(())
}

/// An event of a payment by a card that is kept. Payments at Checkout have events of their own.
async fn payment(base: &Base, event: Event) -> Result<()> {
    let payment: Payment = serde_json::from_value(event.data.object).map_err(|_| malformed())?;
    let purchase = payment.metadata.get("purchase_id").and_then(|text| text.parse::<PurchaseId>().ok());
    let Some(purchase) = purchase else { return Ok(()) };
    let Some(found) = stored::find_any(&base.store, purchase).await?.filter(|found| found.automatic) else {
        return Ok(());
    };
    match event.r#type.as_str() {
        "payment_intent.succeeded" => {
            pay(base, &event.id, purchase, (payment.amount_received, payment.currency.as_deref())).await
        }
        "payment_intent.payment_failed" | "payment_intent.canceled"
            if found.status == PurchaseStatus::Pending =>
        {
            let code = payment.last_payment_error.and_then(|error| error.code);
            top_up::decline(base, &found, super::reason(code.as_deref())).await
        }
        _ => Ok(()),
    }
}

/// Books a payment, if it is of the purchase's price.
async fn pay(
    base: &Base,
    event: &str,
    purchase: PurchaseId,
    paid: (Option<i64>, Option<&str>),
) -> Result<()> {
    if !matches_price(&base.store, purchase, paid).await? {
        tracing::error!(stripe.event = event, purchase.id = %purchase, "the amount paid is not the price; nothing was credited");
        return Ok(());
    }
    payments::pay(base, purchase, PaymentProvider::Stripe).await.map(drop)
}

/// The effect of an event of this type.
fn outcome(kind: &str, payment_status: Option<&str>) -> Outcome {
    match (kind, payment_status) {
        ("checkout.session.completed", Some("paid" | "no_payment_required"))
        | ("checkout.session.async_payment_succeeded", _) => Outcome::Paid,
        ("checkout.session.async_payment_failed", _) => Outcome::Ended(PurchaseStatus::Declined),
        ("checkout.session.expired", _) => Outcome::Ended(PurchaseStatus::Expired),
        _ => Outcome::Nothing,
    }
}

/// Whether the amount paid is the purchase's price. Also true for an unknown purchase, which the
/// caller handles later.
async fn matches_price(
    store: &Store,
    purchase: PurchaseId,
    (amount, currency): (Option<i64>, Option<&str>),
) -> Result<bool> {
    let Some(found) = stored::find_any(store, purchase).await? else { return Ok(true) };
    let price = amount::of(found.price_minor, &found.currency);
    Ok(amount == Some(price) && currency == Some(found.currency.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_received_payment_counts_as_paid() {
        for (kind, status, expected) in [
            ("checkout.session.completed", Some("paid"), Outcome::Paid),
            ("checkout.session.completed", Some("unpaid"), Outcome::Nothing),
            ("checkout.session.completed", None, Outcome::Nothing),
            ("checkout.session.async_payment_succeeded", Some("paid"), Outcome::Paid),
            (
                "checkout.session.async_payment_failed",
                Some("unpaid"),
                Outcome::Ended(PurchaseStatus::Declined),
            ),
            ("checkout.session.expired", Some("unpaid"), Outcome::Ended(PurchaseStatus::Expired)),
            ("checkout.session.new_thing", Some("paid"), Outcome::Nothing),
        ] {
            assert_eq!(outcome(kind, status), expected, "{kind} {status:?}");
        }
    }
}
