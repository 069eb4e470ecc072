//! Syntheses, each with two transactions: [`begin`] (idempotency row and hold) before the engine
//! works, and then [`commit`] (capture, row, event, response) or, after a failure, [`abort`].
//!
//! Between the two nothing is locked; a lease shows that the work is alive. When the lease ends
//! without renewal, `ledger::settle_due` releases the hold, or the next request under the same key
//! takes it over. The original request then learns at [`commit`] that its claim is lost.

pub mod history;

use std::collections::HashSet;

use lectern_types::{AccountId, Credits, EreaderId, EventId, KeyId, SynthesisId, Timestamp};

use self::history::Said;
use crate::{
    Environment, Error, Result, Store,
    db::{Bound as _, Row, Tx, many, sql},
    idempotency::{self, Claimed, Replay, Request, Response, RowKey},
    ledger::{
        Booking, HoldId, HoldOutcome, Lease, SettleOutcome,
        posting::{self, Holder, NewHold},
    },
    object_deletions,
    writing::Writing,
};

/// The parameters for starting a synthesis.
#[derive(Debug, Clone, Copy)]
pub struct Begin<'a> {
    /// The id that the synthesis will have; also the ledger's reference.
    pub synthesis: SynthesisId,
    /// The price to hold; zero for a test key.
    pub price: Credits,
    /// This attempt's owner and the end of its first lease.
    pub lease: &'a Lease,
    /// The request, when it carries an `Idempotency-Key`.
    pub idempotency: Option<Request<'a>>,
}

/// A synthesis in progress, for [`commit`], [`abort`] and [`renew`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The id of the synthesis: the requested one, or that of the dead attempt whose hold is
    /// reused.
    pub synthesis: SynthesisId,
    pub account: AccountId,
    pub environment: Environment,
    pub owner: String,
    /// The hold, unless the price is zero.
    pub hold: Option<HoldId>,
    /// Whether the `Idempotency-Key` was taken over from a dead attempt.
    pub taken_over: bool,
    idempotency: Option<RowKey>,
}

impl Claim {
    /// Whether the store has rows for it, a hold or an idempotency row, that its end removes.
    pub fn is_kept(&self) -> bool {
        self.hold.is_some() || self.idempotency.is_some()
    }
}

/// The outcome of beginning a synthesis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BeginOutcome {
    /// The engine may work.
    Begun(Claim),
    /// The `Idempotency-Key` was used before; nothing was changed.
    Replay(Replay),
    /// Too few credits are available; nothing was changed.
    Insufficient { available: Credits },
}

/// Begins a synthesis, in one transaction.
///
/// # Errors
/// [`Error::CreditsOutOfRange`] when the price is below zero.
pub async fn begin(
    store: &Store,
    account: AccountId,
    environment: Environment,
    begin: &Begin<'_>,
    writing: Writing<'_>,
) -> Result<BeginOutcome> {
    let booking = writing.booking();
    if begin.price < Credits::ZERO {
        return Err(Error::CreditsOutOfRange);
    }
    let mut claim = Claim {
        synthesis: begin.synthesis,
        account,
        environment,
        owner: begin.lease.owner.clone(),
        hold: (begin.price > Credits::ZERO).then(|| HoldId((booking.ids)())),
        taken_over: false,
        idempotency: None,
    };
    if claim.hold.is_none() && begin.idempotency.is_none() {
        return Ok(BeginOutcome::Begun(claim));
    }
    let mut tx = store.begin().await?;
    let mut reused = false;
    if let Some(request) = &begin.idempotency {
        let row = RowKey::new(account, environment, request);
        let claimed =
            idempotency::claim(&mut tx, &row, request.fingerprint, begin.lease, claim.hold, booking.now)
                .await?;
        match claimed {
            Claimed::Not(replay) => return Ok(BeginOutcome::Replay(replay)),
            Claimed::Fresh => {}
            Claimed::TakenOver(old) => {
                claim.taken_over = true;
                reused = take_over(&mut tx, &mut claim, old, begin, booking).await?;
                if let (Some(hold), false) = (claim.hold, reused) {
                    tx.run(idempotency::name_hold(&row, hold)).await?;
                }
            }
        }
        claim.idempotency = Some(row);
    }
    if let (Some(id), false) = (claim.hold, reused) {
        let reference = claim.synthesis.to_string();
        let hold = NewHold { id, credits: begin.price, lease: begin.lease, reference: Some(&reference) };
        if let HoldOutcome::Insufficient { available } =
            posting::hold(&mut tx, account, &hold, &writing).await?
        {
            return Ok(BeginOutcome::Insufficient { available });
        }
    }
    tx.commit().await?;
    Ok(BeginOutcome::Begun(claim))
}

