//! `/feeds/{material}/{token}/…`: podcast feeds and their episodes, for players that have no key. The token is the
//! permission.

use std::{ops::Range, sync::Arc};

use axum::{
    extract::{Path, State, rejection::PathRejection},
    http::{
        HeaderMap, HeaderValue, Method,
        header::{CACHE_CONTROL, CONTENT_TYPE},
    },
    response::{IntoResponse as _, Response},
};
use lectern_types::ErrorCode;

use super::{
    blob::{self, Blob},
    disposition,
    envelope::Failure,
    extract::idempotency,
};
use lectern_service::{
    app::App,
    services::materials::{audio, feed::Feeds},
};

/// The failures of this route besides those that every route has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::InvalidIdempotencyKey, ErrorCode::NotFound, ErrorCode::RangeNotSatisfiable];

/// Get a file of a podcast feed
///
/// `feed.xml` is the feed, RSS 2.0 with an episode for each chapter; `cover` its picture; `0.mp3` the episode of the
/// chapter with that index; `0.json` the headings inside that chapter and when each is said (JSON chapters of the podcast
/// namespace; 404 when there are none). The URL is its own permission until its owner revokes it. A feed has no
/// episodes while its book is not completed. While they are being made, the response is 503 with `Retry-After`.
#[utoipa::path(
    get,
    path = "/feeds/{material}/{token}/{file}",
    tag = "Audio",
    operation_id = "get_feed_file",
    params(
        ("material" = String, Path, description = "Part of the secret URL"),
        ("token" = String, Path, description = "Part of the secret URL"),
        ("file" = String, Path, description = "`feed.xml`, `cover`, an episode such as `0.mp3`, or its chapters such as `0.json`"),
        ("Range" = Option<String>, Header, description = "One range of bytes, such as `bytes=0-1023`"),
        ("If-None-Match" = Option<String>, Header, description = "Entity tags already held"),
    ),
    security(()),
    extensions(("x-errors" = json!(ERRORS))),
    responses(
        (status = 200, description = "The file", content(
            (String = "application/rss+xml"), (String = "audio/mpeg"), (String = "application/json+chapters"), (String = "image/*"),
        )),
        (status = 206, description = "The range asked for", content_type = "audio/mpeg"),
        (status = 304, description = "It is the one already held"),
    )
)]
pub async fn get_feed_file(
    State(app): State<Arc<App>>,
    path: Result<Path<(String, String, String)>, PathRejection>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    idempotency::key(&headers)?;
    let Path((material, token, file)) = path.map_err(|_| ErrorCode::NotFound)?;
    let feeds = Feeds::new(&app.base, &app.public_url, &app.long_requests);
    let (material, feed) = feeds.open(&material, &token).await?;
    if file == "feed.xml" {
        let xml = feeds.document(&material, &feed).await?;
        return Ok(generated(xml, "application/rss+xml; charset=utf-8"));
    }
    if let Some(chapter) = file.strip_suffix(".json") {
        let chapter = chapter.parse().map_err(|_| ErrorCode::NotFound)?;
        let json = feeds.chapters(&material, chapter).await?;
        return Ok(generated(json, "application/json+chapters"));
    }
    let (object, media_type, part): (String, String, Option<Range<u64>>) = if file == "cover" {
        let cover = material.cover.ok_or(ErrorCode::NotFound)?;
        (cover.object, cover.media_type, None)
    } else {
        let chapter = file.strip_suffix(".mp3").and_then(|index| index.parse::<u32>().ok());
        let chapter = chapter.ok_or(ErrorCode::NotFound)?;
        let book = feeds.episodes(&material).await?.ok_or(ErrorCode::NotFound)?;
        let part = book.parts.iter().find(|part| part.chapter == chapter).ok_or(ErrorCode::NotFound)?;
        (book.object, "audio/mpeg".to_owned(), Some(part.offset..part.offset + part.bytes))
    };
    let blob = Blob {
        object: &object,
        media_type: media_type.into(),
        disposition: disposition::inline(&file),
        max_age_seconds: audio::MAX_AGE_SECONDS,
    };
    let found = blob::answer_with(&app.base.objects, &blob, part, &method, &headers).await?;
    Ok(found.ok_or(ErrorCode::NotFound)?)
}

/// A document that is made for each request.
fn generated(document: String, media_type: &'static str) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(media_type)),
        (CACHE_CONTROL, HeaderValue::from_static("private, max-age=0")),
    ];
    (headers, document).into_response()
}
