//! `POST /v1/saas/webhooks/{id}/deliveries/{delivery_id}/retry`.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_types::{Delivery, DeliveryId, ErrorCode, WebhookId};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Admin, Caller},
        post::{self, ReplayStorage},
    },
    saas::webhooks::Path,
    shapes,
};
use lectern_service::{app::App, services::webhooks::deliveries};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::IdempotencyKeyReuse,
    ErrorCode::ValidationFailed,
    ErrorCode::NotFound,
    ErrorCode::AlreadyDelivered,
    ErrorCode::AlreadyInFlight,
];

/// Retry a delivery
///
/// Makes a pending or failed delivery due now. If this attempt fails as well, the schedule continues.
#[utoipa::path(
    post,
    path = "/v1/saas/webhooks/{id}/deliveries/{delivery_id}/retry",
    tag = "Webhooks",
    operation_id = "retry_delivery",
    params(
        ("id" = WebhookId, Path, description = "The endpoint's id"),
        ("delivery_id" = DeliveryId, Path, description = "The delivery's id"),
        crate::extract::idempotency::Header,
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 202, description = "The delivery, due now", body = Delivery, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
    )))
)]
pub async fn retry_delivery(
    State(app): State<Arc<App>>,
    caller: Caller<Admin>,
    path: Path,
    request: Request,
) -> Result<Response, Failure> {
    let run = async |idempotent| {
        let (webhook, delivery) = super::delivery(path)?;
        let show = |delivery: &_| post::json(202, &shapes::delivery(delivery));
        deliveries::retry(&app.base, &caller.authenticated, webhook, delivery, idempotent, show).await
    };
    post::answer_bare(&app.base, &caller, request, ReplayStorage::Plain, run).await
}
