//! `[rate_limit]`: velocity limits.

use secrecy::SecretString;
use serde::Deserialize;

use super::values::{optional_secret, positive, whole};

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
    /// Sign-ins an hour for one address; 0: see [`RateLimit::login_per_hour_per_address`].
    #[serde(deserialize_with = "whole")]
    login_per_hour_per_address: u64,
    /// Sign-ins a minute from one client; 0: see [`RateLimit::login_per_minute_per_ip`].
    #[serde(deserialize_with = "whole")]
    login_per_minute_per_ip: u64,
    /// Registrations a minute from one client.
    #[serde(deserialize_with = "positive")]
    pub register_per_minute: u64,
    /// Authenticated requests a minute for one account.
    #[serde(deserialize_with = "positive")]
    pub requests_per_minute: u64,
}

impl RateLimit {
    /// Sign-ins an hour for one address. Left to itself it follows `login_per_minute`, so that whoever raises that
    /// is not stopped by this.
    pub fn login_per_hour_per_address(&self) -> u64 {
        let own = self.login_per_minute.saturating_mul(3).max(30);
        if self.login_per_hour_per_address == 0 { own } else { self.login_per_hour_per_address }
    }

    /// Sign-ins a minute from one client, whichever the addresses; left to itself it follows `login_per_minute`.
    pub fn login_per_minute_per_ip(&self) -> u64 {
        let own = self.login_per_minute.saturating_mul(6).max(60);
        if self.login_per_minute_per_ip == 0 { own } else { self.login_per_minute_per_ip }
    }
}
