//! How many jobs of each kind run at once in this process. Each kind has room of its own: a long book on its way into
//! one file, or a slow upload, neither holds conversions up nor waits for them.

use std::{collections::BTreeSet, sync::Arc};

use lectern_store::jobs::JobKind;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// Uploads read at once: two, so that a short one is not held up by a long one.
const EXTRACTIONS: usize = 2;

/// Whole books made at once: each takes a core.
const ASSEMBLIES: usize = 1;

/// The room of this process.
#[derive(Debug)]
pub(super) struct Slots {
    lanes: Vec<(JobKind, Arc<Semaphore>)>,
    freed: Arc<Notify>,
}

/// Room for one job, free again when dropped.
#[derive(Debug)]
pub(super) struct Slot {
    permit: Option<OwnedSemaphorePermit>,
    freed: Arc<Notify>,
}

impl Slots {
    /// Room for so many conversions, if they are among `kinds`, and for the other kinds what they always get.
    pub(super) fn new(kinds: &[JobKind], conversions: usize) -> Self {
        let lane = |&kind: &JobKind| {
            let room = match kind {
                JobKind::Extract => EXTRACTIONS,
                JobKind::ConvertChunk => conversions.min(Semaphore::MAX_PERMITS),
                JobKind::Assemble => ASSEMBLIES,
            };
            (kind, Arc::new(Semaphore::new(room)))
        };
        // A kind that is named twice has room once.
        let kinds: BTreeSet<&JobKind> = kinds.iter().collect();
        Self { lanes: kinds.into_iter().map(lane).collect(), freed: Arc::default() }
    }

    /// The kinds there is room for.
    #[cfg(test)]
    fn free(&self) -> Vec<JobKind> {
        let free = self.lanes.iter().filter(|(_, room)| room.available_permits() > 0);
        free.map(|(kind, _)| *kind).collect()
    }

    /// How many more jobs of each kind there is room for.
    pub(super) fn room(&self) -> Vec<(JobKind, usize)> {
        self.lanes.iter().map(|(kind, room)| (*kind, room.available_permits())).collect()
    }

    /// Room for a job of this kind. Only one task takes, so what [`Slots::room`] counted is still there.
    pub(super) fn take(&self, kind: JobKind) -> Option<Slot> {
        let (_, room) = self.lanes.iter().find(|(of, _)| *of == kind)?;
        let permit = Arc::clone(room).try_acquire_owned().ok()?;
        Some(Slot { permit: Some(permit), freed: Arc::clone(&self.freed) })
    }

    /// Waits until room became free; at once when some did since the last call.
    pub(super) async fn freed(&self) {
        self.freed.notified().await;
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.permit = None;
        self.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_full_lane_leaves_the_others_free() {
        let slots = Slots::new(JobKind::ALL, 2);
        let (first, second) = (slots.take(JobKind::ConvertChunk), slots.take(JobKind::ConvertChunk));
        assert!(first.is_some() && second.is_some() && slots.take(JobKind::ConvertChunk).is_none());
        assert_eq!(slots.free(), [JobKind::Extract, JobKind::Assemble]);
        drop(first);
        slots.freed().await;
        assert_eq!(slots.free().len(), 3);
    }

    // Negative control: with lanes made of the kinds as they are named, there is room for a third and a fourth.
    #[test]
    fn a_kind_that_is_named_twice_has_room_once() {
        let slots = Slots::new(&[JobKind::Extract, JobKind::Assemble, JobKind::Extract], 1);
        let taken = [slots.take(JobKind::Extract), slots.take(JobKind::Extract)];
        assert!(taken.iter().all(Option::is_some));
        assert_eq!(slots.free(), [JobKind::Assemble]);
    }
}
