//! `DELETE /v1/bff/purchases/{id}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::Uri,
};
use lectern_types::{ErrorCode, Purchase, PurchaseId};

use crate::{
    envelope::Failure,
    extract::{page::Parameters, path, session::Session},
    shapes,
};
use lectern_service::{app::App, services::billing::payments};

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::ValidationFailed, ErrorCode::NotFound, ErrorCode::PurchaseNotPending];

/// Withdraw a purchase
///
/// Withdraws a pending purchase: it becomes `expired` and no longer counts among the pending ones.
/// Withdrawing it again changes nothing. A payment that still arrives is credited. Open to accounts
/// that owe consent.
#[utoipa::path(
    delete,
    path = "/v1/bff/purchases/{id}",
    tag = "Web application",
    operation_id = "web_withdraw_purchase",
    security(("session" = []), ("session_cookie" = [])),
    params(("id" = PurchaseId, Path, description = "The purchase's id")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The purchase is given up", body = Purchase))
)]
pub async fn web_withdraw_purchase(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<Purchase>, Failure> {
    Parameters::of(&uri).finish()?;
    let id = path::id(path, "id").ok_or(ErrorCode::NotFound)?;
    Ok(Json(shapes::purchase(payments::withdraw(&app.base, signed_in.account.id, id).await?)))
}
