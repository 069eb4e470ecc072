//! `GET`, `PUT` and `DELETE /v1/bff/materials/{id}/place`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
    http::Uri,
};
use lectern_types::{Environment, ErrorCode, MaterialId, Place, PlaceRequest};

use super::{Path, material, shown};
use crate::{
    envelope::Failure,
    extract::{
        auth::{Read, Write},
        page::Parameters,
        post,
        web::Web,
    },
};
use lectern_service::{app::App, services::materials::listening};

/// The failures of these routes besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::ConsentRequired,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
    ErrorCode::NotFound,
];

/// The failures of a change.
pub const CHANGE_ERRORS: &[ErrorCode] = &[
    ErrorCode::ConsentRequired,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
];

/// Get the place in a material
///
/// How far the account has listened to the material; 404 `not_found` when nothing of it was heard yet.
#[utoipa::path(
    get,
    path = "/v1/bff/materials/{id}/place",
    tag = "Web application",
    operation_id = "web_get_place",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The place", body = Place))
)]
pub async fn web_get_place(
    State(app): State<Arc<App>>,
    Web(caller): Web<Read>,
    path: Path,
    uri: Uri,
) -> Result<Json<Place>, Failure> {
    Parameters::of(&uri).finish()?;
    let found = listening::place(&app.base.store, &caller.authenticated, material(path)?).await?;
    Ok(Json(shown(&found)))
}

/// Keep the place in a material
///
/// Keeps where the listener is, unless a newer place is there, and answers the one that stands then. Several devices may
/// send their places in any order.
#[utoipa::path(
    put,
    path = "/v1/bff/materials/{id}/place",
    tag = "Web application",
    operation_id = "web_keep_place",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    request_body = PlaceRequest,
    extensions(("x-errors" = json!(CHANGE_ERRORS))),
    responses((status = 200, description = "The place that stands", body = Place))
)]
pub async fn web_keep_place(
    State(app): State<Arc<App>>,
    Web(caller): Web<Write>,
    path: Path,
    request: Request,
) -> Result<Json<Place>, Failure> {
    let asked: PlaceRequest = post::parse(&app.base, request).await?;
    let kept = listening::keep_place(&app.base, &caller.authenticated, material(path)?, asked).await?;
    Ok(Json(shown(&kept)))
}

/// Forget the place in a material
///
/// The material counts as not begun.
#[utoipa::path(
    delete,
    path = "/v1/bff/materials/{id}/place",
    tag = "Web application",
    operation_id = "web_forget_place",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The place, as it was", body = Place))
)]
pub async fn web_forget_place(
    State(app): State<Arc<App>>,
    Web(caller): Web<Write>,
    path: Path,
    uri: Uri,
) -> Result<Json<Place>, Failure> {
    Parameters::of(&uri).finish()?;
    let forgotten = listening::forget_place(&app.base.store, &caller.authenticated, material(path)?).await?;
    Ok(Json(shown(&forgotten)))
}
