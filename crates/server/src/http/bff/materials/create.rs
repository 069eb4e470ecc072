//! `POST /v1/bff/materials`.

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_types::Environment;

use crate::{
    app::App,
    http::{envelope::Failure, extract::web::Web, saas},
};

/// Upload a material
///
/// As `POST /v1/saas/materials`, for who is signed in.
#[utoipa::path(
    post,
    path = "/v1/bff/materials",
    tag = "Web application",
    operation_id = "web_create_material",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the call safe to repeat for 24 hours: 1 to 128 characters of A-Z, a-z, 0-9, _ and -", max_length = 128, min_length = 1, pattern = "^[A-Za-z0-9_-]+$"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    request_body(content((lectern_types::UploadMaterialForm = "multipart/form-data"), (lectern_types::CreateMaterialRequest = "application/json"))),
    responses((status = 202, description = "The material is being read", body = lectern_types::Material))
)]
pub async fn web_create_material(
    State(app): State<App>,
    Web(caller): Web<saas::materials::create::Uploading>,
    request: Request,
) -> Result<Response, Failure> {
    saas::materials::create::create_material(State(app), caller, request).await
}
