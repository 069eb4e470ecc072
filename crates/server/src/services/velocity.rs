//! Velocity limits: how often passwords, tokens and addresses may be tried, by whom and about whom.
//!
//! What is counted is the attempt, right or wrong. Addresses and clients are hashed under a key of their own before they
//! become counters, so that neither a dump of memory nor another reader of a shared counter tells who signs in.

use std::net::{IpAddr, Ipv6Addr};

use lectern_types::Timestamp;

use super::gcra::{Limit, Table, whole_seconds};
use crate::{
    config::RateLimit,
    error::{Error, Result},
    secrets::Key,
};

/// Counters that are told apart at once; beyond them those furthest from their limits are forgotten. 16 MiB when full.
const COUNTERS: usize = 1 << 20;

/// What is tried.
#[derive(Clone, Copy)]
pub enum Action<'a> {
    /// Signing in to the account of an address.
    Login {
        /// The address, as sent.
        address: &'a str,
    },
    /// Registering.
    Register,
    /// Asking for the mail that sets a new password.
    Forgot {
        /// The address, as sent.
        address: &'a str,
    },
    /// Setting a new password with the mail's token.
    Reset,
    /// Confirming an address with the mail's token.
    Confirm,
}

impl std::fmt::Debug for Action<'_> {
    /// Without the address, which is private.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

impl<'a> Action<'a> {
    /// The part of a counter's name that keeps actions apart.
    fn word(self) -> &'static str {
        match self {
            Self::Login { .. } => "login",
            Self::Register => "register",
            Self::Forgot { .. } => "forgot",
            Self::Reset => "reset",
            Self::Confirm => "confirm",
        }
    }

    fn address(self) -> Option<&'a str> {
        match self {
            Self::Login { address } | Self::Forgot { address } => Some(address),
            Self::Register | Self::Reset | Self::Confirm => None,
        }
    }
}

/// The counters.
#[derive(Debug)]
pub struct Velocity {
    key: Key,
    address_and_ip: Limit,
    address: Limit,
    ip: Limit,
    register: Limit,
    table: Table,
}

/// A counter and its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Counter {
    /// A keyed hash of what is counted.
    name: [u8; 16],
    limit: Limit,
}

impl Velocity {
    /// The limits of the settings, counted under names that `key` hashes.
    pub fn new(settings: &RateLimit, key: Key) -> Self {
        let minute = |count| Limit { count, window_seconds: 60 };
        Self {
            key,
            address_and_ip: minute(settings.login_per_minute),
            address: Limit { count: settings.login_per_hour_per_address(), window_seconds: 3600 },
            ip: minute(settings.login_per_minute_per_ip()),
            register: minute(settings.register_per_minute),
            table: Table::new(COUNTERS),
        }
    }

    /// Counts an attempt of a client, or refuses it and counts nothing.
    ///
    /// # Errors
    /// [`Error::RateLimited`] with the seconds until it would be allowed; [`Error::Unavailable`] when whoever counts
    /// does not answer: without a count nobody is let through.
    #[expect(clippy::unused_async, reason = "counters that processes share are asked over the network")]
    pub async fn check(&self, action: Action<'_>, ip: IpAddr, now: Timestamp) -> Result<()> {
        let counters = self.counters(action, ip);
        let mut keys = Vec::with_capacity(counters.len());
        for counter in &counters {
            let (first, _) = counter.name.split_at(8);
            keys.push((u64::from_le_bytes(first.try_into().unwrap_or_default()), counter.limit));
        }
        let refused = self.table.take(&keys, now).err().map(|refused| refused.retry_after_micros);
        match refused {
            None => Ok(()),
            Some(micros) => Err(Error::RateLimited {
                limit: "attempts from this client or for this address",
                retry_after_seconds: whole_seconds(micros),
            }),
        }
    }

    fn counters(&self, action: Action<'_>, ip: IpAddr) -> Vec<Counter> {
        let client = client(ip);
        let word = action.word();
        let name = |kind: &str, parts: &[&[u8]]| {
            // Lengths keep parts from running into each other.
            let mut all: Vec<Vec<u8>> = Vec::with_capacity(2 + parts.len());
            for part in [word.as_bytes(), kind.as_bytes()].iter().chain(parts) {
                all.push([&(part.len() as u64).to_be_bytes(), *part].concat());
            }
            let all: Vec<&[u8]> = all.iter().map(Vec::as_slice).collect();
            let mut name = [0; 16];
            name.copy_from_slice(&self.key.mac(&all)[..16]);
            name
        };
        let counter = |name, limit| Counter { name, limit };
        let by_ip = name("ip", &[&client]);
        match action.address() {
            Some(address) => {
                let address = address.trim().to_lowercase();
                let address = address.as_bytes();
                vec![
                    counter(name("address and ip", &[address, &client]), self.address_and_ip),
                    counter(name("address", &[address]), self.address),
                    counter(by_ip, self.ip),
                ]
            }
            None if matches!(action, Action::Register) => vec![counter(by_ip, self.register)],
            None => vec![counter(by_ip, self.ip)],
        }
    }
}

/// What one client is: an IPv4 address, or the /64 that one IPv6 client may pick addresses from.
fn client(ip: IpAddr) -> [u8; 16] {
    match ip.to_canonical() {
        IpAddr::V4(ip) => ip.to_ipv6_mapped().octets(),
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() & !u128::from(u64::MAX)).octets(),
    }
}
