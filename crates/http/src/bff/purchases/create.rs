//! `POST /v1/bff/purchases`.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_types::{ErrorCode, PurchaseBegun, PurchaseRequest, Request as _};

use crate::{
    envelope::Failure,
    extract::{idempotency as header, json, page::Parameters, post, session::Session},
    shapes,
};
use lectern_service::{
    app::App,
    services::{
        accounts::authentication,
        billing::payments::{self, NextStep},
        idempotency::{self, IdempotentRequest, IdempotentResponse},
    },
};

/// The failures of this route besides those that every route with a session has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::ConsentRequired,
    ErrorCode::IdempotencyKeyReuse,
    ErrorCode::ValidationFailed,
    ErrorCode::RequestTimeout,
];

/// Buy credits
///
/// Requests a pack of credits, or an amount. With Stripe the browser goes to `checkout_url` to pay; otherwise the
/// operator approves the purchase. An account may have ten pending purchases; a pending purchase
/// can be withdrawn.
#[utoipa::path(
    post,
    path = "/v1/bff/purchases",
    tag = "Web application",
    operation_id = "web_create_purchase",
    security(("session" = []), ("session_cookie" = [])),
    params(
        crate::extract::idempotency::Header,
    ),
    request_body = PurchaseRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 201, description = "The purchase waits for its payment", body = PurchaseBegun, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
    )))
)]
pub async fn web_create_purchase(
    State(app): State<Arc<App>>,
    Session(signed_in): Session,
    request: Request,
) -> Result<Response, Failure> {
    authentication::check_standing(&signed_in.consent)?;
    let (parts, body) = request.into_parts();
    let (cap, patience) = (app.base.config.limits.body_bytes, app.base.config.http.body_seconds);
    let bytes = json::read(body, cap, Duration::from_secs(patience)).await?;
    let object = json::parse_object(&parts.headers, &bytes)?;
    let idempotent = header::key(&parts.headers)?.map(|key| {
        let path = parts.uri.path().to_owned();
        IdempotentRequest::post_of_account(signed_in.account.id, path, key, json::fingerprint(&object))
    });
    if let Some(idempotent) = &idempotent
        && let Some(response) = idempotency::settle(&app.base, idempotent).await?
    {
        return Ok(post::render(IdempotentResponse { response, replayed: true })?);
    }
    Parameters::of(&parts.uri).finish()?;
    let wanted = PurchaseRequest::parse(object)?;
    let show = |purchase, begun: &NextStep| {
        let checkout_url = match begun {
            NextStep::Approval => None,
            NextStep::Redirect { url, .. } => Some(url.clone()),
        };
        post::json(201, &PurchaseBegun { purchase: shapes::purchase(purchase), checkout_url })
    };
    Ok(post::render(payments::create(&app.payments, &signed_in, &wanted, idempotent, show).await?)?)
}
