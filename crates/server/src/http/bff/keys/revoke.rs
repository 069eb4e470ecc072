//! `DELETE /v1/bff/keys/{id}`.

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

/// Revoke a key
///
/// As `DELETE /v1/saas/keys/{id}`, for who is signed in.
#[utoipa::path(
    delete,
    path = "/v1/bff/keys/{id}",
    tag = "Web application",
    operation_id = "web_revoke_key",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::KeyId, Path, description = "The key's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "The key, revoked", body = lectern_types::ApiKey))
)]
pub async fn web_revoke_key(
    State(app): State<App>,
    Web(caller): Web<AdminOwingConsent>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<lectern_types::ApiKey>, Failure> {
    saas::keys::revoke::revoke_key(State(app), caller, path, uri).await
}