/// Takes over a dead attempt's hold if it is still open. If the hold equals the price, it is reused
/// together with the id of its synthesis; otherwise it is released. Returns whether it is reused.
async fn take_over(
    tx: &mut Tx,
    claim: &mut Claim,
    old: Option<HoldId>,
    begin: &Begin<'_>,
    booking: Booking<'_>,
) -> Result<bool> {
    let Some(old) = old else { return Ok(false) };
    let Some((credits, reference)) = posting::adopt(tx, claim.account, old, begin.lease).await? else {
        return Ok(false);
    };
    match reference.and_then(|reference| reference.parse().ok()) {
        Some(synthesis) if credits == begin.price => {
            claim.synthesis = synthesis;
            claim.hold = Some(old);
            Ok(true)
        }
        _ => {
            let owner = Holder::Owner(&begin.lease.owner);
            posting::settle(tx, claim.account, old, owner, Credits::ZERO, booking).await?;
            Ok(false)
        }
    }
}

/// Renews the lease of the claim's hold and of its idempotency row; false when another request took
/// it over, or when the hold was released because it was not renewed.
pub async fn renew(store: &Store, claim: &Claim, until: Timestamp) -> Result<bool> {
    let mut tx = store.begin().await?;
    if let Some(row) = &claim.idempotency
        && tx.run(idempotency::renewal(row, &claim.owner, until)).await? == 0
    {
        return Ok(false);
    }
    if let Some(hold) = claim.hold
        && tx.run(posting::renewal(claim.account, hold, &claim.owner, until)).await? == 0
    {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}

/// Releases the hold and deletes the idempotency key: the failed call leaves no trace except its
/// hold and release in the ledger. Changes nothing and returns false when the claim is no longer
/// this attempt's.
pub async fn abort(store: &Store, claim: &Claim, booking: Booking<'_>) -> Result<bool> {
    let mut tx = store.begin().await?;
    if let Some(row) = &claim.idempotency
        && tx.run(idempotency::forget(row, &claim.owner)).await? == 0
    {
        return Ok(false);
    }
    if let Some(hold) = claim.hold {
        // A hold that was released for want of renewal is fine; the key is deleted all the same.
        posting::settle(&mut tx, claim.account, hold, Holder::Owner(&claim.owner), Credits::ZERO, booking)
            .await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// A finished synthesis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Synthesis {
    /// Its id: [`Claim::synthesis`].
    pub id: SynthesisId,
    /// The API key of the request.
    pub key: KeyId,
    /// The e-reader that spoke.
    pub ereader: EreaderId,
    /// The characters of the text as sent.
    pub characters: u32,
    pub credits_charged: Credits,
    /// The name of the audio format.
    pub format: String,
    pub sample_rate_hz: u32,
    /// The length of the audio.
    pub duration_ms: u32,
    /// The audio's key in the object store.
    pub object_key: String,
    pub bytes: u32,
    /// The audio's entity tag.
    pub etag: String,
    pub created_at: Timestamp,
    /// When its audio expires.
    pub delete_after: Timestamp,
    /// When its audio was deleted.
    pub deleted_at: Option<Timestamp>,
}

/// An event, written in the transaction of its change.
#[derive(Debug, Clone, Copy)]
pub struct NewEvent<'a> {
    pub id: EventId,
    pub kind: &'a str,
    /// Its data, as JSON.
    pub data: &'a str,
}

/// The data that a finished synthesis writes.
#[derive(Debug, Clone, Copy)]
pub struct Finished<'a> {
    /// The row; its `credits_charged` are captured.
    pub synthesis: &'a Synthesis,
    /// Its text, if it is kept.
    pub said: Option<&'a Said>,
    /// An event to write, if any.
    pub event: Option<NewEvent<'a>>,
    /// The response to replay; kept only when the request carried an `Idempotency-Key`.
    pub response: &'a Response,
}

