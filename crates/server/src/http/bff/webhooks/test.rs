//! `POST /v1/bff/webhooks/{id}/test`.

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

/// Send a test event
///
/// As `POST /v1/saas/webhooks/{id}/test`, for who is signed in.
#[utoipa::path(
    post,
    path = "/v1/bff/webhooks/{id}/test",
    tag = "Web application",
    operation_id = "web_test_webhook",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::WebhookId, Path, description = "The endpoint's id"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the call safe to repeat for 24 hours: 1 to 128 characters of A-Z, a-z, 0-9, _ and -", max_length = 128, min_length = 1, pattern = "^[A-Za-z0-9_-]+$"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "The delivery", body = lectern_types::Delivery))
)]
pub async fn web_test_webhook(
    State(app): State<App>,
    Web(caller): Web<Admin>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
) -> Result<Response, Failure> {
    saas::webhooks::test::test_webhook(State(app), caller, path, request).await
}
