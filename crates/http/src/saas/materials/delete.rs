//! `DELETE /v1/saas/materials/{id}`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_types::{ErrorCode, Material, MaterialId};

use super::Path;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        page::Parameters,
    },
    shapes,
};
use lectern_service::{app::App, services::materials::delete};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed, ErrorCode::MaterialNotFound];

/// Delete a material
///
/// Deletes a material with its text and audio. Work on it stops, and the credits held for chunks
/// that are not completed are released.
#[utoipa::path(
    delete,
    path = "/v1/saas/materials/{id}",
    tag = "Materials",
    operation_id = "delete_material",
    params(("id" = MaterialId, Path, description = "The material's id")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The material, deleted", body = Material))
)]
pub async fn delete_material(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    path: Path,
    uri: Uri,
) -> Result<Json<Material>, Failure> {
    Parameters::of(&uri).finish()?;
    let material = delete::delete(&app.base, &caller.authenticated, super::material(path)?).await?;
    Ok(Json(shapes::material(&material)))
}
