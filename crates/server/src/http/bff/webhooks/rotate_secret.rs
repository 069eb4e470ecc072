//! `POST /v1/bff/webhooks/{id}/rotate-secret`.

use axum::{
    extract::{RawPathParams, Request, State, rejection::RawPathParamsRejection},
    response::Response,
};
use lectern_types::Environment;

use crate::{
    app::App,
    http::{
        envelope::Failure,
        extract::{auth::Admin, web::Web},
        saas,
    },
};

/// Rotate a webhook's secret
///
/// As `POST /v1/saas/webhooks/{id}/rotate-secret`, for who is signed in.
#[utoipa::path(
    post,
    path = "/v1/bff/webhooks/{id}/rotate-secret",
    tag = "Web application",
    operation_id = "web_rotate_webhook_secret",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::WebhookId, Path, description = "The endpoint's id"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the call safe to repeat for 24 hours: 1 to 128 characters of A-Z, a-z, 0-9, _ and -", max_length = 128, min_length = 1, pattern = "^[A-Za-z0-9_-]+$"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "The endpoint, with its new secret", body = lectern_types::RotatedWebhook))
)]
pub async fn web_rotate_webhook_secret(
    State(app): State<App>,
    Web(caller): Web<Admin>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
) -> Result<Response, Failure> {
    saas::webhooks::rotate_secret::rotate_webhook_secret(State(app), caller, path, request).await
}
