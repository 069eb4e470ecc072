//! `GET /v1/bff/purchases/{id}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::Uri,
};
use lectern_store::purchases;
use lectern_types::{ErrorCode, Purchase, PurchaseId};

use crate::{
    envelope::Failure,
    extract::{page::Parameters, path, session::Session},
    shapes,
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed, ErrorCode::NotFound];

/// Get a purchase
///
/// One purchase in its current state.
#[utoipa::path(
    get,
    path = "/v1/bff/purchases/{id}",
    tag = "Web application",
    operation_id = "web_get_purchase",
    security(("session" = []), ("session_cookie" = [])),
    params(("id" = PurchaseId, Path, description = "The purchase's id")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The purchase", body = Purchase))
)]
pub async fn web_get_purchase(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<Purchase>, Failure> {
    Parameters::of(&uri).finish()?;
    let id = path::id(path, "id").ok_or(ErrorCode::NotFound)?;
    let found = purchases::find(&app.base.store, signed_in.account.id, id).await?;
    Ok(Json(shapes::purchase(found.ok_or(ErrorCode::NotFound)?)))
}
