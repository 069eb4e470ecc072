//! `GET /v1/saas/me`.

use axum::{Json, http::Uri};
use lectern_types::{ErrorCode, Me};

use crate::{
    envelope::Failure,
    extract::{
        auth::{AnyKey, Caller},
        page::Parameters,
    },
    shapes,
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed];

/// Get the account
///
/// The account that the key belongs to, and the key itself.
#[utoipa::path(
    get,
    path = "/v1/saas/me",
    tag = "Account",
    operation_id = "get_me",
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The account and the key", body = Me))
)]
pub async fn get_me(caller: Caller<AnyKey>, uri: Uri) -> Result<Json<Me>, Failure> {
    Parameters::of(&uri).finish()?;
    Ok(Json(shapes::me(&caller.authenticated)))
}
