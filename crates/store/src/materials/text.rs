//! A text of a chunk that its owner wrote anew.

use lectern_types::{AccountId, ChunkStatus, MaterialId, MaterialStatus};

use super::{Change, PauseAt, SpokenBy, again, cast, lock, marks::write_marks, quotes};
use crate::{Environment, Result, Store, db::sql, writing::Writing};

/// The new text of a chunk, and what is stored beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewText {
    pub text: String,
    /// Unicode scalar values of it, without markup.
    pub characters: u32,
    /// The pauses in it.
    pub pauses: Vec<PauseAt>,
    /// Who says which stretches of it.
    pub speakers: Vec<SpokenBy>,
    /// How many letters of each script it has, in the notation of `lectern_documents`.
    pub scripts: String,
}

/// The outcome of a new text. Nothing was changed unless it is [`TextOutcome::Changed`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextOutcome {
    /// There is no such material.
    NotFound,
    /// Its text is not there.
    NotReady { status: MaterialStatus },
    /// It has no chunk of this index.
    NoSuchChunk,
    /// The chunk is queued or being spoken.
    InProgress,
    /// It is changed.
    Changed,
}

/// Gives a chunk of a material of the account a new text. A completed chunk is pending then, and its old audio
/// stays until there is new.
pub async fn set_text(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    index: u32,
    new: &NewText,
    writing: Writing<'_>,
) -> Result<TextOutcome> {
    let mut tx = store.begin().await?;
    let found = lock(&mut tx, material).await?;
    let Some(found) = found.filter(|found| (found.account, found.environment) == (account, environment))
    else {
        return Ok(TextOutcome::NotFound);
    };
    let status = found.status;
    if matches!(status, MaterialStatus::Processing | MaterialStatus::Failed) {
        return Ok(TextOutcome::NotReady { status });
    }
    let row = tx
        .one(sql!(
            "SELECT c.status, c.characters, c.duration_ms, t.text FROM chunks c
             JOIN chunk_texts t ON t.material_id = c.material_id AND t.idx = c.idx
             WHERE c.material_id = $1 AND c.idx = $2",
            material,
            index
        ))
        .await?;
    let Some(row) = row else { return Ok(TextOutcome::NoSuchChunk) };
    let (status, characters): (ChunkStatus, u32) = row.pair("status", "characters")?;
    if matches!(status, ChunkStatus::Queued | ChunkStatus::Converting) {
        return Ok(TextOutcome::InProgress);
    }
    if row.get::<String>("text")? == new.text {
        return Ok(TextOutcome::Changed);
    }
    let mut change = Change::default();
    match status {
        ChunkStatus::Completed => {
            again::set_aside(&mut tx, material, &[index], writing.now).await?;
            change.completed = -1;
            change.duration_ms = -row.get::<Option<u64>>("duration_ms")?.unwrap_or(0).cast_signed();
        }
        ChunkStatus::Failed => {
            change.failed = -1;
            tx.run(sql!(
                "UPDATE chunks SET status = 'pending', key_id = NULL, format = NULL, credits = 0, requested_at = NULL,
                     failure_code = NULL, failure_message = NULL
                 WHERE material_id = $1 AND idx = $2",
                material,
                index
            ))
            .await?;
            // An operator could otherwise queue it once more.
            tx.run(sql!(
                "DELETE FROM jobs WHERE material_id = $1 AND kind = 'convert_chunk' AND chunk_index = $2",
                material,
                index
            ))
            .await?;
        }
        ChunkStatus::Pending | ChunkStatus::Queued | ChunkStatus::Converting => {}
    }
    tx.run(sql!(
        "UPDATE chunk_old_audio SET outdated = 1 WHERE material_id = $1 AND idx = $2",
        material,
        index
    ))
    .await?;
    write(&mut tx, material, index, new).await?;
    cast::count_quotes(&mut tx, material).await?;
    let mut changed = super::changed(&mut tx, &found, change, 0, writing.now).await?;
    // A chunk of a chapter that is left out leaves a completed book as it is.
    if changed.status == MaterialStatus::PartiallyFailed {
        changed.status = MaterialStatus::Ready;
    }
    changed.event_sequence = found.event_sequence;
    super::write_counts(&mut tx, std::slice::from_ref(&changed)).await?;
    super::queue_book(&mut tx, &changed, &writing).await?;
    tx.run(sql!(
        "UPDATE materials SET characters = characters + $2, edits = edits + 1 WHERE id = $1",
        material,
        i64::from(new.characters) - i64::from(characters)
    ))
    .await?;
    tx.commit().await?;
    Ok(TextOutcome::Changed)
}

async fn write(tx: &mut crate::db::Tx, material: MaterialId, index: u32, new: &NewText) -> Result<()> {
    let speakers = quotes::kept(tx, material, index, new).await?;
    let (pauses, speakers) = (write_marks(&new.pauses)?, write_marks(&speakers)?);
    tx.run(sql!(
        "UPDATE chunk_texts SET text = $3, breaks = $4, speakers = $5, languages = '[]', pronounced = '[]',
             headings = '[]'
         WHERE material_id = $1 AND idx = $2",
        material,
        index,
        new.text.as_str(),
        pauses,
        speakers
    ))
    .await?;
    tx.run(sql!(
        "UPDATE chunks SET characters = $3, scripts = $4 WHERE material_id = $1 AND idx = $2",
        material,
        index,
        new.characters,
        new.scripts.as_str()
    ))
    .await
    .map(drop)
}
