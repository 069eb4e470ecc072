//! `POST /v1/bff/auth/password-check`.

use std::sync::Arc;

use axum::{Json, extract::State};
use lectern_types::{ErrorCode, ErrorCode as Code, PasswordCheck, PasswordCheckRequest};

use crate::{envelope::Failure, extract::form::Form};
use lectern_service::app::App;

/// The failures of this route.
pub const ERRORS: &[ErrorCode] = &[
    Code::InvalidIdempotencyKey,
    Code::RequestTooLarge,
    Code::RequestTimeout,
    Code::ValidationFailed,
    Code::RateLimited,
    Code::ApiKeyNotAllowedOnBff,
];

/// Judge a password
///
/// Which of the policy's requirements a password does not meet, and how hard it is to guess. Nothing is kept.
#[utoipa::path(
    post,
    path = "/v1/bff/auth/password-check",
    tag = "Web application",
    operation_id = "web_check_password",
    security(()),
    request_body = PasswordCheckRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The judgement", body = PasswordCheck))
)]
pub async fn web_check_password(
    State(app): State<Arc<App>>,
    form: Form<PasswordCheckRequest>,
) -> Result<Json<PasswordCheck>, Failure> {
    let PasswordCheckRequest { password, email } = form.parse()?;
    let email = email.map_or_else(String::new, |email| email.0);
    let (unmet, score) = app.accounts.passwords.judge(password.0, email).await?;
    Ok(Json(PasswordCheck { requirements: unmet.into_iter().map(str::to_owned).collect(), score }))
}
