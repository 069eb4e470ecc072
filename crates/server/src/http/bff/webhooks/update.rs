//! `PATCH /v1/bff/webhooks/{id}`.

use axum::{
    Json,
    extract::{RawPathParams, Request, State, rejection::RawPathParamsRejection},
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

/// Change a webhook
///
/// As `PATCH /v1/saas/webhooks/{id}`, for who is signed in.
#[utoipa::path(
    patch,
    path = "/v1/bff/webhooks/{id}",
    tag = "Web application",
    operation_id = "web_update_webhook",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::WebhookId, Path, description = "The endpoint's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    request_body = lectern_types::UpdateWebhookRequest,
    responses((status = 200, description = "The endpoint", body = lectern_types::Webhook))
)]
pub async fn web_update_webhook(
    State(app): State<App>,
    Web(caller): Web<Admin>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
) -> Result<Json<lectern_types::Webhook>, Failure> {
    saas::webhooks::update::update_webhook(State(app), caller, path, request).await
}
