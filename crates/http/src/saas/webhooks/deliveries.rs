//! `/v1/saas/webhooks/{id}/deliveries`.

pub mod get;
pub mod list;
pub mod retry;

use lectern_types::{DeliveryId, ErrorCode, WebhookId};

use super::Path;
use lectern_service::error::Result;

/// The endpoint and the delivery that the path names.
///
/// # Errors
/// `not_found` for anything that is not an id.
fn delivery(path: Path) -> Result<(WebhookId, DeliveryId)> {
    let path = path.map_err(|_| ErrorCode::NotFound)?;
    let text = |name: &str| path.iter().find(|(found, _)| *found == name).map(|(_, text)| text);
    let webhook = text("id").and_then(|text| text.parse().ok()).ok_or(ErrorCode::NotFound)?;
    let delivery = text("delivery_id").and_then(|text| text.parse().ok()).ok_or(ErrorCode::NotFound)?;
    Ok((webhook, delivery))
}
