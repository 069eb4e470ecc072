//! `GET /v1/bff/purchases/{id}/invoice`.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::{
        HeaderValue, Uri,
        header::{CONTENT_DISPOSITION, CONTENT_TYPE},
    },
    response::Response,
};
use lectern_service::{app::App, error::Error};
use lectern_store::invoices;
use lectern_types::{ErrorCode, PurchaseId};

use crate::{
    envelope::Failure,
    extract::{page::Parameters, path, session::Session},
};

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed, ErrorCode::NotFound];

/// Get an invoice
///
/// The invoice of a purchase, as PDF. Purchases that are not paid have none, and neither have those that were paid
/// while the service made no invoices.
#[utoipa::path(
    get,
    path = "/v1/bff/purchases/{id}/invoice",
    tag = "Web application",
    operation_id = "web_get_invoice",
    security(("session" = []), ("session_cookie" = [])),
    params(("id" = PurchaseId, Path, description = "The purchase's id")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The invoice", content_type = "application/pdf"))
)]
pub async fn web_get_invoice(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Response, Failure> {
    Parameters::of(&uri).finish()?;
    let id: PurchaseId = path::id(path, "id").ok_or(ErrorCode::NotFound)?;
    let found = invoices::find(&app.base.store, signed_in.account.id, id).await?;
    let invoice = found.ok_or(ErrorCode::NotFound)?;
    let name = format!("attachment; filename=\"{}.pdf\"", invoice.name);
    let printing = Arc::clone(&app);
    let made = tokio::task::spawn_blocking(move || printing.invoices.pdf(&invoice)).await;
    let bytes = made.map_err(|_| Error::Internal("an invoice was not made".to_owned()))??;
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/pdf"));
    let name = HeaderValue::try_from(name).map_err(|_| Error::Internal("an invoice's name".to_owned()))?;
    headers.insert(CONTENT_DISPOSITION, name);
    Ok(response)
}
