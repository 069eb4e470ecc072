//! The other way round of `orphans`: rows whose objects are not there. A little in each round; begins anew hours after its
//! end. What it finds is said by a gauge and in the log.

use lectern_types::Timestamp;
use tokio::sync::Mutex;

use crate::{
    app::Base,
    error::Result,
    services::inventory::{self, Place},
};

/// Steps in one round.
const STEPS: usize = 20;

/// Rest between two inventories.
const REST_SECONDS: i64 = 6 * 60 * 60;

/// How far the inventory has come. One a process.
#[derive(Debug, Default)]
pub struct Missing(Mutex<Progress>);

#[derive(Debug, Default)]
struct Progress {
    place: Place,
    found: u64,
    rests_until: Option<Timestamp>,
}

impl Missing {
    /// Looks at some rows.
    ///
    /// # Errors
    /// The store's or the storage's; the next round goes on from there.
    pub async fn round(&self, base: &Base) -> Result<()> {
        let mut progress = self.0.lock().await;
        let now = base.clock.now();
        if progress.rests_until.is_some_and(|until| now < until) {
            return Ok(());
        }
        if progress.rests_until.take().is_some() {
            *progress = Progress::default();
        }
        for _ in 0..STEPS {
            let step = inventory::step(base, &mut progress.place).await?;
            for key in &step.missing {
                tracing::error!(object.key = key, "an object that a row needs is not in the storage");
            }
            progress.found += step.missing.len() as u64;
            if progress.place == Place::End {
                metrics::gauge!("lectern_storage_missing_objects").set(progress.found as f64);
                progress.rests_until = Some(now.plus_seconds(REST_SECONDS));
                break;
            }
        }
        Ok(())
    }
}
