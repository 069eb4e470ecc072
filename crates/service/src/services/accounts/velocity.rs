//! Velocity limits: how often passwords, tokens and addresses may be tried, per client and per
//! address.
//!
//! Every attempt counts, right or wrong. Addresses and clients are hashed with a key of their own
//! before they become counters, so that neither a memory dump nor another reader of a shared
//! counter reveals who signs in.

mod shared;

use std::net::{IpAddr, Ipv6Addr};

use lectern_store::addresses;
use lectern_types::{ShareId, Timestamp};

pub use shared::RedisUnavailable;

use self::shared::Shared;
use crate::services::limits::gcra::{Limit, Table, whole_seconds};
use crate::{
    clock::{Clock, MonotonicClock},
    config::{ConfigError, RateLimit},
    error::{Error, Result},
    secrets::Key,
};

/// The most counters that are kept; beyond that, those furthest from their limits are dropped. 16
/// MiB when full.
const MAX_COUNTERS: usize = 1 << 20;

/// Passwords of one share link that may be tried an hour, from anywhere: a school class, but no search.
const SHARE_PER_HOUR: u64 = 300;

/// An action that is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Signing in to the account of an address.
    Login,
    Register,
    /// Asking for the mail that sets a new password.
    Forgot,
    /// Setting a new password with the mail's token.
    Reset,
    /// Confirming an address with the mail's token.
    Confirm,
    /// Looking up the address of an invitation.
    Invitation,
    /// Opening a share link.
    Share,
    /// Rating a password's strength.
    Judge,
}

impl Action {
    /// The part of a counter's name that separates actions.
    fn as_str(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::Register => "register",
            Self::Forgot => "forgot",
            Self::Reset => "reset",
            Self::Confirm => "confirm",
            Self::Invitation => "invitation",
            Self::Share => "share",
            Self::Judge => "judge",
        }
    }
}

#[derive(Debug)]
pub struct Velocity {
    key: Key,
    address_and_ip: Limit,
    address: Limit,
    ip: Limit,
    register: Limit,
    share: Limit,
    counters: Counters,
}

/// Where counters are kept.
#[derive(Debug)]
enum Counters {
    /// In this process, with its own monotonic clock.
    Local(Table, MonotonicClock),
    /// In Redis, shared by all processes.
    Shared(Shared),
}

/// Seconds to wait after an attempt that could not be counted.
const RETRY_AFTER_SECONDS: u64 = 2;

/// A counter and its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Counter {
    /// A keyed hash of the counted client or address.
    name: [u8; 16],
    limit: Limit,
}

impl Velocity {
    /// Limits from the settings, with counter names hashed by `key`.
    ///
    /// # Errors
    /// [`ConfigError`] when the settings name a Redis that cannot be used. One that does not
    /// respond is not an error.
    pub fn new(settings: &RateLimit, key: Key, clock: &Clock) -> Result<Self, ConfigError> {
        let minute = |count| Limit { count, window_seconds: 60 };
        let counters = match &settings.redis_url {
            Some(url) => Counters::Shared(Shared::new(url)?),
            None => Counters::Local(Table::new(MAX_COUNTERS), clock.monotonic()),
        };
        Ok(Self {
            key,
            address_and_ip: minute(settings.login_per_minute),
            address: Limit { count: settings.login_per_hour_per_address(), window_seconds: 3600 },
            ip: minute(settings.login_per_minute_per_ip()),
            register: minute(settings.register_per_minute),
            share: Limit { count: SHARE_PER_HOUR, window_seconds: 3600 },
            counters,
        })
    }

    /// Checks that the counters respond.
    ///
    /// # Errors
    /// [`RedisUnavailable`].
    pub async fn ping(&self) -> Result<(), RedisUnavailable> {
        match &self.counters {
            Counters::Local(..) => Ok(()),
            Counters::Shared(shared) => shared.ping().await,
        }
    }

    /// Counts an attempt by a client, or refuses it without counting.
    ///
    /// # Errors
    /// [`Error::RateLimited`] with the seconds until it would be allowed; [`Error::Unavailable`]
    /// when the counters do not respond: without a count, nothing is allowed.
    pub async fn check_client(&self, action: Action, ip: IpAddr, now: Timestamp) -> Result<()> {
        match self.take(&[self.by_client(action, ip)], now).await? {
            None => Ok(()),
            Some(micros) => Err(rate_limited(micros)),
        }
    }

    /// Counts an attempt at the password of a share link, from anywhere, or refuses it without counting.
    ///
    /// # Errors
    /// As [`Self::check_client`].
    pub async fn check_share(&self, share: ShareId, now: Timestamp) -> Result<()> {
        let name = self.name(Action::Share, "share", &[share.uuid().as_bytes()]);
        match self.take(&[Counter { name, limit: self.share }], now).await? {
            None => Ok(()),
            Some(micros) => Err(rate_limited(micros)),
        }
    }

    /// Counts an attempt that passed [`Self::check_client`] against its address. If it is refused,
    /// the client's count is undone.
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
            Counters::Local(table, time) => table.undo(key(&by_client), time.now()),
            // If Redis does not respond now, the count expires within a minute anyway.
            Counters::Shared(shared) => shared.undo(&by_client, now).await.unwrap_or(()),
        }
        Err(rate_limited(micros))
    }

    /// Increments all counters or none. When refused, returns how many microseconds too early the
    /// attempt is.
    async fn take(&self, counters: &[Counter], now: Timestamp) -> Result<Option<i64>> {
        match &self.counters {
            Counters::Local(table, time) => {
                let keys: Vec<_> = counters.iter().map(key).collect();
                Ok(table.take(&keys, time.now()).err().map(|refused| refused.retry_after_micros))
            }
            Counters::Shared(shared) => {
                shared.take(counters, now).await.map_err(|RedisUnavailable| Error::Unavailable {
                    what: "attempts cannot be counted",
                    retry_after_seconds: RETRY_AFTER_SECONDS,
                })
            }
        }
    }

    fn by_client(&self, action: Action, ip: IpAddr) -> Counter {
        let limit = match action {
            Action::Register => self.register,
            // A page asks while its user types.
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
        // Lengths separate the parts unambiguously.
        let mut all: Vec<Vec<u8>> = Vec::with_capacity(2 + parts.len());
        for part in [action.as_str().as_bytes(), kind.as_bytes()].iter().chain(parts) {
            all.push([&(part.len() as u64).to_be_bytes(), *part].concat());
        }
        let all: Vec<&[u8]> = all.iter().map(Vec::as_slice).collect();
        let mut name = [0; 16];
        name.copy_from_slice(&self.key.mac(&all)[..16]);
        name
    }
}

fn rate_limited(micros: i64) -> Error {
    Error::RateLimited {
        limit: "attempts from this client or for this address",
        retry_after_seconds: whole_seconds(micros),
    }
}

/// A counter's key in this process's table.
fn key(counter: &Counter) -> (u64, Limit) {
    let (first, _) = counter.name.split_at(8);
    (u64::from_le_bytes(first.try_into().unwrap_or_default()), counter.limit)
}

/// Identifies a client: an IPv4 address, or the /64 from which an IPv6 client may choose addresses.
fn client(ip: IpAddr) -> [u8; 16] {
    match ip.to_canonical() {
        IpAddr::V4(ip) => ip.to_ipv6_mapped().octets(),
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() & !u128::from(u64::MAX)).octets(),
    }
}
