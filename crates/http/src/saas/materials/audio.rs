//! `GET /v1/saas/materials/{id}/audio`.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::{
        HeaderMap, HeaderValue, Method, StatusCode, Uri,
        header::{CACHE_CONTROL, RETRY_AFTER},
    },
    response::{IntoResponse as _, Response},
};
use lectern_types::{
    Assembling, AssemblingStatus, AudioUrl, BookFile, BookFormat, BookLoudness, ErrorCode, Granularity,
    MaterialId, Timestamp, request::parse_word,
};

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
    services::materials::{
        audio,
        book::{self, Waited},
    },
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
    ErrorCode::ChunkNotReady,
    ErrorCode::RangeNotSatisfiable,
];

/// When to ask again for a file that is being made, in seconds.
const RETRY_SECONDS: u64 = 5;

/// Get a book's audio
///
/// The included chapters of a material as one file, once all of their chunks are completed. `mp3` and `m4b` are one
/// audio file with chapter marks; `zip` has an MP3 for each chapter, the cover and a playlist; `epub` is
/// EPUB 3 with Media Overlays, made of the document itself where that is an EPUB; `daisy` is a DAISY 2.02
/// talking book. The first call starts to make the file and waits for it up to 20 seconds; then the response
/// is 202 with `Retry-After`, and the making goes on. Calling again never starts it twice. With `url=true`, the
/// response is a URL that needs no key and is valid for 24 hours.
#[utoipa::path(
    get,
    path = "/v1/saas/materials/{id}/audio",
    tag = "Materials",
    operation_id = "get_material_audio",
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("format" = Option<BookFormat>, Query, description = "The form of the file; `mp3` when absent"),
        ("granularity" = Option<Granularity>, Query, description = "What an EPUB marks while it is read along: `word` or \
            `sentence`; `sentence` when absent. Other formats mark nothing"),
        ("loudness" = Option<BookLoudness>, Query, description = "`acx` for what ACX asks of audio books"),
        ("url" = Option<bool>, Query, description = "Whether to answer with a URL instead"),
        ("Range" = Option<String>, Header, description = "One range of bytes, such as `bytes=0-1023`"),
        ("If-None-Match" = Option<String>, Header, description = "Entity tags already held"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses(
        (status = 200, description = "The audio, or its URL", content(
            (String = "audio/*"),
            (String = "application/zip"),
            (String = "application/epub+zip"),
            (AudioUrl = "application/json"),
        ), headers(
            ("ETag" = Option<String>, description = "The entity tag"),
            ("Accept-Ranges" = Option<String>, description = "`bytes`"),
            ("Content-Disposition" = Option<String>, description = "`attachment`, with a name made of the title"),
        )),
        (status = 202, description = "It is being made", body = Assembling, headers(
            ("Retry-After" = u64, description = "When to call again, in seconds"),
        )),
        (status = 206, description = "The range asked for", content(
            (String = "audio/*"),
            (String = "application/zip"),
            (String = "application/epub+zip"),
        )),
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
    let granularity = parameters.read("granularity", parse_word::<Granularity>).unwrap_or_default();
    let loudness = parameters.read("loudness", parse_word::<BookLoudness>).unwrap_or_default();
    let wants_url = parameters.switch("url");
    if !book::is_available(format) {
        parameters
            .wrong("format", "m4b is not made by this build of the service, which was built without `aac`");
    }
    parameters.finish()?;
    let file = BookFile { format, granularity, loudness };
    let waited =
        book::wait(&app.base, &app.long_requests, &caller.authenticated, super::material(path)?, file);
    let book = match waited.await? {
        Waited::Made(book) => book,
        Waited::Assembling { progress } => return Ok(assembling(progress)),
    };
    if wants_url {
        return Ok(link(&app.media, app.base.clock.now(), &book.object));
    }
    let blob = Blob {
        object: &book.object,
        media_type: format.media_type().into(),
        disposition: disposition::attachment(&book.title, format.extension()),
        max_age_seconds: audio::MAX_AGE_SECONDS,
    };
    let found = blob::answer(&app.base.objects, &blob, &method, &headers).await?;
    Ok(found.ok_or_else(|| audio::gone(&book.object))?)
}

/// The response to a request for a file that is still being made.
fn assembling(progress: f64) -> Response {
    let body = Assembling { status: AssemblingStatus::Assembling, progress };
    let mut response = (StatusCode::ACCEPTED, Json(body)).into_response();
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(RETRY_SECONDS));
    response
}

/// The response with a signed URL of an object.
pub(super) fn link(media: &MediaUrls, now: Timestamp, object: &str) -> Response {
    let (audio_url, expires_at) = media.url(object, now);
    let mut response = Json(AudioUrl { audio_url, expires_at }).into_response();
    // The URL gives access to the audio without a key.
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
