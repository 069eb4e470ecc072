//! `PUT /v1/saas/materials/{id}/cover`.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    extract::{Request, State},
    http::HeaderMap,
};
use lectern_store::Scope;
use lectern_types::{ErrorCode, Material, MaterialId};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Access, Caller, Write},
        json,
        page::Parameters,
    },
    saas::materials::{Path, material},
    shapes,
};
use lectern_service::{app::App, config::Limits, error::Result as Outcome, services::materials::cover};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
];

/// A key with the scope `write`, for a picture.
#[derive(Debug)]
pub struct Picture;

impl Access for Picture {
    const SCOPE: Option<Scope> = Write::SCOPE;

    fn check_length(_: &Limits, headers: &HeaderMap) -> Outcome<()> {
        json::check_declared_length(headers, cover::MOST_BYTES)
    }
}

/// Give a material a cover
///
/// The body is the picture itself, a JPEG or PNG of at most 20 MiB and 40 million pixels, whatever its media
/// type says. One with more than 1,400 pixels on a side is scaled down. Whole-book files are made anew.
#[utoipa::path(
    put,
    path = "/v1/saas/materials/{id}/cover",
    tag = "Materials",
    operation_id = "set_cover",
    params(("id" = MaterialId, Path, description = "The material's id")),
    request_body(content((Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png"))),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The material, as it is now", body = Material))
)]
pub async fn set_cover(
    State(app): State<Arc<App>>,
    caller: Caller<Picture>,
    path: Path,
    request: Request,
) -> Result<Json<Material>, Failure> {
    let (parts, body) = request.into_parts();
    let patience = Duration::from_secs(app.base.config.http.body_seconds);
    let bytes = json::read(body, cover::MOST_BYTES, patience).await?;
    Parameters::of(&parts.uri).finish()?;
    let changed = cover::put(&app.base, &caller.authenticated, material(path)?, bytes.into()).await?;
    Ok(Json(shapes::material(&changed)))
}
