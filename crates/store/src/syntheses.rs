//! Syntheses and the two transactions that each takes: `begin` (idempotency row and hold) before the engine
//! works, `commit` (capture, row, event, response) after it; `abort` when it failed.

use lectern_types::{AccountId, Credits, EreaderId, EventId, KeyId, SynthesisId, Timestamp};

use crate::{
    Environment, Result, Store,
    idempotency::{Replay, Request, Response},
    ledger::{Booking, HoldId, Lease},
};

/// What a synthesis needs before the engine may work.
#[derive(Debug, Clone, Copy)]
pub struct Begin<'a> {
    /// The id the synthesis will have; the ledger's reference.
    pub synthesis: SynthesisId,
    /// The price to hold; zero for a test key.
    pub price: Credits,
    /// This attempt's word and the end of its first lease.
    pub lease: &'a Lease,
    /// The request, when it carries an `Idempotency-Key`.
    pub idempotency: Option<Request<'a>>,
}

/// A synthesis under way: what `commit`, `abort` and `renew` need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The account.
    pub account: AccountId,
    /// The environment.
    pub environment: Environment,
    /// This attempt's word.
    pub owner: String,
    /// The hold, unless the price is zero.
    pub hold: Option<HoldId>,
    /// Whether an expired lease was taken over.
    pub taken_over: bool,
    /// The row of the `Idempotency-Key`: method, path and key.
    pub(crate) idempotency: Option<(String, String, String)>,
}

/// How beginning ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BeginOutcome {
    /// The engine may work.
    Begun(Claim),
    /// The `Idempotency-Key` was used; nothing was changed.
    Replay(Replay),
    /// Too few credits are available; nothing was changed.
    Insufficient {
        /// What is available.
        available: Credits,
    },
}

/// Begins a synthesis: one transaction.
pub async fn begin(
    store: &Store,
    account: AccountId,
    environment: Environment,
    begin: &Begin<'_>,
    booking: Booking<'_>,
) -> Result<BeginOutcome> {
    todo!()
}

/// Renews the lease of the claim's hold and of its idempotency row; false when another took it over.
pub async fn renew(store: &Store, claim: &Claim, until: Timestamp) -> Result<bool> {
    todo!()
}

/// Gives the hold back and forgets the idempotency key: the failed call leaves no trace. False when
/// another took it over.
pub async fn abort(store: &Store, claim: &Claim, booking: Booking<'_>) -> Result<bool> {
    todo!()
}

/// A finished synthesis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Synthesis {
    /// Its id.
    pub id: SynthesisId,
    /// The key that asked for it.
    pub key: KeyId,
    /// The e-reader that spoke.
    pub ereader: EreaderId,
    /// The characters of the text as sent.
    pub characters: u32,
    /// What was charged.
    pub credits_charged: Credits,
    /// The audio format's word.
    pub format: String,
    /// The sample rate.
    pub sample_rate_hz: u32,
    /// The length of the audio.
    pub duration_ms: u64,
    /// Where the audio lies in the object store.
    pub object_key: String,
    /// The audio's size.
    pub bytes: u64,
    /// The audio's entity tag.
    pub etag: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its audio is to be deleted.
    pub delete_after: Timestamp,
    /// When its audio was deleted.
    pub deleted_at: Option<Timestamp>,
}

/// An event to be told of, in the transaction of its change.
#[derive(Debug, Clone)]
pub struct NewEvent<'a> {
    /// Its id.
    pub id: EventId,
    /// Its type.
    pub kind: &'a str,
    /// Its data, as JSON.
    pub data: &'a str,
}

/// What a finished synthesis leaves behind.
#[derive(Debug, Clone)]
pub struct Finished<'a> {
    /// The row; `credits_charged` is what is captured (at most the hold).
    pub synthesis: &'a Synthesis,
    /// An event, if one is told.
    pub event: Option<NewEvent<'a>>,
    /// The response to replay; kept only when the request carried an `Idempotency-Key`.
    pub response: Option<&'a Response>,
}

/// Commits a synthesis: one transaction. False when the claim is no longer this attempt's, in which case
/// nothing was changed and the audio must not be handed out.
pub async fn commit(
    store: &Store,
    claim: &Claim,
    finished: &Finished<'_>,
    booking: Booking<'_>,
) -> Result<bool> {
    todo!()
}

/// A synthesis of the account, in the environment.
pub async fn find(
    store: &Store,
    account: AccountId,
    environment: Environment,
    synthesis: SynthesisId,
) -> Result<Option<Synthesis>> {
    todo!()
}

/// Ids and object keys of syntheses whose audio is to be deleted by now, oldest first.
pub async fn due_for_deletion(
    store: &Store,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<(SynthesisId, String)>> {
    todo!()
}

/// Notes that the audio of these syntheses is deleted; how many were not before.
pub async fn mark_deleted(store: &Store, syntheses: &[SynthesisId], now: Timestamp) -> Result<u64> {
    todo!()
}
