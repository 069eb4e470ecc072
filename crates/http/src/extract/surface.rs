//! The two surfaces that share handlers: on one, a key identifies the caller; on the other, a
//! session does.

use std::sync::Arc;

use axum::{extract::FromRequestParts, http::request::Parts};
use lectern_service::app::App;

use super::{
    auth::{Access, Caller},
    web,
};
use crate::envelope::Failure;

/// The clients that a route serves. A request without this extension belongs to the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// Programs, which send an API key.
    Api,
    /// The web application, which sends a session.
    Web,
}

impl<A: Access> FromRequestParts<Arc<App>> for Caller<A> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        match parts.extensions.get().copied().unwrap_or(Surface::Api) {
            Surface::Api => Ok(Self::by_key(parts, app).await?),
            Surface::Web => Ok(web::caller(parts, app).await?),
        }
    }
}
