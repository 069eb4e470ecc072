//! `GET /v1/bff/auth/registration`.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, Uri},
};
use lectern_types::{ErrorCode, RegistrationPolicy};

use crate::{
    envelope::Failure,
    extract::{idempotency, page::Parameters},
};
use lectern_service::app::App;

/// The failures of this route.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::InvalidIdempotencyKey, ErrorCode::ValidationFailed, ErrorCode::ApiKeyNotAllowedOnBff];

/// Get who may register
///
/// Whether anybody may register or only invited people. The page can say so before the form is
/// filled in.
#[utoipa::path(
    get,
    path = "/v1/bff/auth/registration",
    tag = "Web application",
    operation_id = "web_get_registration",
    security(()),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "Who may register", body = RegistrationPolicy))
)]
pub async fn web_get_registration(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Json<RegistrationPolicy>, Failure> {
    idempotency::key(&headers)?;
    Parameters::of(&uri).finish()?;
    Ok(Json(RegistrationPolicy { open: app.base.config.auth.open_registration }))
}
