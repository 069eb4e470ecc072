//! `[rate_limit]`: velocity limits.

use redis::IntoConnectionInfo as _;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Deserializer, de::Error as _};

use super::values::{non_negative, optional_secret, positive};

/// Velocity limits.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateLimit {
    /// Where counters are kept; `None`: in this process. The URL may hold a password.
    #[serde(deserialize_with = "redis_url")]
    pub redis_url: Option<SecretString>,
    /// Sign-ins per minute for one address from one client.
    #[serde(deserialize_with = "positive")]
    pub login_per_minute: u64,
    /// Sign-ins per hour for one address; 0: see [`RateLimit::login_per_hour_per_address`].
    #[serde(deserialize_with = "non_negative")]
    login_per_hour_per_address: u64,
    /// Sign-ins per minute from one client; 0: see [`RateLimit::login_per_minute_per_ip`].
    #[serde(deserialize_with = "non_negative")]
    login_per_minute_per_ip: u64,
    /// Registrations per minute from one client.
    #[serde(deserialize_with = "positive")]
    pub register_per_minute: u64,
    /// Authenticated requests per minute for one account.
    #[serde(deserialize_with = "positive")]
    pub requests_per_minute: u64,
}

impl RateLimit {
    /// Sign-ins per hour for one address. The default is derived from `login_per_minute`, so that
    /// raising that setting is enough.
    pub fn login_per_hour_per_address(&self) -> u64 {
        let default = self.login_per_minute.saturating_mul(3).max(30);
        if self.login_per_hour_per_address == 0 { default } else { self.login_per_hour_per_address }
    }

    /// Sign-ins per minute from one client for all addresses. The default is derived from
    /// `login_per_minute`.
    pub fn login_per_minute_per_ip(&self) -> u64 {
        let default = self.login_per_minute.saturating_mul(6).max(60);
        if self.login_per_minute_per_ip == 0 { default } else { self.login_per_minute_per_ip }
    }
}

/// Reads a `redis://` URL; empty means none.
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
