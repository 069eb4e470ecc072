//! `GET /v1/bff/materials/{id}`.

use axum::{
    Json,
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::Uri,
};
use lectern_types::Environment;

use crate::{
    app::App,
    http::{
        envelope::Failure,
        extract::{auth::Read, web::Web},
        saas,
    },
};

/// Get a material
///
/// As `GET /v1/saas/materials/{id}`, for who is signed in.
#[utoipa::path(
    get,
    path = "/v1/bff/materials/{id}",
    tag = "Web application",
    operation_id = "web_get_material",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::MaterialId, Path, description = "The material's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "The material", body = lectern_types::Material))
)]
pub async fn web_get_material(
    State(app): State<App>,
    Web(caller): Web<Read>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<lectern_types::Material>, Failure> {
    saas::materials::get::get_material(State(app), caller, path, uri).await
}
