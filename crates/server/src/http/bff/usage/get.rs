//! `GET /v1/bff/usage`.

use axum::{Json, extract::State, http::Uri};
use lectern_types::Environment;

use crate::{
    app::App,
    http::{
        envelope::Failure,
        extract::{auth::Read, web::Web},
        saas,
    },
};

/// Get usage
///
/// As `GET /v1/saas/usage`, for who is signed in.
#[utoipa::path(
    get,
    path = "/v1/bff/usage",
    tag = "Web application",
    operation_id = "web_get_usage",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("from" = Option<String>, Query, description = "From this instant on: RFC 3339, or a day"),
        ("to" = Option<String>, Query, description = "Up to this instant, not including it"),
        ("group_by" = Option<lectern_types::UsageGroup>, Query, description = "What to add up by; `day` when absent"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "The usage", body = lectern_types::Usage))
)]
pub async fn web_get_usage(
    State(app): State<App>,
    Web(caller): Web<Read>,
    uri: Uri,
) -> Result<Json<lectern_types::Usage>, Failure> {
    saas::usage::get_usage(State(app), caller, uri).await
}
