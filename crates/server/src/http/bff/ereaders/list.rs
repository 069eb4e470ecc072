//! `GET /v1/bff/ereaders`.

use axum::{Json, extract::State, http::Uri};
use lectern_types::Environment;

use crate::{
    app::App,
    http::{
        envelope::Failure,
        extract::{auth::AnyKey, web::Web},
        saas,
    },
};

/// List e-readers
///
/// As `GET /v1/saas/ereaders`, for who is signed in.
#[utoipa::path(
    get,
    path = "/v1/bff/ereaders",
    tag = "Web application",
    operation_id = "web_list_ereaders",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("language" = Option<String>, Query, description = "Only those that read this language", example = "en-US", pattern = "^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$", max_length = 35),
        ("tier" = Option<lectern_types::Tier>, Query, description = "Only those of this tier"),
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "A page of e-readers", body = lectern_types::Page<lectern_types::Ereader>))
)]
pub async fn web_list_ereaders(
    State(app): State<App>,
    Web(caller): Web<AnyKey>,
    uri: Uri,
) -> Result<Json<lectern_types::Page<lectern_types::Ereader>>, Failure> {
    saas::ereaders::list::list_ereaders(State(app), caller, uri).await
}
