//! `/v1/bff/credits/top-up`: credits that are bought automatically, and the card that pays them.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
    http::Uri,
};
use lectern_service::{
    app::App,
    services::{accounts::authentication, billing::payments::top_up},
};
use lectern_types::{CardPage, ErrorCode, ErrorCode as Code, TopUp, TopUpRequest};

use crate::{
    envelope::Failure,
    extract::{page::Parameters, post, session::Session},
};

/// The failures of reading it besides those that every route with a session has.
pub const GET_ERRORS: &[ErrorCode] = &[Code::ValidationFailed];

/// The failures of setting the rule besides those that every route with a session has.
pub const PUT_ERRORS: &[ErrorCode] = &[Code::ConsentRequired, Code::ValidationFailed, Code::RequestTimeout];

/// The failures of removing the rule besides those that every route with a session has.
pub const DELETE_ERRORS: &[ErrorCode] = &[Code::ValidationFailed];

/// The failures of leaving a card besides those that every route with a session has.
pub const CARD_ERRORS: &[ErrorCode] =
    &[Code::ConsentRequired, Code::ValidationFailed, Code::RequestTimeout, Code::NotFound];

/// The automatic purchases of an account as it sees them.
async fn shown(app: &App, account: lectern_types::AccountId) -> Result<Json<TopUp>, Failure> {
    let top_up::State { found, spent_minor } = top_up::state(&app.payments, account).await?;
    let rule = found.rule;
    Ok(Json(TopUp {
        available: app.payments.provider.keeps_cards(),
        card: found.card.map(|card| card.label),
        below: rule.map(|rule| rule.below),
        credits: rule.map(|rule| rule.credits),
        monthly_limit_minor: rule.map(|rule| rule.monthly_limit_minor),
        spent_minor,
        currency: app.base.config.payments.currency.clone(),
        stopped: found.stopped,
    }))
}

/// Get automatic purchases
///
/// When credits are bought automatically, by which card, and what was spent in this month.
#[utoipa::path(
    get,
    path = "/v1/bff/credits/top-up",
    tag = "Web application",
    operation_id = "web_get_top_up",
    security(("session" = []), ("session_cookie" = [])),
    extensions(("x-errors" = json!(GET_ERRORS))),
    responses((status = 200, description = "The automatic purchases", body = TopUp))
)]
pub async fn web_get_top_up(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    uri: Uri,
) -> Result<Json<TopUp>, Failure> {
    Parameters::of(&uri).finish()?;
    shown(&app, signed_in.account.id).await
}

/// Set automatic purchases
///
/// Buys `credits` when fewer than `below` are available, within some seconds, as long as the month's sum stays within
/// the limit. Nothing is bought before there is a card. Setting the rule again starts purchases that had stopped.
#[utoipa::path(
    put,
    path = "/v1/bff/credits/top-up",
    tag = "Web application",
    operation_id = "web_set_top_up",
    security(("session" = []), ("session_cookie" = [])),
    request_body = TopUpRequest,
    extensions(("x-errors" = json!(PUT_ERRORS))),
    responses((status = 200, description = "The automatic purchases", body = TopUp))
)]
pub async fn web_set_top_up(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    request: Request,
) -> Result<Json<TopUp>, Failure> {
    authentication::check_standing(&signed_in.consent)?;
    let wanted: TopUpRequest = post::parse(&app.base, request).await?;
    top_up::set_rule(&app.payments, signed_in.account.id, &wanted).await?;
    shown(&app, signed_in.account.id).await
}

/// Stop automatic purchases
///
/// Nothing is bought automatically any more. The card stays.
#[utoipa::path(
    delete,
    path = "/v1/bff/credits/top-up",
    tag = "Web application",
    operation_id = "web_stop_top_up",
    security(("session" = []), ("session_cookie" = [])),
    extensions(("x-errors" = json!(DELETE_ERRORS))),
    responses((status = 200, description = "The automatic purchases", body = TopUp))
)]
pub async fn web_stop_top_up(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    uri: Uri,
) -> Result<Json<TopUp>, Failure> {
    Parameters::of(&uri).finish()?;
    top_up::remove_rule(&app.payments, signed_in.account.id).await?;
    shown(&app, signed_in.account.id).await
}

/// Leave a card
///
/// Opens a page of the payment provider on which the owner leaves the card that pays automatic purchases. `not_found`
/// when the provider keeps no cards.
#[utoipa::path(
    post,
    path = "/v1/bff/credits/card",
    tag = "Web application",
    operation_id = "web_leave_card",
    security(("session" = []), ("session_cookie" = [])),
    extensions(("x-errors" = json!(CARD_ERRORS))),
    responses((status = 200, description = "The page to visit", body = CardPage))
)]
pub async fn web_leave_card(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    request: Request,
) -> Result<Json<CardPage>, Failure> {
    authentication::check_standing(&signed_in.consent)?;
    post::nothing(&app.base, request).await?;
    Ok(Json(CardPage { url: top_up::card_page(&app.payments, &signed_in).await? }))
}

/// Remove the card
///
/// The payment provider lets go of the card, and nothing is bought automatically any more.
#[utoipa::path(
    delete,
    path = "/v1/bff/credits/card",
    tag = "Web application",
    operation_id = "web_remove_card",
    security(("session" = []), ("session_cookie" = [])),
    extensions(("x-errors" = json!(DELETE_ERRORS))),
    responses((status = 200, description = "The automatic purchases", body = TopUp))
)]
pub async fn web_remove_card(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    uri: Uri,
) -> Result<Json<TopUp>, Failure> {
    Parameters::of(&uri).finish()?;
    top_up::forget_card(&app.payments, signed_in.account.id).await?;
    shown(&app, signed_in.account.id).await
}
