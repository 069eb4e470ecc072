//! `PUT /v1/saas/materials/{id}/chunks/{index}/text`.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    extract::{Request, State},
    http::header::CONTENT_TYPE,
};
use lectern_types::{ChunkText, ErrorCode, MaterialId};

use super::place;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        json,
        page::Parameters,
    },
    saas::materials::Path,
};
use lectern_service::{app::App, error::Error, services::materials::text};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::ValidationFailed,
    ErrorCode::TextEmpty,
    ErrorCode::TextTooLong,
    ErrorCode::MaterialNotFound,
    ErrorCode::MaterialNotReady,
    ErrorCode::ChunkNotFound,
    ErrorCode::ChunkInProgress,
];

/// Edit a chunk's text
///
/// The body is the new text, 1 to 5,000 characters with the same markup as a synthesis. A completed chunk is
/// `pending` then, and the material `ready`: the chunk's old audio stays, with the header
/// `Lectern-Stale: true`, until it is converted and paid once more. Whole-book files wait for that.
#[utoipa::path(
    put,
    path = "/v1/saas/materials/{id}/chunks/{index}/text",
    tag = "Materials",
    operation_id = "set_chunk_text",
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("index" = u32, Path, description = "The chunk's index"),
    ),
    request_body(content = String, content_type = "text/plain"),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The text, as it is now", body = ChunkText))
)]
pub async fn set_chunk_text(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    path: Path,
    request: Request,
) -> Result<Json<ChunkText>, Failure> {
    let (parts, body) = request.into_parts();
    let (cap, patience) = (app.base.config.limits.body_bytes, app.base.config.http.body_seconds);
    let bytes = json::read(body, cap, Duration::from_secs(patience)).await?;
    Parameters::of(&parts.uri).finish()?;
    let kind = parts.headers.get(CONTENT_TYPE).map(|kind| kind.to_str().unwrap_or_default());
    let sent = String::from_utf8(bytes.into())
        .ok()
        .filter(|_| kind.is_none_or(|kind| json::is_in_utf8(kind, "text/plain")));
    let why = "must be a text in UTF-8, sent as Content-Type: text/plain";
    let sent = sent.ok_or_else(|| Error::invalid("body", why))?;
    // Errors in the body are reported before a missing material.
    text::check(&sent)?;
    let (material, index) = place(path)?;
    let index = text::set(&app.base, &caller.authenticated, material, index, &sent).await?;
    Ok(Json(ChunkText { index, text: sent }))
}
