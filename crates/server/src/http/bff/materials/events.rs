//! `GET /v1/bff/materials/{id}/events`.

use axum::{
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::{HeaderMap, Method, Uri},
    response::Response,
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

/// Follow a material
///
/// As `GET /v1/saas/materials/{id}/events`, for who is signed in.
#[utoipa::path(
    get,
    path = "/v1/bff/materials/{id}/events",
    tag = "Web application",
    operation_id = "web_follow_material",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::MaterialId, Path, description = "The material's id"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "The events", body = String, content_type = "text/event-stream"),
        (status = 204, description = "All events were seen, and none will follow"))
)]
pub async fn web_follow_material(
    State(app): State<App>,
    Web(caller): Web<Read>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    saas::materials::events::follow_material(State(app), caller, path, method, uri, headers).await
}
