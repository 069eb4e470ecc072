//! Dispatch without a server of its own: this process's signals, and PostgreSQL's notifications for the others.

use std::sync::Arc;

use futures_util::{FutureExt as _, future::BoxFuture};
use lectern_store::{Environment, News, QueuedJob, Store, jobs::JobKind};

use super::{Call, Calls, DeadLetter, Queue, QueueError};
use crate::{
    error::chain,
    signals::{Changes, Signals},
};

/// The embedded dispatch of one process.
#[derive(Debug, Clone)]
pub struct Embedded {
    store: Store,
    signals: Signals,
    /// The name under which this process announces.
    own: Arc<str>,
}

impl Embedded {
    /// Dispatch on this store, for the process that goes by this name.
    pub fn new(store: Store, signals: Signals, own: Arc<str>) -> Self {
        Self { store, signals, own }
    }
}

impl Queue for Embedded {
    fn publish<'a>(&'a self, jobs: &'a [QueuedJob]) -> BoxFuture<'a, Result<(), QueueError>> {
        async {
            // One says it for all: the others look for whatever is due.
            let Some(first) = jobs.first() else { return Ok(()) };
            let said = self.store.announce(&self.own, &[News::Job(*first)]).await;
            said.map_err(|error| QueueError(chain(&error)))
        }
        .boxed()
    }

    fn calls(&self, _: &[JobKind]) -> Box<dyn Calls> {
        Box::new(Ear(self.signals.watch_jobs()))
    }

    fn bury<'a>(&'a self, _: &'a DeadLetter) -> BoxFuture<'a, Result<(), QueueError>> {
        // The store has it, and `lectern admin jobs` shows it.
        async { Ok(()) }.boxed()
    }

    fn waiting(&self, _: JobKind, _: Environment) -> BoxFuture<'_, Result<Option<u64>, QueueError>> {
        async { Ok(None) }.boxed()
    }

    fn is_away(&self) -> bool {
        false
    }
}

struct Ear(Changes);

impl Calls for Ear {
    fn next<'a>(&'a mut self, _: &'a [(JobKind, usize)]) -> BoxFuture<'a, Call> {
        async {
            self.0.next().await;
            Call::Look
        }
        .boxed()
    }

    fn come_one_by_one(&self) -> bool {
        false
    }
}
