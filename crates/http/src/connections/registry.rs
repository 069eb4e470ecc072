//! All connections of a listener: enforces the limit and chooses which connections to evict.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use tokio::sync::Notify;

use super::{Patience, progress::Progress};

/// The fraction of the connections that is evicted at once, so that one search makes room for many
/// new connections.
const SHARE: usize = 64;

/// The open connections. Clones are the same registry.
#[derive(Debug, Clone)]
pub(super) struct Registry(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    room: usize,
    next: AtomicU64,
    open: Mutex<HashMap<u64, Arc<Progress>>>,
    freed: Notify,
    stopping: AtomicBool,
}

impl Registry {
    pub(super) fn new(room: usize) -> Self {
        Self(Arc::new(Inner {
            room: room.max(1),
            next: AtomicU64::new(0),
            open: Mutex::default(),
            freed: Notify::new(),
            stopping: AtomicBool::new(false),
        }))
    }

    fn open(&self) -> MutexGuard<'_, HashMap<u64, Arc<Progress>>> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place for a new connection until the place is dropped.
    pub(super) fn seat(&self, patience: Patience) -> Seat {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        let progress = Arc::new(Progress::new(patience));
        self.open().insert(number, Arc::clone(&progress));
        if self.0.stopping.load(Ordering::SeqCst) {
            progress.stop();
        }
        metrics::gauge!("lectern_http_connections").increment(1);
        Seat { registry: self.clone(), number, progress }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open().is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.open().len() >= self.0.room
    }

    /// Resolves when a connection has ended since the last call.
    pub(super) async fn freed(&self) {
        self.0.freed.notified().await;
    }

    /// Evicts the connections that have kept the service waiting for the longest and returns how
    /// many. Connections whose request would be lost come last; those with a request in progress
    /// are never evicted.
    pub(super) fn make_room(&self) -> usize {
        let open = self.open();
        let mut waiting: Vec<_> =
            open.values().filter_map(|progress| Some((progress.waiting_since()?, progress))).collect();
        if waiting.is_empty() {
            return 0;
        }
        let count = (open.len() / SHARE).clamp(1, waiting.len());
        waiting.select_nth_unstable_by_key(count - 1, |(since, _)| *since);
        for (_, progress) in &waiting[..count] {
            progress.make_room();
        }
        metrics::counter!("lectern_http_connections_yielded_total").increment(count as u64);
        count
    }

    /// Tells all connections, including new ones, that the process is stopping.
    pub(super) fn stop(&self) {
        self.0.stopping.store(true, Ordering::SeqCst);
        for progress in self.open().values() {
            progress.stop();
        }
    }
}

/// A connection's place in its registry.
#[derive(Debug)]
pub(super) struct Seat {
    registry: Registry,
    number: u64,
    progress: Arc<Progress>,
}

impl Seat {
    pub(super) fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.registry.open().remove(&self.number);
        metrics::gauge!("lectern_http_connections").decrement(1);
        self.registry.0.freed.notify_one();
    }
}
