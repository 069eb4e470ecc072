//! Chunks: the pieces of a material's text and what was made of each. Here is what a chunk is and
//! how it is found; [`start()`] and [`complete()`] are a worker's, one file each, and the failure
//! of a chunk comes with its job's (`job_outcomes`). Both take what several jobs of a process ask
//! for at the same time, and do it in one transaction (`batch`).

use lectern_types::{AccountId, AudioFormat, ChunkStatus, LanguageSource, MaterialId, Timestamp};

use crate::{
    Environment, Error, Result, Store,
    db::{Row, Tx, sql},
    jobs::{JobClaim, JobKind},
    materials::Failure,
};

mod batch;
mod complete;
mod fail;
mod start;

pub use crate::materials::PauseAt;
pub use complete::{Spoken, complete};
pub(crate) use fail::{Insufficient, fail, queue_again};
pub use start::{Announce, Started, Starting, start};

/// What was made of a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkAudio {
    /// Where its audio lies, in the form that was asked for.
    pub audio_object: String,
    /// Where its lossless audio lies, of which whole books are made; may be the same.
    pub lossless_object: String,
    /// Where the times of its words lie.
    pub words_object: String,
    /// The size of the audio.
    pub audio_bytes: u64,
    /// The audio's entity tag.
    pub audio_etag: String,
    /// The length of the audio, the pause after it included.
    pub duration_ms: u64,
    pub sample_rate_hz: u32,
}

impl ChunkAudio {
    fn objects(&self) -> [&str; 3] {
        [&self.audio_object, &self.lossless_object, &self.words_object]
    }
}

/// A stored chunk, without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Its place, from 0.
    pub index: u32,
    pub status: ChunkStatus,
    /// The title of its chapter.
    pub title: Option<String>,
    /// Unicode scalar values of its text.
    pub characters: u32,
    /// Whether a chapter begins with it.
    pub starts_chapter: bool,
    /// The pause between it and the next chunk.
    pub pause_after_ms: u32,
    /// The form of its audio that was asked for last.
    pub format: Option<AudioFormat>,
    /// What was made of it.
    pub audio: Option<ChunkAudio>,
    /// When it was completed.
    pub completed_at: Option<Timestamp>,
    pub failure: Option<Failure>,
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT c.idx, c.status, c.title, c.characters, c.starts_chapter, c.pause_after_ms, c.format,
                 c.audio_object, c.lossless_object, c.words_object, c.audio_bytes, c.audio_etag, c.duration_ms,
                 c.sample_rate_hz, c.completed_at, c.failure_code, c.failure_message
             FROM chunks c JOIN materials m ON m.id = c.material_id
             WHERE c.material_id = $1 AND m.account_id = $2 AND m.environment = $3 ",
            $rest
        )
    };
}

fn read(row: &Row) -> Result<Chunk> {
    Ok(Chunk {
        index: row.get("idx")?,
        status: row.get("status")?,
        title: row.get("title")?,
        characters: row.get("characters")?,
        starts_chapter: row.get("starts_chapter")?,
        pause_after_ms: row.get("pause_after_ms")?,
        format: row.get("format")?,
        audio: read_audio(row)?,
        completed_at: row.get("completed_at")?,
        failure: Failure::read(row)?,
    })
}

fn read_audio(row: &Row) -> Result<Option<ChunkAudio>> {
    let objects = (row.get("audio_object")?, row.get("lossless_object")?, row.get("words_object")?);
    let rest = (
        row.get("audio_bytes")?,
        row.get("audio_etag")?,
        row.get("duration_ms")?,
        row.get("sample_rate_hz")?,
    );
    // The table keeps them all or none.
    Ok(match (objects, rest) {
        (
            (Some(audio_object), Some(lossless_object), Some(words_object)),
            (Some(audio_bytes), Some(audio_etag), Some(duration_ms), Some(sample_rate_hz)),
        ) => Some(ChunkAudio {
            audio_object,
            lossless_object,
            words_object,
            audio_bytes,
            audio_etag,
            duration_ms,
            sample_rate_hz,
        }),
        _ => None,
    })
}

/// The chunks of a material of the account, by index, those after `after` first. Empty for a
/// material that is not there.
pub async fn list(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    after: Option<u32>,
    limit: u32,
) -> Result<Vec<Chunk>> {
    let rows = store
        .all(sql!(
            select!("AND c.idx > $4 ORDER BY c.idx LIMIT $5"),
            material,
            account,
            environment,
            after.map_or(-1, i64::from),
            limit
        ))
        .await?;
    rows.iter().map(read).collect()
}

