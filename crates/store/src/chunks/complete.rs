//! Completes chunks that have audio: they are charged and counted, and their events written, in one
//! transaction that the claims' epochs guard.

use std::collections::BTreeMap;

use lectern_types::{AudioFormat, ChunkCompleted, Credits, EventType, KeyId, MaterialId, MaterialStatus};

use super::{
    ChunkAudio,
    batch::{in_batch, in_order},
    old_audio,
    start::{Place, binds},
};
use crate::{
    Error, Result, Store,
    db::{Bound as _, Row, Tx, many},
    events::{self, NewEvent, Owner},
    jobs::{self, JobClaim, Outcome},
    ledger::{
        HoldId,
        posting::batch::{self, Capture},
    },
    materials::{self, Change, Material},
    object_deletions,
    writing::Writing,
};

/// A claimed chunk that has been spoken.
#[derive(Debug, Clone)]
pub struct Spoken {
    pub claim: JobClaim,
    /// The result.
    pub audio: ChunkAudio,
}

/// Completes claimed chunks, in one transaction where it can be, with which their jobs end. With
/// the last chunk of a material the material is completed, and its whole book, as MP3, queued to be
/// made.
///
/// [`Outcome::Lost`] for one whose claim is lost, whose material is deleted, or of whose objects a
/// reservation has ended.
pub async fn complete(store: &Store, spoken: &[Spoken], writing: Writing<'_>) -> Vec<Result<Outcome>> {
    let answers = in_batch(spoken, |spoken| settle(store, spoken, &writing)).await;
    answers.into_iter().map(|answer| answer.map(|outcome| outcome.unwrap_or(Outcome::Lost))).collect()
}

async fn settle(
    store: &Store,
    spoken: &[Spoken],
    writing: &Writing<'_>,
) -> Result<Option<(Tx, Vec<Outcome>)>> {
    let claims: Vec<&JobClaim> = spoken.iter().map(|one| &one.claim).collect();
    let Some(places) = claims.iter().map(|claim| claim.place()).collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let mut tx = store.begin().await?;
    let ids = places.iter().map(|(material, _)| *material).collect();
    let mut books = BTreeMap::new();
    for material in materials::lock_all(&mut tx, ids).await? {
        books.insert(material.id, Progress::new(material));
    }
    let objects: Vec<&str> = spoken.iter().flat_map(|one| one.audio.objects()).collect();
    if !jobs::finish_all(&mut tx, &claims).await?
        || !object_deletions::keep(&mut tx, &objects, writing.now).await?
    {
        return Ok(None);
    }
    let Some(asked) = in_order(places.iter().copied(), asked(&mut tx, &places).await?) else {
        return Ok(None);
    };
    if mark(&mut tx, spoken, &places, writing).await? != spoken.len() as u64 {
        return Ok(None);
    }
    if asked.iter().any(|asked| asked.take > 0) {
        old_audio::delete(&mut tx, &places, writing.now).await?;
    }
    let mut done = Vec::with_capacity(spoken.len());
    for ((one, place), asked) in spoken.iter().zip(places).zip(asked) {
        let Some(chunk) = books.get_mut(&place.0).and_then(|book| book.takes(place.1, &one.audio, asked))
        else {
            return Ok(None);
        };
        done.push(chunk);
    }
    let ended = count(&mut tx, &books, writing).await?;
    charge(&mut tx, &done, writing).await?;
    record(&mut tx, &done, writing).await?;
    let events = done.iter().map(|chunk| {
        NewEvent::new(chunk.owner, EventType::ChunkCompleted, chunk.event.sequence, &chunk.event)
    });
    events::record_events(&mut tx, &events.collect::<Result<Vec<_>>>()?, writing).await?;
    for material in ended.values() {
        materials::record_end(&mut tx, material, writing).await?;
    }
    Ok(Some((tx, outcomes(&done, &ended))))
}

/// A locked material, and what is made of it in this transaction.
struct Progress {
    material: Material,
    change: Change,
    events: u64,
}

/// A chunk that is completed.
struct Done {
    owner: Owner,
    asked: Asked,
    event: ChunkCompleted,
}

/// A chunk's requested conversion and price.
struct Asked {
    key: KeyId,
    characters: u32,
    format: AudioFormat,
    hold: Option<HoldId>,
    credits: Credits,
    /// How often the chunk was spoken before.
    take: u32,
}

impl Progress {
    fn new(material: Material) -> Self {
        Self { material, change: Change::default(), events: 0 }
    }

    /// Takes a chunk's audio into account, and gives its event the next number. `None` where no
    /// conversion fixed an e-reader.
    fn takes(&mut self, index: u32, audio: &ChunkAudio, asked: Asked) -> Option<Done> {
        let ereader = self.material.ereader?;
        self.change.completed += 1;
        self.change.queued -= 1;
        self.change.duration_ms += audio.duration_ms.cast_signed();
        self.events += 1;
        let event = ChunkCompleted {
            material_id: self.material.id,
            sequence: self.material.event_sequence + self.events,
            chunk_index: index,
            ereader_id: ereader,
            characters: asked.characters,
            duration_ms: audio.duration_ms,
            format: asked.format,
        };
        Some(Done { owner: self.material.owner(), asked, event })
    }
}

