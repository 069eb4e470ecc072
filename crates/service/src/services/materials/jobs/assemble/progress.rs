//! How far the making of a file is, for those who wait for it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use lectern_store::books;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::{base::Base, services::materials::jobs::run::Run};

/// How often it is noted in the store.
const EVERY: Duration = Duration::from_secs(2);

/// A count of what is encoded, noted in the store until this is dropped.
pub(super) struct Progress {
    encoded_ms: Arc<AtomicU64>,
    _noting: DropGuard,
}

impl Progress {
    /// Begins to note the progress of a run that encodes this much.
    pub(super) fn begin(base: &Base, run: &Run, duration_ms: u64) -> Self {
        let encoded_ms = Arc::new(AtomicU64::new(0));
        let ended = CancellationToken::new();
        let (store, claim) = (base.store.clone(), run.claim.clone());
        let (count, end) = (encoded_ms.clone(), ended.clone());
        tokio::spawn(async move {
            let mut noted = 0;
            while end.run_until_cancelled(tokio::time::sleep(EVERY)).await.is_some() {
                // The upload of the file comes after its encoding, so it is never quite done.
                let encoded = count.load(Ordering::Relaxed).saturating_mul(990) / duration_ms.max(1);
                let progress = u32::try_from(encoded).unwrap_or(u32::MAX).min(990);
                if progress > noted {
                    noted = progress;
                    // The next one may be noted.
                    if let Err(error) = books::note_progress(&store, &claim, progress).await {
                        tracing::debug!(error = %error, "the progress of a book was not noted");
                    }
                }
            }
        });
        Self { encoded_ms, _noting: ended.drop_guard() }
    }

    /// What counts the milliseconds that are encoded.
    pub(super) fn counter(&self) -> Arc<AtomicU64> {
        self.encoded_ms.clone()
    }
}
