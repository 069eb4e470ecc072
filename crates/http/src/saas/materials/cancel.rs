//! `POST /v1/saas/materials/{id}/cancel`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
    http::StatusCode,
};
use lectern_types::{ErrorCode, Material, MaterialId};

use super::Path;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        post,
    },
    shapes,
};
use lectern_service::{app::App, services::materials::cancel};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
];

/// Cancel a conversion
///
/// Takes back what is queued: those chunks are `pending` again, and what was held for them is released. A chunk
/// that was to be spoken again has its audio of before. Chunks that are being spoken are completed and
/// charged. With nothing queued the response is 200 and nothing changes, so it does no harm to call this twice.
#[utoipa::path(
    post,
    path = "/v1/saas/materials/{id}/cancel",
    tag = "Materials",
    operation_id = "cancel_material",
    params(("id" = MaterialId, Path, description = "The material's id")),
    extensions(("x-errors" = json!(ERRORS))),
    responses(
        (status = 202, description = "The material, of which nothing is queued any more", body = Material),
        (status = 200, description = "The material, of which nothing was queued", body = Material),
    )
)]
pub async fn cancel_material(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    path: Path,
    request: Request,
) -> Result<(StatusCode, Json<Material>), Failure> {
    post::nothing(&app.base, request).await?;
    let (material, cancelled) =
        cancel::cancel(&app.base, &caller.authenticated, super::material(path)?).await?;
    let status = if cancelled { StatusCode::ACCEPTED } else { StatusCode::OK };
    Ok((status, Json(shapes::material(&material))))
}
