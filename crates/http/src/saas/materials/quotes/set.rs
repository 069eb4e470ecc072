//! `PATCH /v1/saas/materials/{id}/quotes`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
};
use lectern_types::{ErrorCode, MaterialId, Quotes, QuotesRequest};

use super::shown;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Write},
        post,
    },
    saas::materials::{Path, material},
};
use lectern_service::{app::App, services::materials::quotes};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::ValidationFailed,
    ErrorCode::MaterialNotFound,
    ErrorCode::MaterialNotReady,
    ErrorCode::EreaderLocked,
];

/// Change whose quotes are
///
/// Gives quotes to speakers, or with null to the narrator; all others stay as they are. A speech that goes on in the
/// next chunk is given whole. A speaker who has no quote yet becomes one of the cast. The quotes can be changed until
/// the first conversion.
#[utoipa::path(
    patch,
    path = "/v1/saas/materials/{id}/quotes",
    tag = "Materials",
    operation_id = "set_quotes",
    params(("id" = MaterialId, Path, description = "The material's id")),
    request_body = QuotesRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "These quotes, as they are now", body = Quotes))
)]
pub async fn set_quotes(
    State(app): State<Arc<App>>,
    caller: Caller<Write>,
    path: Path,
    request: Request,
) -> Result<Json<Quotes>, Failure> {
    let QuotesRequest { quotes } = post::parse(&app.base, request).await?;
    // Errors in the body are reported before a missing material.
    let material = material(path)?;
    let changed = quotes::set(&app.base, &caller.authenticated, material, quotes).await?;
    Ok(Json(Quotes { quotes: changed.into_iter().map(shown).collect() }))
}
