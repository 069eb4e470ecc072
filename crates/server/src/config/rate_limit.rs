//! `[rate_limit]`: velocity limits.

use redis::IntoConnectionInfo as _;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Deserializer, de::Error as _};

use super::values::{optional_secret, positive, whole};

/// Velocity limits.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateLimit {
    /// Where counters are kept; `None`: in this process. The URL may hold a password.
    #[serde(deserialize_with = "redis_url")]
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

/// Reads a `redis://` URL in which empty means none.
fn redis_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<SecretString>, D::Error> {
    let url = optional_secret(deserializer)?;
    let readable = |url: &SecretString| {
        let url = url.expose_secret();
        url.starts_with("redis://") && url.into_connection_info().is_ok()
    };
    match url {
        Some(url) if !readable(&url) => Err(D::Error::custom(
            "must be redis://USER:PASSWORD@HOST:PORT/DATABASE (TLS, rediss://, is not supported)",
        )),
        url => Ok(url),
    }
}
