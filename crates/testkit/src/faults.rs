//! A store whose transactions are cut off where the test says.

use std::sync::{Arc, Mutex, PoisonError};

use lectern_store::{Cut, Edge, Faults};

/// The test's hand on the transactions of one store.
#[derive(Debug, Clone, Default)]
pub struct FaultyStore(Arc<Mutex<Option<Armed>>>);

/// A cut to be made at an edge, after so many transactions have passed it.
#[derive(Debug)]
struct Armed {
    edge: Edge,
    passing: u32,
}

impl FaultyStore {
    /// Cuts off the next transaction that comes to `edge`, and no other.
    pub fn cut_next(&self, edge: Edge) {
        self.cut_after(0, edge);
    }

    /// Cuts off the one transaction that comes to `edge` after `passing` others have.
    pub fn cut_after(&self, passing: u32, edge: Edge) {
        *self.armed() = Some(Armed { edge, passing });
    }

    /// Cuts off nothing any more.
    pub fn spare(&self) {
        *self.armed() = None;
    }

    /// Whether the cut was made.
    pub fn is_spent(&self) -> bool {
        self.armed().is_none()
    }

    pub(crate) fn hook(&self) -> Faults {
        let faults = self.clone();
        Arc::new(move |edge| {
            let mut armed = faults.armed();
            if let Some(armed) = armed.as_mut().filter(|armed| armed.edge == edge && armed.passing > 0) {
                armed.passing -= 1;
                return None;
            }
            armed.take_if(|armed| armed.edge == edge).map(|_| Cut::Abandon)
        })
    }

    fn armed(&self) -> std::sync::MutexGuard<'_, Option<Armed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
