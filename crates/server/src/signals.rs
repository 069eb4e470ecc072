//! What happens in this process, told to whoever waits for it here: that there are jobs, that something of a material
//! changed. A signal carries nothing: who hears it looks into the store, which is the truth. What other processes say reaches
//! it by [`crate::herald`], if they can be heard; whoever waits also looks now and then by himself, so that a signal that is
//! missed costs that interval, never work.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use lectern_types::MaterialId;
use tokio::sync::watch;

/// The signals of one process. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Signals(Arc<Hub>);

#[derive(Debug, Default)]
struct Hub {
    jobs: watch::Sender<()>,
    /// Whether what other processes say is heard here.
    hears_others: AtomicBool,
    /// Only of materials that somebody watches.
    materials: Mutex<HashMap<MaterialId, watch::Sender<()>>>,
}

impl Signals {
    /// Says that jobs were queued: call it after the transaction that queued them.
    pub fn jobs_queued(&self) {
        self.0.jobs.send_replace(());
    }

    /// From now on, hears of jobs.
    pub fn watch_jobs(&self) -> Changes {
        Changes { receiver: self.0.jobs.subscribe(), _hub: Arc::clone(&self.0) }
    }

    /// Says that something of a material changed (an event of it was written, or its audio came about): call it after
    /// the transaction that changed it.
    pub fn material_changed(&self, material: MaterialId) {
        if let Some(sender) = self.materials().get(&material) {
            sender.send_replace(());
        }
    }

    /// Says that anything may have happened, as after a while of not hearing others.
    pub fn anything(&self) {
        self.jobs_queued();
        for sender in self.materials().values() {
            sender.send_replace(());
        }
    }

    /// Notes whether what other processes say is heard here from now on.
    pub fn set_hears_others(&self, hears: bool) {
        self.0.hears_others.store(hears, Ordering::Relaxed);
        metrics::gauge!("lectern_news_heard").set(f64::from(u8::from(hears)));
    }

    /// Whether what other processes say is heard here.
    pub fn hears_others(&self) -> bool {
        self.0.hears_others.load(Ordering::Relaxed)
    }

    /// From now on, hears of a material. Watch first and read the store then: what changes between the two is heard.
    pub fn watch_material(&self, material: MaterialId) -> MaterialChanges {
        let receiver = self.materials().entry(material).or_default().subscribe();
        let changes = Changes { receiver, _hub: Arc::clone(&self.0) };
        MaterialChanges { changes: Some(changes), signals: self.clone(), material }
    }

    fn materials(&self) -> MutexGuard<'_, HashMap<MaterialId, watch::Sender<()>>> {
        self.0.materials.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Signals of one kind, from the moment of asking on.
#[derive(Debug)]
pub struct Changes {
    receiver: watch::Receiver<()>,
    /// Keeps the sender alive, so that waiting never ends for want of one.
    _hub: Arc<Hub>,
}

impl Changes {
    /// Waits for the next signal; one that was sent since the last is there at once. May be dropped and asked again.
    pub async fn next(&mut self) {
        if self.receiver.changed().await.is_err() {
            // Nobody will ever signal again.
            std::future::pending::<()>().await;
        }
    }
}

/// Signals of one material.
#[derive(Debug)]
pub struct MaterialChanges {
    changes: Option<Changes>,
    signals: Signals,
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
        let mut materials = self.signals.materials();
        // Under the lock, so that nobody begins to watch between the count and the removal.
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

    async fn heard(changes: &mut MaterialChanges) -> bool {
        tokio::time::timeout(Duration::from_millis(20), changes.next()).await.is_ok()
    }

    #[tokio::test]
    async fn who_watches_hears_its_own_material_once_however_often_it_was_told() {
        let signals = Signals::default();
        let (mut first, mut second) =
            (signals.watch_material(material(1)), signals.watch_material(material(2)));
        for _ in 0..3 {
            signals.material_changed(material(1));
        }
        assert!(heard(&mut first).await && !heard(&mut first).await);
        assert!(!heard(&mut second).await);
    }

    #[tokio::test]
    async fn a_signal_between_watching_and_waiting_is_heard() {
        let signals = Signals::default();
        let mut jobs = signals.watch_jobs();
        signals.jobs_queued();
        jobs.next().await;
    }

    #[tokio::test]
    async fn what_nobody_watches_any_more_is_forgotten() {
        let signals = Signals::default();
        let (first, mut second) = (signals.watch_material(material(1)), signals.watch_material(material(1)));
        drop(first);
        assert_eq!(signals.materials().len(), 1);
        signals.material_changed(material(1));
        assert!(heard(&mut second).await);
        drop(second);
        assert!(signals.materials().is_empty());
    }
}
