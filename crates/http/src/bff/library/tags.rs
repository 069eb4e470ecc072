//! `GET` and `PUT /v1/bff/materials/{id}/tags`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
    http::Uri,
};
use lectern_service::{app::App, services::materials};
use lectern_store::library;
use lectern_types::{Environment, ErrorCode, MaterialId, MaterialTags, TagsRequest};

use crate::{
    bff::listening::{
        Path, material,
        place::{CHANGE_ERRORS, ERRORS},
    },
    envelope::Failure,
    extract::{
        auth::{Read, Write},
        page::Parameters,
        post,
        web::Web,
    },
};

/// Get the tags of a material
///
/// The tags by which the account finds the material in its library.
#[utoipa::path(
    get,
    path = "/v1/bff/materials/{id}/tags",
    tag = "Web application",
    operation_id = "web_get_tags",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The tags", body = MaterialTags))
)]
pub async fn web_get_tags(
    State(app): State<Arc<App>>,
    Web(caller): Web<Read>,
    path: Path,
    uri: Uri,
) -> Result<Json<MaterialTags>, Failure> {
    Parameters::of(&uri).finish()?;
    let material = material(path)?;
    materials::find(&app.base.store, &caller.authenticated, material).await?;
    Ok(Json(MaterialTags { tags: library::tags_of(&app.base.store, material).await? }))
}

/// Set the tags of a material
///
/// Replaces the tags by which the account finds the material in its library. Spaces at their ends are dropped.
#[utoipa::path(
    put,
    path = "/v1/bff/materials/{id}/tags",
    tag = "Web application",
    operation_id = "web_set_tags",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    request_body = TagsRequest,
    extensions(("x-errors" = json!(CHANGE_ERRORS))),
    responses((status = 200, description = "The tags, as they are now", body = MaterialTags))
)]
pub async fn web_set_tags(
    State(app): State<Arc<App>>,
    Web(caller): Web<Write>,
    path: Path,
    request: Request,
) -> Result<Json<MaterialTags>, Failure> {
    let TagsRequest { tags } = post::parse(&app.base, request).await?;
    let material = material(path)?;
    let (account, environment) = (caller.authenticated.account, caller.authenticated.key.environment);
    let set = library::set_tags(&app.base.store, account, environment, material, tags.0).await?;
    Ok(Json(MaterialTags { tags: set.ok_or(ErrorCode::MaterialNotFound)? }))
}
