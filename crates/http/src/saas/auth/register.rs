//! `POST /v1/saas/auth/register`.

use std::sync::Arc;

use axum::{Json, extract::State, http::StatusCode};
use lectern_types::{EmailConfirmation, ErrorCode, ErrorCode as Code, RegisterRequest, Registration};
use serde_json::Value;

use crate::{envelope::Failure, extract::form::Form, shapes};
use lectern_service::{app::App, services::accounts::registration};

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
/// Registers an account: it gets a password, and its address gets a mail with a confirmation link.
/// With an `invite_token`, it is the invitation's account, and `email` is ignored; without one,
/// registration must be open.
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
    mut form: Form<RegisterRequest>,
) -> Result<(StatusCode, Json<Registration>), Failure> {
    // With a token the address is ignored, whatever it is.
    if form.object.get("invite_token").is_some_and(Value::is_string) {
        form.object.remove("email");
    }
    let account = registration::register(&app.accounts, form.parse()?).await?;
    let registration =
        Registration { account: shapes::profile(&account), email_confirmation: EmailConfirmation::Sent };
    Ok((StatusCode::CREATED, Json(registration)))
}
