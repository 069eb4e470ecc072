//! `[rate_limit]`: velocity limits.

use secrecy::SecretString;
use serde::Deserialize;

use super::values::{optional_secret, positive};

/// Velocity limits.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateLimit {
    /// Where counters are kept; `None`: in this process. The URL may hold a password.
    #[serde(deserialize_with = "optional_secret")]
    pub redis_url: Option<SecretString>,
    /// Sign-ins a minute for one address from one client.
    #[serde(deserialize_with = "positive")]
    pub login_per_minute: u64,
    /// Registrations a minute from one client.
    #[serde(deserialize_with = "positive")]
    pub register_per_minute: u64,
    /// Authenticated requests a minute for one account.
    #[serde(deserialize_with = "positive")]
    pub requests_per_minute: u64,
}
