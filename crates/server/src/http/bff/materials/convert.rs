//! `POST /v1/bff/materials/{id}/convert`.

use axum::{
    extract::{RawPathParams, Request, State, rejection::RawPathParamsRejection},
    response::Response,
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

/// Convert a material
///
/// As `POST /v1/saas/materials/{id}/convert`, for who is signed in.
#[utoipa::path(
    post,
    path = "/v1/bff/materials/{id}/convert",
    tag = "Web application",
    operation_id = "web_convert_material",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::MaterialId, Path, description = "The material's id"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the call safe to repeat for 24 hours: 1 to 128 characters of A-Z, a-z, 0-9, _ and -", max_length = 128, min_length = 1, pattern = "^[A-Za-z0-9_-]+$"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    request_body = lectern_types::ConvertRequest,
    responses((status = 202, description = "What was queued", body = lectern_types::Conversion))
)]
pub async fn web_convert_material(
    State(app): State<App>,
    Web(caller): Web<Write>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
) -> Result<Response, Failure> {
    saas::materials::convert::convert_material(State(app), caller, path, request).await
}
