//! Rotates the secret of an endpoint.

use lectern_types::{AccountId, Timestamp, WebhookId};

use super::{Webhook, lock};
use crate::{
    Environment, Error, Result, Store,
    db::sql,
    idempotency::{self, Replay, Request, Response, RowKey},
};

/// The outcome of a rotation. Nothing was changed unless it is [`RotateOutcome::Rotated`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RotateOutcome {
    /// The secret was rotated; carries the response with the new secret.
    Rotated(Response),
    /// There is no such endpoint.
    NotFound,
    /// The `Idempotency-Key` was used before.
    Replay(Replay),
}

/// Changes an endpoint's secrets. `next` turns the stored sealed secrets into the new ones, and
/// writes the response and its stored form; its error rolls everything back.
///
/// # Errors
/// The store's or that of `next`.
pub async fn rotate<E: From<Error>>(
    store: &Store,
    account: AccountId,
    environment: Environment,
    webhook: WebhookId,
    idempotency: Option<&Request<'_>>,
    next: impl Fn(&Webhook, &[u8]) -> Result<(Vec<u8>, Response, Response), E>,
    now: Timestamp,
) -> Result<RotateOutcome, E> {
    let mut tx = store.begin().await?;
    let Some(found) = lock(&mut tx, account, environment, webhook).await? else {
        return Ok(RotateOutcome::NotFound);
    };
    let secrets = tx.one(sql!("SELECT secrets FROM webhooks WHERE id = $1", webhook)).await?;
    let secrets: Vec<u8> = secrets.map_or(Ok(Vec::new()), |row| row.scalar())?;
    let (secrets, response, kept) = next(&found, &secrets)?;
    if let Some(request) = idempotency {
        let row = RowKey::new(account, environment, request);
        if let Some(replay) = idempotency::record(&mut tx, &row, request.fingerprint, &kept, now).await? {
            return Ok(RotateOutcome::Replay(replay));
        }
    }
    tx.run(sql!(
        "UPDATE webhooks SET secrets = $2, updated_at = $3 WHERE id = $1",
        webhook,
        secrets.as_slice(),
        now
    ))
    .await?;
    tx.commit().await?;
    Ok(RotateOutcome::Rotated(response))
}
