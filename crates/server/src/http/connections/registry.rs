//! All connections of a listener: how many there may be, and which ones yield when there is no room.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use tokio::sync::Notify;

use super::{Patience, progress::Progress};

/// One in so many yields at once when there is no room, so that the search is paid for once for all of them.
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

    /// A place for a new connection, until it is dropped.
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

    /// Resolves when a connection has ended since the last time.
    pub(super) async fn freed(&self) {
        self.0.freed.notified().await;
    }

    /// Tells those that have kept us waiting for the longest to end; how many. Connections whose request would be
    /// lost come last, and those that are worked for never do.
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

    /// Tells all connections, and those that still come, that the process stops.
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
