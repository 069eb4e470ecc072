//! `GET /v1/saas/materials/{id}/chunks/{index}/timestamps`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_types::{ChunkTimestamps, ErrorCode, MaterialId};

use super::place;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::Parameters,
    },
    saas::materials::Path,
};
use lectern_service::{app::App, services::materials::audio};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = super::text::ERRORS;

/// Get a chunk's word times
///
/// When each word of a completed chunk is spoken, and its position in the chunk's text.
#[utoipa::path(
    get,
    path = "/v1/saas/materials/{id}/chunks/{index}/timestamps",
    tag = "Materials",
    operation_id = "get_chunk_timestamps",
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("index" = u32, Path, description = "The chunk's index"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The words in their order", body = ChunkTimestamps))
)]
pub async fn get_chunk_timestamps(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    path: Path,
    uri: Uri,
) -> Result<Json<ChunkTimestamps>, Failure> {
    Parameters::of(&uri).finish()?;
    let (material, index) = place(path)?;
    let chunk = audio::chunk(&app.base.store, &caller.authenticated, material, index).await?;
    let timestamps = audio::words(&app.base.objects, &chunk).await?;
    Ok(Json(ChunkTimestamps { index: chunk.index, timestamps }))
}
