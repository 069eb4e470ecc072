//! Stripe's events: the purchase that an event concerns, and its effect on that purchase. Events
//! arrive more than once and in any order, so each is judged only by its own payment status, never
//! by earlier events.

use lectern_store::{Store, purchases as stored};
use lectern_types::{ErrorCode, PaymentProvider, PurchaseId, PurchaseStatus};
use serde::Deserialize;

use super::signature;
use crate::{
    base::Base,
    error::{Error, Result},
    services::billing::payments,
};

/// The fields of an event that this module reads.
#[derive(Debug, Deserialize)]
struct Event {
    id: String,
    r#type: String,
    data: Data,
}

#[derive(Debug, Deserialize)]
struct Data {
    object: serde_json::Value,
}

/// The fields of a Checkout session that this module reads.
#[derive(Debug, Deserialize)]
struct Session {
    client_reference_id: Option<String>,
    payment_status: Option<String>,
    amount_total: Option<i64>,
    currency: Option<String>,
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
/// a malformed event, or the store's failure, after which Stripe sends it again.
pub async fn handle(base: &Base, signed: &str, body: &[u8]) -> Result<()> {
    let secret = base.config.stripe.webhook_secret.as_ref().ok_or(ErrorCode::NotFound)?;
    if !signature::is_valid(secret, signed, body, base.clock.now().unix_seconds()) {
        return Err(ErrorCode::PaymentSignatureInvalid.into());
    }
    let event: Event =
        serde_json::from_slice(body).map_err(|_| Error::invalid("body", "is not an event of Stripe's"))?;
    if !event.r#type.starts_with("checkout.session.") {
        return Ok(());
    }
    let session: Session = serde_json::from_value(event.data.object)
        .map_err(|_| Error::invalid("body", "is not an event of Stripe's"))?;
    let reference = session.client_reference_id.as_deref();
    let Some(purchase) = reference.and_then(|text| text.parse::<PurchaseId>().ok()) else {
        tracing::info!(stripe.event = event.id, "a Stripe event does not concern any of our purchases");
        return Ok(());
    };
    let result = match outcome(&event.r#type, session.payment_status.as_deref()) {
        Outcome::Nothing => return Ok(()),
        Outcome::Paid if !matches_price(&base.store, purchase, &session).await? => {
            tracing::error!(stripe.event = event.id, purchase.id = %purchase, "the amount paid is not the price; nothing was credited");
            return Ok(());
        }
        Outcome::Paid => payments::pay(base, purchase, PaymentProvider::Stripe).await,
        Outcome::Ended(end) => payments::close_unpaid(base, purchase, PaymentProvider::Stripe, end).await,
    };
    match result {
        // The purchase belongs to another installation with the same Stripe account.
        Err(Error::Refused(ErrorCode::NotFound)) => Ok(()),
        other => other.map(drop),
    }
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
async fn matches_price(store: &Store, purchase: PurchaseId, session: &Session) -> Result<bool> {
    let Some(found) = stored::find_any(store, purchase).await? else { return Ok(true) };
    Ok(session.amount_total == Some(found.price_minor)
        && session.currency.as_deref() == Some(found.currency.as_str()))
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
