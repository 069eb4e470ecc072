//! The instant of a change and the ids of the rows that it writes, which callers pass in.

use lectern_types::{DeliveryId, EventId, JobId, Timestamp};

use crate::ledger::{Booking, NewTransactionId};

/// The caller's source of new event ids.
pub type NewEventId<'a> = &'a (dyn Fn() -> EventId + Send + Sync);

/// The caller's source of new job ids, which must ascend.
pub type NewJobId<'a> = &'a (dyn Fn() -> JobId + Send + Sync);

/// The caller's source of new ids of webhook deliveries, which must ascend.
pub type NewDeliveryId<'a> = &'a (dyn Fn() -> DeliveryId + Send + Sync);

/// When something is written that may book, tell of events and queue jobs, and where the ids of those rows come from.
#[derive(Clone, Copy)]
pub struct Writing<'a> {
    /// The instant.
    pub now: Timestamp,
    /// Ids of ledger rows.
    pub transactions: NewTransactionId<'a>,
    /// Ids of events.
    pub events: NewEventId<'a>,
    /// Ids of deliveries.
    pub deliveries: NewDeliveryId<'a>,
    /// Ids of jobs.
    pub jobs: NewJobId<'a>,
}

impl<'a> Writing<'a> {
    /// The part that the ledger needs.
    pub(crate) fn booking(&self) -> Booking<'a> {
        Booking { now: self.now, ids: self.transactions }
    }
}
