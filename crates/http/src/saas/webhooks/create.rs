//! `POST /v1/saas/webhooks`.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_types::{CreateWebhookRequest, ErrorCode, NewWebhook, Request as _};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Admin, Caller},
        post::{self, ReplayStorage},
    },
    shapes,
};
use lectern_service::{app::App, services::webhooks::registration};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::IdempotencyKeyReuse,
    ErrorCode::ValidationFailed,
    ErrorCode::UrlMustBeHttps,
    ErrorCode::UrlHostNotAllowed,
    ErrorCode::EventsRequired,
    ErrorCode::InvalidEventType,
    ErrorCode::TooManyWebhookEndpoints,
];

/// Register a webhook
///
/// Registers an endpoint that receives events of the key's environment. `secret`, which signs them,
/// is shown in this response only; with an `Idempotency-Key`, repeating the call with the same API
/// key returns the same response for 24 hours. An account can have at most 20 active endpoints.
#[utoipa::path(
    post,
    path = "/v1/saas/webhooks",
    tag = "Webhooks",
    operation_id = "create_webhook",
    params(
        crate::extract::idempotency::Header,
    ),
    request_body = CreateWebhookRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 201, description = "The endpoint is registered", body = NewWebhook, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
    )))
)]
pub async fn create_webhook(
    State(app): State<Arc<App>>,
    caller: Caller<Admin>,
    request: Request,
) -> Result<Response, Failure> {
    let run = async |object, idempotent| {
        let show =
            |webhook: &_, secret| post::json(201, &NewWebhook { about: shapes::webhook(webhook), secret });
        registration::register(
            &app.base,
            &caller.authenticated,
            CreateWebhookRequest::parse(object)?,
            idempotent,
            show,
        )
        .await
    };
    post::answer(&app.base, &caller, request, ReplayStorage::Sealed, run).await
}
