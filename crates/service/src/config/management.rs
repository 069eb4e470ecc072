//! `[management]`: the listener for health and metrics.

use std::net::SocketAddr;

use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Management {
    /// The address to listen on; port 0 takes a free port.
    pub listen: SocketAddr,
}
