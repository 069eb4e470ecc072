//! A store whose transactions are cut off where the test says.

use std::sync::{Arc, Mutex, PoisonError};

use lectern_store::{Cut, Edge, Faults};

/// The test's hand on the transactions of one store.
#[derive(Debug, Clone, Default)]
pub struct FaultyStore(Arc<Mutex<Option<Edge>>>);

impl FaultyStore {
    /// Cuts off the next transaction that comes to `edge`, and no other.
    pub fn cut_next(&self, edge: Edge) {
        *self.armed() = Some(edge);
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
        Arc::new(move |edge| faults.armed().take_if(|armed| *armed == edge).map(|_| Cut::Abandon))
    }

    fn armed(&self) -> std::sync::MutexGuard<'_, Option<Edge>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
