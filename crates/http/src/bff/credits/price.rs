//! `GET /v1/bff/credits/price`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_service::{app::App, services::billing::payments};
use lectern_types::{CreditPrice, Credits, ErrorCode};

use crate::{
    envelope::Failure,
    extract::{page::Parameters, session::Session},
};

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed];

/// Get a price
///
/// What an amount of credits costs: at the rate of the largest pack that is not larger, and never more than a larger
/// pack. Amounts that can be bought are the packs' and those that `custom` of the packs describes.
#[utoipa::path(
    get,
    path = "/v1/bff/credits/price",
    tag = "Web application",
    operation_id = "web_get_price",
    security(("session" = []), ("session_cookie" = [])),
    params(("credits" = i64, Query, description = "How many credits", minimum = 1)),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The price", body = CreditPrice))
)]
pub async fn web_get_price(
    State(app): State<Arc<App>>,
    _: Session,
    uri: Uri,
) -> Result<Json<CreditPrice>, Failure> {
    let mut parameters = Parameters::of(&uri);
    let wanted = parameters.take("credits");
    if wanted.is_none() {
        parameters.wrong("credits", "is required");
    }
    parameters.finish()?;
    let payments = &app.base.config.payments;
    let found = wanted.and_then(|text| text.parse().ok()).map(Credits);
    let found = found.and_then(|credits| Some((credits, payments.price(credits)?)));
    let (credits, price_minor) = found.ok_or_else(|| payments::not_sold(&app.base))?;
    Ok(Json(CreditPrice { credits, price_minor, currency: payments.currency.clone() }))
}
