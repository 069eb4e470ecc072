//! `POST /v1/bff/auth/confirm`.

use axum::{Json, extract::State};
use lectern_types::{ConfirmRequest, Confirmed, ConfirmedStatus, ErrorCode, ErrorCode as Code};

use crate::{
    app::App,
    error::Error,
    http::{
        envelope::Failure,
        extract::form::{Form, ToConfirm},
    },
    services::confirmation,
};

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
    responses((status = 200, description = "The address is confirmed", body = Confirmed))
)]
pub async fn confirm(
    State(app): State<App>,
    Form { mut fields, .. }: Form<ToConfirm>,
) -> Result<Json<Confirmed>, Failure> {
    let token = fields.text("token");
    fields.finish()?;
    let token =
        token.ok_or_else(|| Error::Internal("a required field was absent and not noted".to_owned()))?;
    let account = confirmation::confirm(&app, &token).await?;
    Ok(Json(Confirmed { status: ConfirmedStatus::Confirmed, email: account.email }))
}
