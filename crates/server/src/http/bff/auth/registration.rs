//! `GET /v1/bff/auth/registration`.

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, Uri},
};
use lectern_types::{ErrorCode, RegistrationPolicy};

use crate::{
    app::App,
    http::{
        envelope::Failure,
        extract::{idempotency, page::Parameters},
    },
};

/// The failures of this route.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::InvalidIdempotencyKey, ErrorCode::ValidationFailed, ErrorCode::ApiKeyNotAllowedOnBff];

/// Get who may register
///
/// Whether anybody may register, or only who was invited: so that the page says it before somebody fills in a form.
#[utoipa::path(
    get,
    path = "/v1/bff/auth/registration",
    tag = "Web application",
    operation_id = "web_get_registration",
    security(()),
    responses((status = 200, description = "Who may register", body = RegistrationPolicy))
)]
pub async fn web_get_registration(
    State(app): State<App>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Json<RegistrationPolicy>, Failure> {
    idempotency::key(&headers)?;
    Parameters::of(&uri).finish()?;
    Ok(Json(RegistrationPolicy { open: app.config.auth.open_registration }))
}
