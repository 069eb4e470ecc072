//! The leases of a process's attempts. A separate task renews them, because a turn may wait for a
//! lock that a customer's transaction holds, and attempts in flight must not be reclaimed
//! meanwhile.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use lectern_store::deliveries;
use lectern_types::DeliveryId;
use tokio::time::Instant;

use super::super::jobs::outage::Outage;
use crate::base::Base;

/// The deliveries this process holds: attempts in flight, and outcomes that are not recorded yet.
/// Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Held(Arc<Mutex<HashSet<DeliveryId>>>);

impl Held {
    pub(super) fn add(&self, delivery: DeliveryId) {
        self.set().insert(delivery);
    }

    pub(super) fn remove(&self, deliveries: impl Iterator<Item = DeliveryId>) {
        let mut set = self.set();
        for delivery in deliveries {
            set.remove(&delivery);
        }
    }

    /// All held deliveries.
    pub(super) fn all(&self) -> HashSet<DeliveryId> {
        self.set().clone()
    }

    fn set(&self) -> MutexGuard<'_, HashSet<DeliveryId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Renews the leases for ever.
pub(super) async fn renew(base: Base, instance_id: String, held: Held, store: Arc<Outage>) {
    let mut times = tokio::time::interval(base.renewal());
    times.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        times.tick().await;
        let held: Vec<DeliveryId> = held.all().into_iter().collect();
        if let Err(error) = deliveries::renew(&base.store, &instance_id, &held, base.lease_end()).await {
            store.failed(&error, Instant::now());
        }
    }
}
