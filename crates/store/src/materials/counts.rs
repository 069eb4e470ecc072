//! The counts of a material's chunks, the status that follows from them, and the events of a conversion's end.

use lectern_types::{
    AudioFormat, ChunkFailed, EreaderId, EventType, MaterialChanged, MaterialFailure, MaterialId,
    MaterialStatus, Timestamp,
};

use super::{Failure, Material};
use crate::{
    Result,
    db::{Bound as _, Tx, many, sql},
    events::{self, NewEvent},
    jobs::{self, JobKind, NewJob},
    notices,
    writing::Writing,
};

/// How the counts of a locked material's chunks change.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Change {
    pub(crate) completed: i64,
    pub(crate) failed: i64,
    pub(crate) queued: i64,
    pub(crate) duration_ms: i64,
}

/// A locked material after a change of its chunks' counts, which are already changed themselves.
pub(crate) async fn changed(
    tx: &mut Tx,
    material: &Material,
    change: Change,
    events: u64,
    now: Timestamp,
) -> Result<Material> {
    // While something is queued nothing is completed, and the sum is not needed.
    let is_converting = i64::from(material.chunks_queued) + change.queued > 0;
    let rest = if is_converting { None } else { Some(rest(tx, material.id).await?) };
    Ok(material.changed(change, rest, events, now))
}

/// Applies a change of its chunks' counts to a locked material, sets the resulting status, and
/// hands out numbers for `events` events and for one more when a conversion has ended. Returns the
/// material in its new state.
pub(crate) async fn count(
    tx: &mut Tx,
    material: &Material,
    change: Change,
    events: u64,
    now: Timestamp,
) -> Result<Material> {
    let changed = changed(tx, material, change, events, now).await?;
    write_counts(tx, std::slice::from_ref(&changed)).await?;
    Ok(changed)
}

/// Applies a change that spoke nothing to a locked material. It has an event only when it completes the book, which is
/// then queued to be made: its failures were reported when they happened. Returns the material in its new
/// state.
pub(super) async fn recount(
    tx: &mut Tx,
    material: &Material,
    change: Change,
    writing: &Writing<'_>,
) -> Result<Material> {
    let mut changed = changed(tx, material, change, 0, writing.now).await?;
    let completes = changed.status == MaterialStatus::Completed && material.status != changed.status;
    if !completes {
        changed.event_sequence = material.event_sequence;
    }
    write_counts(tx, std::slice::from_ref(&changed)).await?;
    if completes {
        record_end(tx, &changed, writing).await?;
    }
    queue_book(tx, &changed, writing).await?;
    Ok(changed)
}

/// Queues the whole book of a locked material to be made, as MP3, if it is completed and has none.
pub(crate) async fn queue_book(tx: &mut Tx, material: &Material, writing: &Writing<'_>) -> Result<()> {
    if material.status != MaterialStatus::Completed {
        return Ok(());
    }
    let made =
        sql!("SELECT format FROM material_books WHERE material_id = $1 AND format = 'mp3'", material.id);
    if tx.one(made).await?.is_some() {
        return Ok(());
    }
    let book = NewJob { kind: JobKind::Assemble, chunk: None, detail: "mp3", engine: "" };
    jobs::enqueue(tx, material.owner(), &[book], writing).await
}

const COUNTS: &str =
    "WITH changed (id, completed, failed, queued, duration_ms, book, status, event_sequence, at) AS (VALUES ";
const COUNTS_END: &str =
    ") UPDATE materials SET chunks_completed = changed.completed, chunks_failed = changed.failed,
         chunks_queued = changed.queued, duration_ms = changed.duration_ms, book_duration_ms = changed.book,
         status = changed.status,
         event_sequence = changed.event_sequence, updated_at = changed.at
     FROM changed WHERE materials.id = changed.id";

/// Writes the columns that [`Material::changed`] changes.
pub(crate) async fn write_counts(tx: &mut Tx, materials: &[Material]) -> Result<()> {
    let rows = materials.iter().map(|material| {
        [
            material.id.bind(),
            material.chunks_completed.bind(),
            material.chunks_failed.bind(),
            material.chunks_queued.bind(),
            material.duration_ms.bind(),
            material.book_duration_ms.bind(),
            material.status.bind(),
            material.event_sequence.bind(),
            material.updated_at.bind(),
        ]
    });
    tx.run_all(many(COUNTS, &[], rows, COUNTS_END)).await.map(drop)
}

/// The event of a conversion that ended with this status.
fn end_event(status: MaterialStatus) -> Option<EventType> {
    match status {
        MaterialStatus::Completed => Some(EventType::MaterialCompleted),
        MaterialStatus::PartiallyFailed => Some(EventType::MaterialFailed),
        _ => None,
    }
}

