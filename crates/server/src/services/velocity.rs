//! Velocity limits: how often passwords, tokens and addresses may be tried, by whom and about whom.
//!
//! What is counted is the attempt, right or wrong. Addresses and clients are hashed under a key of their own before they
//! become counters, so that neither a dump of memory nor another reader of a shared counter tells who signs in.

mod shared;

use std::net::{IpAddr, Ipv6Addr};

use lectern_types::Timestamp;

pub use shared::Silent;

use self::shared::Shared;
use super::gcra::{Limit, Table, whole_seconds};
use crate::{
    config::{ConfigError, RateLimit},
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
    counters: Counters,
}

/// Where counts are kept.
#[derive(Debug)]
enum Counters {
    /// In this process.
    Own(Table),
    /// Where all processes see them.
    Shared(Shared),
}

/// Seconds after which an attempt that could not be counted may be made again.
const SILENCE_SECONDS: u64 = 2;

/// A counter and its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Counter {
    /// A keyed hash of what is counted.
    name: [u8; 16],
    limit: Limit,
}

impl Velocity {
    /// The limits of the settings, counted under names that `key` hashes.
    ///
    /// # Errors
    /// [`ConfigError`] when the settings name a Redis that cannot be used. One that does not answer is no error.
    pub fn new(settings: &RateLimit, key: Key) -> Result<Self, ConfigError> {
        let minute = |count| Limit { count, window_seconds: 60 };
        let counters = match &settings.redis_url {
            Some(url) => Counters::Shared(Shared::new(url)?),
            None => Counters::Own(Table::new(COUNTERS)),
        };
        Ok(Self {
            key,
            address_and_ip: minute(settings.login_per_minute),
            address: Limit { count: settings.login_per_hour_per_address(), window_seconds: 3600 },
            ip: minute(settings.login_per_minute_per_ip()),
            register: minute(settings.register_per_minute),
            counters,
        })
    }

    /// Whether those who count answer.
    ///
    /// # Errors
    /// [`Silent`].
    pub async fn ping(&self) -> Result<(), Silent> {
        match &self.counters {
            Counters::Own(_) => Ok(()),
            Counters::Shared(shared) => shared.ping().await,
        }
    }

    /// Counts an attempt of a client, or refuses it and counts nothing.
    ///
    /// # Errors
    /// [`Error::RateLimited`] with the seconds until it would be allowed; [`Error::Unavailable`] when whoever counts
    /// does not answer: without a count nobody is let through.
    pub async fn check(&self, action: Action<'_>, ip: IpAddr, now: Timestamp) -> Result<()> {
        let counters = self.counters(action, ip);
        let refused = match &self.counters {
            Counters::Own(table) => take(table, &counters, now),
            Counters::Shared(shared) => {
                shared.take(&counters, now).await.map_err(|Silent| Error::Unavailable {
                    what: "attempts cannot be counted",
                    retry_after_seconds: SILENCE_SECONDS,
                })?
            }
        };
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

/// Counts in this process; how many microseconds too early the attempt is, if it is.
fn take(table: &Table, counters: &[Counter], now: Timestamp) -> Option<i64> {
    let key = |counter: &Counter| {
        let (first, _) = counter.name.split_at(8);
        (u64::from_le_bytes(first.try_into().unwrap_or_default()), counter.limit)
    };
    let keys: Vec<_> = counters.iter().map(key).collect();
    table.take(&keys, now).err().map(|refused| refused.retry_after_micros)
}

/// What one client is: an IPv4 address, or the /64 that one IPv6 client may pick addresses from.
fn client(ip: IpAddr) -> [u8; 16] {
    match ip.to_canonical() {
        IpAddr::V4(ip) => ip.to_ipv6_mapped().octets(),
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() & !u128::from(u64::MAX)).octets(),
    }
}
