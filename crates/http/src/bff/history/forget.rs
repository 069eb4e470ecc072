//! `DELETE /v1/bff/history/{id}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::Uri,
};
use lectern_store::syntheses::history::{self, Entry};
use lectern_types::{Environment, ErrorCode, HistoryEntry, SynthesisId};

use super::shown;
use crate::{
    envelope::Failure,
    extract::{auth::Write, page::Parameters, path, web::Web},
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::ConsentRequired, ErrorCode::ValidationFailed, ErrorCode::NotFound];

/// Forget a text
///
/// Forgets the text of an entry at once. The entry itself stays, because it is a charge; its audio expires by itself.
#[utoipa::path(
    delete,
    path = "/v1/bff/history/{id}",
    tag = "Web application",
    operation_id = "web_forget_text",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = SynthesisId, Path, description = "The entry's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The entry, without its text", body = HistoryEntry))
)]
pub async fn web_forget_text(
    State(app): State<Arc<App>>,
    Web(caller): Web<Write>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<HistoryEntry>, Failure> {
    Parameters::of(&uri).finish()?;
    let id: SynthesisId = path::id(path, "id").ok_or(ErrorCode::NotFound)?;
    let (account, environment) = (caller.authenticated.account, caller.authenticated.key.environment);
    let synthesis = history::forget(&app.base.store, account, environment, id).await?;
    let synthesis = synthesis.ok_or(ErrorCode::NotFound)?;
    Ok(Json(shown(&app, Entry { synthesis, said: None }, app.base.clock.now())))
}
