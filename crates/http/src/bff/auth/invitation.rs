//! `POST /v1/bff/auth/invitation`.

use std::sync::Arc;

use axum::{Json, extract::State};
use lectern_types::{ErrorCode, ErrorCode as Code, Invitation, InvitationRequest};

use crate::{envelope::Failure, extract::form::Form};
use lectern_service::{app::App, services::accounts::registration};

/// The failures of this route.
pub const ERRORS: &[ErrorCode] = &[
    Code::InvalidIdempotencyKey,
    Code::RequestTooLarge,
    Code::RequestTimeout,
    Code::ValidationFailed,
    Code::RateLimited,
    Code::ApiKeyNotAllowedOnBff,
    Code::InviteInvalid,
];

/// Look an invitation up
///
/// The address that an invitation is for. An unknown, used or expired invitation is
/// `invite_invalid` in every case.
#[utoipa::path(
    post,
    path = "/v1/bff/auth/invitation",
    tag = "Web application",
    operation_id = "web_look_up_invitation",
    security(()),
    request_body = InvitationRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The invitation", body = Invitation))
)]
pub async fn web_look_up_invitation(
    State(app): State<Arc<App>>,
    form: Form<InvitationRequest>,
) -> Result<Json<Invitation>, Failure> {
    let email = registration::invited(&app.base, &form.parse()?.invite_token).await?;
    Ok(Json(Invitation { email }))
}
