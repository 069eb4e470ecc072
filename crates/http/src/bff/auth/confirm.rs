//! `POST /v1/bff/auth/confirm`.

use std::sync::Arc;

use axum::{Json, extract::State};
use lectern_types::{ConfirmRequest, Confirmed, ConfirmedStatus, ErrorCode, ErrorCode as Code};
use secrecy::ExposeSecret as _;

use crate::{envelope::Failure, extract::form::Form};
use lectern_service::{app::App, services::accounts::confirmation};

/// The failures of this route.
pub const ERRORS: &[ErrorCode] = &[
    Code::InvalidIdempotencyKey,
    Code::RequestTooLarge,
    Code::RequestTimeout,
    Code::ValidationFailed,
    Code::RateLimited,
    Code::ApiKeyNotAllowedOnBff,
];

/// Confirm an address
///
/// Uses the token of a confirmation mail's link: it works once, for 7 days.
#[utoipa::path(
    post,
    path = "/v1/bff/auth/confirm",
    tag = "Web application",
    operation_id = "confirm_email",
    security(()),
    request_body = ConfirmRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The address is confirmed", body = Confirmed))
)]
pub async fn confirm(
    State(app): State<Arc<App>>,
    form: Form<ConfirmRequest>,
) -> Result<Json<Confirmed>, Failure> {
    let ConfirmRequest { token } = form.parse()?;
    let account = confirmation::confirm(&app.base, token.expose_secret()).await?;
    Ok(Json(Confirmed { status: ConfirmedStatus::Confirmed, email: account.email }))
}
