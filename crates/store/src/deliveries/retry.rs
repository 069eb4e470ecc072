//! A delivery that a customer retries by hand.

use lectern_types::{DeliveryId, DeliveryStatus, Timestamp, WebhookStatus};

use super::{Delivery, Once, Owner, find_in};
use crate::{
    Error, Result, Store,
    db::sql,
    idempotency::{Replay, Request, Response},
    notifications::Notification,
    webhooks,
};

/// The outcome of a retry. Nothing was changed unless it is [`RetryOutcome::Due`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RetryOutcome {
    /// The delivery is due now; carries the stored response.
    Due(Response),
    /// There is no such delivery, or its webhook is not active.
    NotFound,
    /// It was delivered already.
    Delivered,
    /// An attempt is in progress.
    InFlight,
    /// The `Idempotency-Key` was used before.
    Replay(Replay),
}

/// Makes a delivery due now. `respond` writes the response; its error rolls everything back.
///
/// # Errors
/// The store's or that of `respond`.
pub async fn retry<E: From<Error>>(
    store: &Store,
    owner: Owner,
    delivery: DeliveryId,
    idempotency: Option<&Request<'_>>,
    respond: impl Fn(&Delivery) -> Result<Response, E>,
    now: Timestamp,
) -> Result<RetryOutcome, E> {
    let mut tx = store.begin().await?;
    let once = match Once::begin(&mut tx, owner, idempotency, now).await? {
        Ok(once) => once,
        Err(replay) => return Ok(RetryOutcome::Replay(replay)),
    };
    let webhook = webhooks::lock(&mut tx, owner.account, owner.environment, owner.webhook).await?;
    if webhook.is_none_or(|webhook| webhook.status != WebhookStatus::Active) {
        return Ok(RetryOutcome::NotFound);
    }
    let touched = tx
        .run(sql!(
            "UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = $3
             WHERE id = $1 AND webhook_id = $2 AND status IN ('pending', 'failed')",
            delivery,
            owner.webhook,
            now
        ))
        .await?;
    let Some(found) = find_in(&mut tx, owner.webhook, delivery).await? else {
        return Ok(RetryOutcome::NotFound);
    };
    if touched == 0 {
        let is_delivered = found.status == DeliveryStatus::Succeeded;
        return Ok(if is_delivered { RetryOutcome::Delivered } else { RetryOutcome::InFlight });
    }
    let response = respond(&found)?;
    once.finish(&mut tx, &response, now).await?;
    tx.notify(Notification::Deliveries);
    tx.commit().await?;
    Ok(RetryOutcome::Due(response))
}
