//! `GET /v1/bff/purchases`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::purchases;
use lectern_types::{ErrorCode, Page, Purchase};

use crate::{
    envelope::Failure,
    extract::{
        page::{self, CursorScope, Parameters},
        session::Session,
    },
    shapes,
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed];

/// List purchases
///
/// The account's purchases, newest first.
#[utoipa::path(
    get,
    path = "/v1/bff/purchases",
    tag = "Web application",
    operation_id = "web_list_purchases",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A page of purchases", body = Page<Purchase>))
)]
pub async fn web_list_purchases(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    uri: Uri,
) -> Result<Json<Page<Purchase>>, Failure> {
    let account = signed_in.account.id;
    let scope = CursorScope::new(&app.base.secrets.cursors, "purchases", account);
    let rows = async |before, limit| purchases::list(&app.base.store, account, before, limit).await;
    page::list(&scope, Parameters::of(&uri), rows, |purchase| purchase.id, shapes::purchase).await
}
