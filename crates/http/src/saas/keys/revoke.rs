//! `DELETE /v1/saas/keys/{id}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{RawPathParams, State, rejection::RawPathParamsRejection},
    http::Uri,
};
use lectern_types::{ApiKey, ErrorCode, KeyId};

use crate::{
    envelope::Failure,
    extract::{
        auth::{Access as _, AdminOwingConsent, Caller},
        page::Parameters,
        path,
    },
    shapes,
};
use lectern_service::{app::App, services::keys::create};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] = &[
    ErrorCode::InsufficientScope,
    ErrorCode::ValidationFailed,
    ErrorCode::NotFound,
    ErrorCode::ApiKeyAlreadyRevoked,
    ErrorCode::CannotRevokeLastAdminKey,
];

/// Revoke a key
///
/// Revokes a key for good. It may be the calling key. The account's only active admin key cannot be
/// revoked. Allowed even when consent is owed.
#[utoipa::path(
    delete,
    path = "/v1/saas/keys/{id}",
    tag = "Keys",
    operation_id = "revoke_key",
    params(("id" = KeyId, Path, description = "The key's id")),
    extensions(("x-errors" = json!(ERRORS)), ("x-consent-exempt" = json!(AdminOwingConsent::CONSENT_EXEMPT))),
    responses((status = 200, description = "The key, revoked", body = ApiKey))
)]
pub async fn revoke_key(
    State(app): State<Arc<App>>,
    caller: Caller<AdminOwingConsent>,
    path: Result<RawPathParams, RawPathParamsRejection>,
    uri: Uri,
) -> Result<Json<ApiKey>, Failure> {
    Parameters::of(&uri).finish()?;
    let id = path::id(path, "id").ok_or(ErrorCode::NotFound)?;
    let key = create::revoke(&app.base, &caller.authenticated, id).await?;
    Ok(Json(shapes::api_key(&key, app.base.clock.now())))
}
