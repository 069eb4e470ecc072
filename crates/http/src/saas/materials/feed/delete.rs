//! `DELETE /v1/saas/materials/{id}/feed`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_types::{BookFeed, ErrorCode, MaterialId};

use super::shown;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
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

/// Revoke a podcast feed
///
/// The URL is not valid any more. A feed that is made afterwards has another one.
#[utoipa::path(
    delete,
    path = "/v1/saas/materials/{id}/feed",
    tag = "Materials",
    operation_id = "delete_feed",
    params(("id" = MaterialId, Path, description = "The material's id")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The feed that was revoked", body = BookFeed))
)]
pub async fn delete_feed(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    path: Path,
    uri: Uri,
) -> Result<Json<BookFeed>, Failure> {
    Parameters::of(&uri).finish()?;
    let feeds = Feeds::new(&app.base, &app.public_url, &app.long_requests);
    let (url, feed) = feeds.revoke(&caller.authenticated, material(path)?).await?;
    Ok(Json(shown(url, &feed)))
}
