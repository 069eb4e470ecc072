//! `POST /v1/bff/webhooks`.

use axum::{
    extract::{Request, State},
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

/// Register a webhook
///
/// As `POST /v1/saas/webhooks`, for who is signed in.
#[utoipa::path(
    post,
    path = "/v1/bff/webhooks",
    tag = "Web application",
    operation_id = "web_create_webhook",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the call safe to repeat for 24 hours: 1 to 128 characters of A-Z, a-z, 0-9, _ and -", max_length = 128, min_length = 1, pattern = "^[A-Za-z0-9_-]+$"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    request_body = lectern_types::CreateWebhookRequest,
    responses((status = 201, description = "The endpoint, with its secret", body = lectern_types::NewWebhook))
)]
pub async fn web_create_webhook(
    State(app): State<App>,
    Web(caller): Web<Admin>,
    request: Request,
) -> Result<Response, Failure> {
    saas::webhooks::create::create_webhook(State(app), caller, request).await
}
