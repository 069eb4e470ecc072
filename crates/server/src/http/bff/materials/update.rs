//! `PATCH /v1/bff/materials/{id}`.

use axum::{
    Json,
    extract::{RawPathParams, Request, State, rejection::RawPathParamsRejection},
};
use lectern_types::Environment;

use crate::{
    app::App,
    http::{
        envelope::Failure,
        extract::{auth::Write, web::Web},
        saas,
    },
};

/// Change a material
///
/// As `PATCH /v1/saas/materials/{id}`, for who is signed in.
#[utoipa::path(
    patch,
    path = "/v1/bff/materials/{id}",
    tag = "Web application",
    operation_id = "web_update_material",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::MaterialId, Path, description = "The material's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    request_body = lectern_types::UpdateMaterialRequest,
    responses((status = 200, description = "The material", body = lectern_types::Material))
)]
pub async fn web_update_material(
    State(app): State<App>,
    Web(caller): Web<Write>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
) -> Result<Json<lectern_types::Material>, Failure> {
    saas::materials::update::update_material(State(app), caller, path, request).await
}
