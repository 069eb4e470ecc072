//! `POST /v1/saas/keys/{id}/roll`.

use std::sync::Arc;

use axum::{
    extract::{RawPathParams, Request, State, rejection::RawPathParamsRejection},
    response::Response,
};
use lectern_types::{ErrorCode, KeyId, NewApiKey, Request as _, RollKeyRequest, RolledApiKey};
use secrecy::ExposeSecret as _;

use crate::{
    envelope::Failure,
    extract::{
        auth::{Admin, Caller},
        path,
        post::{self, ReplayStorage},
    },
    shapes,
};
use lectern_service::{app::App, services::keys::roll};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::RequestTooLarge,
    ErrorCode::RequestTimeout,
    ErrorCode::IdempotencyKeyReuse,
    ErrorCode::ValidationFailed,
    ErrorCode::NotFound,
    ErrorCode::ApiKeyAlreadyRevoked,
    ErrorCode::ScopeEscalation,
];

/// Roll a key
///
/// Creates a key with the name, the scopes and the environment of another one, which it replaces. The
/// previous key is revoked at once, or ends after `previous_ends_in_seconds`, so that programs can
/// change to the new one meanwhile. If the previous key was made with an `expires_at`, the new one lasts
/// as long as that key was to last, but not longer than the calling key. `key` is shown in this response
/// only. With an `Idempotency-Key`, repeating the call with the same API key returns the same response
/// and does not roll the key again. A key that rolls itself with 0 seconds cannot repeat the call: give
/// it a minute.
#[utoipa::path(
    post,
    path = "/v1/saas/keys/{id}/roll",
    tag = "Keys",
    operation_id = "roll_key",
    params(
        ("id" = KeyId, Path, description = "The id of the key to replace"),
        crate::extract::idempotency::Header,
    ),
    request_body = RollKeyRequest,
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 201, description = "The new key, and the one that it replaces", body = RolledApiKey, headers(
        ("Idempotent-Replayed" = Option<String>, description = "`true` when an earlier call made this response"),
    )))
)]
pub async fn roll_key(
    State(app): State<Arc<App>>,
    caller: Caller<Admin>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
) -> Result<Response, Failure> {
    let run = async |object, idempotent| {
        let show = |new: &_, secret: &secrecy::SecretString, previous: &_| {
            let now = app.base.clock.now();
            let new = NewApiKey { about: shapes::api_key(new, now), key: secret.expose_secret().to_owned() };
            post::json(201, &RolledApiKey { new, previous: shapes::api_key(previous, now) })
        };
        let params = RollKeyRequest::parse(object)?;
        let id = path::id(path, "id");
        roll::roll(&app.base, &caller.authenticated, id, params, idempotent, show).await
    };
    post::answer(&app.base, &caller, request, ReplayStorage::Sealed, run).await
}
