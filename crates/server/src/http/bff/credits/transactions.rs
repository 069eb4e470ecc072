//! `GET /v1/bff/credits/transactions`.

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

/// List transactions
///
/// As `GET /v1/saas/credits/transactions`, for who is signed in.
#[utoipa::path(
    get,
    path = "/v1/bff/credits/transactions",
    tag = "Web application",
    operation_id = "web_list_transactions",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "A page of the ledger", body = lectern_types::Page<lectern_types::Transaction>))
)]
pub async fn web_list_transactions(
    State(app): State<App>,
    Web(caller): Web<Read>,
    uri: Uri,
) -> Result<Json<lectern_types::Page<lectern_types::Transaction>>, Failure> {
    saas::credits::transactions::list_transactions(State(app), caller, uri).await
}
