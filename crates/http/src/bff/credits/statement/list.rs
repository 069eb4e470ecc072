//! `GET /v1/bff/credits/statement`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::ledger::statement::{self, Filter, Line};
use lectern_types::{Environment, ErrorCode, Page, StatementKind, StatementLine, request::parse_word};

use crate::{
    envelope::Failure,
    extract::{
        auth::Read,
        page::{CursorScope, Parameters},
        web::Web,
    },
    saas::usage,
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ConsentRequired, ErrorCode::ValidationFailed];

/// The page size when the request names none.
const USUAL: u32 = 20;

/// The most lines on a page.
const MOST: u32 = 100;

/// Get the statement
///
/// A summary of the ledger, newest first: one line for each book, for the speech of each day (UTC),
/// and for each purchase, grant and refund.
#[utoipa::path(
    get,
    path = "/v1/bff/credits/statement",
    tag = "Web application",
    operation_id = "web_get_statement",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
        ("kind" = Option<StatementKind>, Query, description = "Only lines of this kind"),
        ("from" = Option<String>, Query, description = "Only what was booked from this time or day (UTC) on"),
        ("to" = Option<String>, Query, description = "Only what was booked before this time or day (UTC)"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A page of the statement", body = Page<StatementLine>))
)]
pub async fn web_get_statement(
    State(app): State<Arc<App>>,
    Web(caller): Web<Read>,
    uri: Uri,
) -> Result<Json<Page<StatementLine>>, Failure> {
    let scope = CursorScope::new(&app.base.secrets.cursors, "statement", caller.authenticated.account);
    let mut parameters = Parameters::of(&uri);
    let limit = parameters.limit(USUAL, MOST);
    let before = parameters.after_index(&scope).map(i64::from);
    let kind = parameters.read("kind", parse_word::<StatementKind>);
    let from = usage::instant(&mut parameters, "from");
    let to = usage::instant(&mut parameters, "to");
    parameters.finish()?;
    let filter = Filter { kind, from, to, before };
    let lines =
        statement::statement(&app.base.store, caller.authenticated.account, filter, limit + 1).await?;
    let seq = |line: &Line| u32::try_from(line.seq).unwrap_or(u32::MAX);
    let Page { data, next_cursor } = scope.page_by_index(lines, limit, seq);
    Ok(Json(Page { data: data.into_iter().map(line).collect(), next_cursor }))
}

fn line(line: Line) -> StatementLine {
    StatementLine {
        kind: line.kind,
        at: line.at,
        credits: line.credits,
        entries: line.entries,
        material_id: line.material,
        title: line.title.filter(|title| !title.is_empty()),
        note: line.note,
    }
}
