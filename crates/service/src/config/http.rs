//! `[http]`: the public listener.

use std::net::SocketAddr;

use serde::Deserialize;

use super::values::{Network, WebUrl, non_negative, optional_origin, positive};

/// The public listener.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Http {
    /// The address to listen on; port 0 takes a free port.
    pub listen: SocketAddr,
    /// The URL that clients use; `None`: `http://` and the listening address.
    #[serde(deserialize_with = "optional_origin")]
    pub public_url: Option<WebUrl>,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<Network>,
    /// The limit on concurrent connections; 0: as many as the limit on file descriptors allows,
    /// less a reserve.
    #[serde(deserialize_with = "non_negative")]
    pub max_connections: u64,
    /// Timeout for the request line and headers, in seconds.
    #[serde(deserialize_with = "positive")]
    pub header_seconds: u64,
    /// Timeout for the body, in seconds.
    #[serde(deserialize_with = "positive")]
    pub body_seconds: u64,
    /// Seconds that requests in progress may take after a stop signal.
    #[serde(deserialize_with = "non_negative")]
    pub shutdown_seconds: u64,
}
