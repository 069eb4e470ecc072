//! `GET /v1/saas/webhooks/{id}`.

use std::sync::Arc;

use axum::{Json, extract::State, http::Uri};
use lectern_types::{ErrorCode, Webhook, WebhookId};

use super::Path;
use crate::{
    envelope::Failure,
    extract::{
        auth::{Admin, Caller},
        page::Parameters,
    },
    shapes,
};
use lectern_service::{app::App, services::webhooks};

/// The failures of this route besides those that every route with a key has.
pub const ERRORS: &[ErrorCode] =
    &[ErrorCode::InsufficientScope, ErrorCode::ValidationFailed, ErrorCode::NotFound];

/// Get a webhook
///
/// One endpoint in its current state.
#[utoipa::path(
    get,
    path = "/v1/saas/webhooks/{id}",
    tag = "Webhooks",
    operation_id = "get_webhook",
    params(("id" = WebhookId, Path, description = "The endpoint's id")),
    extensions(("x-errors" = json!(ERRORS))),
    responses((status = 200, description = "The endpoint", body = Webhook))
)]
pub async fn get_webhook(
    State(app): State<Arc<App>>,
    caller: Caller<Admin>,
    path: Path,
    uri: Uri,
) -> Result<Json<Webhook>, Failure> {
    Parameters::of(&uri).finish()?;
    let webhook = webhooks::find(&app.base.store, &caller.authenticated, super::webhook(path)?).await?;
    Ok(Json(shapes::webhook(&webhook)))
}
