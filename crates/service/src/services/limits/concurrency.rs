//! Limits how much of something may be in progress at once, per account and in total: uploads, and
//! long-running requests.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use lectern_types::AccountId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A limit on concurrency. Clones share it.
#[derive(Debug, Clone)]
pub struct ConcurrencyLimit(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    total: Arc<Semaphore>,
    per_account: usize,
    /// Has entries only for accounts that hold a permit or wait for one.
    accounts: Mutex<HashMap<AccountId, Arc<Semaphore>>>,
}

/// Which limit was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitReached {
    /// The account's own limit.
    Account,
    /// The limit of all accounts together.
    Total,
}

impl ConcurrencyLimit {
    /// A limit of `total` permits, and `per_account` for each account.
    pub fn new(total: usize, per_account: usize) -> Self {
        Self(Arc::new(Inner {
            total: Arc::new(Semaphore::new(total)),
            per_account,
            accounts: Mutex::default(),
        }))
    }

    /// Acquires a permit, waiting at most for `timeout` in order of arrival.
    ///
    /// # Errors
    /// [`LimitReached`] when no permit became free in time.
    pub async fn acquire(&self, account: AccountId, timeout: Duration) -> Result<Permit, LimitReached> {
        let registration = Registration::new(self, account);
        let mut full = LimitReached::Account;
        let acquiring = async {
            // The semaphores are never closed.
            let account_permit = Arc::clone(&registration.semaphore).acquire_owned().await.ok()?;
            full = LimitReached::Total;
            let total_permit = Arc::clone(&self.0.total).acquire_owned().await.ok()?;
            Some((account_permit, total_permit))
        };
        match tokio::time::timeout(timeout, acquiring).await {
            Ok(Some((account_permit, total_permit))) => {
                Ok(Permit { _of_account: account_permit, _of_all: total_permit, _registration: registration })
            }
            Ok(None) | Err(_) => Err(full),
        }
    }

    fn accounts(&self) -> MutexGuard<'_, HashMap<AccountId, Arc<Semaphore>>> {
        self.0.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A permit, released when dropped.
#[derive(Debug)]
pub struct Permit {
    _of_account: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
    /// Dropped after the permits, so that an account's last user removes its semaphore.
    _registration: Registration,
}

/// An account's use of its semaphore, while it holds a permit or waits for one.
#[derive(Debug)]
struct Registration {
    limit: ConcurrencyLimit,
    account: AccountId,
    semaphore: Arc<Semaphore>,
}

impl Registration {
    fn new(limit: &ConcurrencyLimit, account: AccountId) -> Self {
        let mut accounts = limit.accounts();
        let semaphore =
            accounts.entry(account).or_insert_with(|| Arc::new(Semaphore::new(limit.0.per_account)));
        Self { semaphore: Arc::clone(semaphore), limit: limit.clone(), account }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut accounts = self.limit.accounts();
        // Only this reference and the map's are left, and under the lock no task can take another.
        if Arc::strong_count(&self.semaphore) == 2 {
            accounts.remove(&self.account);
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const SOON: Duration = Duration::from_millis(1);

    fn account(number: u128) -> AccountId {
        AccountId::from_uuid(Uuid::from_u128(number))
    }

    #[tokio::test]
    async fn the_limits_of_an_account_and_of_all_accounts_hold() {
        let limit = ConcurrencyLimit::new(3, 2);
        let first = limit.acquire(account(1), SOON).await.unwrap();
        let _second = limit.acquire(account(1), SOON).await.unwrap();
        assert_eq!(limit.acquire(account(1), SOON).await.unwrap_err(), LimitReached::Account);
        let third = limit.acquire(account(2), SOON).await.unwrap();
        assert_eq!(limit.acquire(account(3), SOON).await.unwrap_err(), LimitReached::Total);
        drop(first);
        let _again = limit.acquire(account(1), SOON).await.unwrap();
        assert_eq!(limit.acquire(account(2), SOON).await.unwrap_err(), LimitReached::Total);
        drop(third);
        assert!(limit.acquire(account(2), SOON).await.is_ok());
    }

    #[tokio::test]
    async fn a_waiting_request_gets_a_freed_permit_and_unused_accounts_are_removed() {
        let limit = ConcurrencyLimit::new(1, 1);
        let pass = limit.acquire(account(1), SOON).await.unwrap();
        let waiting = tokio::spawn({
            let limit = limit.clone();
            async move { limit.acquire(account(1), Duration::from_secs(10)).await }
        });
        tokio::task::yield_now().await;
        drop(pass);
        drop(waiting.await.unwrap().unwrap());
        assert!(limit.accounts().is_empty());
    }
}