/// The requested conversions and prices of chunks.
async fn asked(tx: &mut Tx, places: &[Place]) -> Result<Vec<(Place, Asked)>> {
    let before = "SELECT material_id, idx, key_id, characters, format, hold_id, credits, takes FROM chunks
         WHERE status IN ('queued', 'converting') AND (material_id, idx) IN (VALUES ";
    let read = |row: &Row| {
        let place = row.pair("material_id", "idx")?;
        let asked = Asked {
            key: row.get("key_id")?,
            characters: row.get("characters")?,
            format: row.get("format")?,
            hold: row.get::<Option<_>>("hold_id")?.map(HoldId),
            credits: row.get("credits")?,
            take: row.get("takes")?,
        };
        Ok((place, asked))
    };
    tx.every(many(before, &[], binds(places), ")")).await?.iter().map(read).collect()
}

const MARK: &str =
    "WITH made (material, place, audio, lossless, words, mp3, aac, bytes, etag, length, rate) AS (VALUES ";
const MARK_END: &str = ") UPDATE chunks SET status = 'completed', hold_id = NULL, audio_object = made.audio,
         lossless_object = made.lossless, words_object = made.words, mp3_object = made.mp3, aac_object = made.aac, audio_bytes = made.bytes,
         audio_etag = made.etag, duration_ms = made.length, sample_rate_hz = made.rate, completed_at = $1
     FROM made WHERE material_id = made.material AND idx = made.place AND status IN ('queued', 'converting')";

/// Gives chunks their audio; how many of them are being spoken.
async fn mark(tx: &mut Tx, spoken: &[Spoken], places: &[Place], writing: &Writing<'_>) -> Result<u64> {
    let rows = spoken.iter().zip(places).map(|(Spoken { audio, .. }, (material, index))| {
        [
            material.bind(),
            index.bind(),
            audio.audio_object.as_str().bind(),
            audio.lossless_object.as_str().bind(),
            audio.words_object.as_str().bind(),
            audio.mp3_object.as_deref().bind(),
            audio.aac_object.as_deref().bind(),
            audio.audio_bytes.bind(),
            audio.audio_etag.as_str().bind(),
            audio.duration_ms.bind(),
            audio.sample_rate_hz.bind(),
        ]
    });
    tx.run_all(many(MARK, &[writing.now.bind()], rows, MARK_END)).await
}

/// Counts the chunks into their materials; those whose conversion has ended with them. What follows
/// a completed material is queued.
async fn count(
    tx: &mut Tx,
    books: &BTreeMap<MaterialId, Progress>,
    writing: &Writing<'_>,
) -> Result<BTreeMap<MaterialId, Material>> {
    let mut changed = Vec::with_capacity(books.len());
    for book in books.values() {
        changed.push(materials::changed(tx, &book.material, book.change, book.events, writing.now).await?);
    }
    materials::write_counts(tx, &changed).await?;
    let mut ended = BTreeMap::new();
    for material in changed {
        materials::queue_book(tx, &material, writing).await?;
        if material.status != MaterialStatus::Converting {
            ended.insert(material.id, material);
        }
    }
    Ok(ended)
}

/// Captures the chunks' prices. A charge's key in the ledger names material, chunk, e-reader and, where a
/// chunk is spoken again, which time it is, so that not even a fault here could charge one twice.
async fn charge(tx: &mut Tx, done: &[Done], writing: &Writing<'_>) -> Result<()> {
    let captures: Vec<Capture> = done
        .iter()
        .filter_map(|chunk| {
            let owner = format!("{}/{}", chunk.event.material_id, chunk.event.chunk_index);
            Some(Capture {
                account: chunk.owner.account,
                hold: chunk.asked.hold?,
                credits: chunk.asked.credits,
                key: match chunk.asked.take {
                    0 => format!("{owner}/{}", chunk.event.ereader_id),
                    take => format!("{owner}/{}/{take}", chunk.event.ereader_id),
                },
                owner,
            })
        })
        .collect();
    // The hold lives as long as the chunk is queued, so nothing else can have settled it.
    if batch::capture(tx, &captures, writing.booking()).await? {
        return Ok(());
    }
    let owners: Vec<&str> = captures.iter().map(|capture| capture.owner.as_str()).collect();
    Err(Error::Unreadable { what: format!("a hold that is gone, of these chunks: {}", owners.join(", ")) })
}

const RECORD: &str =
    "INSERT INTO chunk_conversions (material_id, chunk_index, account_id, environment, key_id, ereader_id,
         characters, credits_charged, created_at, take) VALUES ";

/// Records the conversion and its price.
async fn record(tx: &mut Tx, done: &[Done], writing: &Writing<'_>) -> Result<()> {
    let rows = done.iter().map(|Done { owner, asked, event }| {
        [
            event.material_id.bind(),
            event.chunk_index.bind(),
            owner.account.bind(),
            owner.environment.bind(),
            asked.key.bind(),
            event.ereader_id.bind(),
            asked.characters.bind(),
            asked.credits.bind(),
            writing.now.bind(),
            asked.take.bind(),
        ]
    });
    tx.run_all(many(RECORD, &[], rows, "")).await.map(drop)
}

/// The outcome of each: the last of a material whose conversion has ended is the one that ended it.
fn outcomes(done: &[Done], ended: &BTreeMap<MaterialId, Material>) -> Vec<Outcome> {
    let mut ended: BTreeMap<MaterialId, MaterialStatus> =
        ended.values().map(|material| (material.id, material.status)).collect();
    let outcome =
        |chunk: &Done| ended.remove(&chunk.event.material_id).map_or(Outcome::Going, Outcome::Ended);
    let mut outcomes: Vec<Outcome> = done.iter().rev().map(outcome).collect();
    outcomes.reverse();
    outcomes
}
