//! What a lane admits: of each engine a number of requests, and as much work as its threads do in a
//! certain time.
//!
//! Each engine has its own queue, so that many long requests for a heavy one refuse none for
//! another. So has each priority: sandbox work waits behind live work and never keeps it out.
//! Background work is bounded by the number of requests only: nobody waits for it, and who
//! submits it has a bound of their own. What waits for its reader and not for a thread is not
//! counted: readers that are slow or stand still refuse nobody.

use std::time::Duration;

use super::{Lane, LaneQueue, PoolError, Priority};

impl Lane {
    /// Admits a request of this weight, or says when there will be room for it.
    ///
    /// # Errors
    /// [`PoolError`]: the lane is full, closing or hanging.
    pub(super) fn admit(
        &self,
        queue: &LaneQueue,
        engine: usize,
        priority: Priority,
        weight: f64,
    ) -> Result<(), PoolError> {
        if queue.closing {
            return Err(PoolError::Closed);
        }
        if queue.alive == 0 {
            return Err(PoolError::Hanging);
        }
        let background = priority == Priority::Background;
        let own = queue.turns.waiting_of(engine, self.ahead, |other| other == priority);
        // Live work goes before sandbox work.
        let goes_before = |other| other == priority || (!background && other < priority);
        let before = queue.turns.waiting_of(engine, self.ahead, goes_before);
        let Some(meter) = queue.meters.get(engine) else { return Ok(()) };
        let waiting = meter.work(before.weight);
        let room =
            self.settings.queue_work.saturating_mul(u32::try_from(self.settings.threads).unwrap_or(u32::MAX));
        let excess = (waiting + meter.work(weight)).saturating_sub(room);
        if own.requests >= self.settings.queue {
            // There is room when the first of them is done.
            let one = meter.work(own.weight) / u32::try_from(own.requests).unwrap_or(u32::MAX);
            return Err(PoolError::Full { retry_after: self.done_after(queue, engine, one.max(excess)) });
        }
        if background || before.requests == 0 || excess.is_zero() {
            return Ok(());
        }
        Err(PoolError::Full { retry_after: self.done_after(queue, engine, excess.min(waiting)) })
    }

    /// Whether somebody waits for an engine's work.
    fn is_waited_for(&self, queue: &LaneQueue, engine: usize) -> bool {
        queue.turns.waiting_of(engine, self.ahead, |priority| priority != Priority::Background).requests > 0
    }

    /// When this much of the work that waits for an engine will have been done: after what its
    /// threads have in hand, and at the pace that the other engines leave it.
    fn done_after(&self, queue: &LaneQueue, engine: usize, work: Duration) -> Duration {
        let threads = self.settings.threads.max(1) as f64;
        let others = (0..queue.meters.len())
            .filter(|other| *other != engine && self.is_waited_for(queue, *other))
            .count();
        let in_hand: Duration = queue.in_hand.values().map(super::InHand::left).sum();
        let seconds = (in_hand.as_secs_f64() + work.as_secs_f64() * (1 + others) as f64) / threads;
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }
}
