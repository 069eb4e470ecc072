//! Deletes an endpoint: its row stays, because deliveries name it, but its secrets are removed.

use lectern_types::{AccountId, Timestamp, WebhookId, WebhookStatus};

use super::{Webhook, cancel_deliveries, lock};
use crate::{Environment, Result, Store, db::sql};

/// Deletes an endpoint of the account. Returns the endpoint in its final state, or `None` when
/// there is no such endpoint.
pub async fn delete(
    store: &Store,
    account: AccountId,
    environment: Environment,
    webhook: WebhookId,
    now: Timestamp,
) -> Result<Option<Webhook>> {
    let mut tx = store.begin().await?;
    let Some(mut found) = lock(&mut tx, account, environment, webhook).await? else { return Ok(None) };
    let none: &[u8] = &[];
    tx.run(sql!(
        "UPDATE webhooks SET status = 'deleted', secrets = $3, updated_at = $2 WHERE id = $1",
        webhook,
        now,
        none
    ))
    .await?;
    cancel_deliveries(&mut tx, webhook).await?;
    tx.commit().await?;
    found.status = WebhookStatus::Deleted;
    Ok(Some(found))
}
