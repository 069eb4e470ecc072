//! The audio of chunks that are to be spoken again. It stays here, with its objects, until the new
//! audio is stored.

use lectern_types::{AccountId, AudioFormat, MaterialId, Timestamp};

use super::{
    ChunkAudio, read_audio,
    start::{Place, binds},
};
use crate::{
    Environment, Result, Store,
    db::{Tx, many, sql},
    object_deletions,
};

/// The old audio of a chunk of a material of the account, and its format.
pub async fn find(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    index: u32,
) -> Result<Option<(ChunkAudio, AudioFormat)>> {
    let row = store
        .one(sql!(
            "SELECT o.format, o.audio_object, o.lossless_object, o.words_object, o.mp3_object, o.aac_object, o.audio_bytes, o.audio_etag,
                 o.duration_ms, o.sample_rate_hz
             FROM chunk_old_audio o JOIN materials m ON m.id = o.material_id
             WHERE o.material_id = $1 AND o.idx = $4 AND m.account_id = $2 AND m.environment = $3",
            material,
            account,
            environment,
            index
        ))
        .await?;
    let Some(row) = row else { return Ok(None) };
    let format = row.get("format")?;
    Ok(read_audio(&row)?.map(|audio| (audio, format)))
}

/// Deletes the old audio of chunks that have new audio.
pub(super) async fn delete(tx: &mut Tx, places: &[Place], now: Timestamp) -> Result<()> {
    let before = "DELETE FROM chunk_old_audio WHERE (material_id, idx) IN (VALUES ";
    let after = ") RETURNING audio_object, lossless_object, words_object, mp3_object, aac_object";
    let mut objects = Vec::new();
    for row in tx.every(many(before, &[], binds(places), after)).await? {
        for column in ["audio_object", "lossless_object", "words_object", "mp3_object", "aac_object"] {
            objects.extend(row.get::<Option<String>>(column)?);
        }
    }
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    object_deletions::note(tx, &objects, now).await
}
