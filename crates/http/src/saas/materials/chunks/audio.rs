//! `GET /v1/saas/materials/{id}/chunks/{index}/audio`.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{HeaderMap, Method, Uri},
    response::Response,
};
use lectern_types::{AudioUrl, ErrorCode, MaterialId};

use super::{mark_stale, place};
use crate::{
    blob::{self, Blob},
    disposition,
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::Parameters,
    },
    saas::materials::{Path, audio::link},
};
use lectern_service::{app::App, services::materials::audio};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
    ErrorCode::ChunkNotFound,
    ErrorCode::ChunkNotReady,
    ErrorCode::RangeNotSatisfiable,
];

/// Get a chunk's audio
///
/// The audio of a completed chunk, in the format of its conversion. With `url=true`, the response
/// is a URL that needs no key and is valid for 24 hours. While a chunk is spoken again, its old audio
/// stays, with the header `Lectern-Stale: true`.
#[utoipa::path(
    get,
    path = "/v1/saas/materials/{id}/chunks/{index}/audio",
    tag = "Materials",
    operation_id = "get_chunk_audio",
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("index" = u32, Path, description = "The chunk's index"),
        ("url" = Option<bool>, Query, description = "Whether to answer with a URL instead"),
        ("Range" = Option<String>, Header, description = "One range of bytes, such as `bytes=0-1023`"),
        ("If-None-Match" = Option<String>, Header, description = "Entity tags already held"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses(
        (status = 200, description = "The audio, or its URL", content(
            (String = "audio/*"),
            (AudioUrl = "application/json"),
        ), headers(
            ("ETag" = Option<String>, description = "The entity tag"),
            ("Accept-Ranges" = Option<String>, description = "`bytes`"),
            ("Lectern-Stale" = Option<String>, description = "`true` for the old audio of a chunk that is spoken again"),
        )),
        (status = 206, description = "The range asked for", content_type = "audio/*"),
        (status = 304, description = "It is the one already held"),
    )
)]
pub async fn get_chunk_audio(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    path: Path,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let mut parameters = Parameters::of(&uri);
    let wants_url = parameters.switch("url");
    parameters.finish()?;
    let (material, index) = place(path)?;
    let chunk = audio::chunk(&app.base.store, &caller.authenticated, material, index).await?;
    if wants_url {
        let mut response = link(&app.media, app.base.clock.now(), &chunk.object);
        mark_stale(response.headers_mut(), chunk.is_stale);
        return Ok(response);
    }
    let blob = Blob {
        object: &chunk.object,
        media_type: chunk.format.media_type(chunk.sample_rate_hz),
        disposition: disposition::inline(&format!("{material}-{}.{}", chunk.index, chunk.format.as_str())),
        max_age_seconds: audio::MAX_AGE_SECONDS,
    };
    let found = blob::answer(&app.base.objects, &blob, &method, &headers).await?;
    let mut response = found.ok_or_else(|| audio::gone(&chunk.object))?;
    mark_stale(response.headers_mut(), chunk.is_stale);
    Ok(response)
}
