//! `PATCH /v1/saas/materials/{id}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
};
use lectern_store::materials::{Changes, NewLanguage};
use lectern_types::{ErrorCode, Material, MaterialId, OrNull, UpdateMaterialRequest};

use super::Path;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        post,
    },
    shapes,
};
use lectern_service::{app::App, services::materials::update};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
];

/// Change a material
///
/// Changes the fields that are sent. `language` decides which e-readers can read the material;
/// chunks that are queued or completed stay as they are. `null` removes the language; while the
/// material is `processing`, the document may still supply one.
#[utoipa::path(
    patch,
    path = "/v1/saas/materials/{id}",
    tag = "Materials",
    operation_id = "update_material",
    params(("id" = MaterialId, Path, description = "The material's id")),
    request_body = UpdateMaterialRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The material, as it is now", body = Material))
)]
pub async fn update_material(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    path: Path,
    request: Request,
) -> Result<Json<Material>, Failure> {
    let language = match post::parse::<UpdateMaterialRequest>(&app.base, request).await?.language {
        None => NewLanguage::Kept,
        Some(OrNull(None)) => NewLanguage::Unknown,
        Some(OrNull(Some(tag))) => NewLanguage::Given(tag.0),
    };
    // Errors in the body are reported before a missing material.
    let material =
        update::update(&app.base, &caller.authenticated, super::material(path)?, &Changes { language })
            .await?;
    Ok(Json(shapes::material(&material)))
}
