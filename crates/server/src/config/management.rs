//! `[management]`: the listener of health and metrics.

use std::net::SocketAddr;

use serde::Deserialize;

/// The management listener.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Management {
    /// Where it listens; port 0 takes a free one.
    pub listen: SocketAddr,
}
