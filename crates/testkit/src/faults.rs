//! A store whose transactions the test can cut off.

use std::sync::{Arc, Mutex, PoisonError};

use lectern_store::{Cut, Edge, Faults};

/// Controls the transactions of one store.
#[derive(Debug, Clone, Default)]
pub struct FaultyStore(Arc<Mutex<Option<Armed>>>);

/// A cut at an edge, after `passing` transactions have passed that edge.
#[derive(Debug)]
struct Armed {
    edge: Edge,
    passing: u32,
}

impl FaultyStore {
    /// Cuts off the next transaction that reaches `edge`, and no other.
    pub fn cut_next(&self, edge: Edge) {
        self.cut_after(0, edge);
    }

    /// Cuts off one transaction at `edge`, after `passing` others have reached that edge.
    pub fn cut_after(&self, passing: u32, edge: Edge) {
        *self.armed() = Some(Armed { edge, passing });
    }

    /// Cancels a cut that has not happened yet.
    pub fn disarm(&self) {
        *self.armed() = None;
    }

    /// Whether the cut has happened.
    pub fn has_fired(&self) -> bool {
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
