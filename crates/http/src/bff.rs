//! The web application's own routes. They take a session, never an API key.

pub mod auth;
pub mod consent;
pub mod credits;
pub mod keys;
pub mod me;
pub mod overview;
pub mod purchases;
pub mod sessions;

use lectern_types::ErrorCode;

use super::{envelope::Failure, extract::session::Session};

/// A path that is no route: who is not signed in learns nothing of which there are.
pub async fn unknown(_: Session) -> Failure {
    ErrorCode::NotFound.into()
}
