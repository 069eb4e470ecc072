//! `POST /v1/saas/auth/login`.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::{HeaderName, header::CACHE_CONTROL},
};
use lectern_types::{
    EmailAddress, ErrorCode, ErrorCode as Code, Login, LoginRequest, Request as _, TokenType,
};
use secrecy::ExposeSecret as _;

use crate::{envelope::Failure, extract::form::Form, shapes};
use lectern_service::{
    app::App,
    services::accounts::{login, velocity::Action},
};

/// The failures of this route.
pub const ERRORS: &[ErrorCode] = &[
    Code::InvalidIdempotencyKey,
    Code::RequestTooLarge,
    Code::RequestTimeout,
    Code::ValidationFailed,
    Code::RateLimited,
    Code::InvalidCredentials,
    Code::EmailNotConfirmed,
];

/// Sign in
///
/// Begins a session of 12 hours. Its token serves the web application's routes, `/v1/bff`, only; the API takes keys. An
/// address that is not confirmed yet is refused after the right password, and sent another mail.
#[utoipa::path(
    post,
    path = "/v1/saas/auth/login",
    tag = "Account",
    operation_id = "login",
    security(()),
    request_body = LoginRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A session began", body = Login, example = json!({
        "session_token": "eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCIsImtpZCI6IjY5MiJ9.\u{2026}",
        "token_type": "Bearer",
        "expires_at": "2026-11-21T19:08:11.000Z",
        "account": {
            "id": "acc_019aa4f6c0de7000800000000000e001",
            "email": "ada@example.com",
            "email_confirmed": true,
            "tier": "free",
            "has_purchased_credits": true,
            "consent": { "terms_accepted_version": "2026-11-01", "privacy_accepted_version": "2026-05-01" },
            "created_at": "2026-11-21T07:08:11.524Z",
        },
    })))
)]
pub async fn login(
    State(app): State<Arc<App>>,
    Form { object, client, .. }: Form<LoginRequest>,
) -> Result<([(HeaderName, &'static str); 1], Json<Login>), Failure> {
    let LoginRequest { email: EmailAddress(email), password } = LoginRequest::parse(object)?;
    app.velocity.check_address(Action::Login, &email, client.ip, app.base.clock.now()).await?;
    let signed_in = login::login(&app.accounts, &email, password.0, &client).await?;
    let login = Login {
        session_token: signed_in.session.token.expose_secret().to_owned(),
        token_type: TokenType::Bearer,
        expires_at: signed_in.session.expires_at,
        account: shapes::profile(&signed_in.account),
    };
    Ok(([(CACHE_CONTROL, "no-store")], Json(login)))
}
