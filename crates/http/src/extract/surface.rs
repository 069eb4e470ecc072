//! The two surfaces that share handlers: who calls is shown by a key on the one, by a session on the
//! other.

use std::sync::Arc;

use axum::{extract::FromRequestParts, http::request::Parts};
use lectern_service::app::App;

use super::{
    auth::{Access, Caller},
    web,
};
use crate::envelope::Failure;

/// Whom a route serves. A request without this extension is of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// Programs, which carry an API key.
    Api,
    /// The web application, which carries a session.
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
