//! Polls for due deliveries by reads only, so that an idle worker costs SQLite's one writer
//! nothing.

use lectern_types::{AccountId, DeliveryId, EventId, EventType, Timestamp, WebhookId};

use crate::{Environment, Result, Store, db::sql};

/// A due delivery, with everything that an attempt needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    pub id: DeliveryId,
    /// The receiving webhook.
    pub webhook: WebhookId,
    pub account: AccountId,
    pub environment: Environment,
    pub url: String,
    pub secrets: Vec<u8>,
    pub event: EventId,
    pub kind: EventType,
    /// Its data, as JSON.
    pub data: String,
    pub created_at: Timestamp,
}

/// The query steps from webhook to webhook by the index, not from delivery to delivery. Its
/// duration depends on the number of waiting webhooks, not on the number of their deliveries.
const LANES: &str = "WITH RECURSIVE lanes (webhook_id) AS (
         SELECT (SELECT MIN(d.webhook_id) FROM webhook_deliveries d
                 WHERE d.next_attempt_at IS NOT NULL AND d.webhook_id > $1)
         UNION ALL
         SELECT (SELECT MIN(d.webhook_id) FROM webhook_deliveries d
                 WHERE d.next_attempt_at IS NOT NULL AND d.webhook_id > lanes.webhook_id)
         FROM lanes WHERE lanes.webhook_id IS NOT NULL
     )
     SELECT lanes.webhook_id, (SELECT w.account_id FROM webhooks w WHERE w.id = lanes.webhook_id) AS account_id
     FROM lanes
     WHERE lanes.webhook_id IS NOT NULL AND (
         SELECT MIN(d.next_attempt_at) FROM webhook_deliveries d
         WHERE d.webhook_id = lanes.webhook_id AND d.next_attempt_at IS NOT NULL) <= $2
     LIMIT $3";

/// Webhooks after `after` with due deliveries, each with its account, in the order of their ids.
pub async fn lanes(
    store: &Store,
    after: Option<WebhookId>,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<(WebhookId, AccountId)>> {
    let after = after.map_or_else(String::new, |webhook| webhook.to_string());
    let rows = store.all(sql!(LANES, after, now, limit)).await?;
    rows.iter().map(|row| row.pair("webhook_id", "account_id")).collect()
}

/// A webhook's due deliveries, the longest due first.
pub async fn due(store: &Store, webhook: WebhookId, now: Timestamp, limit: u32) -> Result<Vec<Due>> {
    let rows = store
        .all(sql!(
            "SELECT d.id, d.webhook_id, w.account_id, d.environment, w.url, w.secrets, d.event_id, d.event_kind,
                 e.data, d.created_at
             FROM webhook_deliveries d
             JOIN webhooks w ON w.id = d.webhook_id
             JOIN events e ON e.id = d.event_id
             WHERE d.webhook_id = $1 AND d.next_attempt_at IS NOT NULL AND d.next_attempt_at <= $2
               AND w.status = 'active'
             ORDER BY d.next_attempt_at, d.id LIMIT $3",
            webhook,
            now,
            limit
        ))
        .await?;
    rows.iter()
        .map(|row| {
            Ok(Due {
                id: row.get("id")?,
                webhook: row.get("webhook_id")?,
                account: row.get("account_id")?,
                environment: row.get("environment")?,
                url: row.get("url")?,
                secrets: row.get("secrets")?,
                event: row.get("event_id")?,
                kind: row.get("event_kind")?,
                data: row.get("data")?,
                created_at: row.get("created_at")?,
            })
        })
        .collect()
}
