//! `GET /v1/bff/webhooks`.

use axum::{Json, extract::State, http::Uri};
use lectern_types::Environment;

use crate::{
    app::App,
    http::{
        envelope::Failure,
        extract::{auth::Admin, web::Web},
        saas,
    },
};

/// List webhooks
///
/// As `GET /v1/saas/webhooks`, for who is signed in.
#[utoipa::path(
    get,
    path = "/v1/bff/webhooks",
    tag = "Web application",
    operation_id = "web_list_webhooks",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "A page of endpoints", body = lectern_types::Page<lectern_types::Webhook>))
)]
pub async fn web_list_webhooks(
    State(app): State<App>,
    Web(caller): Web<Admin>,
    uri: Uri,
) -> Result<Json<lectern_types::Page<lectern_types::Webhook>>, Failure> {
    saas::webhooks::list::list_webhooks(State(app), caller, uri).await
}
