//! `GET /v1/bff/credits/threshold`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::ledger;
use lectern_types::{ErrorCode, LowBalance, Threshold};

use crate::{
    envelope::Failure,
    extract::{page::Parameters, session::Session},
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed];

/// Get the low-balance threshold
///
/// `credits.low` is emitted when the available credits fall below this number; null for never.
#[utoipa::path(
    get,
    path = "/v1/bff/credits/threshold",
    tag = "Web application",
    operation_id = "web_get_threshold",
    security(("session" = []), ("session_cookie" = [])),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The threshold", body = LowBalance))
)]
pub async fn web_get_threshold(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    uri: Uri,
) -> Result<Json<LowBalance>, Failure> {
    Parameters::of(&uri).finish()?;
    let threshold = ledger::low_threshold(&app.base.store, signed_in.account.id).await?;
    Ok(Json(LowBalance { threshold: Threshold(threshold) }))
}
