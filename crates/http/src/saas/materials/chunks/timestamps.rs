//! `GET /v1/saas/materials/{id}/chunks/{index}/timestamps`.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::Uri,
    response::{IntoResponse as _, Response},
};
use lectern_types::{ChunkTimestamps, ErrorCode, MaterialId};

use super::{mark_stale, place};
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
/// When each word of a completed chunk is spoken, and its position in the chunk's text. While a chunk is
/// spoken again, those of its old audio stay, with the header `Lectern-Stale: true`.
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
    responses((status = 200, description = "The words in their order", body = ChunkTimestamps, headers(
        ("Lectern-Stale" = Option<String>, description = "`true` for the old audio of a chunk that is spoken again"),
    )))
)]
pub async fn get_chunk_timestamps(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    path: Path,
    uri: Uri,
) -> Result<Response, Failure> {
    Parameters::of(&uri).finish()?;
    let (material, index) = place(path)?;
    let chunk = audio::chunk(&app.base.store, &caller.authenticated, material, index).await?;
    let timestamps = audio::words(&app.base.objects, &chunk).await?;
    let mut response = Json(ChunkTimestamps { index: chunk.index, timestamps }).into_response();
    mark_stale(response.headers_mut(), chunk.is_stale);
    Ok(response)
}
