//! Chunks: the pieces of a material's text, and their audio. This module defines a chunk and finds
//! chunks. Workers use [`start()`] and [`complete()`], one file each. Both take the simultaneous
//! requests of several jobs of a process and carry them out in one transaction (`batch`). The
//! failure of a chunk is recorded together with the failure of its job (`job_outcomes`).

use lectern_types::{AccountId, AudioFormat, ChunkStatus, LanguageSource, MaterialId, Timestamp};

use crate::{
    Environment, Result, Store,
    db::{Row, Tx, sql},
    jobs::{JobClaim, JobKind},
    materials::Failure,
};

mod batch;
mod complete;
mod fail;
pub mod headings;
pub mod old_audio;
mod start;

pub use crate::materials::{HeadingAt, MarkedLanguage, PauseAt, Pronounced, SpokenBy};
pub use complete::{Spoken, complete};
pub(crate) use fail::{Insufficient, fail, queue_again};
pub use start::{Announce, Started, Starting, start};

/// The result of a chunk's conversion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkAudio {
    /// The key of its audio, in the requested format.
    pub audio_object: String,
    /// The key of its lossless audio, from which whole books are assembled; may be the same key.
    pub lossless_object: String,
    /// The key of its word times.
    pub words_object: String,
    /// The keys of the MP3 and of the AAC file from which whole books are joined; `None` for audio that a program of
    /// before made, and where there is no such file.
    pub mp3_object: Option<String>,
    pub aac_object: Option<String>,
    /// The size of the audio.
    pub audio_bytes: u64,
    /// The audio's entity tag.
    pub audio_etag: String,
    /// The length of the audio, including the pause after it.
    pub duration_ms: u64,
    pub sample_rate_hz: u32,
}

impl ChunkAudio {
    fn objects(&self) -> impl Iterator<Item = &str> {
        let joined = [&self.mp3_object, &self.aac_object].into_iter().flatten();
        [&self.audio_object, &self.lossless_object, &self.words_object]
            .into_iter()
            .chain(joined)
            .map(String::as_str)
    }
}

/// A stored chunk, without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Its index, from 0.
    pub index: u32,
    pub status: ChunkStatus,
    /// The title of its chapter.
    pub title: Option<String>,
    /// Unicode scalar values of its text.
    pub characters: u32,
    /// Whether a chapter begins with it.
    pub starts_chapter: bool,
    /// The index of its chapter; `None` for a material of before that has no chapters.
    pub chapter: Option<u32>,
    /// The pause between it and the next chunk.
    pub pause_after_ms: u32,
    /// The audio format that was requested last.
    pub format: Option<AudioFormat>,
    /// The result of its conversion.
    pub audio: Option<ChunkAudio>,
    pub completed_at: Option<Timestamp>,
    pub failure: Option<Failure>,
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT c.idx, c.status, c.title, c.characters, c.starts_chapter, c.chapter, c.pause_after_ms, c.format,
                 c.audio_object, c.lossless_object, c.words_object, c.mp3_object, c.aac_object, c.audio_bytes, c.audio_etag, c.duration_ms,
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
        chapter: row.get("chapter")?,
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
    // The table stores all of these columns or none.
    Ok(match (objects, rest) {
        (
            (Some(audio_object), Some(lossless_object), Some(words_object)),
            (Some(audio_bytes), Some(audio_etag), Some(duration_ms), Some(sample_rate_hz)),
        ) => Some(ChunkAudio {
            audio_object,
            lossless_object,
            words_object,
            mp3_object: row.get("mp3_object")?,
            aac_object: row.get("aac_object")?,
            audio_bytes,
            audio_etag,
            duration_ms,
            sample_rate_hz,
        }),
        _ => None,
    })
}

/// The chunks of a material of the account, by index, starting after `after`. Empty if there is no
/// such material.
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

/// Like [`list`], of the chapters that are included only.
pub async fn list_of_book(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    after: Option<u32>,
    limit: u32,
) -> Result<Vec<Chunk>> {
    let rows = store
        .all(sql!(
            select!(
                "AND c.idx > $4 AND NOT EXISTS (
                     SELECT 1 FROM material_chapters h
                     WHERE h.material_id = c.material_id AND h.idx = c.chapter AND h.included = 0)
                 ORDER BY c.idx LIMIT $5"
            ),
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

/// For a material of the account: the scripts of the chunks that are neither completed nor queued,
/// by index. `None` for a chunk that was read before scripts were counted.
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

/// For a material of the account: the texts of the chunks whose scripts were not counted, by index
/// from `first` on.
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

/// Completes a material that was read before scripts were counted: stores the scripts of some of
/// its chunks, and the detected language, unless it has one.
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

/// The chunks without audio in the included chapters of a material of the account: how many there are, and the indexes
/// of the first `limit`, in ascending order.
pub async fn without_audio(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    limit: u32,
) -> Result<(u32, Vec<u32>)> {
    let rows = store
        .all(sql!(
            "SELECT c.idx, COUNT(*) OVER () AS missing FROM chunks c JOIN materials m ON m.id = c.material_id
             WHERE c.material_id = $1 AND m.account_id = $2 AND m.environment = $3 AND c.status <> 'completed'
                 AND NOT EXISTS (
                     SELECT 1 FROM material_chapters h
                     WHERE h.material_id = c.material_id AND h.idx = c.chapter AND h.included = 0)
             ORDER BY c.idx LIMIT $4",
            material,
            account,
            environment,
            limit
        ))
        .await?;
    let count = rows.first().map_or(Ok(0), |row| row.get("missing"))?;
    Ok((count, rows.iter().map(|row| row.get("idx")).collect::<Result<_>>()?))
}

/// Marks a chunk as queued again after its job was released; does nothing for a job of another
/// kind.
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
