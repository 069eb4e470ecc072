//! `GET /v1/bff/places`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_store::places;
use lectern_types::{Environment, ErrorCode, Places};

use super::shown;
use crate::{
    envelope::Failure,
    extract::{auth::Read, page::Parameters, web::Web},
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ConsentRequired, ErrorCode::ValidationFailed];

/// The most places of an answer.
const MOST: u32 = 1_000;

/// List places
///
/// How far the account has listened to its materials: the newest places first, at most 1,000.
#[utoipa::path(
    get,
    path = "/v1/bff/places",
    tag = "Web application",
    operation_id = "web_list_places",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
        ("limit" = Option<u32>, Query, description = "The most places; 1,000 when absent", minimum = 1, maximum = 1000),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The places", body = Places))
)]
pub async fn web_list_places(
    State(app): State<Arc<App>>,
    Web(caller): Web<Read>,
    uri: Uri,
) -> Result<Json<Places>, Failure> {
    let mut parameters = Parameters::of(&uri);
    let limit = parameters.limit(MOST, MOST);
    parameters.finish()?;
    let (account, environment) = (caller.authenticated.account, caller.authenticated.key.environment);
    let found = places::list(&app.base.store, account, environment, limit).await?;
    Ok(Json(Places { data: found.iter().map(shown).collect() }))
}
