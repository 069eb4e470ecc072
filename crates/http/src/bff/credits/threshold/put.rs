//! `PUT /v1/bff/credits/threshold`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
};
use lectern_store::ledger;
use lectern_types::{ErrorCode, LowBalance};

use crate::{
    envelope::Failure,
    extract::{post, session::Session},
};
use lectern_service::{app::App, services::accounts::authentication};

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::ConsentRequired, ErrorCode::ValidationFailed, ErrorCode::RequestTimeout];

/// Set the low-balance threshold
///
/// `credits.low` is emitted each time the available credits fall below this number; null for never.
#[utoipa::path(
    put,
    path = "/v1/bff/credits/threshold",
    tag = "Web application",
    operation_id = "web_set_threshold",
    security(("session" = []), ("session_cookie" = [])),
    request_body = LowBalance,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The threshold", body = LowBalance))
)]
pub async fn web_set_threshold(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    request: Request,
) -> Result<Json<LowBalance>, Failure> {
    authentication::check_standing(&signed_in.consent)?;
    let set: LowBalance = post::parse(&app.base, request).await?;
    ledger::set_low_threshold(&app.base.store, signed_in.account.id, set.threshold.0).await?;
    Ok(Json(set))
}
