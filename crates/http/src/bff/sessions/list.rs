//! `GET /v1/bff/sessions`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::sessions as stored;
use lectern_types::{ErrorCode, WebSessions};

use crate::{
    envelope::Failure,
    extract::{page::Parameters, session::Session},
    shapes,
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed];

/// The most sessions in the list.
const MOST: u32 = 100;

/// List sessions
///
/// The account's live sessions, newest first, at most 100. Open to accounts that owe consent.
#[utoipa::path(
    get,
    path = "/v1/bff/sessions",
    tag = "Web application",
    operation_id = "web_list_sessions",
    security(("session" = []), ("session_cookie" = [])),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The sessions", body = WebSessions))
)]
pub async fn web_list_sessions(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    uri: Uri,
) -> Result<Json<WebSessions>, Failure> {
    Parameters::of(&uri).finish()?;
    let rows = stored::list(&app.base.store, signed_in.account.id, app.base.clock.now(), MOST).await?;
    let shown = rows.into_iter().map(|row| shapes::web_session(row, signed_in.session));
    Ok(Json(WebSessions { data: shown.collect() }))
}
