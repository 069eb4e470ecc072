//! `PATCH /v1/saas/webhooks/{id}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
};
use lectern_types::{ErrorCode, UpdateWebhookRequest, Webhook, WebhookId};

use super::Path;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Admin, Caller},
        path, post,
    },
    shapes,
};
use lectern_service::{app::App, services::webhooks::changes};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::ValidationFailed,
    ErrorCode::UrlMustBeHttps,
    ErrorCode::UrlHostNotAllowed,
    ErrorCode::EventsRequired,
    ErrorCode::InvalidEventType,
    ErrorCode::NotFound,
    ErrorCode::TooManyWebhookEndpoints,
];

/// Change a webhook
///
/// Changes the fields that are sent. A disabled endpoint receives no events, and its pending
/// deliveries are canceled. An endpoint that is enabled again receives later events, and counts
/// among the 20.
#[utoipa::path(
    patch,
    path = "/v1/saas/webhooks/{id}",
    tag = "Webhooks",
    operation_id = "update_webhook",
    params(("id" = WebhookId, Path, description = "The endpoint's id")),
    request_body = UpdateWebhookRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The endpoint, as it is now", body = Webhook))
)]
pub async fn update_webhook(
    State(app): State<Arc<App>>,
    caller: Caller<Admin>,
    path: Path,
    request: Request,
) -> Result<Json<Webhook>, Failure> {
    let params = post::parse::<UpdateWebhookRequest>(&app.base, request).await?;
    // Errors in the body are reported before a missing endpoint.
    let webhook = changes::update(&app.base, &caller.authenticated, path::id(path, "id"), params).await?;
    Ok(Json(shapes::webhook(&webhook)))
}
