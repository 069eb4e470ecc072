//! `GET /v1/saas/webhooks`.

use axum::{Json, extract::State, http::Uri};
use lectern_store::webhooks;
use lectern_types::{ErrorCode, Page, Webhook, kinds};

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
    responses((status = 200, description = "A page of endpoints", body = Page<Webhook>))
)]
pub async fn list_webhooks(
    State(app): State<App>,
    caller: Caller<Admin>,
    uri: Uri,
) -> Result<Json<Page<Webhook>>, Failure> {
    let scope = CursorScope::new(&app.secrets.cursors, "webhooks", caller.account);
    let mut parameters = Parameters::of(&uri);
    let position = parameters.position::<kinds::Webhook>(&scope);
    parameters.finish()?;
    let (account, environment) = (caller.account, caller.key.environment);
    let rows = webhooks::list(&app.store, account, environment, position.before, position.limit + 1).await?;
    let Page { data, next_cursor } = scope.page(rows, position.limit, |webhook| webhook.id);
    Ok(Json(Page { data: data.iter().map(shapes::webhook).collect(), next_cursor }))
}
