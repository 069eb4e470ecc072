//! Requests that take long: those that wait for a whole book or follow a material's events.

use std::time::Duration;

use lectern_types::AccountId;
use tokio_util::sync::CancellationToken;

use crate::{
    error::{Error, Result},
    services::limits::concurrency::{ConcurrencyLimit, LimitReached, Permit},
};

/// The most long requests, in all and for one account.
const TOTAL: usize = 1_000;
const PER_ACCOUNT: usize = 20;

/// Bounds how many requests wait, and ends them with the process. Clones share the bound.
#[derive(Debug, Clone)]
pub struct LongRequests {
    limit: ConcurrencyLimit,
    /// Cancelled when the process is asked to stop.
    pub(super) stop: CancellationToken,
}

impl LongRequests {
    /// No request waits yet.
    pub fn new(stop: CancellationToken) -> Self {
        Self { limit: ConcurrencyLimit::new(TOTAL, PER_ACCOUNT), stop }
    }

    /// Takes a place for a request.
    ///
    /// # Errors
    /// `rate_limited` when the account has no place left, `service_unavailable` when there is none at all.
    pub(super) async fn place(&self, account: AccountId) -> Result<Permit> {
        self.limit.acquire(account, Duration::ZERO).await.map_err(|full| match full {
            LimitReached::Account => Error::RateLimited {
                limit: "the account's event streams and waits for books at once",
                retry_after_seconds: 5,
            },
            LimitReached::Total => {
                Error::Unavailable { what: "too many requests wait", retry_after_seconds: 5 }
            }
        })
    }
}
