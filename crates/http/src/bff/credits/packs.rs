//! `GET /v1/bff/credits/packs`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_types::{Credits, CustomAmounts, ErrorCode, Pack, Packs};

use crate::{
    envelope::Failure,
    extract::{page::Parameters, session::Session},
};
use lectern_service::{app::App, config::STEP};

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[ErrorCode::ValidationFailed];

/// List packs
///
/// The packs of credits for sale, other amounts that can be bought, and the payment provider.
#[utoipa::path(
    get,
    path = "/v1/bff/credits/packs",
    tag = "Web application",
    operation_id = "web_list_packs",
    security(("session" = []), ("session_cookie" = [])),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The packs", body = Packs))
)]
pub async fn web_list_packs(
    State(app): State<Arc<App>>,
    _: Session,
    uri: Uri,
) -> Result<Json<Packs>, Failure> {
    Parameters::of(&uri).finish()?;
    let payments = &app.base.config.payments;
    let packs = payments.packs.iter().map(|pack| Pack {
        id: pack.credits.0.to_string(),
        credits: pack.credits,
        price_minor: pack.price_minor,
        currency: payments.currency.clone(),
    });
    let custom = payments.custom().map(|(least, most)| CustomAmounts { least, most, step: Credits(STEP) });
    Ok(Json(Packs { data: packs.collect(), provider: app.payments.provider.provider(), custom }))
}
