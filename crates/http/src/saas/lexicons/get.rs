//! `GET /v1/saas/lexicons/{id}`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_types::{ErrorCode, Lexicon, LexiconId};

use super::Path;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::Parameters,
    },
    shapes,
};
use lectern_service::{app::App, services::lexicons};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed, ErrorCode::LexiconNotFound];

/// Get a lexicon
///
/// One lexicon; with `include=entries` also its entries, as they were sent.
#[utoipa::path(
    get,
    path = "/v1/saas/lexicons/{id}",
    tag = "Lexicons",
    operation_id = "get_lexicon",
    params(
        ("id" = LexiconId, Path, description = "The lexicon's id"),
        ("include" = Option<String>, Query, description = "What else to return: `entries`", pattern = "^entries$"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The lexicon", body = Lexicon))
)]
pub async fn get_lexicon(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    path: Path,
    uri: Uri,
) -> Result<Json<Lexicon>, Failure> {
    let mut parameters = Parameters::of(&uri);
    let has_entries = super::includes_entries(&mut parameters);
    parameters.finish()?;
    let found = lexicons::find(&app.base, &caller.authenticated, super::lexicon(path)).await?;
    let entries = if has_entries {
        Some(lexicons::entries(&app.base, &caller.authenticated, found.id).await?)
    } else {
        None
    };
    Ok(Json(Lexicon { entries, ..shapes::lexicon(&found) }))
}
