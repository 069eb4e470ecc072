//! `POST /v1/saas/keys`.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::Response,
};
use lectern_types::{CreateKeyRequest, ErrorCode, NewApiKey, Request as _};
use secrecy::ExposeSecret as _;

use crate::{
    envelope::Failure,
    extract::{
        auth::{Admin, Caller},
        post::{self, ReplayStorage},
    },
    shapes,
};
use lectern_service::{app::App, services::keys::create};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::IdempotencyKeyReuse,
    ErrorCode::ValidationFailed,
    ErrorCode::ScopeEscalation,
];

/// Create a key
///
/// Creates a key with some or all of the calling key's permissions. `key` is shown in this response
/// only and cannot be retrieved again; with an `Idempotency-Key`, repeating the call with the same
/// API key returns the same response for 24 hours.
#[utoipa::path(
    post,
    path = "/v1/saas/keys",
    tag = "Keys",
    operation_id = "create_key",
    params(
        crate::extract::idempotency::Header,
    ),
    request_body = CreateKeyRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 201, description = "The key is made", body = NewApiKey, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
    ), example = json!({
        "id": "key_019aa4f6c0de7000800000000000d001",
        "name": "nightly import",
        "scopes": ["read", "write"],
        "environment": "test",
        "status": "active",
        "key_hint": "0000",
        "created_at": "2026-11-21T07:08:11.524Z",
        "expires_at": null,
        "last_used_at": null,
        "revoked_at": null,
        "key": "svc_test_0000000000000000000000000000000000000000000000000",
    })))
)]
pub async fn create_key(
    State(app): State<Arc<App>>,
    caller: Caller<Admin>,
    request: Request,
) -> Result<Response, Failure> {
    let run = async |object, idempotent| {
        let show = |key: &_, secret: &secrecy::SecretString| {
            let about = shapes::api_key(key, key.created_at);
            post::json(201, &NewApiKey { about, key: secret.expose_secret().to_owned() })
        };
        create::create(&app.base, &caller.authenticated, CreateKeyRequest::parse(object)?, idempotent, show)
            .await
    };
    post::answer(&app.base, &caller, request, ReplayStorage::Sealed, run).await
}
