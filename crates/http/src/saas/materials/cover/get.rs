//! `GET /v1/saas/materials/{id}/cover`.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{HeaderMap, Method, Uri},
    response::Response,
};
use lectern_types::{ErrorCode, MaterialId};

use crate::{
    blob::{self, Blob},
    disposition,
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::Parameters,
    },
    saas::materials::{Path, material},
};
use lectern_service::{
    app::App,
    services::materials::{self, audio},
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
    ErrorCode::NotFound,
    ErrorCode::RangeNotSatisfiable,
];

/// Get a cover
///
/// The cover picture of a material, a JPEG or PNG: the one that was given, else that of the document.
#[utoipa::path(
    get,
    path = "/v1/saas/materials/{id}/cover",
    tag = "Materials",
    operation_id = "get_cover",
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("If-None-Match" = Option<String>, Header, description = "Entity tags already held"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses(
        (status = 200, description = "The picture", content_type = "image/*", headers(
            ("ETag" = Option<String>, description = "The entity tag"),
        )),
        (status = 206, description = "The range asked for", content_type = "image/*"),
        (status = 304, description = "It is the one already held"),
    )
)]
pub async fn get_cover(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    path: Path,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    Parameters::of(&uri).finish()?;
    let found = materials::find(&app.base.store, &caller.authenticated, material(path)?).await?;
    let cover = found.cover.ok_or(ErrorCode::NotFound)?;
    let ending = if cover.media_type == "image/png" { "png" } else { "jpg" };
    let blob = Blob {
        object: &cover.object,
        media_type: cover.media_type.clone().into(),
        disposition: disposition::inline(&format!("{}.{ending}", found.id)),
        max_age_seconds: audio::MAX_AGE_SECONDS,
    };
    let answer = blob::answer(&app.base.objects, &blob, &method, &headers).await?;
    Ok(answer.ok_or_else(|| audio::gone(&cover.object))?)
}
