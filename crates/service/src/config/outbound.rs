//! `[outbound]`: connections to addresses that customers provide.

use std::net::SocketAddr;

use serde::{Deserialize, Deserializer, de::Error as _};

use super::values::{Network, optional};

/// Connections to addresses that customers provide.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outbound {
    /// The DNS server for their host names; `None`: the system's.
    #[serde(deserialize_with = "resolver")]
    pub resolver: Option<SocketAddr>,
    /// Private networks from which documents may be fetched.
    pub import_networks: Vec<Network>,
}

fn resolver<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<SocketAddr>, D::Error> {
    let parse =
        |text: String| text.parse::<SocketAddr>().or_else(|_| text.parse().map(|ip| SocketAddr::new(ip, 53)));
    optional(deserializer)?
        .map(|text| {
            parse(text)
                .map_err(|_| D::Error::custom("must be an address such as 192.0.2.53 or 192.0.2.53:53"))
        })
        .transpose()
}
