//! Handles requests with an `Idempotency-Key`: runs them, waits for one that is running, replays
//! its response, or refuses.

pub mod sealing;

use std::time::Duration;

use lectern_store::{
    Environment,
    idempotency::{self as stored, Replay, Response},
    keys::Authenticated,
};
use lectern_types::{AccountId, ErrorCode};
use secrecy::SecretString;

use self::sealing::Seal;
use crate::{
    base::Base,
    error::{Error, Result},
    secrets::Secrets,
};

/// How long a duplicate waits for the first request, in seconds.
const MAX_WAIT_SECONDS: u64 = 30;

/// The delay before the first poll; it doubles with each poll up to [`MAX_POLL_DELAY`].
const FIRST_POLL_DELAY: Duration = Duration::from_millis(10);
const MAX_POLL_DELAY: Duration = Duration::from_millis(250);

/// A response, new or replayed.
#[derive(Debug)]
pub struct IdempotentResponse {
    /// The response, ready to send.
    pub response: Response,
    /// Whether an earlier request produced it.
    pub replayed: bool,
}

/// A request with an `Idempotency-Key`.
#[derive(Debug, Clone)]
pub struct IdempotentRequest {
    account: AccountId,
    environment: Environment,
    method: &'static str,
    path: String,
    /// The row's key: the header's value, or its hash if the response is encrypted.
    key: String,
    fingerprint: [u8; 32],
    seal: Option<Seal>,
}

impl IdempotentRequest {
    /// A POST by `caller` to `path` under `key`, whose canonical body has this fingerprint.
    pub fn post(caller: &Authenticated, path: String, key: String, fingerprint: [u8; 32]) -> Self {
        let (account, environment) = (caller.account, caller.key.environment);
        Self { account, environment, method: "POST", path, key, fingerprint, seal: None }
    }

    /// A POST by an account's owner about something that belongs to the account, independent of the
    /// environment.
    pub fn post_of_account(account: AccountId, path: String, key: String, fingerprint: [u8; 32]) -> Self {
        Self { account, environment: Environment::Live, method: "POST", path, key, fingerprint, seal: None }
    }

    /// The same request when its response holds a secret: the response is stored encrypted, for a
    /// caller that presents the same API key.
    #[must_use]
    pub fn sealed(mut self, secrets: &Secrets, presented: &SecretString) -> Self {
        self.seal = Some(Seal::new(&secrets.sealing, presented, &self.key));
        self.key = Seal::row_key(&secrets.sealing, &self.key);
        self
    }

    /// The request in the store's form.
    pub fn request(&self) -> stored::Request<'_> {
        stored::Request {
            method: self.method,
            path: &self.path,
            key: &self.key,
            fingerprint: &self.fingerprint,
        }
    }

    /// A response as it is stored for replay.
    ///
    /// # Errors
    /// [`Error::Internal`] when it cannot be encrypted.
    pub fn to_stored(&self, response: &Response) -> Result<Response> {
        match &self.seal {
            Some(seal) => seal.seal(&self.row(), response),
            None => Ok(response.clone()),
        }
    }

    /// Decrypts a stored response for replay.
    fn open_stored(&self, response: Response) -> Result<Response> {
        match &self.seal {
            Some(seal) => {
                seal.open(&self.row(), &response).ok_or_else(|| ErrorCode::IdempotencyKeyReuse.into())
            }
            None => Ok(response),
        }
    }

    /// Identifies this request's row unambiguously.
    fn row(&self) -> String {
        let Self { account, environment, method, path, key, .. } = self;
        format!("{account}\n{environment}\n{method}\n{path}\n{key}")
    }
}

/// Looks up a request before it begins; `None` without an `Idempotency-Key`.
async fn look_up(base: &Base, idempotent: Option<&IdempotentRequest>) -> Result<Option<Replay>> {
    let Some(idempotent) = idempotent else { return Ok(None) };
    let IdempotentRequest { account, environment, .. } = *idempotent;
    let now = base.clock.now();
    Ok(stored::look_up(&base.store, account, environment, &idempotent.request(), now).await?)
}

/// Waits until the request may run (`None`) or there is a response to replay.
///
/// # Errors
/// `idempotency_key_reuse`, `service_unavailable` when the first runs for too long, or the store's failure.
pub async fn settle(base: &Base, idempotent: &IdempotentRequest) -> Result<Option<Response>> {
    match look_up(base, Some(idempotent)).await? {
        None => Ok(None),
        Some(replay) => follow(base, Some(idempotent), replay).await,
    }
}

/// The result of an attempt to run a request.
#[derive(Debug)]
pub enum Attempt<T> {
    /// The request ran.
    Done(T),
    /// The request may not run now.
    Replay(Replay),
}

/// The result of a request that runs at most once.
#[derive(Debug)]
pub enum Once<T> {
    /// The request ran.
    Ran(T),
    /// The request ran before: its response.
    Replayed(Response),
}

impl From<Once<Response>> for IdempotentResponse {
    fn from(once: Once<Response>) -> Self {
        match once {
            Once::Ran(response) => Self { response, replayed: false },
            Once::Replayed(response) => Self { response, replayed: true },
        }
    }
}

/// Runs a request at most once for its `Idempotency-Key`. `attempt` runs it in one transaction
/// together with the key's row; it is called again when an earlier request with the same key has
/// failed.
///
/// # Errors
/// As [`settle`] and `attempt`.
pub async fn once<T, F: Future<Output = Result<Attempt<T>>>>(
    base: &Base,
    idempotent: Option<&IdempotentRequest>,
    attempt: impl Fn() -> F,
) -> Result<Once<T>> {
    loop {
        match attempt().await? {
            Attempt::Done(done) => return Ok(Once::Ran(done)),
            Attempt::Replay(replay) => {
                if let Some(response) = follow(base, idempotent, replay).await? {
                    return Ok(Once::Replayed(response));
                }
            }
        }
    }
}

/// Handles the store's answer for a request that may not run now.
async fn follow(
    base: &Base,
    idempotent: Option<&IdempotentRequest>,
    first: Replay,
) -> Result<Option<Response>> {
    let too_long = || Error::Unavailable {
        what: "the first request with this Idempotency-Key is still running",
        retry_after_seconds: 5,
    };
    // The service's clock counts the wait; a runtime timeout guards against a clock that is set
    // back and a store that hangs.
    let until = base.clock.now().plus_seconds(MAX_WAIT_SECONDS.cast_signed());
    let waiting = async {
        let mut replay = first;
        let mut delay = FIRST_POLL_DELAY;
        loop {
            match replay {
                Replay::Finished(kept) => {
                    let opened = match idempotent {
                        Some(idempotent) => idempotent.open_stored(kept)?,
                        None => kept,
                    };
                    return Ok(Some(opened));
                }
                Replay::Reused => return Err(ErrorCode::IdempotencyKeyReuse.into()),
                Replay::Running { .. } if base.clock.now() >= until => return Err(too_long()),
                Replay::Running { .. } => {}
            }
            tokio::time::sleep(delay).await;
            delay = (delay * 2).min(MAX_POLL_DELAY);
            match look_up(base, idempotent).await? {
                Some(next) => replay = next,
                None => return Ok(None),
            }
        }
    };
    let timeout = Duration::from_secs(MAX_WAIT_SECONDS + 1);
    tokio::time::timeout(timeout, waiting).await.unwrap_or_else(|_| Err(too_long()))
}
