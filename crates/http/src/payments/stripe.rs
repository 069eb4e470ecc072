//! `POST /v1/payments/stripe/events`.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    extract::{Request, State},
    http::HeaderName,
};
use lectern_types::{ErrorCode, ErrorCode as Code, Received};

use crate::{
    envelope::Failure,
    extract::{idempotency, json, page::Parameters},
};
use lectern_service::{app::App, services::billing::payments::stripe::event};

/// The failures of this route.
pub const ERRORS: &[ErrorCode] = &[
    Code::InvalidIdempotencyKey,
    Code::RequestTooLarge,
    Code::RequestTimeout,
    Code::ValidationFailed,
    Code::NotFound,
    Code::PaymentSignatureInvalid,
];

const SIGNATURE: HeaderName = HeaderName::from_static("stripe-signature");

/// Receive a Stripe event
///
/// For Stripe only: events are signed under `stripe.webhook_secret`. Without that setting the route
/// answers `not_found`.
#[utoipa::path(
    post,
    path = "/v1/payments/stripe/events",
    tag = "Payments",
    operation_id = "take_stripe_event",
    security(()),
    params(("Stripe-Signature" = Option<String>, Header, description = "The event's signature")),
    request_body(content = Object, description = "The event", content_type = "application/json"),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "It was taken in", body = Received))
)]
pub async fn take_stripe_event(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Json<Received>, Failure> {
    let (parts, body) = request.into_parts();
    let (cap, patience) = (app.base.config.limits.body_bytes, app.base.config.http.body_seconds);
    json::check_declared_length(&parts.headers, cap)?;
    if app.base.config.stripe.webhook_secret.is_none() {
        return Err(ErrorCode::NotFound.into());
    }
    idempotency::key(&parts.headers)?;
    let bytes = json::read(body, cap, Duration::from_secs(patience)).await?;
    Parameters::of(&parts.uri).finish()?;
    let signed = parts.headers.get(SIGNATURE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    event::handle(&app.payments, signed, &bytes).await?;
    Ok(Json(Received { received: true }))
}
