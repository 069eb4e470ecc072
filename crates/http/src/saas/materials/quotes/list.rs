//! `GET /v1/saas/materials/{id}/quotes`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::materials::WhichQuotes;
use lectern_types::{ErrorCode, MaterialId, Page, Quote};

use super::shown;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::{CursorScope, Parameters},
    },
    saas::materials::{self, Path},
};
use lectern_service::{app::App, services::materials::quotes};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed, ErrorCode::MaterialNotFound];

/// The page size when the request names none.
const USUAL: u32 = 100;

/// The most items on a page.
const MOST: u32 = 500;

/// List quotes
///
/// The quotes of a material in the order of its text, each with the speaker that is proposed for it, or that a
/// request gave it. Where lines `[speaker NAME]` or the document name the speakers, what each says is listed. A
/// speech that goes on in the next chunk has a quote in each. Empty until the text is extracted; quotes that have no
/// speaker are missing in materials that an earlier version read.
#[utoipa::path(
    get,
    path = "/v1/saas/materials/{id}/quotes",
    tag = "Materials",
    operation_id = "list_quotes",
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("speaker" = Option<String>, Query, description = "Only what this speaker says"),
        ("unattributed" = Option<bool>, Query, description = "`true`: only those of which nothing tells who says them"),
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 500),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A page of quotes", body = Page<Quote>))
)]
pub async fn list_quotes(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    path: Path,
    uri: Uri,
) -> Result<Json<Page<Quote>>, Failure> {
    let id = materials::material(path);
    let mut parameters = Parameters::of(&uri);
    // Without a material, no cursor is valid.
    let owner = id.as_ref().map_or(uuid::Uuid::nil(), |id| id.uuid());
    let scope = CursorScope::within(&app.base.secrets.cursors, "quotes", owner);
    let limit = parameters.limit(USUAL, MOST);
    let after = parameters.after_place(&scope);
    let speaker = parameters.take("speaker");
    let unattributed = parameters.switch("unattributed");
    parameters.finish()?;
    let which = WhichQuotes { speaker: speaker.as_deref(), unattributed };
    let (rows, has_more) = quotes::list(&app.base, &caller.authenticated, id?, which, after, limit).await?;
    let last = rows.last().filter(|_| has_more);
    let next_cursor = last.map(|last| scope.cursor_at(last.chunk, last.first_byte));
    Ok(Json(Page { data: rows.into_iter().map(shown).collect(), next_cursor }))
}
