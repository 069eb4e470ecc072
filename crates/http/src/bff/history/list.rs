//! `GET /v1/bff/history`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::syntheses::history;
use lectern_types::{Environment, ErrorCode, HistoryEntry, Page};

use super::shown;
use crate::{
    envelope::Failure,
    extract::{
        auth::Read,
        page::{self, CursorScope, Parameters},
        web::Web,
    },
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ConsentRequired, ErrorCode::ValidationFailed];

/// The most characters to look for.
const MOST: usize = 200;

/// List the history
///
/// The texts that the account had spoken in this environment, by any key and in these pages, newest first. A text is kept
/// for the days that the service's operator sets, and audio for a day. With `q`, only entries whose text contains these
/// words; letters from a to z match in either case.
#[utoipa::path(
    get,
    path = "/v1/bff/history",
    tag = "Web application",
    operation_id = "web_list_history",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
        ("q" = Option<String>, Query, description = "Words of the text", min_length = 1, max_length = 200),
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A page of the history", body = Page<HistoryEntry>))
)]
pub async fn web_list_history(
    State(app): State<Arc<App>>,
    Web(caller): Web<Read>,
    uri: Uri,
) -> Result<Json<Page<HistoryEntry>>, Failure> {
    let mut parameters = Parameters::of(&uri);
    let words = parameters.read("q", |text| {
        let fits = !text.is_empty() && text.chars().nth(MOST).is_none() && !text.contains('\0');
        if fits {
            Ok(text.to_owned())
        } else {
            Err(format!("must be 1 to {MOST} characters, none of them NUL"))
        }
    });
    let (account, environment) = (caller.authenticated.account, caller.authenticated.key.environment);
    let scope = CursorScope::new(&app.base.secrets.cursors, "history", account);
    let rows = async |before, limit| {
        history::list(&app.base.store, account, environment, words.as_deref(), before, limit).await
    };
    let now = app.base.clock.now();
    page::list(&scope, parameters, rows, |entry| entry.synthesis.id, |entry| shown(&app, entry, now)).await
}
