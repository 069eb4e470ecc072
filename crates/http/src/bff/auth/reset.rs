//! `POST /v1/bff/auth/reset`.

use std::sync::Arc;

use axum::{Json, extract::State};
use lectern_types::{ErrorCode, ErrorCode as Code, PasswordReset, PasswordResetStatus, ResetRequest};
use secrecy::ExposeSecret as _;

use crate::{envelope::Failure, extract::form::Form};
use lectern_service::{app::App, services::accounts::recovery};

/// The failures of this route.
pub const ERRORS: &[ErrorCode] = &[
    Code::InvalidIdempotencyKey,
    Code::RequestTooLarge,
    Code::RequestTimeout,
    Code::ValidationFailed,
    Code::RateLimited,
    Code::ApiKeyNotAllowedOnBff,
    Code::WeakPassword,
];

/// Set a new password
///
/// Uses the token of a reset mail's link: it works once, for one hour. The address counts as
/// confirmed, and all sessions of the account end.
#[utoipa::path(
    post,
    path = "/v1/bff/auth/reset",
    tag = "Web application",
    operation_id = "reset_password",
    security(()),
    request_body = ResetRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The password is set", body = PasswordReset))
)]
pub async fn reset(
    State(app): State<Arc<App>>,
    form: Form<ResetRequest>,
) -> Result<Json<PasswordReset>, Failure> {
    let ResetRequest { token, password } = form.parse()?;
    let account = recovery::reset(&app.accounts, token.expose_secret(), password.0).await?;
    Ok(Json(PasswordReset { status: PasswordResetStatus::PasswordChanged, email: account.email }))
}
