//! Which clients a route serves: programs identify themselves by a key, the web application by a
//! session, and ElevenLabs' SDKs send their key in a header of their own.

use std::sync::Arc;

use axum::{extract::FromRequestParts, http::request::Parts};
use lectern_service::app::App;

use super::{
    auth::{Access, Caller, KeyHeaders},
    web,
};
use crate::envelope::Failure;

/// The clients that a route serves. A request without this extension belongs to the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// Programs, which send an API key.
    Api,
    /// Programs that may send their API key as `xi-api-key`.
    ElevenLabs,
    /// The web application, which sends a session.
    Web,
}

impl<A: Access> FromRequestParts<Arc<App>> for Caller<A> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        match parts.extensions.get().copied().unwrap_or(Surface::Api) {
            Surface::Api => Ok(Self::by_key(parts, app, KeyHeaders::Authorization).await?),
            Surface::ElevenLabs => Ok(Self::by_key(parts, app, KeyHeaders::XiApiKeyToo).await?),
            Surface::Web => Ok(web::caller(parts, app).await?),
        }
    }
}
