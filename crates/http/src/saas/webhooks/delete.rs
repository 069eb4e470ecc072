//! `DELETE /v1/saas/webhooks/{id}`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_types::{ErrorCode, Webhook, WebhookId};

use super::Path;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Access as _, AdminOwingConsent, Caller},
        page::Parameters,
    },
    shapes,
};
use lectern_service::{app::App, services::webhooks::changes};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed, ErrorCode::NotFound];

/// Delete a webhook
///
/// Deletes an endpoint. It receives no more events, and its pending deliveries are canceled. Allowed even when consent is owed.
#[utoipa::path(
    delete,
    path = "/v1/saas/webhooks/{id}",
    tag = "Webhooks",
    operation_id = "delete_webhook",
    params(("id" = WebhookId, Path, description = "The endpoint's id")),
    extensions(("x-errors" = json!(ERRORS)), ("x-consent-exempt" = json!(AdminOwingConsent::CONSENT_EXEMPT))),
    responses((status = 200, description = "The endpoint, deleted", body = Webhook))
)]
pub async fn delete_webhook(
    State(app): State<Arc<App>>,
    caller: Caller<AdminOwingConsent>,
    path: Path,
    uri: Uri,
) -> Result<Json<Webhook>, Failure> {
    Parameters::of(&uri).finish()?;
    let webhook = changes::delete(&app.base, &caller.authenticated, super::webhook(path)?).await?;
    Ok(Json(shapes::webhook(&webhook)))
}
