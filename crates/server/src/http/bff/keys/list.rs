//! `GET /v1/bff/keys`.

use axum::{Json, extract::State, http::Uri};
use lectern_store::keys;
use lectern_types::{ApiKey, Environment, Page, kinds};

use crate::{
    app::App,
    http::{
        envelope::Failure,
        extract::{
            auth::Admin,
            page::{CursorScope, Parameters},
            web::Web,
        },
        shapes,
    },
};

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
    responses((status = 200, description = "A page of keys", body = Page<ApiKey>))
)]
pub async fn web_list_keys(
    State(app): State<App>,
    Web(caller): Web<Admin>,
    uri: Uri,
) -> Result<Json<Page<ApiKey>>, Failure> {
    let environment = caller.key.environment;
    let list = match environment {
        lectern_store::Environment::Live => "live keys",
        lectern_store::Environment::Test => "test keys",
    };
    let scope = CursorScope::new(&app.secrets.cursors, list, caller.account);
    let mut parameters = Parameters::of(&uri);
    let position = parameters.position::<kinds::Key>(&scope);
    parameters.finish()?;
    let limit = position.limit;
    let rows = keys::list_of(&app.store, caller.account, environment, position.before, limit + 1).await?;
    let Page { data, next_cursor } = scope.page(rows, limit, |key| key.id);
    let now = app.clock.now();
    Ok(Json(Page { data: data.iter().map(|key| shapes::api_key(key, now)).collect(), next_cursor }))
}
