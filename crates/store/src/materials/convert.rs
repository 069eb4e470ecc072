//! A conversion: chunks priced, paid for by a hold each, and queued, in one transaction on the
//! material's locked row. So of two conversions at once one fixes the e-reader and each chunk is
//! queued by one.

use std::collections::{HashMap, HashSet};

use lectern_types::{
    AccountId, AudioFormat, ChunkStatus, Credits, EreaderId, KeyId, MaterialId, MaterialStatus,
};

use super::{
    Change, FailedChunk, Failure, Material, again, cast, chapters, count, lock, record_end,
    record_failed_chunks,
    recut::{self, Recut},
};
use crate::{
    Environment, Error, Result, Store,
    db::{Bound as _, Tx, many, sql},
    idempotency::{self, Claimed, Replay, Request, Response, RowKey},
    jobs::{self, JobKind, NewJob},
    ledger::{
        HoldId, Lease,
        posting::batch::{self, Part},
    },
    lexicons, notices, sandbox,
    writing::Writing,
};

/// A requested conversion.
#[derive(Debug, Clone, Copy)]
pub struct Convert<'a> {
    pub material: MaterialId,
    /// The key that asks.
    pub key: KeyId,
    /// The e-reader that is to speak.
    pub ereader: EreaderId,
    /// The e-reader's engine.
    pub engine: &'a str,
    /// The price per character; zero for a test key.
    pub price_per_character: Credits,
    /// Whether the voices of speakers cost something, too.
    pub is_paid: bool,
    /// The form of the chunks' audio.
    pub format: AudioFormat,
    /// The language to read in.
    pub language: Option<&'a str>,
    /// Chunks that the e-reader cannot speak, and why. The requested ones among them fail at once
    /// and nothing is held for them.
    pub unspeakable: Option<(&'a HashSet<u32>, &'a Failure)>,
    /// Which chunks.
    pub which: Which<'a>,
    /// The text divided anew, because its notes go to another place.
    pub recut: Option<&'a Recut>,
    /// Whether those chunks that are named and completed are spoken again.
    pub again: bool,
    /// The entries of its lexicons; `None` when there are none.
    pub lexicon: Option<lexicons::Entries<'a>>,
    /// The cap that the characters count against, for a test key.
    pub daily_cap: Option<DailyCap>,
    /// Whether a person asks, who may want a mail when it has ended.
    pub is_watched: bool,
}

impl Convert<'_> {
    fn cannot_speak(&self, index: u32) -> bool {
        self.unspeakable.is_some_and(|(chunks, _)| chunks.contains(&index))
    }
}

/// The chunks of a conversion. Those that are completed or queued are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which<'a> {
    /// All of the chapters that are included.
    Book,
    /// Those of these chapters.
    Chapters(&'a [u32]),
    /// These.
    Chunks(&'a [u32]),
}

/// The daily cap on characters of test keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DailyCap {
    /// The day, in days since 1970, UTC.
    pub day: i64,
    pub characters: u64,
}

/// A conversion that was queued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversion {
    pub material: Material,
    /// How many chunks were queued.
    pub chunks: u32,
    /// How many cannot be spoken, and failed instead.
    pub unspeakable: u32,
    /// Unicode scalar values of the texts of those queued.
    pub characters: u64,
    /// What is held for them.
    pub credits_held: Credits,
}

/// How a conversion ended. Nothing was changed unless it is [`ConvertOutcome::Queued`]; what comes
/// earlier here wins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConvertOutcome {
    /// The `Idempotency-Key` was used before.
    Replay(Replay),
    /// There is no such material.
    NotFound,
    /// Its text is not there.
    NotReady { status: MaterialStatus },
    /// Its first conversion fixed another e-reader.
    Locked { ereader: EreaderId },
    /// It was converted or edited, so its notes stay where they are.
    NotesLocked,
    /// It has no chunk of this index.
    NoSuchChunk { index: u32 },
    /// It has no chapter of this index.
    NoSuchChapter { index: u32 },
    /// None of its chapters is included.
    NothingIncluded,
    /// All requested chunks are completed or queued.
    AlreadyConverted,
    /// Too few credits are available.
    Insufficient { available: Credits, required: Credits },
    /// The day's characters for test keys would be over the cap.
    OverDailyCap,
    /// It is queued.
    Queued(Box<Conversion>, Response),
}

