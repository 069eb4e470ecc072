//! `GET /v1/saas/webhooks`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::webhooks;
use lectern_types::{ErrorCode, Page, Webhook};

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

/// List webhooks
///
/// The account's endpoints in the key's environment, newest first, disabled ones included.
#[utoipa::path(
    get,
    path = "/v1/saas/webhooks",
    tag = "Webhooks",
    operation_id = "list_webhooks",
    params(
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A page of endpoints", body = Page<Webhook>))
)]
pub async fn list_webhooks(
    State(app): State<Arc<App>>,
    caller: Caller<Admin>,
    uri: Uri,
) -> Result<Json<Page<Webhook>>, Failure> {
    let scope = CursorScope::new(&app.base.secrets.cursors, "webhooks", caller.authenticated.account);
    let (account, environment) = (caller.authenticated.account, caller.authenticated.key.environment);
    let rows =
        async |before, limit| webhooks::list(&app.base.store, account, environment, before, limit).await;
    let show = |webhook| shapes::webhook(&webhook);
    page::list(&scope, Parameters::of(&uri), rows, |webhook| webhook.id, show).await
}
