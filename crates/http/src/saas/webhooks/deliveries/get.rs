//! `GET /v1/saas/webhooks/{id}/deliveries/{delivery_id}`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::deliveries;
use lectern_types::{DeliveryDetail, DeliveryId, ErrorCode, WebhookId};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Admin, Caller},
        page::Parameters,
    },
    saas::webhooks::Path,
    shapes,
};
use lectern_service::{app::App, services::webhooks::deliveries::owner};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed, ErrorCode::NotFound];

/// Get a delivery
///
/// One delivery with its payload and every attempt at it.
#[utoipa::path(
    get,
    path = "/v1/saas/webhooks/{id}/deliveries/{delivery_id}",
    tag = "Webhooks",
    operation_id = "get_delivery",
    params(
        ("id" = WebhookId, Path, description = "The endpoint's id"),
        ("delivery_id" = DeliveryId, Path, description = "The delivery's id"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The delivery", body = DeliveryDetail))
)]
pub async fn get_delivery(
    State(app): State<Arc<App>>,
    caller: Caller<Admin>,
    path: Path,
    uri: Uri,
) -> Result<Json<DeliveryDetail>, Failure> {
    Parameters::of(&uri).finish()?;
    let (webhook, delivery) = super::delivery(path)?;
    let found = deliveries::find(&app.base.store, owner(&caller.authenticated, webhook), delivery).await?;
    Ok(Json(shapes::delivery_detail(found.ok_or(ErrorCode::NotFound)?)))
}
