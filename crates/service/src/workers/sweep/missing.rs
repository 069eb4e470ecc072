//! The opposite of `orphans`: rows whose objects are missing. Each round checks a few; the
//! inventory starts again hours after it ended. A gauge and the log report the missing objects.

use lectern_types::Timestamp;
use tokio::sync::Mutex;

use crate::{
    base::Base,
    error::Result,
    services::missing_objects::{self, Position},
};

/// Steps in one round.
const STEPS: usize = 20;

/// The pause between two inventories.
const REST_SECONDS: i64 = 6 * 60 * 60;

/// The progress of the inventory, one in each process.
#[derive(Debug, Default)]
pub struct Missing(Mutex<Progress>);

#[derive(Debug, Default)]
struct Progress {
    place: Position,
    found: u64,
    rests_until: Option<Timestamp>,
}

impl Missing {
    /// Checks some rows.
    ///
    /// # Errors
    /// The store's or the storage's; the next round continues from there.
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
            let step = missing_objects::step(base, &mut progress.place).await?;
            for key in &step.missing {
                tracing::error!(
                    object.key = key,
                    "an object that a row needs is missing from object storage"
                );
            }
            progress.found += step.missing.len() as u64;
            if progress.place == Position::End {
                metrics::gauge!("lectern_storage_missing_objects").set(progress.found as f64);
                progress.rests_until = Some(now.plus_seconds(REST_SECONDS));
                break;
            }
        }
        Ok(())
    }
}
