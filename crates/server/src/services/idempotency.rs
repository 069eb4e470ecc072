//! What an `Idempotency-Key` does to a request: run, wait for another that runs, replay, or refuse.

use std::time::Duration;

use lectern_store::{
    Environment,
    idempotency::{self as stored, Replay, Response},
};
use lectern_types::{AccountId, ErrorCode};

use crate::{
    app::App,
    error::{Error, Result},
};

/// How long a duplicate waits for the first to end.
const PATIENCE: Duration = Duration::from_secs(30);

/// The first pause between two looks; each is twice as long as the one before, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(250);

/// A request with an `Idempotency-Key`.
#[derive(Debug, Clone)]
pub struct Guarded {
    /// Whose.
    pub account: AccountId,
    /// In which environment.
    pub environment: Environment,
    /// The HTTP method.
    pub method: &'static str,
    /// The path.
    pub path: &'static str,
    /// The header's value.
    pub key: String,
    /// The hash of the canonical body.
    pub fingerprint: [u8; 32],
}

impl Guarded {
    /// The request as the store knows it.
    pub fn request(&self) -> stored::Request<'_> {
        stored::Request {
            method: self.method,
            path: self.path,
            key: &self.key,
            fingerprint: &self.fingerprint,
        }
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
    let waiting = async {
        let mut replay = first;
        let mut pause = FIRST_PAUSE;
        loop {
            match replay {
                Replay::Finished(response) => return Ok(Some(response)),
                Replay::Reused => return Err(ErrorCode::IdempotencyKeyReuse.into()),
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
    tokio::time::timeout(PATIENCE, waiting).await.unwrap_or(Err(Error::Unavailable {
        what: "the first request with this Idempotency-Key is still running",
        retry_after_seconds: 5,
    }))
}
