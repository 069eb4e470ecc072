//! `PATCH /v1/saas/keys/{id}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{RawPathParams, Request, State, rejection::RawPathParamsRejection},
};
use lectern_types::{ApiKey, ErrorCode, KeyId, UpdateKeyRequest};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Admin, Caller},
        path, post,
    },
    shapes,
};
use lectern_service::{app::App, services::keys::create};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::ValidationFailed,
    ErrorCode::NotFound,
];

/// Rename a key
///
/// Changes the name of a key, also of one that is revoked or expired. Its permissions cannot be
/// changed.
#[utoipa::path(
    patch,
    path = "/v1/saas/keys/{id}",
    tag = "Keys",
    operation_id = "update_key",
    params(("id" = KeyId, Path, description = "The key's id")),
    request_body = UpdateKeyRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The key, as it is now", body = ApiKey))
)]
pub async fn update_key(
    State(app): State<Arc<App>>,
    caller: Caller<Admin>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
) -> Result<Json<ApiKey>, Failure> {
    let params = post::parse::<UpdateKeyRequest>(&app.base, request).await?;
    // Errors in the body are reported before a missing key.
    let key = create::rename(&app.base, &caller.authenticated, path::id(path, "id"), params).await?;
    Ok(Json(shapes::api_key(&key, app.base.clock.now())))
}
