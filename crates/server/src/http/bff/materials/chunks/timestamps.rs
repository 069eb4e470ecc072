//! `GET /v1/bff/materials/{id}/chunks/{index}/timestamps`.

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

/// Get a chunk's word times
///
/// As `GET /v1/saas/materials/{id}/chunks/{index}/timestamps`, for who is signed in.
#[utoipa::path(
    get,
    path = "/v1/bff/materials/{id}/chunks/{index}/timestamps",
    tag = "Web application",
    operation_id = "web_get_chunk_timestamps",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::MaterialId, Path, description = "The material's id"),
        ("index" = u32, Path, description = "The chunk's index"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "The words in their order", body = lectern_types::ChunkTimestamps))
)]
pub async fn web_get_chunk_timestamps(
    State(app): State<App>,
    Web(caller): Web<Read>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<lectern_types::ChunkTimestamps>, Failure> {
    saas::materials::chunks::timestamps::get_chunk_timestamps(State(app), caller, path, uri).await
}
