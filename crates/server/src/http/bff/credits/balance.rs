//! `GET /v1/bff/credits/balance`.

use axum::{Json, http::Uri};
use lectern_types::Environment;

use crate::http::{
    envelope::Failure,
    extract::{auth::Read, web::Web},
    saas,
};

/// Get the balance
///
/// As `GET /v1/saas/credits/balance`, for who is signed in.
#[utoipa::path(
    get,
    path = "/v1/bff/credits/balance",
    tag = "Web application",
    operation_id = "web_get_balance",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "The balance", body = lectern_types::Balance))
)]
pub async fn web_get_balance(
    Web(caller): Web<Read>,
    uri: Uri,
) -> Result<Json<lectern_types::Balance>, Failure> {
    saas::credits::balance::get_balance(caller, uri).await
}