/// Records the event of a conversion's end under the material's last number, if that end has an
/// event.
pub(crate) async fn record_end(tx: &mut Tx, material: &Material, writing: &Writing<'_>) -> Result<()> {
    let Some(kind) = end_event(material.status) else { return Ok(()) };
    record(tx, material, kind, writing).await?;
    notices::book_ended(tx, material.id, writing.now).await
}

/// Records an event of a material, under its last number.
pub(super) async fn record(
    tx: &mut Tx,
    material: &Material,
    kind: EventType,
    writing: &Writing<'_>,
) -> Result<()> {
    let data = MaterialChanged {
        material_id: material.id,
        status: material.status,
        sequence: material.event_sequence,
        chunk_count: material.chunk_count,
        chunks_completed: material.chunks_completed,
        chunks_failed: material.chunks_failed,
        duration_ms: material.whole_duration_ms(),
    };
    events::record_event(tx, material.owner(), kind, material.event_sequence, &data, writing).await
}

/// A failed chunk, as its event shows it.
pub(crate) struct FailedChunk {
    pub(crate) index: u32,
    pub(crate) characters: u32,
    pub(crate) format: AudioFormat,
}

/// Records the events of chunks that failed for the same reason. `material` is the state before;
/// the numbers come after its last one.
pub(crate) async fn record_failed_chunks(
    tx: &mut Tx,
    material: &Material,
    ereader: EreaderId,
    chunks: impl Iterator<Item = FailedChunk>,
    failure: &Failure,
    writing: &Writing<'_>,
) -> Result<()> {
    let mut events = Vec::new();
    for (sequence, chunk) in (material.event_sequence + 1..).zip(chunks) {
        let data = ChunkFailed {
            material_id: material.id,
            sequence,
            chunk_index: chunk.index,
            ereader_id: ereader,
            characters: chunk.characters,
            duration_ms: None,
            format: chunk.format,
            error: MaterialFailure { code: failure.code, message: failure.message.clone() },
        };
        events.push(NewEvent::new(material.owner(), EventType::ChunkFailed, sequence, &data)?);
    }
    events::record_events(tx, &events, writing).await
}

/// What is left to do of the chapters that belong to the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rest {
    /// How many chunks they have.
    chunks: u64,
    /// How many of them have no audio.
    without_audio: u64,
    /// The length of their audio.
    duration_ms: u64,
}

/// What is left to do of the book of a locked material.
async fn rest(tx: &mut Tx, material: MaterialId) -> Result<Rest> {
    let row = tx
        .one(sql!(
            "SELECT COUNT(*) AS chunks,
                 CAST(COALESCE(SUM(CASE WHEN c.status = 'completed' THEN 0 ELSE 1 END), 0) AS BIGINT) AS without_audio,
                 CAST(COALESCE(SUM(c.duration_ms), 0) AS BIGINT) AS duration_ms
             FROM chunks c LEFT JOIN material_chapters h ON h.material_id = c.material_id AND h.idx = c.chapter
             WHERE c.material_id = $1 AND COALESCE(h.included, 1) = 1",
            material
        ))
        .await?;
    let Some(row) = row else { return Ok(Rest { chunks: 0, without_audio: 0, duration_ms: 0 }) };
    Ok(Rest {
        chunks: row.get("chunks")?,
        without_audio: row.get("without_audio")?,
        duration_ms: row.get("duration_ms")?,
    })
}

impl Material {
    /// The material after a change of its chunks' counts: with the resulting status (what is left of the book is
    /// known where nothing is queued), and with numbers handed out for `events` events and for one more when a
    /// conversion has ended.
    fn changed(&self, change: Change, rest: Option<Rest>, events: u64, now: Timestamp) -> Self {
        let add = |counter: u32, by: i64| u32::try_from(i64::from(counter) + by).unwrap_or(0);
        let mut material = self.clone();
        material.chunks_completed = add(material.chunks_completed, change.completed);
        material.chunks_failed = add(material.chunks_failed, change.failed);
        material.chunks_queued = add(material.chunks_queued, change.queued);
        material.duration_ms = material.duration_ms.saturating_add_signed(change.duration_ms);
        let is_whole = |rest: &Rest| rest.chunks > 0 && rest.without_audio == 0;
        material.book_duration_ms = rest.filter(is_whole).map(|rest| rest.duration_ms);
        material.status = if material.chunks_queued > 0 {
            MaterialStatus::Converting
        } else if material.book_duration_ms.is_some() {
            MaterialStatus::Completed
        } else if material.chunks_failed > 0 {
            MaterialStatus::PartiallyFailed
        } else {
            MaterialStatus::Ready
        };
        material.event_sequence += events + u64::from(end_event(material.status).is_some());
        material.updated_at = now;
        material
    }
}
