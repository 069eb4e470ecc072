//! `POST /v1/saas/auth/register`.

use std::sync::Arc;

use axum::{Json, extract::State, http::StatusCode};
use lectern_types::{EmailConfirmation, ErrorCode, ErrorCode as Code, RegisterRequest, Registration};

use crate::{
    envelope::Failure,
    extract::form::{self, Form, ToRegister},
    shapes,
};
use lectern_service::{
    app::App,
    services::accounts::registration::{self, NewRegistration},
};

/// The failures of this route.
pub const ERRORS: &[ErrorCode] = &[
    Code::InvalidIdempotencyKey,
    Code::RequestTooLarge,
    Code::RequestTimeout,
    Code::ValidationFailed,
    Code::RateLimited,
    Code::InviteRequired,
    Code::InviteInvalid,
    Code::WeakPassword,
    Code::EmailInUse,
];

/// Register
///
/// Takes up an invitation: its account gets a password, and its address a mail with a link that confirms it. `email`
/// is ignored when there is an `invite_token`; without one, registration must be open.
#[utoipa::path(
    post,
    path = "/v1/saas/auth/register",
    tag = "Account",
    operation_id = "register",
    security(()),
    request_body = RegisterRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 201, description = "The account is registered", body = Registration, example = json!({
        "account": {
            "id": "acc_019aa4f6c0de7000800000000000e001",
            "email": "ada@example.com",
            "email_confirmed": false,
            "tier": "free",
            "has_purchased_credits": false,
            "consent": { "terms_accepted_version": null, "privacy_accepted_version": null },
            "created_at": "2026-11-21T07:08:11.524Z",
        },
        "email_confirmation": "sent",
    })))
)]
pub async fn register(
    State(app): State<Arc<App>>,
    Form { mut fields, .. }: Form<ToRegister>,
) -> Result<(StatusCode, Json<Registration>), Failure> {
    let password = form::new_password(&mut fields);
    let invite_token = fields.optional_text("invite_token");
    // With a token the address is not looked at, whatever it is.
    let email = match invite_token {
        Some(_) => fields.take("email").and(None),
        None => fields.optional_text("email"),
    };
    let password = fields.finish_with(password)?;
    let params = NewRegistration { email, password, invite_token: invite_token.map(Into::into) };
    let account = registration::register(&app.accounts, params).await?;
    let registration =
        Registration { account: shapes::profile(&account), email_confirmation: EmailConfirmation::Sent };
    Ok((StatusCode::CREATED, Json(registration)))
}
