//! What Stripe tells: which purchase an event is about, and what it means for it. Events come more than once and in any
//! order; each is taken for what it says of the payment, never for what came before it.

use lectern_store::purchases::{self as stored, Provider, PurchaseStatus};
use lectern_types::{ErrorCode, PurchaseId};
use serde::Deserialize;

use super::signature;
use crate::{
    app::App,
    error::{Error, Result},
    services::payments,
};

/// What is read of an event.
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

/// What is read of a Checkout session.
#[derive(Debug, Deserialize)]
struct Session {
    client_reference_id: Option<String>,
    payment_status: Option<String>,
    amount_total: Option<i64>,
    currency: Option<String>,
}

/// What an event means for a purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Paid,
    Ended(PurchaseStatus),
    Nothing,
}

/// Takes an event in.
///
/// # Errors
/// `not_found` without Stripe in the settings, `payment_signature_invalid`, `validation_failed` for what is no event, or the
/// store's: then Stripe sends it again.
pub async fn take(app: &App, signed: &str, body: &[u8]) -> Result<()> {
    let secret = app.config.stripe.webhook_secret.as_ref().ok_or(ErrorCode::NotFound)?;
    if !signature::is_right(secret, signed, body, app.clock.now().unix_seconds()) {
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
        tracing::info!(stripe.event = event.id, "an event of Stripe's is about none of our purchases");
        return Ok(());
    };
    let known = match meaning(&event.r#type, session.payment_status.as_deref()) {
        Meaning::Nothing => return Ok(()),
        Meaning::Paid if !is_price(app, purchase, &session).await? => {
            tracing::error!(stripe.event = event.id, purchase.id = %purchase, "what was paid is not the price; nothing was booked");
            return Ok(());
        }
        Meaning::Paid => payments::pay(app, purchase, Provider::Stripe).await,
        Meaning::Ended(end) => payments::give_up(app, purchase, Provider::Stripe, end).await,
    };
    match known {
        // Another installation's, on the same account of Stripe's.
        Err(Error::Refused(ErrorCode::NotFound)) => Ok(()),
        other => other.map(drop),
    }
}

/// What an event of this type says.
fn meaning(kind: &str, payment_status: Option<&str>) -> Meaning {
    match (kind, payment_status) {
        ("checkout.session.completed", Some("paid" | "no_payment_required"))
        | ("checkout.session.async_payment_succeeded", _) => Meaning::Paid,
        ("checkout.session.async_payment_failed", _) => Meaning::Ended(PurchaseStatus::Declined),
        ("checkout.session.expired", _) => Meaning::Ended(PurchaseStatus::Expired),
        _ => Meaning::Nothing,
    }
}

/// Whether what was paid is what the purchase costs. A purchase that there is not costs nothing in particular.
async fn is_price(app: &App, purchase: PurchaseId, session: &Session) -> Result<bool> {
    let Some(found) = stored::find_any(&app.store, purchase).await? else { return Ok(true) };
    Ok(session.amount_total == Some(found.price_minor)
        && session.currency.as_deref() == Some(found.currency.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_money_that_came_is_paid() {
        for (kind, status, expected) in [
            ("checkout.session.completed", Some("paid"), Meaning::Paid),
            ("checkout.session.completed", Some("unpaid"), Meaning::Nothing),
            ("checkout.session.completed", None, Meaning::Nothing),
            ("checkout.session.async_payment_succeeded", Some("paid"), Meaning::Paid),
            (
                "checkout.session.async_payment_failed",
                Some("unpaid"),
                Meaning::Ended(PurchaseStatus::Declined),
            ),
            ("checkout.session.expired", Some("unpaid"), Meaning::Ended(PurchaseStatus::Expired)),
            ("checkout.session.new_thing", Some("paid"), Meaning::Nothing),
        ] {
            assert_eq!(meaning(kind, status), expected, "{kind} {status:?}");
        }
    }
}
