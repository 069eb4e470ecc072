//! A chunk has its audio: it is completed and charged, counted and told of, in one transaction that the claim's epoch guards.

use lectern_types::{ChunkCompleted, Credits, EventType, MaterialStatus};

use super::ChunkAudio;
use crate::{
    Error, Result, Store,
    db::{Tx, sql},
    events,
    jobs::{self, JobClaim, JobKind, NewJob, Outcome},
    ledger::{
        HoldId, SettleOutcome,
        book::{self, Charge, Holder},
    },
    materials::{self, Change, Material},
    object_deletions,
    writing::Writing,
};

/// Completes a claimed chunk: one transaction, with which the job ends. With the last chunk of a material the material is
/// completed, and its whole book, as MP3, queued to be made.
///
/// [`Outcome::Lost`] when the claim is lost, the material deleted, or the reservation of an object has ended.
pub async fn complete(
    store: &Store,
    claim: &JobClaim,
    audio: &ChunkAudio,
    writing: Writing<'_>,
) -> Result<Outcome> {
    let Some((id, index)) = claim.material.zip(claim.chunk) else { return Ok(Outcome::Lost) };
    let mut tx = store.begin().await?;
    let Some(material) = materials::lock(&mut tx, id).await? else { return Ok(Outcome::Lost) };
    let Some(ereader) = material.ereader else { return Ok(Outcome::Lost) };
    if !jobs::finish(&mut tx, claim).await?
        || !object_deletions::keep(&mut tx, &audio.objects(), writing.now).await?
    {
        return Ok(Outcome::Lost);
    }
    let Some(paid) = mark(&mut tx, &material, index, audio, &writing).await? else {
        return Ok(Outcome::Lost);
    };
    let change = Change { completed: 1, queued: -1, duration_ms: audio.duration_ms, ..Change::default() };
    let changed = materials::count(&mut tx, &material, change, 1, writing.now).await?;
    let ended = changed.status != MaterialStatus::Converting;
    if changed.status == MaterialStatus::Completed {
        let book = NewJob { kind: JobKind::Assemble, chunk: None, detail: "mp3" };
        jobs::enqueue(&mut tx, &changed, &[book], &writing).await?;
    }
    if let Some(hold) = paid.hold {
        charge(&mut tx, &material, index, hold, paid.credits, &writing).await?;
    }
    tx.run(sql!(
        "INSERT INTO chunk_conversions (material_id, chunk_index, account_id, environment, key_id, ereader_id,
             characters, credits_charged, created_at)
         SELECT material_id, idx, $3, $4, key_id, $5, characters, credits, $6
         FROM chunks WHERE material_id = $1 AND idx = $2",
        id,
        index,
        material.account,
        material.environment,
        ereader,
        writing.now
    ))
    .await?;
    let told = ChunkCompleted {
        material_id: id,
        sequence: material.event_sequence + 1,
        chunk_index: index,
        ereader_id: ereader,
        characters: paid.characters,
        duration_ms: audio.duration_ms,
        format: paid.format,
    };
    let kind = EventType::ChunkCompleted;
    events::tell(&mut tx, material.owner(), kind, told.sequence, &told, &writing).await?;
    materials::tell_end(&mut tx, &changed, &writing).await?;
    tx.commit().await?;
    Ok(if ended { Outcome::Ended(changed.status) } else { Outcome::Going })
}

/// What a completed chunk was asked for and costs.
struct Paid {
    characters: u32,
    format: lectern_types::AudioFormat,
    hold: Option<HoldId>,
    credits: Credits,
}

/// Gives a chunk its audio; `None` when it is not one that is being spoken.
async fn mark(
    tx: &mut Tx,
    material: &Material,
    index: u32,
    audio: &ChunkAudio,
    writing: &Writing<'_>,
) -> Result<Option<Paid>> {
    let held = tx
        .one(sql!("SELECT hold_id FROM chunks WHERE material_id = $1 AND idx = $2", material.id, index))
        .await?;
    let Some(held) = held else { return Ok(None) };
    let row = tx
        .one(sql!(
            "UPDATE chunks SET status = 'completed', hold_id = NULL, audio_object = $3, lossless_object = $4,
                 words_object = $5, audio_bytes = $6, audio_etag = $7, duration_ms = $8, sample_rate_hz = $9,
                 completed_at = $10
             WHERE material_id = $1 AND idx = $2 AND status IN ('queued', 'converting')
             RETURNING characters, format, credits",
            material.id,
            index,
            audio.audio_object.as_str(),
            audio.lossless_object.as_str(),
            audio.words_object.as_str(),
            audio.audio_bytes,
            audio.audio_etag.as_str(),
            audio.duration_ms,
            audio.sample_rate_hz,
            writing.now
        ))
        .await?;
    row.map(|row| {
        let mut columns = row.columns();
        Ok(Paid {
            characters: columns.take()?,
            format: columns.take()?,
            credits: columns.take()?,
            hold: held.columns().maybe()?.map(HoldId),
        })
    })
    .transpose()
}

/// Captures a chunk's price. Its key in the ledger names material, chunk and e-reader, so that not even a fault here could
/// charge it twice.
async fn charge(
    tx: &mut Tx,
    material: &Material,
    index: u32,
    hold: HoldId,
    credits: Credits,
    writing: &Writing<'_>,
) -> Result<()> {
    let owner = format!("{}/{index}", material.id);
    let key = material.ereader.map(|ereader| format!("{owner}/{ereader}"));
    let charge = Charge { credits, key: key.as_deref() };
    let settled =
        book::settle(tx, material.account, hold, Holder::Owner(&owner), charge, writing.booking()).await?;
    match settled {
        SettleOutcome::Settled { charged } if charged == credits => Ok(()),
        // The hold lives as long as the chunk is queued: nobody else may have settled it.
        _ => Err(Error::Unreadable { what: format!("the hold of chunk {owner} is gone") }),
    }
}
