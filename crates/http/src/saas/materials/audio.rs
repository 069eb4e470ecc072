//! `GET /v1/saas/materials/{id}/audio`.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, HeaderValue, Method, Uri, header::CACHE_CONTROL},
    response::{IntoResponse as _, Response},
};
use lectern_types::{AudioUrl, BookFormat, ErrorCode, MaterialId, Timestamp, request::parse_word};

use super::Path;
use crate::{
    blob::{self, Blob},
    disposition,
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::Parameters,
    },
};
use lectern_service::{
    app::App,
    objects::media_urls::MediaUrls,
    services::materials::{audio, book},
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
    ErrorCode::ChunkNotReady,
    ErrorCode::RangeNotSatisfiable,
];

/// Get a book's audio
///
/// The whole material as one file with chapter marks, once every chunk is completed: an MP3, or an
/// M4B audio book. The first call may wait while the file is assembled; if that takes too long, the
/// response is 503 with `Retry-After` and the assembly continues. With `url=true`, the response is
/// a URL that needs no key and is valid for 24 hours.
#[utoipa::path(
    get,
    path = "/v1/saas/materials/{id}/audio",
    tag = "Materials",
    operation_id = "get_material_audio",
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("format" = Option<BookFormat>, Query, description = "The form of the file; `mp3` when absent"),
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
            ("Content-Disposition" = Option<String>, description = "`attachment`, with a name made of the title"),
        )),
        (status = 206, description = "The range asked for", content_type = "audio/*"),
        (status = 304, description = "It is the one already held"),
    )
)]
pub async fn get_material_audio(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    path: Path,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let mut parameters = Parameters::of(&uri);
    let format = parameters.read("format", parse_word::<BookFormat>).unwrap_or_default();
    let wants_url = parameters.switch("url");
    if !book::is_available(format) {
        parameters
            .wrong("format", "m4b is not made by this build of the service, which was built without `aac`");
    }
    parameters.finish()?;
    let book =
        book::wait(&app.base, &app.long_requests, &caller.authenticated, super::material(path)?, format)
            .await?;
    if wants_url {
        return Ok(link(&app.media, app.base.clock.now(), &book.object));
    }
    let blob = Blob {
        object: &book.object,
        media_type: format.media_type(),
        disposition: disposition::attachment(&book.title, format.as_str()),
        max_age_seconds: audio::MAX_AGE_SECONDS,
    };
    let found = blob::answer(&app.base.objects, &blob, &method, &headers).await?;
    Ok(found.ok_or_else(|| audio::gone(&book.object))?)
}

/// The response with a signed URL of an object.
pub(super) fn link(media: &MediaUrls, now: Timestamp, object: &str) -> Response {
    let (audio_url, expires_at) = media.url(object, now);
    let mut response = Json(AudioUrl { audio_url, expires_at }).into_response();
    // The URL gives access to the audio without a key.
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
