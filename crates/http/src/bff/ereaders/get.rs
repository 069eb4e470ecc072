//! `GET /v1/bff/ereaders/{slug}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::Uri,
};
use lectern_store::ereaders::favorites;
use lectern_types::{Environment, ErrorCode, WebEreader};

use crate::{
    envelope::Failure,
    extract::{auth::AnyKey, web::Web},
    saas::ereaders::get,
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::ConsentRequired, ErrorCode::ValidationFailed, ErrorCode::EreaderNotFound];

/// Get an e-reader
///
/// As `GET /v1/saas/ereaders/{slug}`, and whether the account marked it as a favorite.
#[utoipa::path(
    get,
    path = "/v1/bff/ereaders/{slug}",
    tag = "Web application",
    operation_id = "web_get_ereader",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("slug" = String, Path, description = "The e-reader's slug", example = "heart"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The e-reader", body = WebEreader))
)]
pub async fn web_get_ereader(
    State(app): State<Arc<App>>,
    Web(caller): Web<AnyKey>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<WebEreader>, Failure> {
    let ereader = get::find(&app, path, &uri).await?;
    let favorite = favorites::contains(&app.base.store, caller.authenticated.account, ereader.id).await?;
    Ok(Json(super::shape(ereader, favorite)))
}
