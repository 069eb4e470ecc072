//! `POST /v1/bff/auth/password`.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    extract::{Request, State},
};
use lectern_types::{ChangePasswordRequest, ErrorCode, PasswordChanged, PasswordChangedStatus};

use crate::{
    envelope::Failure,
    extract::{
        client_ip::ClientIp,
        form,
        json::{self, Fields},
        page::Parameters,
        session::Session,
    },
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
/// Needs the password until now, and ends all other sessions of the account. Wrong attempts count as attempts to sign in.
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
    let (parts, body) = request.into_parts();
    let (cap, patience) = (app.base.config.limits.body_bytes, app.base.config.http.body_seconds);
    let bytes = json::read(body, cap, Duration::from_secs(patience)).await?;
    let mut fields = Fields::of(json::parse_object(&parts.headers, &bytes)?);
    Parameters::of(&parts.uri).finish()?;
    let current = fields.text("current_password");
    let password = form::new_password(&mut fields);
    let (current, password) = fields.finish_with((current, password))?;
    let now = app.base.clock.now();
    app.velocity.check_client(Action::Login, ip, now).await?;
    app.velocity.check_address(Action::Login, &signed_in.account.email, ip, now).await?;
    login::change_password(&app.accounts, &signed_in, current.into(), password).await?;
    Ok(Json(PasswordChanged { status: PasswordChangedStatus::PasswordChanged }))
}
