//! `POST /v1/bff/webhooks/{id}/deliveries/{delivery_id}/retry`.

use axum::{
    extract::{RawPathParams, Request, State, rejection::RawPathParamsRejection},
    response::Response,
};
use lectern_types::Environment;

use crate::{
    app::App,
    http::{
        envelope::Failure,
        extract::{auth::Admin, web::Web},
        saas,
    },
};

/// Retry a delivery
///
/// As `POST /v1/saas/webhooks/{id}/deliveries/{delivery_id}/retry`, for who is signed in.
#[utoipa::path(
    post,
    path = "/v1/bff/webhooks/{id}/deliveries/{delivery_id}/retry",
    tag = "Web application",
    operation_id = "web_retry_delivery",
    security(("session" = []), ("session_cookie" = [])),
    params(
        ("id" = lectern_types::WebhookId, Path, description = "The endpoint's id"),
        ("delivery_id" = lectern_types::DeliveryId, Path, description = "The delivery's id"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes the call safe to repeat for 24 hours: 1 to 128 characters of A-Z, a-z, 0-9, _ and -", max_length = 128, min_length = 1, pattern = "^[A-Za-z0-9_-]+$"),
        ("environment" = Option<Environment>, Query, description = "Which environment; `live` when absent"),
    ),
    responses((status = 202, description = "The delivery, due now", body = lectern_types::Delivery))
)]
pub async fn web_retry_delivery(
    State(app): State<App>,
    Web(caller): Web<Admin>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
) -> Result<Response, Failure> {
    saas::webhooks::deliveries::retry::retry_delivery(State(app), caller, path, request).await
}
