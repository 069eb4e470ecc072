//! `PUT /v1/saas/materials/{id}/cast`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
};
use lectern_types::{Cast, CastRequest, ErrorCode, MaterialId};

use super::shown;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        post,
    },
    saas::materials::{Path, material},
};
use lectern_service::{app::App, services::materials::cast};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
    ErrorCode::MaterialNotReady,
    ErrorCode::EreaderLocked,
    ErrorCode::EreaderNotFound,
    ErrorCode::EreaderTierNotAvailable,
];

/// Change the cast of a material
///
/// Gives speakers e-readers of their own; speakers that the request leaves out have none then. A
/// conversion holds the sum of the prices: each character has the price of its voice. The cast can be
/// changed until the first conversion.
#[utoipa::path(
    put,
    path = "/v1/saas/materials/{id}/cast",
    tag = "Materials",
    operation_id = "set_cast",
    params(("id" = MaterialId, Path, description = "The material's id")),
    request_body = CastRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The speakers, as they are now", body = Cast))
)]
pub async fn set_cast(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    path: Path,
    request: Request,
) -> Result<Json<Cast>, Failure> {
    let CastRequest { speakers } = post::parse(&app.base, request).await?;
    // Errors in the body are reported before a missing material.
    let material = material(path)?;
    Ok(Json(shown(cast::set(&app.base, &caller.authenticated, material, speakers).await?)))
}
