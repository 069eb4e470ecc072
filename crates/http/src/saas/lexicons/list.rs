//! `GET /v1/saas/lexicons`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::lexicons as stored;
use lectern_types::{ErrorCode, Lexicon, MAX_LEXICON_ENTRIES, Page};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::{CursorScope, Parameters, Position},
    },
    shapes,
};
use lectern_service::{app::App, services::lexicons::contents};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed];

/// List lexicons
///
/// The account's lexicons in the key's environment, newest first; with `include=entries` also their entries. A page
/// then ends before the lexicon with which it would have more than 10,000 entries.
#[utoipa::path(
    get,
    path = "/v1/saas/lexicons",
    tag = "Lexicons",
    operation_id = "list_lexicons",
    params(
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
        ("include" = Option<String>, Query, description = "What else to return: `entries`", pattern = "^entries$"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A page of lexicons", body = Page<Lexicon>))
)]
pub async fn list_lexicons(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    uri: Uri,
) -> Result<Json<Page<Lexicon>>, Failure> {
    let scope = CursorScope::new(&app.base.secrets.cursors, "lexicons", caller.authenticated.account);
    let mut parameters = Parameters::of(&uri);
    let has_entries = super::includes_entries(&mut parameters);
    let Position { limit, before } = parameters.position(&scope);
    parameters.finish()?;
    let (account, environment) = (caller.authenticated.account, caller.authenticated.key.environment);
    // One more tells whether another page follows.
    let rows = stored::list(&app.base.store, account, environment, before, limit + 1).await?;
    let limit = if has_entries { limit.min(fitting(&rows)) } else { limit };
    let Page { data: found, next_cursor } = scope.page(rows, limit, |lexicon| lexicon.id);
    let mut data = Vec::with_capacity(found.len());
    for found in found {
        let shown = shapes::lexicon(&found);
        if !has_entries {
            data.push(shown);
        // One that was deleted meanwhile is left out.
        } else if let Some(json) = stored::entries(&app.base.store, account, environment, found.id).await? {
            data.push(Lexicon { entries: Some(contents::read(&json)?), ..shown });
        }
    }
    Ok(Json(Page { data, next_cursor }))
}

/// How many of these lexicons have at most as many entries together as one may have, the first always.
fn fitting(lexicons: &[stored::Lexicon]) -> u32 {
    let mut entries = 0;
    let others = lexicons.iter().skip(1).take_while(|lexicon| {
        entries += lexicon.entries_count as usize;
        entries + lexicons[0].entries_count as usize <= MAX_LEXICON_ENTRIES
    });
    1 + others.count() as u32
}
