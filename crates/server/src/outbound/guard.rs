//! Which addresses this service may connect to for a customer.

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

/// What may be connected to: public addresses and the operator's networks, less what must never be, less this service.
#[derive(Debug)]
pub(super) struct Guard {
    networks: Vec<Network>,
    /// What clients call this service, as host and port.
    public: Option<String>,
    /// Where this service listens.
    own: RwLock<Vec<SocketAddr>>,
}

impl Guard {
    pub(super) fn new(config: &Config) -> Self {
        let own = [config.http.listen, config.management.listen];
        Self {
            networks: config.webhooks.allowed_networks.clone(),
            public: config.http.public_url.as_ref().map(|url| url.host_and_port().to_ascii_lowercase()),
            own: RwLock::new(own.into_iter().filter(|address| address.port() != 0).collect()),
        }
    }

    /// Keeps off another address that this service listens on.
    pub(super) fn keep_off(&self, address: SocketAddr) {
        self.own.write().unwrap_or_else(PoisonError::into_inner).push(address);
    }

    /// Whether an address may be connected to.
    pub(super) fn permits(&self, address: SocketAddr) -> bool {
        let ip = address.ip();
        let opening = self.networks.iter().find(|network| network.contains(ip));
        let Some(prefix) = addresses::nat64_prefix(ip, opening.map_or(0, Network::prefix)) else {
            return self.may_reach(ip) && !self.is_own(address);
        };
        // Of what NAT64 answers for only what the operator opened, and only if its prefix says what lies behind.
        let behind = opening.and_then(|_| addresses::behind_nat64(ip, prefix));
        behind.is_some_and(|behind| {
            self.may_reach(behind) && !self.is_own(SocketAddr::new(behind, address.port()))
        })
    }

    /// The addresses of a host that need no look-up, without those that may not be connected to; `None` for a name.
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

    /// Whether a name and port are those that clients call this service by.
    pub(super) fn is_own_name(&self, name: &str, port: u16) -> bool {
        self.public.as_ref().is_some_and(|own| *own == format!("{name}:{port}"))
    }

    fn may_reach(&self, ip: IpAddr) -> bool {
        (addresses::is_public(ip) || self.opened(ip)) && !addresses::is_forbidden(ip)
    }

    fn opened(&self, ip: IpAddr) -> bool {
        self.networks.iter().any(|network| network.contains(ip))
    }

    fn is_own(&self, address: SocketAddr) -> bool {
        let own = self.own.read().unwrap_or_else(PoisonError::into_inner);
        own.iter().any(|own| {
            own.port() == address.port()
                && (own.ip() == address.ip()
                    || (own.ip().is_unspecified() && is_of_this_machine(address.ip())))
        })
    }
}

/// Whether this machine has an address: only those can be bound to.
fn is_of_this_machine(ip: IpAddr) -> bool {
    UdpSocket::bind((ip, 0)).is_ok()
}
