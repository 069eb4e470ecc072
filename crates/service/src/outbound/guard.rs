//! Decides which addresses this service may connect to for a customer.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket},
    sync::{PoisonError, RwLock},
};

use super::{
    addresses,
    target::{Host, Target},
};
use crate::config::{Config, Network};

/// The addresses of [`Host::Localhost`].
const LOOPBACK: [IpAddr; 2] = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];

/// Permits public addresses and the operator's networks, except forbidden addresses and this
/// service itself.
#[derive(Debug)]
pub(super) struct Guard {
    networks: Vec<Network>,
    /// The host and port that clients use for this service.
    public_host: Option<String>,
    /// The addresses this service listens on.
    own_addresses: RwLock<Vec<SocketAddr>>,
}

impl Guard {
    /// `networks` are the operator's.
    pub(super) fn new(config: &Config, networks: &[Network]) -> Self {
        let own_addresses = [config.http.listen, config.management.listen];
        Self {
            networks: networks.to_vec(),
            public_host: config.http.public_url.as_ref().map(|url| url.host_and_port().to_ascii_lowercase()),
            own_addresses: RwLock::new(
                own_addresses.into_iter().filter(|address| address.port() != 0).collect(),
            ),
        }
    }

    /// Blocks another address that this service listens on.
    pub(super) fn block(&self, address: SocketAddr) {
        self.own_addresses.write().unwrap_or_else(PoisonError::into_inner).push(address);
    }

    /// Whether an address may be connected to.
    pub(super) fn permits(&self, address: SocketAddr) -> bool {
        let ip = address.ip();
        let network = self.networks.iter().find(|network| network.contains(ip));
        let Some(prefix) = addresses::nat64_prefix(ip, network.map_or(0, Network::prefix)) else {
            return self.may_reach(ip) && !self.is_own(address);
        };
        // A NAT64 address must be in the operator's networks, and its prefix must reveal the
        // embedded IPv4 address.
        let embedded = network.and_then(|_| addresses::embedded_in_nat64(ip, prefix));
        embedded.is_some_and(|embedded| {
            self.may_reach(embedded) && !self.is_own(SocketAddr::new(embedded, address.port()))
        })
    }

    /// The permitted addresses of a host that needs no lookup; `None` for a name.
    pub(super) fn literal(&self, target: &Target) -> Option<Vec<SocketAddr>> {
        let permitted = |addresses: &[IpAddr]| {
            let addresses = addresses.iter().map(|ip| SocketAddr::new(*ip, target.port()));
            addresses.filter(|address| self.permits(*address)).collect()
        };
        match target.host() {
            Host::Name(_) => None,
            Host::Localhost => Some(permitted(&LOOPBACK)),
            Host::Address(ip) => Some(permitted(&[*ip])),
        }
    }

    /// Whether clients use this name and port for this service.
    pub(super) fn is_own_name(&self, name: &str, port: u16) -> bool {
        self.public_host.as_ref().is_some_and(|own| *own == format!("{name}:{port}"))
    }

    fn may_reach(&self, ip: IpAddr) -> bool {
        (addresses::is_public(ip) || self.is_in_operator_network(ip)) && !addresses::is_forbidden(ip)
    }

    fn is_in_operator_network(&self, ip: IpAddr) -> bool {
        self.networks.iter().any(|network| network.contains(ip))
    }

    fn is_own(&self, address: SocketAddr) -> bool {
        let own_addresses = self.own_addresses.read().unwrap_or_else(PoisonError::into_inner);
        own_addresses.iter().any(|own| {
            own.port() == address.port()
                && (own.ip() == address.ip() || (own.ip().is_unspecified() && is_local(address.ip())))
        })
    }
}

/// Whether the address belongs to this machine: only then can it be bound to.
fn is_local(ip: IpAddr) -> bool {
    UdpSocket::bind((ip, 0)).is_ok()
}
