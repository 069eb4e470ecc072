//! `GET /v1/saas/keys`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::keys;
use lectern_types::{ApiKey, ErrorCode, Page};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Admin, Caller},
        page::{self, CursorScope, Parameters},
    },
    shapes,
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed];

/// List keys
///
/// The account's keys, newest first, including revoked and expired ones. A live key sees all of
/// them, a test key only test keys.
#[utoipa::path(
    get,
    path = "/v1/saas/keys",
    tag = "Keys",
    operation_id = "list_keys",
    params(
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A page of keys", body = Page<ApiKey>))
)]
pub async fn list_keys(
    State(app): State<Arc<App>>,
    caller: Caller<Admin>,
    uri: Uri,
) -> Result<Json<Page<ApiKey>>, Failure> {
    let scope = CursorScope::new(&app.base.secrets.cursors, "keys", caller.authenticated.account);
    let (account, seen_from) = (caller.authenticated.account, caller.authenticated.key.environment);
    let rows = async |before, limit| keys::list(&app.base.store, account, seen_from, before, limit).await;
    let now = app.base.clock.now();
    let show = |key| shapes::api_key(&key, now);
    page::list(&scope, Parameters::of(&uri), rows, |key| key.id, show).await
}
