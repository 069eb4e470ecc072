//! `DELETE /v1/saas/materials/{id}/cover`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_types::{ErrorCode, Material, MaterialId};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        page::Parameters,
    },
    saas::materials::{Path, material},
    shapes,
};
use lectern_service::{app::App, services::materials::cover};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed, ErrorCode::MaterialNotFound];

/// Take a cover away
///
/// Whole-book files are made anew, without a picture.
#[utoipa::path(
    delete,
    path = "/v1/saas/materials/{id}/cover",
    tag = "Materials",
    operation_id = "delete_cover",
    params(("id" = MaterialId, Path, description = "The material's id")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The material, as it is now", body = Material))
)]
pub async fn delete_cover(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    path: Path,
    uri: Uri,
) -> Result<Json<Material>, Failure> {
    Parameters::of(&uri).finish()?;
    let changed = cover::delete(&app.base, &caller.authenticated, material(path)?).await?;
    Ok(Json(shapes::material(&changed)))
}
