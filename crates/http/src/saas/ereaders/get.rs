//! `GET /v1/saas/ereaders/{slug}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::Uri,
};
use lectern_store::ereaders::{self, Ereader as Row};
use lectern_types::{Ereader, ErrorCode};

use crate::{
    envelope::Failure,
    extract::{
        auth::{AnyKey, Caller},
        page::Parameters,
        path,
    },
    shapes,
};
use lectern_service::app::App;

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed, ErrorCode::EreaderNotFound];

/// Get an e-reader
///
/// One voice and its price, by its slug. An inactive one is answered like an unknown one.
#[utoipa::path(
    get,
    path = "/v1/saas/ereaders/{slug}",
    tag = "E-readers",
    operation_id = "get_ereader",
    params(("slug" = String, Path, description = "The e-reader's slug", example = "heart")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The e-reader", body = Ereader))
)]
pub async fn get_ereader(
    State(app): State<Arc<App>>,
    _caller: Caller<AnyKey>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<Ereader>, Failure> {
    Ok(Json(shapes::ereader(find(&app, path, &uri).await?)))
}

/// The active e-reader whose slug the path has.
///
/// # Errors
/// `ereader_not_found`, `validation_failed` for a parameter, or the store's.
pub async fn find(
    app: &App,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: &Uri,
) -> Result<Row, Failure> {
    Parameters::of(uri).finish()?;
    let slug = path::text(path, "slug").ok_or(ErrorCode::EreaderNotFound)?;
    let found = ereaders::find_by_slug(&app.base.store, &slug).await?.filter(|found| found.active);
    Ok(found.ok_or(ErrorCode::EreaderNotFound)?)
}
