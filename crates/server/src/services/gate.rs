//! How many of something may be under way at once, for one account and in all: uploads, and requests that wait for long.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use lectern_types::AccountId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Lets so many in. Clones are the same gate.
#[derive(Debug, Clone)]
pub struct Gate(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    all: Arc<Semaphore>,
    each: usize,
    /// Only of accounts that are inside or wait.
    accounts: Mutex<HashMap<AccountId, Arc<Semaphore>>>,
}

/// Why somebody was not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Full {
    /// The account has as many inside as it may.
    OfAccount,
    /// So have all together.
    OfAll,
}

impl Gate {
    /// A gate for `all` together and `each` account.
    pub fn new(all: usize, each: usize) -> Self {
        Self(Arc::new(Inner { all: Arc::new(Semaphore::new(all)), each, accounts: Mutex::default() }))
    }

    /// Enters, waiting at most for `patience` in turn.
    ///
    /// # Errors
    /// Where there is no room.
    pub async fn enter(&self, account: AccountId, patience: Duration) -> Result<Pass, Full> {
        let turn = Turn::new(self, account);
        let mut full = Full::OfAccount;
        let inside = async {
            // Nobody closes the semaphores.
            let own = Arc::clone(&turn.own).acquire_owned().await.ok()?;
            full = Full::OfAll;
            let all = Arc::clone(&self.0.all).acquire_owned().await.ok()?;
            Some((own, all))
        };
        match tokio::time::timeout(patience, inside).await {
            Ok(Some((own, all))) => Ok(Pass { _own: own, _all: all, _turn: turn }),
            Ok(None) | Err(_) => Err(full),
        }
    }

    fn accounts(&self) -> MutexGuard<'_, HashMap<AccountId, Arc<Semaphore>>> {
        self.0.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place inside, until it is dropped.
#[derive(Debug)]
pub struct Pass {
    _own: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
    /// After the permits, so that an account's last one takes its semaphore along.
    _turn: Turn,
}

/// Somebody who is inside or waits.
#[derive(Debug)]
struct Turn {
    gate: Gate,
    account: AccountId,
    own: Arc<Semaphore>,
}

impl Turn {
    fn new(gate: &Gate, account: AccountId) -> Self {
        let mut accounts = gate.accounts();
        let own = accounts.entry(account).or_insert_with(|| Arc::new(Semaphore::new(gate.0.each)));
        Self { own: Arc::clone(own), gate: gate.clone(), account }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut accounts = self.gate.accounts();
        // Ours and the table's are the last two: under the lock nobody takes another.
        if Arc::strong_count(&self.own) == 2 {
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
    async fn an_account_and_all_together_have_so_many_places() {
        let gate = Gate::new(3, 2);
        let first = gate.enter(account(1), SOON).await.unwrap();
        let _second = gate.enter(account(1), SOON).await.unwrap();
        assert_eq!(gate.enter(account(1), SOON).await.unwrap_err(), Full::OfAccount);
        let third = gate.enter(account(2), SOON).await.unwrap();
        assert_eq!(gate.enter(account(3), SOON).await.unwrap_err(), Full::OfAll);
        drop(first);
        let _again = gate.enter(account(1), SOON).await.unwrap();
        assert_eq!(gate.enter(account(2), SOON).await.unwrap_err(), Full::OfAll);
        drop(third);
        assert!(gate.enter(account(2), SOON).await.is_ok());
    }

    #[tokio::test]
    async fn who_waits_is_let_in_when_a_place_is_free_and_accounts_are_forgotten() {
        let gate = Gate::new(1, 1);
        let pass = gate.enter(account(1), SOON).await.unwrap();
        let waiting = tokio::spawn({
            let gate = gate.clone();
            async move { gate.enter(account(1), Duration::from_secs(10)).await }
        });
        tokio::task::yield_now().await;
        drop(pass);
        drop(waiting.await.unwrap().unwrap());
        assert!(gate.accounts().is_empty());
    }
}
