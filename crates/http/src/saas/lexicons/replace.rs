//! `PUT /v1/saas/lexicons/{id}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
};
use lectern_types::{ErrorCode, Lexicon, LexiconId, LexiconRequest};

use super::{
    Path,
    sent::{Changing, Sent},
};
use crate::{envelope::Failure, extract::auth::Caller, shapes};
use lectern_service::{app::App, services::lexicons};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::ValidationFailed,
    ErrorCode::LexiconNotFound,
];

/// Replace a lexicon
///
/// Takes the same body as making one and replaces everything of the lexicon: what the body leaves out
/// gets its default. Chunks that are queued keep the entries of before.
#[utoipa::path(
    put,
    path = "/v1/saas/lexicons/{id}",
    tag = "Lexicons",
    operation_id = "replace_lexicon",
    params(
        ("id" = LexiconId, Path, description = "The lexicon's id"),
        ("name" = Option<String>, Query, description = "With a file: a name for people; `Lexicon` without one",
            min_length = 1, max_length = 100),
        ("language" = Option<String>, Query, description = "With a file: its language, BCP 47; by default its `xml:lang`"),
        ("default" = Option<bool>, Query, description = "With a file: whether requests in its language use it"),
    ),
    request_body(content(
        (LexiconRequest = "application/json"),
        (String = "application/pls+xml"),
    )),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The lexicon, as it is now", body = Lexicon))
)]
pub async fn replace_lexicon(
    State(app): State<Arc<App>>,
    caller: Caller<Changing>,
    path: Path,
    request: Request,
) -> Result<Json<Lexicon>, Failure> {
    let (parts, body) = request.into_parts();
    let contents = Sent::read(&app.base, &parts.headers, body).await?.contents(&parts.uri).await?;
    // Errors in the body are reported before a missing lexicon.
    let lexicon = lexicons::replace(&app.base, &caller.authenticated, super::lexicon(path), contents).await?;
    Ok(Json(shapes::lexicon(&lexicon)))
}
