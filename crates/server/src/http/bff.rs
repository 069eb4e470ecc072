//! The web application's own routes. They take a session, never an API key.

pub mod auth;

use lectern_types::ErrorCode;

use super::{envelope::Failure, extract::session::Session};

/// A path that is no route: who is not signed in learns nothing of which there are.
pub async fn unknown(_: Session) -> Failure {
    ErrorCode::NotFound.into()
}