/// Queues a conversion: one transaction. `respond` writes the response, which is stored for replay
/// when the request carried an `Idempotency-Key`; its error undoes everything.
///
/// # Errors
/// The store's or that of `respond`; [`Error::CreditsOutOfRange`] when the price leaves the range.
pub async fn convert<E: From<Error>>(
    store: &Store,
    account: AccountId,
    environment: Environment,
    convert: &Convert<'_>,
    idempotency: Option<&Request<'_>>,
    respond: impl Fn(&Conversion) -> Result<Response, E>,
    writing: Writing<'_>,
) -> Result<ConvertOutcome, E> {
    let mut tx = store.begin().await?;
    let row = idempotency.map(|request| RowKey::new(account, environment, request));
    // The row is finished before others can see it: this lease is never used.
    let lease = Lease { owner: String::new(), until: writing.now };
    if let Some((request, row)) = idempotency.zip(row.as_ref()) {
        let claimed =
            idempotency::claim(&mut tx, row, request.fingerprint, &lease, None, writing.now).await?;
        if let Claimed::Not(replay) = claimed {
            return Ok(ConvertOutcome::Replay(replay));
        }
    }
    let owner = (account, environment);
    let conversion = match queue(&mut tx, owner, convert, &writing).await? {
        Ok(conversion) => conversion,
        Err(refused) => return Ok(refused),
    };
    let response = respond(&conversion)?;
    if let Some(row) = &row {
        tx.run(idempotency::finish(row, &lease.owner, &response, writing.now)).await?;
    }
    tx.commit().await?;
    Ok(ConvertOutcome::Queued(Box::new(conversion), response))
}

/// A chunk to queue.
struct ChunkToQueue {
    index: u32,
    characters: u32,
    failed: bool,
    /// The length of its audio, if it has some.
    old_audio_ms: Option<u64>,
    credits: Credits,
    hold: Option<HoldId>,
}

async fn queue(
    tx: &mut Tx,
    (account, environment): (AccountId, Environment),
    convert: &Convert<'_>,
    writing: &Writing<'_>,
) -> Result<Result<Conversion, ConvertOutcome>> {
    use ConvertOutcome as Refused;
    let found = lock(tx, convert.material).await?;
    let Some(material) = found.filter(|found| (found.account, found.environment) == (account, environment))
    else {
        return Ok(Err(Refused::NotFound));
    };
    let status = material.status;
    if matches!(status, MaterialStatus::Processing | MaterialStatus::Failed | MaterialStatus::Deleted) {
        return Ok(Err(Refused::NotReady { status }));
    }
    if let Some(ereader) = material.ereader.filter(|&fixed| fixed != convert.ereader) {
        return Ok(Err(Refused::Locked { ereader }));
    }
    let (material, asked) = match divided(tx, material, convert).await? {
        Ok(divided) => divided,
        Err(refused) => return Ok(Err(refused)),
    };
    let chunks = chunks_to_queue(tx, convert, &asked).await?;
    if chunks.is_empty() {
        return Ok(Err(Refused::AlreadyConverted));
    }
    let again = chunks.iter().filter(|chunk| chunk.failed).count().cast_signed() as i64;
    let (unspeakable, mut chunks): (Vec<ChunkToQueue>, Vec<ChunkToQueue>) = chunks
        .into_iter()
        .partition(|chunk| convert.cannot_speak(chunk.index) && chunk.old_audio_ms.is_none());
    let of_speakers = if convert.is_paid { cast::prices(tx, material.id).await? } else { HashMap::new() };
    for chunk in &mut chunks {
        let of_speakers = of_speakers.get(&chunk.index).map(Vec::as_slice).unwrap_or_default();
        let price = price(chunk.characters, convert.price_per_character, of_speakers);
        chunk.credits = price.ok_or(Error::CreditsOutOfRange)?;
        chunk.hold = (chunk.credits > Credits::ZERO).then(|| HoldId((writing.transactions)()));
    }
    let characters: u64 = chunks.iter().map(|chunk| u64::from(chunk.characters)).sum();

    // Jobs and chunks before the balance: see the order of locks in `ledger::posting`.
    let jobs: Vec<NewJob<'_>> = chunks
        .iter()
        .map(|chunk| NewJob {
            kind: JobKind::ConvertChunk,
            chunk: Some(chunk.index),
            detail: "",
            engine: convert.engine,
        })
        .collect();
    jobs::enqueue(tx, material.owner(), &jobs, writing).await?;
    if convert.is_watched {
        notices::watch_book(tx, account, material.id, writing.now).await?;
    }
    if let Some(entries) = convert.lexicon {
        lexicons::copy(tx, material.id, entries).await?;
    }
    let spoken: Vec<u32> =
        chunks.iter().filter(|chunk| chunk.old_audio_ms.is_some()).map(|chunk| chunk.index).collect();
    again::set_aside(tx, material.id, &spoken, writing.now).await?;
    mark_queued(tx, convert, &chunks, writing).await?;
    if convert.lexicon.is_some() {
        lexicons::delete_unused(tx, material.id).await?;
    }
    let failed = unspeakable.len();
    if let Some((_, failure)) = convert.unspeakable {
        mark_failed(tx, convert, &unspeakable, failure, writing).await?;
    }
    let change = Change {
        completed: -(spoken.len().cast_signed() as i64),
        failed: failed.cast_signed() as i64 - again,
        queued: chunks.len().cast_signed() as i64,
        duration_ms: -(chunks.iter().filter_map(|chunk| chunk.old_audio_ms).sum::<u64>().cast_signed()),
    };
    let mut changed = count(tx, &material, change, failed as u64, writing.now).await?;
    // A conversion of which nothing can be spoken leaves the choice of the e-reader open.
    if material.ereader.is_none() && !chunks.is_empty() {
        tx.run(sql!(
            "UPDATE materials SET ereader_id = $2, speech_language = $3 WHERE id = $1",
            material.id,
            convert.ereader,
            convert.language
        ))
        .await?;
        changed.ereader = Some(convert.ereader);
        changed.speech_language = convert.language.map(str::to_owned);
    }
    if let Some((_, failure)) = convert.unspeakable {
        let failed_chunks = unspeakable.iter().map(|chunk| FailedChunk {
            index: chunk.index,
            characters: chunk.characters,
            format: convert.format,
        });
        record_failed_chunks(tx, &material, convert.ereader, failed_chunks, failure, writing).await?;
        record_end(tx, &changed, writing).await?;
    }
    if let Some(refused) = pay(tx, account, convert, &chunks, characters, writing).await? {
        return Ok(Err(refused));
    }
    Ok(Ok(Conversion {
        material: changed,
        chunks: u32::try_from(chunks.len()).unwrap_or(u32::MAX),
        unspeakable: u32::try_from(failed).unwrap_or(u32::MAX),
        characters,
        credits_held: Credits(chunks.iter().map(|chunk| chunk.credits.0).sum()),
    }))
}

