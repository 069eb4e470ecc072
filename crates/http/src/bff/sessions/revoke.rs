//! `DELETE /v1/bff/sessions/{id}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::Uri,
};
use lectern_store::sessions as stored;
use lectern_types::{ErrorCode, SessionId, SessionRevoked, SessionStatus};

use crate::{
    envelope::Failure,
    extract::{page::Parameters, path, session::Session},
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed, ErrorCode::NotFound];

/// End a session
///
/// Ends a session of the account at once. It may be the session of this request. Open to accounts
/// that owe consent.
#[utoipa::path(
    delete,
    path = "/v1/bff/sessions/{id}",
    tag = "Web application",
    operation_id = "web_revoke_session",
    security(("session" = []), ("session_cookie" = [])),
    params(("id" = SessionId, Path, description = "The session's id")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The session has ended", body = SessionRevoked))
)]
pub async fn web_revoke_session(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<SessionRevoked>, Failure> {
    Parameters::of(&uri).finish()?;
    let id = path::id(path, "id").ok_or(ErrorCode::NotFound)?;
    if !stored::revoke(&app.base.store, signed_in.account.id, id, app.base.clock.now()).await? {
        return Err(ErrorCode::NotFound.into());
    }
    Ok(Json(SessionRevoked { id, status: SessionStatus::Revoked }))
}
