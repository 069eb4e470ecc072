//! What committed transactions made due or changed, for those who wait for it in this process, and
//! for the task that tells the other processes ([`Store::announce`](crate::Store::announce)). A
//! notification only says where to look. The rows are the truth, so a notification may be lost,
//! doubled or late.
//!
//! A transaction collects notifications ([`crate::db::Tx::notify`]). Its commit posts them, which
//! wakes every watcher in this process at once and queues them for the other processes. They are
//! not sent inside the transaction, because PostgreSQL lets transactions that notify commit only
//! one at a time, so that they no longer share a write to disk.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use lectern_types::{Environment, JobId, MaterialId};
use tokio::sync::{Notify, watch};

use crate::vocabulary::JobKind;

/// How many notifications are kept for other processes. A process that never sends them, such as a
/// command, drops the rest.
const MAX_PENDING: usize = 65_536;

/// One thing that a committed transaction made due or changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Notification {
    /// A job is due.
    Job(QueuedJob),
    /// There are webhook deliveries to attempt.
    Deliveries,
    /// An event of this material was written, its audio was made, a job of it ended, or it was
    /// deleted.
    Material(MaterialId),
}

/// A job that became due.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct QueuedJob {
    pub kind: JobKind,
    /// The engine that it needs; empty for none, or where that is not known.
    pub engine: String,
    pub environment: Environment,
    /// The job, or another id that names this queueing of it.
    pub id: JobId,
    /// How often it had been claimed before: the same job may be queued again.
    pub epoch: u32,
}

/// Who is to look again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WakeUp {
    /// Workers: jobs are due.
    Jobs,
    /// The delivery loop: there are webhook deliveries to attempt.
    Deliveries,
    /// Requests that follow this material.
    Material(MaterialId),
}

impl From<&Notification> for WakeUp {
    fn from(notification: &Notification) -> Self {
        match notification {
            Notification::Job(_) => Self::Jobs,
            Notification::Deliveries => Self::Deliveries,
            Notification::Material(material) => Self::Material(*material),
        }
    }
}

/// The notifications of one handle and its clones.
#[derive(Debug, Default)]
pub(crate) struct Notifications {
    /// For other processes.
    pending: Mutex<BTreeSet<Notification>>,
    posted: Notify,
    jobs: watch::Sender<()>,
    deliveries: watch::Sender<()>,
    /// Only of watched materials.
    materials: Mutex<HashMap<MaterialId, watch::Sender<()>>>,
}

impl Notifications {
    /// Posts what a committed transaction made due: to the watchers here, and to be sent to other
    /// processes.
    pub(crate) fn post(&self, notifications: Vec<Notification>) {
        if notifications.is_empty() {
            return;
        }
        let mut pending = lock(&self.pending);
        for notification in &notifications {
            if pending.len() < MAX_PENDING {
                pending.insert(notification.clone());
            }
        }
        drop(pending);
        self.posted.notify_one();
        let (mut jobs, mut deliveries) = (false, false);
        for notification in notifications {
            match WakeUp::from(&notification) {
                WakeUp::Jobs => jobs = true,
                WakeUp::Deliveries => deliveries = true,
                material @ WakeUp::Material(_) => self.wake(material),
            }
        }
        if jobs {
            self.wake(WakeUp::Jobs);
        }
        if deliveries {
            self.wake(WakeUp::Deliveries);
        }
    }

    /// Wakes those in this process who watch for it.
    pub(crate) fn wake(&self, what: WakeUp) {
        match what {
            WakeUp::Jobs => self.jobs.send_replace(()),
            WakeUp::Deliveries => self.deliveries.send_replace(()),
            WakeUp::Material(material) => {
                if let Some(sender) = lock(&self.materials).get(&material) {
                    sender.send_replace(());
                }
            }
        }
    }

    /// Wakes all watchers.
    pub(crate) fn wake_all(&self) {
        self.wake(WakeUp::Jobs);
        self.wake(WakeUp::Deliveries);
        for sender in lock(&self.materials).values() {
            sender.send_replace(());
        }
    }

