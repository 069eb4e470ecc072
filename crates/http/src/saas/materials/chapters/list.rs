//! `GET /v1/saas/materials/{id}/chapters`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_types::{Chapters, ErrorCode, MaterialId};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::Parameters,
    },
    saas::materials::{self, Path},
    shapes,
};
use lectern_service::{app::App, services::materials::chapters};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed, ErrorCode::MaterialNotFound];

/// List chapters
///
/// The chapters of a material in their order, all on one page; none while it is `processing`. Those that are
/// `included` are the book: a conversion takes them unless it names others, and whole-book files hold
/// exactly these. At first a chapter is included unless it is a `cover`, `title_page`, `imprint`, `copyright`,
/// `toc`, `index`, `licence` or `advertisement`.
#[utoipa::path(
    get,
    path = "/v1/saas/materials/{id}/chapters",
    tag = "Materials",
    operation_id = "list_chapters",
    params(("id" = MaterialId, Path, description = "The material's id")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The chapters", body = Chapters))
)]
pub async fn list_chapters(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    path: Path,
    uri: Uri,
) -> Result<Json<Chapters>, Failure> {
    Parameters::of(&uri).finish()?;
    let material = materials::material(path)?;
    let found = chapters::list(&app.base.store, &caller.authenticated, material).await?;
    Ok(Json(Chapters { data: found.iter().map(shapes::chapter).collect() }))
}
