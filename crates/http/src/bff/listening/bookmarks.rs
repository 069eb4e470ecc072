//! `/v1/bff/materials/{id}/bookmarks`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
    http::{StatusCode, Uri},
};
use lectern_types::{
    Bookmark, BookmarkId, BookmarkNoteRequest, BookmarkRequest, Bookmarks, Environment, ErrorCode, MaterialId,
};

use super::{Path, material, place, shown_bookmark, within};
use crate::{
    envelope::Failure,
    extract::{
        auth::{Read, Write},
        page::Parameters,
        post,
        web::Web,
    },
};
use lectern_service::{app::App, services::materials::listening};

/// The failures of listing.
pub const LIST_ERRORS: &[ErrorCode] =
    &[ErrorCode::ConsentRequired, ErrorCode::ValidationFailed, ErrorCode::MaterialNotFound];

/// The failures of a new note.
pub const NOTE_ERRORS: &[ErrorCode] = &[
    ErrorCode::ConsentRequired,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
    ErrorCode::NotFound,
];

/// List bookmarks
///
/// The places that the account marked in a material, in the material's order.
#[utoipa::path(
    get,
    path = "/v1/bff/materials/{id}/bookmarks",
    tag = "Web application",
    operation_id = "web_list_bookmarks",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    extensions(("x-errors" = json!(LIST_ERRORS))),
    responses((status = 200, description = "The bookmarks", body = Bookmarks))
)]
pub async fn web_list_bookmarks(
    State(app): State<Arc<App>>,
    Web(caller): Web<Read>,
    path: Path,
    uri: Uri,
) -> Result<Json<Bookmarks>, Failure> {
    Parameters::of(&uri).finish()?;
    let found = listening::bookmarks(&app.base.store, &caller.authenticated, material(path)?).await?;
    Ok(Json(Bookmarks { data: found.into_iter().map(shown_bookmark).collect() }))
}

/// Mark a place
///
/// Marks a place in a material, which has at most 1,000 bookmarks. Sending the same place again changes nothing and answers
/// the bookmark that is there.
#[utoipa::path(
    post,
    path = "/v1/bff/materials/{id}/bookmarks",
    tag = "Web application",
    operation_id = "web_add_bookmark",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    request_body = BookmarkRequest,
    extensions(("x-errors" = json!(place::CHANGE_ERRORS))),
    responses((status = 201, description = "The bookmark", body = Bookmark))
)]
pub async fn web_add_bookmark(
    State(app): State<Arc<App>>,
    Web(caller): Web<Write>,
    path: Path,
    request: Request,
) -> Result<(StatusCode, Json<Bookmark>), Failure> {
    let asked: BookmarkRequest = post::parse(&app.base, request).await?;
    let added = listening::mark(&app.base, &caller.authenticated, material(path)?, asked).await?;
    Ok((StatusCode::CREATED, Json(shown_bookmark(added))))
}

/// Change a bookmark's note
///
/// Replaces the words about a marked place.
#[utoipa::path(
    patch,
    path = "/v1/bff/materials/{id}/bookmarks/{bookmark_id}",
    tag = "Web application",
    operation_id = "web_annotate_bookmark",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("bookmark_id" = BookmarkId, Path, description = "The bookmark's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    request_body = BookmarkNoteRequest,
    extensions(("x-errors" = json!(NOTE_ERRORS))),
    responses((status = 200, description = "The bookmark, as it is now", body = Bookmark))
)]
pub async fn web_annotate_bookmark(
    State(app): State<Arc<App>>,
    Web(caller): Web<Write>,
    path: Path,
    request: Request,
) -> Result<Json<Bookmark>, Failure> {
    let BookmarkNoteRequest { note } = post::parse(&app.base, request).await?;
    let (material, id) = within(path, "bookmark_id")?;
    let changed = listening::annotate(&app.base.store, &caller.authenticated, material, id, note).await?;
    Ok(Json(shown_bookmark(changed)))
}

/// Remove a bookmark
///
/// Removes the mark of a place.
#[utoipa::path(
    delete,
    path = "/v1/bff/materials/{id}/bookmarks/{bookmark_id}",
    tag = "Web application",
    operation_id = "web_remove_bookmark",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("bookmark_id" = BookmarkId, Path, description = "The bookmark's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    extensions(("x-errors" = json!(place::ERRORS))),
    responses((status = 200, description = "The bookmark, as it was", body = Bookmark))
)]
pub async fn web_remove_bookmark(
    State(app): State<Arc<App>>,
    Web(caller): Web<Write>,
    path: Path,
    uri: Uri,
) -> Result<Json<Bookmark>, Failure> {
    Parameters::of(&uri).finish()?;
    let (material, id) = within(path, "bookmark_id")?;
    let removed = listening::unmark(&app.base.store, &caller.authenticated, material, id).await?;
    Ok(Json(shown_bookmark(removed)))
}
