//! `DELETE /v1/bff/webhooks/{id}`.

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
        extract::{auth::AdminOwingConsent, web::Web},
        saas,
    },
};

/// Delete a webhook
///
/// As `DELETE /v1/saas/webhooks/{id}`, for who is signed in.
#[utoipa::path(
    delete,
    path = "/v1/bff/webhooks/{id}",
    tag = "Web application",
    operation_id = "web_delete_webhook",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::WebhookId, Path, description = "The endpoint's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "The endpoint, deleted", body = lectern_types::Webhook))
)]
pub async fn web_delete_webhook(
    State(app): State<App>,
    Web(caller): Web<AdminOwingConsent>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<lectern_types::Webhook>, Failure> {
    saas::webhooks::delete::delete_webhook(State(app), caller, path, uri).await
}
