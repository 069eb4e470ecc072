//! `GET /v1/bff/materials/{id}/captions`.

use axum::{
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::{Method, Uri},
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

/// Get a book's captions
///
/// As `GET /v1/saas/materials/{id}/captions`, for who is signed in.
#[utoipa::path(
    get,
    path = "/v1/bff/materials/{id}/captions",
    tag = "Web application",
    operation_id = "web_get_material_captions",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::MaterialId, Path, description = "The material's id"),
        ("format" = Option<lectern_types::CaptionFormat>, Query, description = "The form of the captions; `vtt` when absent"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 200, description = "The captions", content((String = "text/vtt"), (String = "application/x-subrip"))))
)]
pub async fn web_get_material_captions(
    State(app): State<App>,
    Web(caller): Web<Read>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    method: Method,
    uri: Uri,
) -> Result<Response, Failure> {
    saas::materials::captions::get_material_captions(State(app), caller, path, method, uri).await
}
