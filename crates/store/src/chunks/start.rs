//! A worker begins to speak a chunk: it is shown as converting.

use lectern_types::{AudioFormat, EreaderId, MaterialId, Timestamp};

use super::{Break, read_breaks};
use crate::{
    Result, Store,
    db::sql,
    jobs::{self, JobClaim},
    materials, object_deletions,
};

/// All that speaking a chunk needs to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Started {
    /// The material.
    pub material: MaterialId,
    /// The chunk's place.
    pub index: u32,
    /// Its text.
    pub text: String,
    /// Unicode scalar values of its text.
    pub characters: u32,
    /// Where pauses come in it.
    pub breaks: Vec<Break>,
    /// The pause after it.
    pub pause_after_ms: u32,
    /// The form of the audio.
    pub format: AudioFormat,
    /// The e-reader that speaks.
    pub ereader: EreaderId,
    /// The language to read in.
    pub speech_language: Option<String>,
}

/// Begins a claimed chunk: one transaction. `None` when the claim is lost or the material deleted. What `objects` says that the
/// attempt is going to put is announced with it ([`object_deletions`]), to be deleted at `due_at` unless
/// [`complete`](super::complete()) keeps it.
pub async fn start(
    store: &Store,
    claim: &JobClaim,
    objects: impl FnOnce(&Started) -> Vec<String>,
    due_at: Timestamp,
) -> Result<Option<Started>> {
    let Some((id, index)) = claim.material.zip(claim.chunk) else { return Ok(None) };
    let mut tx = store.begin().await?;
    let Some(material) = materials::lock(&mut tx, id).await? else { return Ok(None) };
    let Some(ereader) = material.ereader else { return Ok(None) };
    if !jobs::is_held(&mut tx, claim).await? {
        return Ok(None);
    }
    let row = tx
        .one(sql!(
            "UPDATE chunks SET status = 'converting'
             WHERE material_id = $1 AND idx = $2 AND status IN ('queued', 'converting')
             RETURNING characters, pause_after_ms, format",
            id,
            index
        ))
        .await?;
    let text = tx
        .one(sql!("SELECT text, breaks FROM chunk_texts WHERE material_id = $1 AND idx = $2", id, index))
        .await?;
    let Some((row, text)) = row.zip(text) else { return Ok(None) };
    let (mut columns, mut words) = (row.columns(), text.columns());
    let started = Started {
        material: id,
        index,
        text: words.take()?,
        characters: columns.take()?,
        breaks: read_breaks(&words.take::<String>()?)?,
        pause_after_ms: columns.take()?,
        format: columns.take()?,
        ereader,
        speech_language: material.speech_language,
    };
    let objects = objects(&started);
    if !objects.is_empty() {
        let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
        object_deletions::note(&mut tx, &objects, due_at).await?;
    }
    tx.commit().await?;
    Ok(Some(started))
}
