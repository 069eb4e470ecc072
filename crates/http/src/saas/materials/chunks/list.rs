//! `GET /v1/saas/materials/{id}/chunks`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_types::{Chunk, ErrorCode, MaterialId, Page};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::{CursorScope, Parameters},
    },
    saas::materials::{self, Path},
    shapes,
};
use lectern_service::{app::App, services::materials::listing};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed, ErrorCode::MaterialNotFound];

/// The most items on a page, and the default page size.
const MOST: u32 = 1_000;

/// List chunks
///
/// The chunks of a material by index; none while it is `processing`. Pages of this list have up to
/// 1,000 items.
#[utoipa::path(
    get,
    path = "/v1/saas/materials/{id}/chunks",
    tag = "Materials",
    operation_id = "list_chunks",
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 1000),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A page of chunks", body = Page<Chunk>))
)]
pub async fn list_chunks(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    path: Path,
    uri: Uri,
) -> Result<Json<Page<Chunk>>, Failure> {
    let id = materials::material(path);
    let mut parameters = Parameters::of(&uri);
    // Without a material, no cursor is valid.
    let owner = id.as_ref().map_or(uuid::Uuid::nil(), |id| id.uuid());
    let scope = CursorScope::within(&app.base.secrets.cursors, "chunks", owner);
    let limit = parameters.limit(MOST, MOST);
    let after = parameters.after_index(&scope);
    parameters.finish()?;
    let rows = listing::chunks(&app.base.store, &caller.authenticated, id?, after, limit + 1).await?;
    let Page { data, next_cursor } = scope.page_by_index(rows, limit, |chunk| chunk.index);
    Ok(Json(Page { data: data.into_iter().map(shapes::chunk).collect(), next_cursor }))
}
