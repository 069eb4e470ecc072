//! `POST /v1/saas/webhooks/{id}/test`.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_types::{Delivery, ErrorCode, WebhookId};

use super::Path;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Admin, Caller},
        post::{self, ReplayStorage},
    },
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
];

/// Send a test event
///
/// Sends a `webhook.test` event to an active endpoint, whether or not it subscribes to that type,
/// and returns the delivery. It is signed, retried and listed like any other.
#[utoipa::path(
    post,
    path = "/v1/saas/webhooks/{id}/test",
    tag = "Webhooks",
    operation_id = "test_webhook",
    params(
        ("id" = WebhookId, Path, description = "The endpoint's id"),
        crate::extract::idempotency::Header,
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The delivery, due now", body = Delivery, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
    )))
)]
pub async fn test_webhook(
    State(app): State<Arc<App>>,
    caller: Caller<Admin>,
    path: Path,
    request: Request,
) -> Result<Response, Failure> {
    let run = async |idempotent| {
        let show = |delivery: &_| post::json(200, &shapes::delivery(delivery));
        deliveries::test(&app.base, &caller.authenticated, super::webhook(path)?, idempotent, show).await
    };
    post::answer_bare(&app.base, &caller, request, ReplayStorage::Plain, run).await
}