    /// Waits until something is pending, and takes all of it. For one task.
    pub(crate) async fn next(&self) -> Vec<Notification> {
        loop {
            let pending = self.take();
            if !pending.is_empty() {
                return pending;
            }
            self.posted.notified().await;
        }
    }

    /// As [`Notifications::next`], without waiting.
    pub(crate) fn take(&self) -> Vec<Notification> {
        std::mem::take(&mut *lock(&self.pending)).into_iter().collect()
    }

    pub(crate) fn watch_jobs(self: &Arc<Self>) -> Changes {
        Changes { receiver: self.jobs.subscribe(), _sender: Arc::clone(self) }
    }

    pub(crate) fn watch_deliveries(&self) -> watch::Receiver<()> {
        self.deliveries.subscribe()
    }

    pub(crate) fn watch_material(self: &Arc<Self>, material: MaterialId) -> MaterialChanges {
        let receiver = lock(&self.materials).entry(material).or_default().subscribe();
        let changes = Changes { receiver, _sender: Arc::clone(self) };
        MaterialChanges { changes: Some(changes), notifications: Arc::clone(self), material }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Wake-ups of one kind, from the moment of subscribing on.
#[derive(Debug)]
pub struct Changes {
    receiver: watch::Receiver<()>,
    /// Keeps the sender alive, so that waiting never ends because the sender is gone.
    _sender: Arc<Notifications>,
}

impl Changes {
    /// Waits for the next wake-up; one that was sent since the last is there at once. Cancel safe.
    pub async fn next(&mut self) {
        if self.receiver.changed().await.is_err() {
            // The sender is gone, so no wake-up will ever come.
            std::future::pending::<()>().await;
        }
    }
}

/// Wake-ups of one material.
#[derive(Debug)]
pub struct MaterialChanges {
    changes: Option<Changes>,
    notifications: Arc<Notifications>,
    material: MaterialId,
}

impl MaterialChanges {
    /// As [`Changes::next`].
    pub async fn next(&mut self) {
        match &mut self.changes {
            Some(changes) => changes.next().await,
            None => std::future::pending().await,
        }
    }
}

impl Drop for MaterialChanges {
    fn drop(&mut self) {
        let mut materials = lock(&self.notifications.materials);
        // Under the lock, so that no one can subscribe between the count and the removal.
        self.changes = None;
        if materials.get(&self.material).is_some_and(|sender| sender.receiver_count() == 0) {
            materials.remove(&self.material);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use uuid::Uuid;

    use super::*;

    fn material(number: u128) -> MaterialId {
        MaterialId::from_uuid(Uuid::from_u128(number))
    }

    async fn woken(changes: &mut MaterialChanges) -> bool {
        tokio::time::timeout(Duration::from_millis(20), changes.next()).await.is_ok()
    }

    #[tokio::test]
    async fn a_watcher_is_woken_once_and_only_for_its_own_material() {
        let notifications = Arc::new(Notifications::default());
        let (mut first, mut second) =
            (notifications.watch_material(material(1)), notifications.watch_material(material(2)));
        for _ in 0..3 {
            notifications.post(vec![Notification::Material(material(1))]);
        }
        assert!(woken(&mut first).await && !woken(&mut first).await);
        assert!(!woken(&mut second).await);
        assert_eq!(notifications.take(), [Notification::Material(material(1))]);
    }

    #[tokio::test]
    async fn a_wake_up_between_watching_and_waiting_is_not_lost() {
        let notifications = Arc::new(Notifications::default());
        let mut jobs = notifications.watch_jobs();
        notifications.wake(WakeUp::Jobs);
        jobs.next().await;
    }

    #[tokio::test]
    async fn a_material_that_nobody_watches_any_more_is_forgotten() {
        let notifications = Arc::new(Notifications::default());
        let (first, mut second) =
            (notifications.watch_material(material(1)), notifications.watch_material(material(1)));
        drop(first);
        assert_eq!(lock(&notifications.materials).len(), 1);
        notifications.wake(WakeUp::Material(material(1)));
        assert!(woken(&mut second).await);
        drop(second);
        assert!(lock(&notifications.materials).is_empty());
    }
}
