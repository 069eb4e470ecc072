//! `POST /v1/bff/auth/logout`.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::{HeaderName, Uri, header::SET_COOKIE},
};
use lectern_types::{ErrorCode, ErrorCode as Code, SignedOut, SignedOutStatus};

use crate::{
    envelope::Failure,
    extract::{
        page::Parameters,
        session::{self, Session},
    },
};
use lectern_service::app::App;

const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");

/// The failures of this route.
pub const ERRORS: &[ErrorCode] = &[
    Code::InvalidIdempotencyKey,
    Code::RequestTooLarge,
    Code::ValidationFailed,
    Code::RateLimited,
    Code::ApiKeyNotAllowedOnBff,
    Code::InvalidCredentials,
];

/// Sign out
///
/// Ends the session of the request's token at once. The body is ignored.
#[utoipa::path(
    post,
    path = "/v1/bff/auth/logout",
    tag = "Web application",
    operation_id = "logout",
    security(("session" = [])),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The session has ended", body = SignedOut))
)]
pub async fn logout(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    uri: Uri,
) -> Result<([(HeaderName, String); 2], Json<SignedOut>), Failure> {
    Parameters::of(&uri).finish()?;
    let (account, now) = (signed_in.account.id, app.base.clock.now());
    // When two requests sign the same session out at once, the second finds no session, as it would
    // have a moment later.
    if !lectern_store::sessions::revoke(&app.base.store, account, signed_in.session, now).await? {
        return Err(ErrorCode::InvalidCredentials.into());
    }
    // Clears the pages of this session from the browser's cache.
    let headers = [(SET_COOKIE, session::cookie(None, 0)), (CLEAR_SITE_DATA, "\"cache\"".to_owned())];
    Ok((headers, Json(SignedOut { status: SignedOutStatus::SignedOut })))
}
