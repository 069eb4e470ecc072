//! `POST /v1/bff/auth/password`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
};
use lectern_types::{ChangePasswordRequest, ErrorCode, PasswordChanged, PasswordChangedStatus};

use crate::{
    envelope::Failure,
    extract::{client_ip::ClientIp, post, session::Session},
};
use lectern_service::{
    app::App,
    services::accounts::{login, velocity::Action},
};

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::ValidationFailed, ErrorCode::RequestTimeout, ErrorCode::WeakPassword];

/// Change the password
///
/// Needs the current password, and ends all other sessions of the account. Wrong attempts count as
/// attempts to sign in.
#[utoipa::path(
    post,
    path = "/v1/bff/auth/password",
    tag = "Web application",
    operation_id = "web_change_password",
    security(("session" = []), ("session_cookie" = [])),
    request_body = ChangePasswordRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The password is changed", body = PasswordChanged))
)]
pub async fn web_change_password(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    Ok(ClientIp(ip)): Result<ClientIp, std::convert::Infallible>,
    request: Request,
) -> Result<Json<PasswordChanged>, Failure> {
    let ChangePasswordRequest { current_password, password } = post::parse(&app.base, request).await?;
    let now = app.base.clock.now();
    app.velocity.check_client(Action::Login, ip, now).await?;
    app.velocity.check_address(Action::Login, &signed_in.account.email, ip, now).await?;
    login::change_password(&app.accounts, &signed_in, current_password.0, password.0).await?;
    Ok(Json(PasswordChanged { status: PasswordChangedStatus::PasswordChanged }))
}
