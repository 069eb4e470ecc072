//! The web application's own routes. They take a session, never an API key.

pub mod auth;
pub mod billing;
pub mod consent;
pub mod credits;
pub mod ereaders;
pub mod history;
pub mod keys;
pub mod library;
pub mod listening;
pub mod me;
pub mod overview;
pub mod preferences;
pub mod purchases;
pub mod sessions;
pub mod shares;
pub mod tts;

use lectern_types::ErrorCode;

use super::{envelope::Failure, extract::session::Session};

/// A path without a route. Clients that are not signed in do not learn which routes exist.
pub async fn unknown(_: Session) -> Failure {
    ErrorCode::NotFound.into()
}
