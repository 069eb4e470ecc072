//! `GET /v1/saas/ereaders/{slug}/sample`.

use std::sync::Arc;

use axum::{
    extract::{RawPathParams, State},
    http::{HeaderMap, Method, Uri},
    response::Response,
};
use lectern_types::ErrorCode;

use crate::{
    blob::{self, Blob},
    disposition,
    envelope::Failure,
    extract::{
        auth::{AnyKey, Caller},
        page::Parameters,
    },
};
use lectern_service::{app::App, services::speech::samples};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::SampleNotAvailable,
    ErrorCode::RangeNotSatisfiable,
    ErrorCode::ValidationFailed,
    ErrorCode::TtsProviderError,
];

/// Get an e-reader's sample
///
/// A short recording of the e-reader, in one of its `sample_langs`. Without a charge. It is made when it is first asked
/// for, which may take seconds; `service_unavailable` says when to ask again. An unknown e-reader, an inactive one and a
/// language without a sample all answer `sample_not_available`.
#[utoipa::path(
    get,
    path = "/v1/saas/ereaders/{slug}/sample",
    tag = "E-readers",
    operation_id = "get_ereader_sample",
    params(
        ("slug" = String, Path, description = "The e-reader's slug", example = "heart"),
        ("lang" = Option<String>, Query, description = "One of its `sample_langs`; the first of its languages \
            that has a sample when absent", example = "en-US"),
        ("Range" = Option<String>, Header, description = "One range of bytes, such as `bytes=0-1023`"),
        ("If-None-Match" = Option<String>, Header, description = "Entity tags already held"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses(
        (status = 200, description = "The sample", content_type = "audio/mpeg", headers(
            ("ETag" = String, description = "The entity tag"),
            ("Accept-Ranges" = String, description = "`bytes`"),
        )),
        (status = 206, description = "The range asked for", content_type = "audio/mpeg"),
        (status = 304, description = "It is the one already held"),
    )
)]
pub async fn get_ereader_sample(
    State(app): State<Arc<App>>,
    _caller: Caller<AnyKey>,
    path: Result<RawPathParams, axum::extract::rejection::RawPathParamsRejection>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let mut parameters = Parameters::of(&uri);
    let language = parameters.take("lang");
    parameters.finish()?;
    let Ok(path) = path else { return Err(ErrorCode::SampleNotAvailable.into()) };
    let slug = path.iter().find(|(name, _)| *name == "slug").map_or("", |(_, slug)| slug);
    let sample = samples::find_or_make(&app.speech, &app.samples, slug, language.as_deref()).await?;
    let sample = sample.ok_or(ErrorCode::SampleNotAvailable)?;
    let blob = Blob {
        object: &sample.object_key,
        media_type: "audio/mpeg".into(),
        disposition: disposition::inline(&format!("{slug}-{}.mp3", sample.language)),
        max_age_seconds: 300,
    };
    let found = blob::answer(&app.base.objects, &blob, &method, &headers).await?;
    Ok(found.ok_or(ErrorCode::SampleNotAvailable)?)
}