/// Commits a synthesis, in one transaction. False when the claim is no longer this attempt's:
/// nothing was changed then, and the audio must not be handed out.
///
/// # Errors
/// [`Error::CreditsOutOfRange`] when the charge exceeds the hold; nothing was changed.
pub async fn commit(
    store: &Store,
    claim: &Claim,
    finished: &Finished<'_>,
    booking: Booking<'_>,
) -> Result<bool> {
    let mut tx = store.begin().await?;
    if let Some(row) = &claim.idempotency
        && tx.run(idempotency::finish(row, &claim.owner, finished.response, booking.now)).await? == 0
    {
        return Ok(false);
    }
    if !charge(&mut tx, claim, finished.synthesis, finished.said, booking).await? {
        return Ok(false);
    }
    if let Some(event) = finished.event {
        tx.run(sql!(
            "INSERT INTO events (id, account_id, environment, kind, data, created_at)
             VALUES ($1, $2, $3, $4, $5, $6)",
            event.id,
            claim.account,
            claim.environment,
            event.kind,
            event.data,
            booking.now
        ))
        .await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// Commits the part of a synthesis that was delivered before it broke off, in one transaction:
/// captures the row's `credits_charged` and releases the rest of the hold. The call failed all the
/// same, so its idempotency key is deleted. Changes nothing and returns false when the claim is no
/// longer this attempt's.
///
/// # Errors
/// As [`commit`].
pub async fn commit_part(
    store: &Store,
    claim: &Claim,
    part: &Synthesis,
    said: Option<&Said>,
    booking: Booking<'_>,
) -> Result<bool> {
    let mut tx = store.begin().await?;
    if let Some(row) = &claim.idempotency
        && tx.run(idempotency::forget(row, &claim.owner)).await? == 0
    {
        return Ok(false);
    }
    if !charge(&mut tx, claim, part, said, booking).await? {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}

/// Captures the price of a synthesis and writes its row; false when the hold is no longer the
/// claim's.
async fn charge(
    tx: &mut Tx,
    claim: &Claim,
    row: &Synthesis,
    said: Option<&Said>,
    booking: Booking<'_>,
) -> Result<bool> {
    let mut charged = Credits::ZERO;
    if let Some(hold) = claim.hold {
        let owner = Holder::Owner(&claim.owner);
        match posting::settle(tx, claim.account, hold, owner, row.credits_charged, booking).await? {
            SettleOutcome::Settled { charged: all } => charged = all,
            SettleOutcome::Gone => return Ok(false),
        }
    }
    if charged != row.credits_charged {
        return Err(Error::CreditsOutOfRange);
    }
    tx.run(sql!(
        "INSERT INTO syntheses (id, account_id, environment, key_id, ereader_id, characters, credits_charged,
             format, sample_rate_hz, duration_ms, object_key, bytes, etag, created_at, delete_after, deleted_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
        row.id,
        claim.account,
        claim.environment,
        row.key,
        row.ereader,
        row.characters,
        row.credits_charged,
        row.format.as_str(),
        row.sample_rate_hz,
        row.duration_ms,
        row.object_key.as_str(),
        row.bytes,
        row.etag.as_str(),
        row.created_at,
        row.delete_after,
        row.deleted_at
    ))
    .await?;
    if let Some(said) = said {
        history::keep(tx, row.id, said).await?;
    }
    Ok(true)
}

/// A synthesis of the account, made in this environment.
pub async fn find(
    store: &Store,
    account: AccountId,
    environment: Environment,
    synthesis: SynthesisId,
) -> Result<Option<Synthesis>> {
    let row = store
        .one(sql!(
            "SELECT id, key_id, ereader_id, characters, credits_charged, format, sample_rate_hz, duration_ms,
                 object_key, bytes, etag, created_at, delete_after, deleted_at
             FROM syntheses WHERE id = $1 AND account_id = $2 AND environment = $3",
            synthesis,
            account,
            environment
        ))
        .await?;
    row.as_ref().map(read).transpose()
}

fn read(row: &Row) -> Result<Synthesis> {
    Ok(Synthesis {
        id: row.get("id")?,
        key: row.get("key_id")?,
        ereader: row.get("ereader_id")?,
        characters: row.get("characters")?,
        credits_charged: row.get("credits_charged")?,
        format: row.get("format")?,
        sample_rate_hz: row.get("sample_rate_hz")?,
        duration_ms: row.get("duration_ms")?,
        object_key: row.get("object_key")?,
        bytes: row.get("bytes")?,
        etag: row.get("etag")?,
        created_at: row.get("created_at")?,
        delete_after: row.get("delete_after")?,
        deleted_at: row.get("deleted_at")?,
    })
}

/// Marks the audio of syntheses as expired, the oldest first, and leaves the objects to
/// [`object_deletions`]; returns how many syntheses expired.
pub async fn expire(store: &Store, now: Timestamp, limit: u32) -> Result<usize> {
    let due = store
        .all(sql!(
            "SELECT id, object_key FROM syntheses WHERE deleted_at IS NULL AND delete_after <= $1
             ORDER BY delete_after, id LIMIT $2",
            now,
            limit
        ))
        .await?;
    // This is the usual case; without this check there would be a write transaction every few
    // seconds.
    if due.is_empty() {
        return Ok(0);
    }
    let mut tx = store.begin().await?;
    let mut objects: Vec<String> = Vec::with_capacity(due.len());
    for row in &due {
        let synthesis: SynthesisId = row.get("id")?;
        objects.push(row.get("object_key")?);
        tx.run(sql!(
            "UPDATE syntheses SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL",
            synthesis,
            now
        ))
        .await?;
    }
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    object_deletions::note(&mut tx, &objects, now).await?;
    tx.commit().await?;
    Ok(due.len())
}

/// Ids after `after` and object keys of syntheses whose audio must exist at `now`, in the order of
/// their ids.
pub async fn kept_after(
    store: &Store,
    after: Option<SynthesisId>,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<(SynthesisId, String)>> {
    let rows = store
        .all(sql!(
            "SELECT id, object_key FROM syntheses
             WHERE deleted_at IS NULL AND delete_after > $1 AND ($2 IS NULL OR id > $2) ORDER BY id LIMIT $3",
            now,
            after,
            limit
        ))
        .await?;
    rows.iter().map(|row| row.pair("id", "object_key")).collect()
}

/// The object keys among these that are the audio of a synthesis that is not deleted.
pub async fn known(store: &Store, object_keys: &[&str]) -> Result<HashSet<String>> {
    let mut known = HashSet::new();
    let rows = object_keys.iter().map(|key| [key.bind()]);
    let before = "SELECT object_key FROM syntheses WHERE deleted_at IS NULL AND object_key IN (";
    for statement in many(before, &[], rows, ")") {
        for row in store.all(statement).await? {
            known.insert(row.scalar()?);
        }
    }
    Ok(known)
}
