//! `DELETE /v1/saas/lexicons/{id}`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_types::{ErrorCode, Lexicon, LexiconId};

use super::Path;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        page::Parameters,
    },
    shapes,
};
use lectern_service::{app::App, services::lexicons};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed, ErrorCode::LexiconNotFound];

/// Delete a lexicon
///
/// Deletes a lexicon. Chunks that are queued keep their copy of its entries.
#[utoipa::path(
    delete,
    path = "/v1/saas/lexicons/{id}",
    tag = "Lexicons",
    operation_id = "delete_lexicon",
    params(("id" = LexiconId, Path, description = "The lexicon's id")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The lexicon, as it was", body = Lexicon))
)]
pub async fn delete_lexicon(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    path: Path,
    uri: Uri,
) -> Result<Json<Lexicon>, Failure> {
    Parameters::of(&uri).finish()?;
    let lexicon = lexicons::delete(&app.base, &caller.authenticated, super::lexicon(path)).await?;
    Ok(Json(shapes::lexicon(&lexicon)))
}
