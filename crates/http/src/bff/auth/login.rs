//! `POST /v1/bff/auth/login`.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, HeaderName, header::SET_COOKIE},
};
use lectern_store::preferences;
use lectern_types::{EmailAddress, ErrorCode, ErrorCode as Code, LoginRequest, Request as _, WebLogin};

use crate::{
    envelope::Failure,
    extract::{form::Form, language, session},
    shapes,
};
use lectern_service::{
    app::App,
    error::Error,
    services::accounts::{login, sessions, velocity::Action},
};

/// The failures of this route.
pub const ERRORS: &[ErrorCode] = &[
    Code::InvalidIdempotencyKey,
    Code::RequestTooLarge,
    Code::RequestTimeout,
    Code::ValidationFailed,
    Code::RateLimited,
    Code::ApiKeyNotAllowedOnBff,
    Code::InvalidCredentials,
    Code::EmailNotConfirmed,
    Code::OriginNotAllowed,
];

/// Sign in from a browser
///
/// Begins a session of 12 hours and puts its token into a cookie that scripts cannot read. What changes something must carry
/// `csrf_token` as `X-Lectern-CSRF`. Another site's page cannot sign anybody in (`origin_not_allowed`).
#[utoipa::path(
    post,
    path = "/v1/bff/auth/login",
    tag = "Web application",
    operation_id = "web_login",
    security(()),
    request_body = LoginRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A session began", body = WebLogin, headers(
        ("Set-Cookie" = String, description = "The session's token: `HttpOnly; Secure; SameSite=Lax`"),
    )))
)]
pub async fn web_login(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Form { object, client, is_foreign, .. }: Form<LoginRequest>,
) -> Result<([(HeaderName, String); 1], Json<WebLogin>), Failure> {
    let LoginRequest { email: EmailAddress(email), password } = LoginRequest::parse(object)?;
    if is_foreign {
        let own = session::origin(&app.public_url).to_owned();
        return Err(Error::OriginNotAllowed { own }.into());
    }
    app.velocity.check_address(Action::Login, &email, client.ip, app.base.clock.now()).await?;
    let signed_in = login::login(&app.accounts, &email, password.0, &client).await?;
    if let Some(language) = language::preferred(&headers) {
        let suggested = preferences::suggest_language(&app.base.store, signed_in.account.id, language).await;
        if let Err(error) = suggested {
            // The session exists, and the next sign-in suggests a language again.
            tracing::warn!(error = %error, "the language of an account could not be stored");
        }
    }
    let session = signed_in.session;
    let seconds = session.expires_at.unix_seconds() - app.base.clock.now().unix_seconds();
    let login = WebLogin {
        expires_at: session.expires_at,
        csrf_token: sessions::csrf_token(&app.base.secrets, session.id),
        account: shapes::profile(&signed_in.account),
    };
    Ok(([(SET_COOKIE, session::cookie(Some(&session.token), seconds))], Json(login)))
}
