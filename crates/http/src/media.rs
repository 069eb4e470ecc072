//! `GET /media/…`: audio behind signed URLs, which need no key.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{HeaderMap, Method, Uri},
    response::Response,
};
use lectern_types::ErrorCode;

use super::{
    blob::{self, Blob},
    envelope::Failure,
    extract::idempotency,
};
use lectern_service::{
    app::App,
    objects::{naming, signing},
};

/// The failures of this route besides those that every route has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::AudioUrlInvalid,
    ErrorCode::AudioUrlExpired,
    ErrorCode::InvalidIdempotencyKey,
    ErrorCode::NotFound,
    ErrorCode::RangeNotSatisfiable,
];

/// Get audio
///
/// The audio of a synthesis, a chunk or a book, behind the signed URL that an earlier response
/// gave. The URL is its own permission: no key is needed, and it is valid for 24 hours.
#[utoipa::path(
    get,
    path = "/media/{*object}",
    tag = "Audio",
    operation_id = "get_media",
    params(
        ("object" = String, Path, description = "Which audio; part of the signed URL"),
        ("expires" = i64, Query, description = "When the URL ends, in seconds since 1970"),
        ("signature" = String, Query, description = "Over the path and `expires`"),
        ("Range" = Option<String>, Header, description = "One range of bytes, such as `bytes=0-1023`"),
        ("If-None-Match" = Option<String>, Header, description = "Entity tags already held"),
    ),
    security(()),
    extensions(("x-errors" = json!(ERRORS))),
    responses(
        (status = 200, description = "The audio", content_type = "audio/*", headers(
            ("ETag" = String, description = "The entity tag"),
            ("Accept-Ranges" = String, description = "`bytes`"),
        )),
        (status = 206, description = "The range asked for", content_type = "audio/*"),
        (status = 304, description = "It is the one already held"),
    )
)]
pub async fn get_media(
    State(app): State<Arc<App>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    idempotency::key(&headers)?;
    // Checked before looking up the object, so that a guessed name reveals nothing.
    app.media.signer.check(uri.path(), uri.query(), app.base.clock.now())?;
    // The signature covers a plain key, so the path needs no decoding.
    let object = uri.path().strip_prefix(signing::PREFIX).unwrap_or_default();
    let blob = Blob {
        object,
        media_type: naming::media_type(object),
        disposition: naming::disposition(object),
        max_age_seconds: naming::MAX_AGE_SECONDS,
    };
    let found = blob::answer(&app.base.objects, &blob, &method, &headers).await?;
    Ok(found.ok_or(ErrorCode::NotFound)?)
}
