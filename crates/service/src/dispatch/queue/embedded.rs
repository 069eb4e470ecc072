//! Dispatch without a server of its own: the store wakes this process's workers, PostgreSQL's
//! notifications those of others.

use std::sync::Arc;

use futures_util::{FutureExt as _, future::BoxFuture};
use lectern_store::{Changes, Environment, Notification, QueuedJob, Store, jobs::JobKind};

use super::{DeadLetter, Queue, QueueError, Subscription, Wake};
use crate::error::chain;

/// The embedded dispatch of one process.
#[derive(Debug, Clone)]
pub struct Embedded {
    store: Store,
    /// The name under which this process sends notifications.
    own: Arc<str>,
}

impl Embedded {
    /// Dispatch on this store, for the process with this name.
    pub fn new(store: Store, own: Arc<str>) -> Self {
        Self { store, own }
    }
}

impl Queue for Embedded {
    fn publish<'a>(&'a self, jobs: &'a [QueuedJob]) -> BoxFuture<'a, Result<(), QueueError>> {
        async {
            // One notification is enough: the others poll for everything that is due.
            let Some(first) = jobs.first() else { return Ok(()) };
            let said = self.store.announce(&self.own, &[Notification::Job(first.clone())]).await;
            said.map_err(|error| QueueError(chain(&error)))
        }
        .boxed()
    }

    fn subscribe(&self, _: &[JobKind], _: &[String]) -> Box<dyn Subscription> {
        Box::new(EmbeddedSubscription(self.store.watch_jobs()))
    }

    fn put_dead_letter<'a>(&'a self, _: &'a DeadLetter) -> BoxFuture<'a, Result<(), QueueError>> {
        // The row in the store is enough; `lectern admin jobs` shows it.
        async { Ok(()) }.boxed()
    }

    fn waiting<'a>(
        &'a self,
        _: JobKind,
        _: &'a str,
        _: Environment,
    ) -> BoxFuture<'a, Result<Option<u64>, QueueError>> {
        async { Ok(None) }.boxed()
    }

    fn is_away(&self) -> bool {
        false
    }
}

struct EmbeddedSubscription(Changes);

impl Subscription for EmbeddedSubscription {
    fn next<'a>(&'a mut self, _: &'a [(JobKind, usize)]) -> BoxFuture<'a, Wake> {
        async {
            self.0.next().await;
            Wake::Poll
        }
        .boxed()
    }

    fn is_per_job(&self) -> bool {
        false
    }
}
