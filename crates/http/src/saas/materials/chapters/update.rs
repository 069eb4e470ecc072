//! `PATCH /v1/saas/materials/{id}/chapters/{index}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
};
use lectern_store::materials::{ChapterChanges, NewValue};
use lectern_types::{Chapter, ErrorCode, MaterialId, OrNull, UpdateChapterRequest};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        post,
    },
    saas::materials::{Path, chunks::place},
    shapes,
};
use lectern_service::{app::App, services::materials::chapters};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
    ErrorCode::ChapterNotFound,
];

/// Change a chapter
///
/// Changes the fields that are sent. A material is `completed` when every chunk of its included chapters is, so
/// including another chapter sets a completed one back to `ready`, and leaving out the last chapter
/// without audio completes it. Whole-book files are made anew.
#[utoipa::path(
    patch,
    path = "/v1/saas/materials/{id}/chapters/{index}",
    tag = "Materials",
    operation_id = "update_chapter",
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("index" = u32, Path, description = "The chapter's index"),
    ),
    request_body = UpdateChapterRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The chapter, as it is now", body = Chapter))
)]
pub async fn update_chapter(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    path: Path,
    request: Request,
) -> Result<Json<Chapter>, Failure> {
    let UpdateChapterRequest { title, included } = post::parse(&app.base, request).await?;
    let title = title.map_or(NewValue::Kept, |OrNull(title)| NewValue::Set(title.map(|title| title.0)));
    let changes = ChapterChanges { title, included };
    // Errors in the body are reported before a missing material.
    let (material, index) = place(path)?;
    let chapter = chapters::update(&app.base, &caller.authenticated, material, index, &changes).await?;
    Ok(Json(shapes::chapter(&chapter)))
}
