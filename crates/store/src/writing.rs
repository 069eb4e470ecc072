//! The instant of a change and the ids of the rows that it writes, which callers pass in.

use lectern_types::{DeliveryId, EventId, JobId, Timestamp, TransactionId};

/// The caller's source of new transaction ids, which must ascend.
pub type NewTransactionId<'a> = &'a (dyn Fn() -> TransactionId + Send + Sync);

/// The caller's source of new event ids.
pub type NewEventId<'a> = &'a (dyn Fn() -> EventId + Send + Sync);

/// The caller's source of new job ids, which must ascend.
pub type NewJobId<'a> = &'a (dyn Fn() -> JobId + Send + Sync);

/// The caller's source of new ids of webhook deliveries, which must ascend.
pub type NewDeliveryId<'a> = &'a (dyn Fn() -> DeliveryId + Send + Sync);

/// The time of a booking, and the source of its rows' ids.
#[derive(Clone, Copy)]
pub struct Booking<'a> {
    pub now: Timestamp,
    pub ids: NewTransactionId<'a>,
}

/// The time of a change, and the sources of ids for the ledger rows, events, deliveries and jobs
/// that it writes.
#[derive(Clone, Copy)]
pub struct Writing<'a> {
    pub now: Timestamp,
    /// Ids of ledger rows.
    pub transactions: NewTransactionId<'a>,
    pub events: NewEventId<'a>,
    pub deliveries: NewDeliveryId<'a>,
    pub jobs: NewJobId<'a>,
}

impl<'a> Writing<'a> {
    /// The part that the ledger needs.
    pub(crate) fn booking(&self) -> Booking<'a> {
        Booking { now: self.now, ids: self.transactions }
    }
}
