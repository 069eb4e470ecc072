//! `[auth]`: registration.

use serde::Deserialize;

/// Registration.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Auth {
    /// Whether people may register without an invitation.
    pub open_registration: bool,
    /// The most passwords that may wait to be hashed or verified.
    pub password_queue_length: usize,
}
