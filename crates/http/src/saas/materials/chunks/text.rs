//! `GET /v1/saas/materials/{id}/chunks/{index}/text`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_types::{ChunkText, ErrorCode, MaterialId};

use super::place;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::Parameters,
    },
    saas::materials::Path,
};
use lectern_service::{app::App, services::materials::listing};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
    ErrorCode::ChunkNotFound,
    ErrorCode::ChunkNotReady,
];

/// Get a chunk's text
///
/// The text of a chunk, once the material is `ready`. The texts of all chunks, joined, are the
/// extracted text, character for character.
#[utoipa::path(
    get,
    path = "/v1/saas/materials/{id}/chunks/{index}/text",
    tag = "Materials",
    operation_id = "get_chunk_text",
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("index" = u32, Path, description = "The chunk's index"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The text", body = ChunkText))
)]
pub async fn get_chunk_text(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    path: Path,
    uri: Uri,
) -> Result<Json<ChunkText>, Failure> {
    Parameters::of(&uri).finish()?;
    let (material, index) = place(path)?;
    let (index, text) = listing::text(&app.base.store, &caller.authenticated, material, index).await?;
    Ok(Json(ChunkText { index, text }))
}