/// The price of a chunk: each character at that of its voice. `None` when it is out of range.
fn price(characters: u32, narrator: Credits, of_speakers: &[(u32, Credits)]) -> Option<Credits> {
    let (mut sum, mut left) = (Credits::ZERO, characters);
    for (characters, price) in of_speakers {
        sum = sum.checked_add(price.times(*characters as usize)?)?;
        left = left.saturating_sub(*characters);
    }
    sum.checked_add(narrator.times(left as usize)?)
}

/// The material, divided anew if its notes go to another place, and the chunks asked for.
async fn divided(
    tx: &mut Tx,
    material: Material,
    convert: &Convert<'_>,
) -> Result<Result<(Material, HashSet<u32>), ConvertOutcome>> {
    let material = match convert.recut {
        None => material,
        Some(new) => match recut::apply(tx, &material, new).await? {
            Some(changed) => changed,
            None => return Ok(Err(ConvertOutcome::NotesLocked)),
        },
    };
    let asked = asked(tx, &material, convert.which).await?;
    Ok(asked.map(|asked| (material, asked)))
}

/// The chunks asked for.
async fn asked(
    tx: &mut Tx,
    material: &Material,
    which: Which<'_>,
) -> Result<Result<HashSet<u32>, ConvertOutcome>> {
    let chapters = match which {
        Which::Chunks(asked) => {
            let count = material.chunk_count.unwrap_or(0);
            return Ok(match asked.iter().find(|&&index| index >= count) {
                Some(&index) => Err(ConvertOutcome::NoSuchChunk { index }),
                None => Ok(asked.iter().copied().collect()),
            });
        }
        Which::Chapters(asked) => Some(asked),
        Which::Book => None,
    };
    Ok(match chapters::chunks_of(tx, material.id, chapters).await? {
        Ok(chunks) if chunks.is_empty() => Err(ConvertOutcome::NothingIncluded),
        Ok(chunks) => Ok(chunks.into_iter().collect()),
        Err(index) => Err(ConvertOutcome::NoSuchChapter { index }),
    })
}

