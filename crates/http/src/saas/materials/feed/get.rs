//! `GET /v1/saas/materials/{id}/feed`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_types::{BookFeed, ErrorCode, MaterialId};

use super::shown;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::Parameters,
    },
    saas::materials::{Path, material},
};
use lectern_service::{app::App, services::materials::feed::Feeds};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
    ErrorCode::NotFound,
];

/// Get a podcast feed
///
/// The secret URL of the material's podcast feed.
#[utoipa::path(
    get,
    path = "/v1/saas/materials/{id}/feed",
    tag = "Materials",
    operation_id = "get_feed",
    params(("id" = MaterialId, Path, description = "The material's id")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The feed", body = BookFeed))
)]
pub async fn get_feed(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    path: Path,
    uri: Uri,
) -> Result<Json<BookFeed>, Failure> {
    Parameters::of(&uri).finish()?;
    let feeds = Feeds::new(&app.base, &app.public_url, &app.long_requests);
    let (url, feed) = feeds.show(&caller.authenticated, material(path)?).await?;
    Ok(Json(shown(url, &feed)))
}
