//! `/v1/bff/billing/details`: whom invoices are made out to.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
    http::Uri,
};
use lectern_service::{app::App, services::accounts::authentication};
use lectern_store::invoices::{self as stored, Buyer};
use lectern_types::{BillingDetails, BillingDetailsRequest, ErrorCode, ErrorCode as Code};

use crate::{
    envelope::Failure,
    extract::{page::Parameters, post, session::Session},
};

/// The failures of reading and removing them besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[Code::ValidationFailed];

/// The failures of setting them besides those that every route with a session has.
pub const PUT_ERRORS: &[ErrorCode] = &[Code::ConsentRequired, Code::ValidationFailed, Code::RequestTimeout];

fn shown(app: &App, buyer: Option<Buyer>) -> BillingDetails {
    let has_invoices = app.base.config.invoices.seller().is_some();
    let (name, address, tax_id) = match buyer {
        Some(Buyer { name, address, tax_id }) => (Some(name), Some(address), tax_id),
        None => (None, None, None),
    };
    BillingDetails { name, address, tax_id, has_invoices }
}

/// Get the billing details
///
/// Whom the account's invoices are made out to.
#[utoipa::path(
    get,
    path = "/v1/bff/billing/details",
    tag = "Web application",
    operation_id = "web_get_billing_details",
    security(("session" = []), ("session_cookie" = [])),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The details", body = BillingDetails))
)]
pub async fn web_get_billing_details(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    uri: Uri,
) -> Result<Json<BillingDetails>, Failure> {
    Parameters::of(&uri).finish()?;
    Ok(Json(shown(&app, stored::buyer(&app.base.store, signed_in.account.id).await?)))
}

/// Set the billing details
///
/// Names whom the account's later invoices are made out to. Invoices that exist stay as they are.
#[utoipa::path(
    put,
    path = "/v1/bff/billing/details",
    tag = "Web application",
    operation_id = "web_set_billing_details",
    security(("session" = []), ("session_cookie" = [])),
    request_body = BillingDetailsRequest,
    extensions(("x-errors" = json!(PUT_ERRORS))),
    responses((status = 200, description = "The details", body = BillingDetails))
)]
pub async fn web_set_billing_details(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    request: Request,
) -> Result<Json<BillingDetails>, Failure> {
    authentication::check_standing(&signed_in.consent)?;
    let wanted: BillingDetailsRequest = post::parse(&app.base, request).await?;
    let buyer =
        Buyer { name: wanted.name.0, address: wanted.address.0, tax_id: wanted.tax_id.map(|id| id.0) };
    stored::set_buyer(&app.base.store, signed_in.account.id, Some(&buyer), app.base.clock.now()).await?;
    Ok(Json(shown(&app, Some(buyer))))
}

/// Remove the billing details
///
/// Later invoices show the account's e-mail address alone.
#[utoipa::path(
    delete,
    path = "/v1/bff/billing/details",
    tag = "Web application",
    operation_id = "web_remove_billing_details",
    security(("session" = []), ("session_cookie" = [])),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "Nobody is named", body = BillingDetails))
)]
pub async fn web_remove_billing_details(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    uri: Uri,
) -> Result<Json<BillingDetails>, Failure> {
    Parameters::of(&uri).finish()?;
    stored::set_buyer(&app.base.store, signed_in.account.id, None, app.base.clock.now()).await?;
    Ok(Json(shown(&app, None)))
}
