//! Carries notifications between the processes that share a PostgreSQL database: publishes what
//! committed transactions of this process made due, and wakes this process's watchers for what
//! others publish. A lost notification costs one poll interval, never work, so nothing here is
//! retried.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use lectern_store::{Listener, Notification, QueuedJob, Store};
use tokio_util::sync::CancellationToken;

use crate::{dispatch::queue::Queue, error::chain};

/// The pause after the database could not be listened to. Watchers poll meanwhile.
const PAUSE: Duration = Duration::from_secs(1);

/// How long publishing the last notifications may take at shutdown.
const LAST_PUBLISH: Duration = Duration::from_millis(500);

/// The dependencies of the notifier.
#[derive(Debug, Clone)]
pub struct Notifier {
    pub store: Store,
    pub queue: Arc<dyn Queue>,
    /// The name under which this process publishes.
    pub own: Arc<str>,
    pub listening: Listening,
}

/// Whether this process receives what others publish. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Listening(Arc<AtomicBool>);

impl Listening {
    pub fn is_on(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self, is_on: bool) {
        self.0.store(is_on, Ordering::Relaxed);
        metrics::gauge!("lectern_news_heard").set(f64::from(u8::from(is_on)));
    }
}

impl Notifier {
    /// Carries notifications until `stop` is cancelled.
    pub async fn run(self, stop: CancellationToken) {
        tokio::select! {
            () = stop.cancelled() => {}
            ((), ()) = async { tokio::join!(self.publish_all(), self.listen()) } => {}
        }
        // Of the last transactions, such as jobs that were released.
        let pending = self.store.pending_notifications();
        if !pending.is_empty() {
            let _ = tokio::time::timeout(LAST_PUBLISH, self.publish(&pending)).await;
        }
    }

    /// Publishes pending notifications as one batch, again and again.
    async fn publish_all(&self) {
        let mut is_silent = false;
        loop {
            let pending = self.store.notifications().await;
            match self.publish(&pending).await {
                Ok(()) => is_silent = false,
                Err(error) if is_silent => {
                    tracing::debug!(error = chain(&error), "notifications were not published");
                }
                Err(error) => {
                    is_silent = true;
                    tracing::warn!(
                        error = chain(&error),
                        "notifications cannot be published; other processes poll instead"
                    );
                }
            }
        }
    }

    /// Publishes jobs through the queue and the rest through the database; jobs as well when the
    /// queue does not take them.
    async fn publish(&self, notifications: &[Notification]) -> lectern_store::Result<()> {
        let jobs: Vec<QueuedJob> = notifications.iter().filter_map(queued).collect();
        let rest: Vec<Notification> =
            notifications.iter().filter(|one| queued(one).is_none()).cloned().collect();
        // Concurrently, so that a queue that hangs does not hold up the rest.
        let publish = async {
            let Some(first) = jobs.first() else { return Ok(()) };
            let Err(error) = self.queue.publish(&jobs).await else { return Ok(()) };
            tracing::debug!(error = %error, queue.jobs = jobs.len(), "the queue did not take jobs");
            self.store.announce(&self.own, &[Notification::Job(first.clone())]).await
        };
        let (published, announced) = tokio::join!(publish, self.store.announce(&self.own, &rest));
        published.and(announced)
    }

    /// Wakes this process's watchers for what the others publish.
    async fn listen(&self) {
        let mut is_deaf = false;
        loop {
            match self.store.listen(&self.own).await {
                Ok(None) => return,
                Ok(Some(listener)) => {
                    if is_deaf {
                        tracing::info!("notifications of other processes are received again");
                    }
                    // Notifications may have been lost before.
                    self.store.wake_all();
                    let error = self.receive(listener).await;
                    tracing::warn!(
                        error = chain(&error),
                        "notifications of other processes are not received; polling instead"
                    );
                    is_deaf = true;
                }
                Err(error) if is_deaf => {
                    tracing::debug!(error = chain(&error), "the database is not listened to");
                }
                Err(error) => {
                    tracing::warn!(
                        error = chain(&error),
                        "notifications of other processes are not received; polling instead"
                    );
                    is_deaf = true;
                }
            }
            self.listening.set(false);
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Receives until the connection is lost; why it was.
    async fn receive(&self, mut listener: Listener) -> lectern_store::Error {
        self.listening.set(true);
        loop {
            match listener.next().await {
                Ok(received) => received.into_iter().for_each(|one| self.store.wake(one)),
                Err(error) => return error,
            }
        }
    }
}

fn queued(notification: &Notification) -> Option<QueuedJob> {
    match notification {
        Notification::Job(job) => Some(job.clone()),
        _ => None,
    }
}
