//! `POST /v1/bff/auth/forgot`.

use std::sync::Arc;

use axum::{Json, extract::State};
use lectern_types::{
    ErrorCode, ErrorCode as Code, Fields, ForgotRequest, Forgotten, ForgottenStatus, Request as _,
};

use crate::{envelope::Failure, extract::form::Form};
use lectern_service::{
    app::App,
    services::accounts::{invitations::is_address, recovery, velocity::Action},
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

/// Ask for a new password
///
/// Sends a mail with a link, good for one hour, when the address has a registered account. The answer is the same
/// whether or not it has.
#[utoipa::path(
    post,
    path = "/v1/bff/auth/forgot",
    tag = "Web application",
    operation_id = "forgot_password",
    security(()),
    request_body = ForgotRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "If there is such an account, a mail is on its way", body = Forgotten))
)]
pub async fn forgot(
    State(app): State<Arc<App>>,
    Form { object, client, .. }: Form<ForgotRequest>,
) -> Result<Json<Forgotten>, Failure> {
    let mut fields = Fields::of(object);
    let email = ForgotRequest::take(&mut fields).map(|request| request.email.0.trim().to_owned());
    if email.as_deref().is_some_and(|email| !is_address(email)) {
        fields.wrong("email", "must be an e-mail address");
    }
    let email = fields.finish(email)?;
    app.velocity.check_address(Action::Forgot, &email, client.ip, app.base.clock.now()).await?;
    recovery::forgot(&app.accounts, email);
    Ok(Json(Forgotten { status: ForgottenStatus::Accepted }))
}
