//! `GET /v1/bff/materials/{id}/chunks`.

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
        extract::{auth::Read, web::Web},
        saas,
    },
};

/// List chunks
///
/// As `GET /v1/saas/materials/{id}/chunks`, for who is signed in.
#[utoipa::path(
    get,
    path = "/v1/bff/materials/{id}/chunks",
    tag = "Web application",
    operation_id = "web_list_chunks",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::MaterialId, Path, description = "The material's id"),
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 1000),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "A page of chunks", body = lectern_types::Page<lectern_types::Chunk>))
)]
pub async fn web_list_chunks(
    State(app): State<App>,
    Web(caller): Web<Read>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<lectern_types::Page<lectern_types::Chunk>>, Failure> {
    saas::materials::chunks::list::list_chunks(State(app), caller, path, uri).await
}
