//! `PUT` and `DELETE /v1/bff/ereaders/{id}/favorite`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::Uri,
};
use lectern_store::ereaders::{self, Ereader, favorites};
use lectern_types::{EreaderId, ErrorCode, WebEreader};

use crate::{
    envelope::Failure,
    extract::{page::Parameters, path, session::Session},
};
use lectern_service::{app::App, error::Error, services::accounts::authentication};

/// The failures of these routes besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::ConsentRequired, ErrorCode::ValidationFailed, ErrorCode::EreaderNotFound];

/// The most favorites of one account.
const MOST: u32 = 200;

/// Mark an e-reader as a favorite
///
/// Marks the e-reader for this account. Marking it again changes nothing. An account has at most 200 favorites.
#[utoipa::path(
    put,
    path = "/v1/bff/ereaders/{id}/favorite",
    tag = "Web application",
    operation_id = "web_mark_favorite",
    security(("session" = []), ("session_cookie" = [])),
    params(("id" = EreaderId, Path, description = "The e-reader's id")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The e-reader, marked", body = WebEreader))
)]
pub async fn web_mark_favorite(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<WebEreader>, Failure> {
    authentication::check_standing(&signed_in.consent)?;
    let ereader = find(&app, path, &uri).await?;
    let (account, now) = (signed_in.account.id, app.base.clock.now());
    if !favorites::add(&app.base.store, account, ereader.id, MOST, now).await? {
        let sentence = format!("{MOST} e-readers are marked already; remove the mark of one first");
        return Err(Error::invalid("id", sentence).into());
    }
    Ok(Json(super::shape(ereader, true)))
}

/// Remove an e-reader's mark as a favorite
///
/// Removes this account's mark. Without a mark nothing changes.
#[utoipa::path(
    delete,
    path = "/v1/bff/ereaders/{id}/favorite",
    tag = "Web application",
    operation_id = "web_unmark_favorite",
    security(("session" = []), ("session_cookie" = [])),
    params(("id" = EreaderId, Path, description = "The e-reader's id")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The e-reader, no longer marked", body = WebEreader))
)]
pub async fn web_unmark_favorite(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<WebEreader>, Failure> {
    authentication::check_standing(&signed_in.consent)?;
    let ereader = find(&app, path, &uri).await?;
    favorites::remove(&app.base.store, signed_in.account.id, ereader.id).await?;
    Ok(Json(super::shape(ereader, false)))
}

/// The active e-reader whose id the path has.
async fn find(
    app: &App,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: &Uri,
) -> Result<Ereader, Failure> {
    Parameters::of(uri).finish()?;
    let id: EreaderId = path::id(path, "id").ok_or(ErrorCode::EreaderNotFound)?;
    let found = ereaders::find(&app.base.store, id).await?.filter(|found| found.active);
    Ok(found.ok_or(ErrorCode::EreaderNotFound)?)
}
