//! `[http]`: the public listener.

use std::net::SocketAddr;

use serde::Deserialize;

use super::values::{Network, WebUrl, optional_origin, positive, whole};

/// The public listener.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Http {
    /// Where it listens; port 0 takes a free one.
    pub listen: SocketAddr,
    /// What clients call it; `None`: `http://` and the address it listens on.
    #[serde(deserialize_with = "optional_origin")]
    pub public_url: Option<WebUrl>,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// Connections at once; 0: as many as there are descriptors for, with some left over.
    #[serde(deserialize_with = "whole")]
    pub max_connections: u64,
    /// Seconds for the request line and headers.
    #[serde(deserialize_with = "positive")]
    pub header_seconds: u64,
    /// Seconds for the body.
    #[serde(deserialize_with = "positive")]
    pub body_seconds: u64,
    /// Seconds that requests in progress have after a stop signal.
    #[serde(deserialize_with = "whole")]
    pub shutdown_seconds: u64,
}
