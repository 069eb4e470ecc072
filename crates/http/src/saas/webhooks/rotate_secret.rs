//! `POST /v1/saas/webhooks/{id}/rotate-secret`.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_types::{ErrorCode, RotatedWebhook, WebhookId};

use super::Path;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Admin, Caller},
        post::{self, ReplayStorage},
    },
    shapes,
};
use lectern_service::{app::App, services::webhooks::changes};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::IdempotencyKeyReuse,
    ErrorCode::ValidationFailed,
    ErrorCode::NotFound,
];

/// Rotate a webhook's secret
///
/// Gives an endpoint a new secret, which is shown in this response only. For 24 hours, events are
/// also signed with the previous secret. With an `Idempotency-Key`, repeating the call with the
/// same API key returns the same response and does not rotate the secret again.
#[utoipa::path(
    post,
    path = "/v1/saas/webhooks/{id}/rotate-secret",
    tag = "Webhooks",
    operation_id = "rotate_webhook_secret",
    params(
        ("id" = WebhookId, Path, description = "The endpoint's id"),
        crate::extract::idempotency::Header,
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The endpoint with its new secret", body = RotatedWebhook, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
    )))
)]
pub async fn rotate_webhook_secret(
    State(app): State<Arc<App>>,
    caller: Caller<Admin>,
    path: Path,
    request: Request,
) -> Result<Response, Failure> {
    let run = async |idempotent| {
        let show = |webhook: &_, secret, previous_secret_expires_at| {
            let about = shapes::webhook(webhook);
            post::json(200, &RotatedWebhook { about, secret, previous_secret_expires_at })
        };
        changes::rotate(&app.base, &caller.authenticated, super::webhook(path)?, idempotent, show).await
    };
    post::answer_bare(&app.base, &caller, request, ReplayStorage::Sealed, run).await
}
