//! Idempotency keys: who may run a request, who waits, who replays. The key's row commits together with the
//! effect it guards; work that needs two transactions (synthesis) keeps its row under a lease between them.

use lectern_types::{AccountId, Timestamp};

use crate::{Environment, Result, Store};

/// How long a finished response is kept, in seconds.
pub const KEPT_SECONDS: i64 = 24 * 60 * 60;

/// One request under an `Idempotency-Key`.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The HTTP method.
    pub method: &'a str,
    /// The path.
    pub path: &'a str,
    /// The header's value.
    pub key: &'a str,
    /// The hash of the canonical body.
    pub fingerprint: &'a [u8],
}

/// A response kept for replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The value of `Content-Type`.
    pub content_type: String,
    /// The body, or what the caller sealed of it.
    pub body: Vec<u8>,
    /// Whether the body is sealed under a key derived from the presented API key, which the caller knows.
    pub sealed: bool,
}

/// What is known of a request that may not run now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replay {
    /// It ran: this is the response.
    Finished(Response),
    /// Another request was sent under this key.
    Reused,
    /// It runs elsewhere; look again, until this instant at the latest.
    Running {
        /// The end of the runner's lease, unless it is renewed.
        until: Timestamp,
    },
}

/// What is known of a request before it is begun: `None` when it may run (never sent, failed, or its
/// runner's lease ended).
pub async fn look_up(
    store: &Store,
    account: AccountId,
    environment: Environment,
    request: &Request<'_>,
    now: Timestamp,
) -> Result<Option<Replay>> {
    todo!()
}

/// Deletes rows past their day, at most `limit`; how many.
pub async fn sweep(store: &Store, now: Timestamp, limit: u32) -> Result<u64> {
    todo!()
}
