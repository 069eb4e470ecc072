//! `/v1/saas/webhooks`: endpoints, their secrets and their deliveries.

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

/// The path parameters of a route.
type Path = Result<RawPathParams, RawPathParamsRejection>;

/// The endpoint that the path names.
///
/// # Errors
/// `not_found` for anything that is not an endpoint's id.
fn webhook(path: Path) -> Result<WebhookId> {
    path::id(path, "id").ok_or_else(|| ErrorCode::NotFound.into())
}
