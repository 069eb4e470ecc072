//! `GET /v1/saas/materials/{id}/captions`.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::State,
    http::{
        HeaderValue, Method, Uri,
        header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE},
    },
    response::Response,
};
use lectern_types::{CaptionFormat, ErrorCode, MaterialId, request::parse_word};

use super::Path;
use crate::{
    disposition,
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::Parameters,
    },
};
use lectern_service::{
    app::App,
    services::materials::{book, captions},
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
    ErrorCode::ChunkNotReady,
];

/// Get a book's captions
///
/// The words of the whole material as captions, timed to its whole audio, once every chunk is
/// completed.
#[utoipa::path(
    get,
    path = "/v1/saas/materials/{id}/captions",
    tag = "Materials",
    operation_id = "get_material_captions",
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("format" = Option<CaptionFormat>, Query, description = "The form of the captions; `vtt` when absent"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The captions", content(
        (String = "text/vtt"),
        (String = "application/x-subrip"),
    )))
)]
pub async fn get_material_captions(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    path: Path,
    method: Method,
    uri: Uri,
) -> Result<Response, Failure> {
    let mut parameters = Parameters::of(&uri);
    let format = parameters.read("format", parse_word::<CaptionFormat>).unwrap_or_default();
    parameters.finish()?;
    let material = book::whole(&app.base.store, &caller.authenticated, super::material(path)?).await?;
    let title = material.title.clone();
    let body = match method {
        Method::HEAD => Body::empty(),
        _ => Body::from_stream(
            captions::stream(&app.base.store, &app.base.objects, &caller.authenticated, &material, format)
                .await?,
        ),
    };
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(format.media_type()));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    if let Ok(value) = HeaderValue::from_str(&disposition::inline_titled(&title, format.as_str())) {
        headers.insert(CONTENT_DISPOSITION, value);
    }
    Ok(response)
}
