//! How many jobs of each kind run at once in this process. Each kind has its own slots, so that
//! assembling a long book or reading a slow upload neither delays conversions nor waits for them.

use std::{collections::BTreeSet, sync::Arc};

use lectern_store::jobs::JobKind;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// Uploads read at once: two, so that a long one does not hold up a short one.
const EXTRACTIONS: usize = 2;

/// Books assembled at once: each takes a core.
const ASSEMBLIES: usize = 1;

/// The slots of this process.
#[derive(Debug)]
pub(super) struct Slots {
    lanes: Vec<(JobKind, Arc<Semaphore>)>,
    freed: Arc<Notify>,
}

/// One slot, free again when dropped.
#[derive(Debug)]
pub(super) struct Slot {
    permit: Option<OwnedSemaphorePermit>,
    freed: Arc<Notify>,
}

impl Slots {
    /// Slots for this many conversions, and the fixed number for each other kind; only for `kinds`.
    pub(super) fn new(kinds: &[JobKind], conversions: usize) -> Self {
        let lane = |&kind: &JobKind| {
            let room = match kind {
                JobKind::Extract => EXTRACTIONS,
                JobKind::ConvertChunk => conversions.min(Semaphore::MAX_PERMITS),
                JobKind::Assemble => ASSEMBLIES,
            };
            (kind, Arc::new(Semaphore::new(room)))
        };
        // A kind that is listed twice gets its slots once.
        let kinds: BTreeSet<&JobKind> = kinds.iter().collect();
        Self { lanes: kinds.into_iter().map(lane).collect(), freed: Arc::default() }
    }

    /// The kinds that have slots.
    #[cfg(test)]
    fn kinds_with_free_slots(&self) -> Vec<JobKind> {
        let free = self.lanes.iter().filter(|(_, room)| room.available_permits() > 0);
        free.map(|(kind, _)| *kind).collect()
    }

    /// The free slots of each kind.
    pub(super) fn free(&self) -> Vec<(JobKind, usize)> {
        self.lanes.iter().map(|(kind, room)| (*kind, room.available_permits())).collect()
    }

    /// Takes a slot of this kind. Only one task takes slots, so those that [`Slots::free`] counted
    /// are still free.
    pub(super) fn take(&self, kind: JobKind) -> Option<Slot> {
        let (_, room) = self.lanes.iter().find(|(of, _)| *of == kind)?;
        let permit = Arc::clone(room).try_acquire_owned().ok()?;
        Some(Slot { permit: Some(permit), freed: Arc::clone(&self.freed) })
    }

    /// Waits until a slot is freed; returns at once when one was since the last call.
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
        assert_eq!(slots.kinds_with_free_slots(), [JobKind::Extract, JobKind::Assemble]);
        drop(first);
        slots.freed().await;
        assert_eq!(slots.kinds_with_free_slots().len(), 3);
    }

    // Negative control: with one lane for each listed kind, a third and a fourth job would get a
    // slot.
    #[test]
    fn a_kind_that_is_named_twice_has_room_once() {
        let slots = Slots::new(&[JobKind::Extract, JobKind::Assemble, JobKind::Extract], 1);
        let taken = [slots.take(JobKind::Extract), slots.take(JobKind::Extract)];
        assert!(taken.iter().all(Option::is_some));
        assert_eq!(slots.kinds_with_free_slots(), [JobKind::Assemble]);
    }
}
