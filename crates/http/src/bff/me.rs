//! `GET /v1/bff/me`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::sessions as stored;
use lectern_types::{ErrorCode, WebMe};

use crate::{
    envelope::Failure,
    extract::{page::Parameters, session::Session},
    shapes,
};
use lectern_service::{app::App, services::accounts::sessions};

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed];

/// Get the signed-in account
///
/// The account, the session, the token that changes must carry, and the documents that the account
/// must still accept. Open to accounts that owe consent.
#[utoipa::path(
    get,
    path = "/v1/bff/me",
    tag = "Web application",
    operation_id = "web_get_me",
    security(("session" = []), ("session_cookie" = [])),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "Who is signed in", body = WebMe))
)]
pub async fn web_get_me(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    uri: Uri,
) -> Result<Json<WebMe>, Failure> {
    Parameters::of(&uri).finish()?;
    let (account, now) = (&signed_in.account, app.base.clock.now());
    let session = stored::one(&app.base.store, account.id, signed_in.session, now).await?;
    let session = session.ok_or(ErrorCode::InvalidCredentials)?;
    Ok(Json(WebMe {
        account: shapes::profile(account),
        session: shapes::web_session(session, signed_in.session),
        csrf_token: sessions::csrf_token(&app.base.secrets, signed_in.session),
        owed: signed_in.consent.owed(),
        max_file_bytes: app.base.config.limits.file_bytes,
        reads_pictures: app.base.config.ocr.enabled,
    }))
}
