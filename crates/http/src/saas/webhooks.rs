//! `/v1/saas/webhooks`: endpoints, their secrets, and what was delivered to them.

pub mod create;
pub mod delete;
pub mod deliveries;
pub mod get;
pub mod list;
pub mod rotate_secret;
pub mod test;
pub mod update;

use axum::extract::{RawPathParams, rejection::RawPathParamsRejection};
use lectern_types::{ErrorCode, WebhookId};

use crate::extract::path;
use lectern_service::error::Result;

/// What the path of a route names, as axum gives it.
type Path = Result<RawPathParams, RawPathParamsRejection>;

/// The endpoint that the path names.
///
/// # Errors
/// `not_found` for what is no id of an endpoint.
fn webhook(path: Path) -> Result<WebhookId> {
    path::id(path, "id").ok_or_else(|| ErrorCode::NotFound.into())
}
