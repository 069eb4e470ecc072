//! Velocity limits: how often passwords, tokens and addresses may be tried, by whom and about whom.
//!
//! What is counted is the attempt, right or wrong. Addresses and clients are hashed under a key of their own before they
//! become counters, so that neither a dump of memory nor another reader of a shared counter tells who signs in.

mod shared;

use std::net::{IpAddr, Ipv6Addr};

use lectern_store::addresses;
use lectern_types::Timestamp;

pub use shared::Silent;

use self::shared::Shared;
use super::gcra::{Limit, Table, whole_seconds};
use crate::{
    clock::{Clock, Steady},
    config::{ConfigError, RateLimit},
    error::{Error, Result},
    secrets::Key,
};

/// Counters that are told apart at once; beyond them those furthest from their limits are forgotten. 16 MiB when full.
const COUNTERS: usize = 1 << 20;

/// What is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Signing in to the account of an address.
    Login,
    /// Registering.
    Register,
    /// Asking for the mail that sets a new password.
    Forgot,
    /// Setting a new password with the mail's token.
    Reset,
    /// Confirming an address with the mail's token.
    Confirm,
    /// Looking up whom an invitation is for.
    Invitation,
    /// Asking what a password is worth.
    Judge,
}

impl Action {
    /// The part of a counter's name that keeps actions apart.
    fn word(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::Register => "register",
            Self::Forgot => "forgot",
            Self::Reset => "reset",
            Self::Confirm => "confirm",
            Self::Invitation => "invitation",
            Self::Judge => "judge",
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
    /// In this process, by a time of its own.
    Own(Table, Steady),
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
    pub fn new(settings: &RateLimit, key: Key, clock: &Clock) -> Result<Self, ConfigError> {
        let minute = |count| Limit { count, window_seconds: 60 };
        let counters = match &settings.redis_url {
            Some(url) => Counters::Shared(Shared::new(url)?),
            None => Counters::Own(Table::new(COUNTERS), clock.steady()),
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
            Counters::Own(..) => Ok(()),
            Counters::Shared(shared) => shared.ping().await,
        }
    }

    /// Counts an attempt of a client, or refuses it and counts nothing.
    ///
    /// # Errors
    /// [`Error::RateLimited`] with the seconds until it would be allowed; [`Error::Unavailable`] when whoever counts
    /// does not answer: without a count nobody is let through.
    pub async fn check_client(&self, action: Action, ip: IpAddr, now: Timestamp) -> Result<()> {
        match self.take(&[self.by_client(action, ip)], now).await? {
            None => Ok(()),
            Some(micros) => Err(too_early(micros)),
        }
    }

    /// Counts an attempt that [`Self::check_client`] let through for the address that it is about. A refusal takes
    /// back what was counted for the client.
    ///
    /// # Errors
    /// As [`Self::check_client`].
    pub async fn check_address(
        &self,
        action: Action,
        address: &str,
        ip: IpAddr,
        now: Timestamp,
    ) -> Result<()> {
        let Some(micros) = self.take(&self.by_address(action, address, ip), now).await? else {
            return Ok(());
        };
        let by_client = self.by_client(action, ip);
        match &self.counters {
            Counters::Own(table, time) => table.give_back(key(&by_client), time.now()),
            // One that does not answer now will have forgotten the attempt in a minute.
            Counters::Shared(shared) => shared.give_back(&by_client, now).await.unwrap_or(()),
        }
        Err(too_early(micros))
    }

    /// Counts one for every counter, or for none of them; how many microseconds too early the attempt is, if it is.
    async fn take(&self, counters: &[Counter], now: Timestamp) -> Result<Option<i64>> {
        match &self.counters {
            Counters::Own(table, time) => {
                let keys: Vec<_> = counters.iter().map(key).collect();
                Ok(table.take(&keys, time.now()).err().map(|refused| refused.retry_after_micros))
            }
            Counters::Shared(shared) => {
                shared.take(counters, now).await.map_err(|Silent| Error::Unavailable {
                    what: "attempts cannot be counted",
                    retry_after_seconds: SILENCE_SECONDS,
                })
            }
        }
    }

    fn by_client(&self, action: Action, ip: IpAddr) -> Counter {
        let limit = match action {
            Action::Register => self.register,
            // A page asks as its reader types.
            Action::Judge => Limit { count: self.ip.count.saturating_mul(4), ..self.ip },
            _ => self.ip,
        };
        Counter { name: self.name(action, "ip", &[&client(ip)]), limit }
    }

    fn by_address(&self, action: Action, address: &str, ip: IpAddr) -> [Counter; 2] {
        let address = addresses::canonical(address);
        let address = address.as_bytes();
        let both = self.name(action, "address and ip", &[address, &client(ip)]);
        let alone = self.name(action, "address", &[address]);
        [Counter { name: both, limit: self.address_and_ip }, Counter { name: alone, limit: self.address }]
    }

    fn name(&self, action: Action, kind: &str, parts: &[&[u8]]) -> [u8; 16] {
        // Lengths keep parts from running into each other.
        let mut all: Vec<Vec<u8>> = Vec::with_capacity(2 + parts.len());
        for part in [action.word().as_bytes(), kind.as_bytes()].iter().chain(parts) {
            all.push([&(part.len() as u64).to_be_bytes(), *part].concat());
        }
        let all: Vec<&[u8]> = all.iter().map(Vec::as_slice).collect();
        let mut name = [0; 16];
        name.copy_from_slice(&self.key.mac(&all)[..16]);
        name
    }
}

fn too_early(micros: i64) -> Error {
    Error::RateLimited {
        limit: "attempts from this client or for this address",
        retry_after_seconds: whole_seconds(micros),
    }
}

/// A counter as the table of this process knows it.
fn key(counter: &Counter) -> (u64, Limit) {
    let (first, _) = counter.name.split_at(8);
    (u64::from_le_bytes(first.try_into().unwrap_or_default()), counter.limit)
}

/// What one client is: an IPv4 address, or the /64 that one IPv6 client may pick addresses from.
fn client(ip: IpAddr) -> [u8; 16] {
    match ip.to_canonical() {
        IpAddr::V4(ip) => ip.to_ipv6_mapped().octets(),
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() & !u128::from(u64::MAX)).octets(),
    }
}
