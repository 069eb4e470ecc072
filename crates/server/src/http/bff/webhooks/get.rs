//! `GET /v1/bff/webhooks/{id}`.

use axum::{
    Json,
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::Uri,
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

/// Get a webhook
///
/// As `GET /v1/saas/webhooks/{id}`, for who is signed in.
#[utoipa::path(
    get,
    path = "/v1/bff/webhooks/{id}",
    tag = "Web application",
    operation_id = "web_get_webhook",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::WebhookId, Path, description = "The endpoint's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "The endpoint", body = lectern_types::Webhook))
)]
pub async fn web_get_webhook(
    State(app): State<App>,
    Web(caller): Web<Admin>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<lectern_types::Webhook>, Failure> {
    saas::webhooks::get::get_webhook(State(app), caller, path, uri).await
}
