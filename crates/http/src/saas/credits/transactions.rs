//! `GET /v1/saas/credits/transactions`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::ledger;
use lectern_types::{ErrorCode, Page, Transaction};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Caller, Read},
        page::{self, CursorScope, Parameters},
    },
    shapes,
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed];

/// List transactions
///
/// The account's ledger, newest first. One synthesis is three rows: hold, release, charge.
#[utoipa::path(
    get,
    path = "/v1/saas/credits/transactions",
    tag = "Credits",
    operation_id = "list_transactions",
    params(
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A page of the ledger", body = Page<Transaction>))
)]
pub async fn list_transactions(
    State(app): State<Arc<App>>,
    caller: Caller<Read>,
    uri: Uri,
) -> Result<Json<Page<Transaction>>, Failure> {
    let scope = CursorScope::new(&app.base.secrets.cursors, "transactions", caller.authenticated.account);
    let rows = async |before, limit| {
        ledger::transactions(&app.base.store, caller.authenticated.account, before, limit).await
    };
    page::list(&scope, Parameters::of(&uri), rows, |row| row.id, shapes::transaction).await
}
