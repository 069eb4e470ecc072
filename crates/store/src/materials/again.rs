//! Chunks that are to be spoken again: what they are without their audio, which is kept until the new one is
//! stored.

use lectern_types::{MaterialId, Timestamp};

use crate::{
    Result,
    db::{Bound as _, Row, Tx, many, sql},
    object_deletions,
};

const SET_ASIDE: &str =
    "INSERT INTO chunk_old_audio (material_id, idx, format, audio_object, lossless_object,
         words_object, mp3_object, aac_object, audio_bytes, audio_etag, duration_ms, sample_rate_hz)
     SELECT material_id, idx, format, audio_object, lossless_object, words_object, mp3_object, aac_object, audio_bytes, audio_etag,
         duration_ms, sample_rate_hz
     FROM chunks WHERE material_id = $1 AND status = 'completed' AND idx IN (";

const FORGET: &str = "UPDATE chunks SET status = 'pending', key_id = NULL, format = NULL, takes = takes + 1,
         audio_object = NULL, lossless_object = NULL, words_object = NULL, mp3_object = NULL, aac_object = NULL,
         audio_bytes = NULL, audio_etag = NULL,
         duration_ms = NULL, sample_rate_hz = NULL, completed_at = NULL
     WHERE material_id = $1 AND status = 'completed' AND idx IN (";

/// Sets the audio of completed chunks of a locked material aside. The chunks are pending then, and whole
/// books, which have the audio in them, are deleted.
pub(crate) async fn set_aside(
    tx: &mut Tx,
    material: MaterialId,
    chunks: &[u32],
    now: Timestamp,
) -> Result<()> {
    if chunks.is_empty() {
        return Ok(());
    }
    let fixed = [material.bind()];
    let rows = || chunks.iter().map(|index| [index.bind()]);
    tx.run_all(many(SET_ASIDE, &fixed, rows(), ")")).await?;
    tx.run_all(many(FORGET, &fixed, rows(), ")")).await?;
    forget_books(tx, material, now).await
}

/// Deletes the whole books of a locked material, which do not say any more what it is.
pub(crate) async fn forget_books(tx: &mut Tx, material: MaterialId, now: Timestamp) -> Result<()> {
    // A worker that assembles a book of the old audio finds its job gone.
    tx.run(sql!("DELETE FROM jobs WHERE material_id = $1 AND kind = 'assemble'", material)).await?;
    let books = tx
        .all(sql!("DELETE FROM material_books WHERE material_id = $1 RETURNING object_key", material))
        .await?;
    let objects = books.iter().map(Row::scalar).collect::<Result<Vec<String>>>()?;
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    object_deletions::note(tx, &objects, now).await
}

const RESTORE: &str = "UPDATE chunks SET status = 'completed', format = o.format, audio_object = o.audio_object,
         lossless_object = o.lossless_object, words_object = o.words_object, mp3_object = o.mp3_object,
         aac_object = o.aac_object, audio_bytes = o.audio_bytes,
         audio_etag = o.audio_etag, duration_ms = o.duration_ms, sample_rate_hz = o.sample_rate_hz, completed_at = $2,
         hold_id = NULL, failure_code = NULL, failure_message = NULL
     FROM chunk_old_audio o
     WHERE chunks.material_id = $1 AND o.material_id = $1 AND o.idx = chunks.idx AND o.outdated = 0
         AND chunks.status = 'queued' AND chunks.idx IN (";

const RESTORED: &str = "DELETE FROM chunk_old_audio WHERE material_id = $1 AND outdated = 0 AND idx IN (";

/// Gives those of the queued chunks of a locked material their audio back that were to be spoken again and whose
/// text is still the same. Returns how many these are, and the length of their audio.
pub(crate) async fn restore(
    tx: &mut Tx,
    material: MaterialId,
    chunks: &[u32],
    now: Timestamp,
) -> Result<(u64, u64)> {
    let rows = || chunks.iter().map(|index| [index.bind()]);
    let fixed = [material.bind(), now.bind()];
    let restored = tx.every(many(RESTORE, &fixed, rows(), ") RETURNING chunks.duration_ms")).await?;
    let lengths = restored.iter().map(Row::scalar).collect::<Result<Vec<u64>>>()?;
    tx.run_all(many(RESTORED, &fixed[..1], rows(), ")")).await?;
    Ok((lengths.len() as u64, lengths.iter().sum()))
}