/// A chunk of a material of the account.
pub async fn find(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    index: u32,
) -> Result<Option<Chunk>> {
    let row = store.one(sql!(select!("AND c.idx = $4"), material, account, environment, index)).await?;
    row.as_ref().map(read).transpose()
}

/// The text of a chunk of a material of the account.
pub async fn text(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    index: u32,
) -> Result<Option<String>> {
    let row = store
        .one(sql!(
            "SELECT t.text FROM chunk_texts t JOIN materials m ON m.id = t.material_id
             WHERE t.material_id = $1 AND t.idx = $4 AND m.account_id = $2 AND m.environment = $3",
            material,
            account,
            environment,
            index
        ))
        .await?;
    row.map(|row| row.scalar()).transpose()
}

/// In which scripts the chunks of a material of the account are that are neither completed nor
/// queued, by index. `None` for a chunk of a material that was read before scripts were counted.
pub async fn scripts_to_convert(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
) -> Result<Vec<(u32, Option<String>)>> {
    let rows = store
        .all(sql!(
            "SELECT c.idx, c.scripts FROM chunks c JOIN materials m ON m.id = c.material_id
             WHERE c.material_id = $1 AND m.account_id = $2 AND m.environment = $3
                 AND c.status IN ('pending', 'failed')
             ORDER BY c.idx",
            material,
            account,
            environment
        ))
        .await?;
    rows.iter().map(|row| row.pair("idx", "scripts")).collect()
}

/// The texts of the chunks of a material of the account whose scripts were not counted, by index,
/// those from `first` on.
pub async fn texts_without_scripts(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    first: u32,
    limit: u32,
) -> Result<Vec<(u32, String)>> {
    let rows = store
        .all(sql!(
            "SELECT t.idx, t.text FROM chunk_texts t
                 JOIN chunks c ON c.material_id = t.material_id AND c.idx = t.idx
                 JOIN materials m ON m.id = t.material_id
             WHERE t.material_id = $1 AND m.account_id = $2 AND m.environment = $3
                 AND c.scripts IS NULL AND t.idx >= $4
             ORDER BY t.idx LIMIT $5",
            material,
            account,
            environment,
            first,
            limit
        ))
        .await?;
    rows.iter().map(|row| row.pair("idx", "text")).collect()
}

/// Records what was learned later about a material that was read before scripts were counted: the
/// scripts of some of its chunks, and the language that was detected, unless it has one.
pub async fn record_scripts(
    store: &Store,
    material: MaterialId,
    scripts: &[(u32, String)],
    detected: Option<&str>,
) -> Result<()> {
    let mut tx = store.begin().await?;
    if let Some(tag) = detected {
        tx.run(sql!(
            "UPDATE materials SET language = $2, language_source = $3 WHERE id = $1 AND language IS NULL",
            material,
            tag,
            LanguageSource::Detected
        ))
        .await?;
    }
    for (index, scripts) in scripts {
        tx.run(sql!(
            "UPDATE chunks SET scripts = $3 WHERE material_id = $1 AND idx = $2",
            material,
            *index,
            scripts.as_str()
        ))
        .await?;
    }
    tx.commit().await
}

/// The indexes of the chunks of a material of the account that have no audio, the lowest first.
pub async fn without_audio(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    limit: u32,
) -> Result<Vec<u32>> {
    let rows = store
        .all(sql!(
            "SELECT c.idx FROM chunks c JOIN materials m ON m.id = c.material_id
             WHERE c.material_id = $1 AND m.account_id = $2 AND m.environment = $3 AND c.status <> 'completed'
             ORDER BY c.idx LIMIT $4",
            material,
            account,
            environment,
            limit
        ))
        .await?;
    rows.iter().map(Row::scalar).collect()
}

/// Shows a chunk as queued again, whose job was released; does nothing for a job of another kind.
pub(crate) async fn requeue(tx: &mut Tx, claim: &JobClaim) -> Result<()> {
    let (JobKind::ConvertChunk, Some(material), Some(index)) = (claim.kind, claim.material, claim.chunk)
    else {
        return Ok(());
    };
    tx.run(sql!(
        "UPDATE chunks SET status = 'queued' WHERE material_id = $1 AND idx = $2 AND status = 'converting'",
        material,
        index
    ))
    .await
    .map(drop)
}

fn read_pauses(json: &str) -> Result<Vec<PauseAt>> {
    serde_json::from_str(json)
        .map_err(|error| Error::Unreadable { what: format!("a chunk's pauses: {error}") })
}
