//! `GET /v1/saas/credits/balance`.

use axum::{Json, http::Uri};
use lectern_types::{Balance, ErrorCode};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::Parameters,
    },
    shapes,
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed];

/// Get the balance
///
/// The account's credits, and how many of them are held for work in progress.
#[utoipa::path(
    get,
    path = "/v1/saas/credits/balance",
    tag = "Credits",
    operation_id = "get_balance",
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The balance", body = Balance, example = json!({
        "balance": 99_967, "held": 0, "available": 99_967, "has_purchased_credits": true,
    })))
)]
pub async fn get_balance(caller: Caller<Read>, uri: Uri) -> Result<Json<Balance>, Failure> {
    Parameters::of(&uri).finish()?;
    // The balance was read together with the key.
    Ok(Json(shapes::balance(caller.authenticated.balance)))
}
