//! Hashes and verifies passwords with Argon2id: one at a time per core, with a bounded queue.
//! `policy` defines which passwords are allowed.
//!
//! Hashing a password and rating its strength both cost milliseconds of a core and can be requested
//! without a key, so both go through one limiter. When its queue is full, the request is refused at
//! once.

pub mod policy;

use std::{sync::Arc, thread};

use argon2::{Algorithm, Argon2, Params, PasswordHash, PasswordHasher as _, PasswordVerifier as _, Version};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::sync::Semaphore;

use crate::{
    clock,
    error::{Error, Result},
};

/// OWASP's parameters for Argon2id: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Verified against when there is no hash: the same form and parameters, with an output that no
/// password has (32 zero bytes).
const DECOY: &str = "$argon2id$v=19$m=19456,t=2,p=1$bm8gcGFzc3dvcmQgc2V0IQ\
    $AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// The seconds that a refused request should wait.
const RETRY_AFTER_SECONDS: u64 = 1;

/// Limits all work on passwords.
#[derive(Debug, Clone)]
pub struct Passwords {
    core_permits: Arc<Semaphore>,
    admission_permits: Arc<Semaphore>,
}

impl Passwords {
    /// Runs one task per core of this machine, with a queue of this length.
    pub fn new(queue: usize) -> Self {
        let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            core_permits: Arc::new(Semaphore::new(cores)),
            admission_permits: Arc::new(Semaphore::new(cores + queue)),
        }
    }

    /// Whether the password matches this hash. Without a hash it takes as long and returns false.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the queue is full.
    pub async fn verify(&self, password: SecretString, hash: Option<String>) -> Result<bool> {
        self.run(move || {
            let hash = PasswordHash::new(hash.as_deref().unwrap_or(DECOY)).map_err(|error| failed(&error))?;
            // No stored password is longer. A longer one is truncated, so that its length costs
            // nothing, and never matches.
            let whole = password.expose_secret();
            let cut = whole.char_indices().nth(policy::MAX_CHARS).map_or(whole, |(end, _)| &whole[..end]);
            let equal = argon2()?.verify_password(cut.as_bytes(), &hash).is_ok();
            Ok(equal && cut.len() == whole.len())
        })
        .await?
    }

    /// Hashes a password for the account with this address, if it meets the policy.
    ///
    /// # Errors
    /// [`Error::WeakPassword`]; [`Error::Unavailable`] when the queue is full.
    pub async fn accept(&self, password: SecretString, email: &str) -> Result<String> {
        let email = email.to_owned();
        self.run(move || {
            let requirements = policy::unmet(password.expose_secret(), &email);
            if requirements.is_empty() { hash(&password) } else { Err(Error::WeakPassword { requirements }) }
        })
        .await?
    }

    /// The names of the requirements that a password does not meet, and its strength from 0 to 4.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the queue is full.
    pub async fn judge(&self, password: SecretString, email: String) -> Result<(Vec<&'static str>, u8)> {
        self.run(move || {
            let password = password.expose_secret();
            (policy::unmet(password, &email), policy::score(password))
        })
        .await
    }

    /// Hashes a password that the service itself generated.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the queue is full.
    pub async fn hash(&self, password: SecretString) -> Result<String> {
        self.run(move || hash(&password)).await?
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let full = Error::Unavailable {
            what: "too many sign-ins are being checked",
            retry_after_seconds: RETRY_AFTER_SECONDS,
        };
        let admission = Arc::clone(&self.admission_permits).try_acquire_owned().map_err(|_| full)?;
        let closed = |_| Error::Internal("the semaphore for passwords was closed".to_owned());
        let core_permit = Arc::clone(&self.core_permits).acquire_owned().await.map_err(closed)?;
        // The permits are held until the work ends, even if the client disconnects: its core is
        // busy until then.
        let working = tokio::task::spawn_blocking(move || {
            let done = work();
            drop((core_permit, admission));
            done
        });
        working.await.map_err(|_| Error::Internal("work on a password panicked".to_owned()))
    }
}

fn hash(password: &SecretString) -> Result<String> {
    let password = password.expose_secret().as_bytes();
    let hash = argon2()?.hash_password_with_salt(password, &clock::random::<16>());
    hash.map(|hash: PasswordHash| hash.to_string()).map_err(|error| failed(&error))
}

fn argon2() -> Result<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None);
    let params = params.map_err(|error| Error::Internal(format!("Argon2: {error}")))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn failed(error: &impl std::fmt::Display) -> Error {
    Error::Internal(format!("a password could not be hashed or compared: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_matches_its_own_hash_only() {
        let passwords = Passwords::new(8);
        let stored = hash(&"correct horse".into()).unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert_ne!(stored, hash(&"correct horse".into()).unwrap(), "no salt");
        let is =
            async |password: &str| passwords.verify(password.into(), Some(stored.clone())).await.unwrap();
        assert!(is("correct horse").await);
        for wrong in ["", "Correct horse", "correct horse ", "correct horse\0"] {
            assert!(!is(wrong).await, "{wrong:?}");
        }
        for any in ["", "correct horse"] {
            assert!(!passwords.verify(any.into(), None).await.unwrap(), "the decoy matches a password");
        }
    }

    // Negative control: without the comparison of lengths the longer password matches.
    #[tokio::test]
    async fn a_password_longer_than_any_stored_one_never_matches() {
        let passwords = Passwords::new(8);
        let longest = "ä".repeat(policy::MAX_CHARS);
        let stored = hash(&longest.clone().into()).unwrap();
        assert!(passwords.verify(longest.clone().into(), Some(stored.clone())).await.unwrap());
        assert!(!passwords.verify(format!("{longest}x").into(), Some(stored)).await.unwrap());
    }

    #[test]
    fn the_decoy_costs_what_a_stored_hash_costs() {
        let decoy = PasswordHash::new(DECOY).unwrap();
        let params = Params::try_from(&decoy).unwrap();
        let ours = argon2().unwrap();
        let stored: PasswordHash = ours.hash_password_with_salt(b"x", &[0; 16]).unwrap();
        let stored_params = Params::try_from(&stored).unwrap();
        let costs = |params: &Params| (params.m_cost(), params.t_cost(), params.p_cost());
        assert_eq!(costs(&params), costs(&stored_params));
        assert_eq!(decoy.hash.unwrap().len(), stored.hash.unwrap().len());
        assert_eq!(decoy.salt.unwrap().len(), stored.salt.unwrap().len());
    }

    // Negative control: with `acquire_owned` in place of `try_acquire_owned` it waits instead.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_request_that_finds_the_queue_full_is_refused_at_once() {
        let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let passwords = Passwords::new(1);
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let ended = Arc::new(std::sync::Mutex::new(ended));
        let mut working = tokio::task::JoinSet::new();
        for _ in 0..=cores {
            let (passwords, ended) = (passwords.clone(), Arc::clone(&ended));
            working.spawn(async move {
                passwords.run(move || drop(ended.lock().map(|ended| ended.recv()))).await.map(drop)
            });
        }
        while passwords.admission_permits.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let asked = passwords.verify("x".into(), None);
        let refused = tokio::time::timeout(std::time::Duration::from_secs(5), asked).await;
        assert!(matches!(refused, Ok(Err(Error::Unavailable { .. }))), "{refused:?}");
        drop(end);
        assert!(working.join_all().await.iter().all(Result::is_ok));
        assert!(passwords.verify("x".into(), None).await.is_ok());
    }
}
