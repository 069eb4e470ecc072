//! `GET /v1/bff/credits/transactions.csv`.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::State,
    http::{
        HeaderValue, Method, Uri,
        header::{CONTENT_DISPOSITION, CONTENT_TYPE},
    },
    response::Response,
};
use lectern_types::ErrorCode;

use crate::{
    envelope::Failure,
    extract::{auth::Read, page::Parameters, web::Web},
};
use lectern_service::{app::App, services::billing::ledger_export};

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ConsentRequired, ErrorCode::ValidationFailed];

/// Export the ledger
///
/// The whole ledger, newest first, as CSV (RFC 4180) for a spreadsheet. A text that a spreadsheet
/// would take for a formula is preceded by an apostrophe.
#[utoipa::path(
    get,
    path = "/v1/bff/credits/transactions.csv",
    tag = "Web application",
    operation_id = "web_export_transactions",
    security(("session" = []), ("session_cookie" = [])),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The ledger", body = String, content_type = "text/csv"))
)]
pub async fn web_export_transactions(
    State(app): State<Arc<App>>,
    Web(caller): Web<Read>,
    method: Method,
    uri: Uri,
) -> Result<Response, Failure> {
    Parameters::of(&uri).finish()?;
    let body = match method {
        Method::HEAD => Body::empty(),
        _ => Body::from_stream(
            ledger_export::transactions(&app.base.store, caller.authenticated.account).await?,
        ),
    };
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    // The page names the file, after the operator's name for the service.
    headers.insert(CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
    Ok(response)
}
