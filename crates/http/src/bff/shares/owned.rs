//! `GET` and `POST /v1/bff/materials/{id}/shares`, and `DELETE /v1/bff/materials/{id}/shares/{share_id}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
    http::{StatusCode, Uri},
};
use lectern_service::app::App;
use lectern_types::{Environment, MaterialId, ShareId, ShareLink, ShareLinks, ShareRequest};

use super::{shares, shown};
use crate::{
    bff::listening::{
        Path, material,
        place::{CHANGE_ERRORS, ERRORS},
        within,
    },
    envelope::Failure,
    extract::{
        auth::{Read, Write},
        page::Parameters,
        post,
        web::Web,
    },
};

/// List the share links of a material
///
/// The links under which people without an account listen to the material, the newest first.
#[utoipa::path(
    get,
    path = "/v1/bff/materials/{id}/shares",
    tag = "Web application",
    operation_id = "web_list_shares",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The links", body = ShareLinks))
)]
pub async fn web_list_shares(
    State(app): State<Arc<App>>,
    Web(caller): Web<Read>,
    path: Path,
    uri: Uri,
) -> Result<Json<ShareLinks>, Failure> {
    Parameters::of(&uri).finish()?;
    let material = material(path)?;
    let found = shares(&app).list(&caller.authenticated, material).await?;
    Ok(Json(ShareLinks { data: found.iter().map(|share| shown(&app, share)).collect() }))
}

/// Make a share link
///
/// People with the link can hear the parts of the material that have audio, and see its title, author, description and cover,
/// until the link ends or is revoked. A material has at most 50 links.
#[utoipa::path(
    post,
    path = "/v1/bff/materials/{id}/shares",
    tag = "Web application",
    operation_id = "web_make_share",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    request_body = ShareRequest,
    extensions(("x-errors" = json!(CHANGE_ERRORS))),
    responses((status = 201, description = "The link", body = ShareLink))
)]
pub async fn web_make_share(
    State(app): State<Arc<App>>,
    Web(caller): Web<Write>,
    path: Path,
    request: Request,
) -> Result<(StatusCode, Json<ShareLink>), Failure> {
    let ShareRequest { expires_at, password } = post::parse(&app.base, request).await?;
    let material = material(path)?;
    let password = password.map(|password| password.0);
    let made = shares(&app).make(&caller.authenticated, material, expires_at, password).await?;
    Ok((StatusCode::CREATED, Json(shown(&app, &made))))
}

/// Revoke a share link
///
/// The link opens nothing any more. Audio that a listener has begun stays reachable for at most an hour.
#[utoipa::path(
    delete,
    path = "/v1/bff/materials/{id}/shares/{share_id}",
    tag = "Web application",
    operation_id = "web_revoke_share",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = MaterialId, Path, description = "The material's id"),
        ("share_id" = ShareId, Path, description = "The link's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The link, as it was", body = ShareLink))
)]
pub async fn web_revoke_share(
    State(app): State<Arc<App>>,
    Web(caller): Web<Write>,
    path: Path,
    uri: Uri,
) -> Result<Json<ShareLink>, Failure> {
    Parameters::of(&uri).finish()?;
    let (material, share) = within(path, "share_id")?;
    let revoked = shares(&app).revoke(&caller.authenticated, material, share).await?;
    Ok(Json(shown(&app, &revoked)))
}
