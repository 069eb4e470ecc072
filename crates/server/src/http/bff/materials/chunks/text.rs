//! `GET /v1/bff/materials/{id}/chunks/{index}/text`.

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

/// Get a chunk's text
///
/// As `GET /v1/saas/materials/{id}/chunks/{index}/text`, for who is signed in.
#[utoipa::path(
    get,
    path = "/v1/bff/materials/{id}/chunks/{index}/text",
    tag = "Web application",
    operation_id = "web_get_chunk_text",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::MaterialId, Path, description = "The material's id"),
        ("index" = u32, Path, description = "The chunk's index"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "The text", body = lectern_types::ChunkText))
)]
pub async fn web_get_chunk_text(
    State(app): State<App>,
    Web(caller): Web<Read>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<lectern_types::ChunkText>, Failure> {
    saas::materials::chunks::text::get_chunk_text(State(app), caller, path, uri).await
}
