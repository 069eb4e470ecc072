//! What an `Idempotency-Key` does to a request: run, wait for another that runs, replay, or refuse.

use std::time::Duration;

use lectern_store::{
    Environment,
    idempotency::{self as stored, Replay, Response},
    keys::Authenticated,
};
use lectern_types::{AccountId, ErrorCode};
use secrecy::SecretString;

use super::sealing::Seal;
use crate::{
    app::App,
    error::{Error, Result},
};

/// How long a duplicate waits for the first to end, in seconds.
const PATIENCE_SECONDS: u64 = 30;

/// The first pause between two looks; each is twice as long as the one before, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(250);

/// A response and whether it is one given before.
#[derive(Debug)]
pub struct Answer {
    /// The response, ready to be sent.
    pub response: Response,
    /// Whether an earlier call made it.
    pub replayed: bool,
}

/// A request with an `Idempotency-Key`.
#[derive(Debug, Clone)]
pub struct Guarded {
    account: AccountId,
    environment: Environment,
    method: &'static str,
    path: String,
    /// What the row is found by: the header's value, or its hash where the response is sealed.
    key: String,
    fingerprint: [u8; 32],
    seal: Option<Seal>,
}

impl Guarded {
    /// A POST by `caller` to `path` under `key`, whose canonical body has this fingerprint.
    pub fn post(caller: &Authenticated, path: String, key: String, fingerprint: [u8; 32]) -> Self {
        let (account, environment) = (caller.account, caller.key.environment);
        Self { account, environment, method: "POST", path, key, fingerprint, seal: None }
    }

    /// A POST by the owner of an account about what belongs to the account, in whichever environment it is looked at.
    pub fn post_of_account(account: AccountId, path: String, key: String, fingerprint: [u8; 32]) -> Self {
        Self { account, environment: Environment::Live, method: "POST", path, key, fingerprint, seal: None }
    }

    /// The same request, whose response holds a secret: it is kept sealed, for who presents the same API key.
    #[must_use]
    pub fn sealed(mut self, app: &App, presented: &SecretString) -> Self {
        self.seal = Some(Seal::new(&app.secrets.sealing, presented, &self.key));
        self.key = Seal::row_key(&app.secrets.sealing, &self.key);
        self
    }

    /// The request as the store knows it.
    pub fn request(&self) -> stored::Request<'_> {
        stored::Request {
            method: self.method,
            path: &self.path,
            key: &self.key,
            fingerprint: &self.fingerprint,
        }
    }

    /// A response as it is kept for replay.
    ///
    /// # Errors
    /// [`Error::Internal`] when it cannot be sealed.
    pub fn kept(&self, response: &Response) -> Result<Response> {
        match &self.seal {
            Some(seal) => seal.seal(&self.row(), response),
            None => Ok(response.clone()),
        }
    }

    /// A kept response as it is to be sent again.
    fn opened(&self, kept: Response) -> Result<Response> {
        match &self.seal {
            Some(seal) => seal.open(&self.row(), &kept).ok_or_else(|| ErrorCode::IdempotencyKeyReuse.into()),
            None => Ok(kept),
        }
    }

    /// What tells this request's row from all others.
    fn row(&self) -> String {
        let Self { account, environment, method, path, key, .. } = self;
        format!("{account}\n{environment}\n{method}\n{path}\n{key}")
    }
}

/// Waits until the request may run (`None`) or there is a response to replay.
///
/// # Errors
/// `idempotency_key_reuse`, `service_unavailable` when the first runs for too long, or the store's failure.
pub async fn settle(app: &App, guarded: &Guarded) -> Result<Option<Response>> {
    let found = stored::look_up(
        &app.store,
        guarded.account,
        guarded.environment,
        &guarded.request(),
        app.clock.now(),
    )
    .await?;
    match found {
        None => Ok(None),
        Some(replay) => follow(app, guarded, replay).await,
    }
}

/// Goes on from what the store said of a request that may not run now.
///
/// # Errors
/// As [`settle`].
pub async fn follow(app: &App, guarded: &Guarded, first: Replay) -> Result<Option<Response>> {
    let too_long = || Error::Unavailable {
        what: "the first request with this Idempotency-Key is still running",
        retry_after_seconds: 5,
    };
    // Counted by the service's clock; beside it the runtime's, in case the other is set back or the store hangs.
    let until = app.clock.now().plus_seconds(PATIENCE_SECONDS.cast_signed());
    let waiting = async {
        let mut replay = first;
        let mut pause = FIRST_PAUSE;
        loop {
            match replay {
                Replay::Finished(kept) => return guarded.opened(kept).map(Some),
                Replay::Reused => return Err(ErrorCode::IdempotencyKeyReuse.into()),
                Replay::Running { .. } if app.clock.now() >= until => return Err(too_long()),
                Replay::Running { .. } => {}
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
            let request = guarded.request();
            let now = app.clock.now();
            match stored::look_up(&app.store, guarded.account, guarded.environment, &request, now).await? {
                Some(next) => replay = next,
                None => return Ok(None),
            }
        }
    };
    let patience = Duration::from_secs(PATIENCE_SECONDS + 1);
    tokio::time::timeout(patience, waiting).await.unwrap_or_else(|_| Err(too_long()))
}
