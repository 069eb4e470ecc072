//! `GET /v1/saas/materials/{id}`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_types::{ErrorCode, Material, MaterialId};

use super::Path;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::Parameters,
    },
    shapes,
};
use lectern_service::{app::App, services::materials};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed, ErrorCode::MaterialNotFound];

/// Get a material
///
/// One material in its current state.
#[utoipa::path(
    get,
    path = "/v1/saas/materials/{id}",
    tag = "Materials",
    operation_id = "get_material",
    params(("id" = MaterialId, Path, description = "The material's id")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The material", body = Material))
)]
pub async fn get_material(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    path: Path,
    uri: Uri,
) -> Result<Json<Material>, Failure> {
    Parameters::of(&uri).finish()?;
    let material = materials::find(&app.base.store, &caller.authenticated, super::material(path)?).await?;
    Ok(Json(shapes::material(&material)))
}
