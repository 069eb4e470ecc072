//! `GET /v1/saas/keys`.

use axum::{Json, extract::State, http::Uri};
use lectern_store::keys;
use lectern_types::{ApiKey, ErrorCode, Page, kinds};

use crate::{
    app::App,
    http::{
        envelope::Failure,
        extract::{
            auth::{Admin, Caller},
            page::{CursorScope, Parameters},
        },
        shapes,
    },
};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed];

/// List keys
///
/// The account's keys, newest first, revoked and expired ones included. A live key sees all of them, a test key the
/// test keys.
#[utoipa::path(
    get,
    path = "/v1/saas/keys",
    tag = "Keys",
    operation_id = "list_keys",
    params(
        ("limit" = Option<u32>, Query, description = "Items on a page", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses((status = 200, description = "A page of keys", body = Page<ApiKey>))
)]
pub async fn list_keys(
    State(app): State<App>,
    caller: Caller<Admin>,
    uri: Uri,
) -> Result<Json<Page<ApiKey>>, Failure> {
    let scope = CursorScope::new(&app.secrets.cursors, "keys", caller.account);
    let mut parameters = Parameters::of(&uri);
    let position = parameters.position::<kinds::Key>(&scope);
    parameters.finish()?;
    let (account, seen_from) = (caller.account, caller.key.environment);
    let rows = keys::list(&app.store, account, seen_from, position.before, position.limit + 1).await?;
    let Page { data, next_cursor } = scope.page(rows, position.limit, |key| key.id);
    let now = app.clock.now();
    Ok(Json(Page { data: data.iter().map(|key| shapes::api_key(key, now)).collect(), next_cursor }))
}
