//! `GET /v1/saas/materials/{id}/cast`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_types::{Cast, ErrorCode, MaterialId};

use super::shown;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::Parameters,
    },
    saas::materials::{Path, material},
};
use lectern_service::{app::App, services::materials::cast};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed, ErrorCode::MaterialNotFound];

/// Get the cast of a material
///
/// The speakers of a material. Lines `[speaker NAME]` name them, or else the dialogue of a novel in English
/// is attributed by rules, as a proposal: nobody but the e-reader of the conversion speaks until
/// `PUT /materials/{id}/cast` gives a speaker an e-reader. Empty until the text is extracted.
#[utoipa::path(
    get,
    path = "/v1/saas/materials/{id}/cast",
    tag = "Materials",
    operation_id = "get_cast",
    params(("id" = MaterialId, Path, description = "The material's id")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The speakers", body = Cast))
)]
pub async fn get_cast(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    path: Path,
    uri: Uri,
) -> Result<Json<Cast>, Failure> {
    Parameters::of(&uri).finish()?;
    Ok(Json(shown(cast::get(&app.base, &caller.authenticated, material(path)?).await?)))
}
