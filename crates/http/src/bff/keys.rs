//! `GET /v1/bff/keys`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::keys;
use lectern_types::{ApiKey, Environment, ErrorCode, Page};

use crate::{
    envelope::Failure,
    extract::{
        auth::Admin,
        page::{self, CursorScope, Parameters},
        web::Web,
    },
    shapes,
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ConsentRequired, ErrorCode::ValidationFailed];

/// List keys
///
/// The account's keys of one environment, newest first, revoked and expired ones included.
#[utoipa::path(
    get,
    path = "/v1/bff/keys",
    tag = "Web application",
    operation_id = "web_list_keys",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "A page of keys", body = Page<ApiKey>))
)]
pub async fn web_list_keys(
    State(app): State<Arc<App>>,
    Web(caller): Web<Admin>,
    uri: Uri,
) -> Result<Json<Page<ApiKey>>, Failure> {
    let environment = caller.authenticated.key.environment;
    let list = match environment {
        lectern_store::Environment::Live => "live keys",
        lectern_store::Environment::Test => "test keys",
    };
    let scope = CursorScope::new(&app.base.secrets.cursors, list, caller.authenticated.account);
    let account = caller.authenticated.account;
    let rows =
        async |before, limit| keys::list_of(&app.base.store, account, environment, before, limit).await;
    let now = app.base.clock.now();
    let show = |key| shapes::api_key(&key, now);
    page::list(&scope, Parameters::of(&uri), rows, |key| key.id, show).await
}