/// The asked-for chunks that are neither completed nor queued, in their order; those that are completed
/// as well, if they are to be spoken again.
async fn chunks_to_queue(
    tx: &mut Tx,
    convert: &Convert<'_>,
    asked: &HashSet<u32>,
) -> Result<Vec<ChunkToQueue>> {
    let rows = tx
        .all(sql!(
            "SELECT idx, characters, status, duration_ms FROM chunks
             WHERE material_id = $1 AND (status IN ('pending', 'failed') OR ($2 = 1 AND status = 'completed'))
             ORDER BY idx",
            convert.material,
            convert.again && matches!(convert.which, Which::Chunks(_))
        ))
        .await?;
    let mut chunks = Vec::with_capacity(rows.len());
    for row in rows {
        let (index, characters) = (row.get("idx")?, row.get("characters")?);
        let failed = row.get::<ChunkStatus>("status")? == ChunkStatus::Failed;
        let old_audio_ms = row.get("duration_ms")?;
        if asked.contains(&index) {
            let (credits, hold) = (Credits::ZERO, None);
            chunks.push(ChunkToQueue { index, characters, failed, old_audio_ms, credits, hold });
        }
    }
    Ok(chunks)
}

const MARK_QUEUED: &str = "WITH held (idx, hold_id, credits) AS (VALUES ";
const MARK_QUEUED_END: &str = ")
     UPDATE chunks SET status = 'queued', key_id = $2, format = $3, requested_at = $4, speech_language = $5,
         lexicon_digest = $6, hold_id = held.hold_id, credits = held.credits, failure_code = NULL,
         failure_message = NULL
     FROM held WHERE chunks.material_id = $1 AND chunks.idx = held.idx";

async fn mark_queued(
    tx: &mut Tx,
    convert: &Convert<'_>,
    chunks: &[ChunkToQueue],
    writing: &Writing<'_>,
) -> Result<()> {
    let fixed = [
        convert.material.bind(),
        convert.key.bind(),
        convert.format.bind(),
        writing.now.bind(),
        convert.language.bind(),
        convert.lexicon.map(|entries| entries.digest).bind(),
    ];
    let rows = chunks
        .iter()
        .map(|chunk| [chunk.index.bind(), chunk.hold.map(|hold| hold.0).bind(), chunk.credits.bind()]);
    tx.run_all(many(MARK_QUEUED, &fixed, rows, MARK_QUEUED_END)).await.map(drop)
}

const MARK_FAILED: &str = "UPDATE chunks SET status = 'failed', key_id = $2, format = $3, requested_at = $4,
     speech_language = $5, hold_id = NULL, credits = 0, failure_code = $6, failure_message = $7
     WHERE material_id = $1 AND idx IN (";

async fn mark_failed(
    tx: &mut Tx,
    convert: &Convert<'_>,
    chunks: &[ChunkToQueue],
    failure: &Failure,
    writing: &Writing<'_>,
) -> Result<()> {
    let fixed = [
        convert.material.bind(),
        convert.key.bind(),
        convert.format.bind(),
        writing.now.bind(),
        convert.language.bind(),
        failure.code.bind(),
        failure.message.as_str().bind(),
    ];
    let rows = chunks.iter().map(|chunk| [chunk.index.bind()]);
    tx.run_all(many(MARK_FAILED, &fixed, rows, ")")).await.map(drop)
}

/// Takes the holds and counts against the sandbox's cap; returns the refusal, if any.
async fn pay(
    tx: &mut Tx,
    account: AccountId,
    convert: &Convert<'_>,
    chunks: &[ChunkToQueue],
    characters: u64,
    writing: &Writing<'_>,
) -> Result<Option<ConvertOutcome>> {
    if let Some(cap) = convert.daily_cap
        && !sandbox::count(tx, account, cap.day, characters, cap.characters).await?
    {
        return Ok(Some(ConvertOutcome::OverDailyCap));
    }
    let parts: Vec<Part> = chunks
        .iter()
        .filter_map(|chunk| {
            let reference = format!("{}/{}", convert.material, chunk.index);
            chunk.hold.map(|id| Part { id, credits: chunk.credits, reference })
        })
        .collect();
    let available = batch::hold(tx, account, &parts, writing).await?;
    Ok(available.map(|available| ConvertOutcome::Insufficient {
        available,
        required: Credits(parts.iter().map(|part| part.credits.0).sum()),
    }))
}
