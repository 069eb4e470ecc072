//! The last step of a run: its objects are announced, uploaded, and recorded in the store by one
//! commit. When the answer to the commit is lost, this module asks the store whether the commit
//! happened. Objects are deleted only when it is certain that no row refers to them.

use std::time::Duration;

use lectern_store::{
    books::{self, BookState},
    chunks, job_outcomes,
    jobs::JobClaim,
    materials, object_deletions,
};
use lectern_types::{BookFile, ErrorCode, Timestamp};

use super::run::{Fault, JobError, Run};
use crate::{base::Base, error::chain};

/// How long objects may exist before a row must refer to them, in seconds: longer than any run.
const ANNOUNCED_SECONDS: i64 = 6 * 60 * 60;

/// How often an unknown outcome is looked up, and the pause between two look-ups.
const LOOKS: u32 = 20;
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The trace that a run's commit leaves in the store. It distinguishes the commit from those of
/// other runs.
#[derive(Debug, Clone, Copy)]
pub(super) enum Trace<'a> {
    /// A material's text, and its cover.
    Text { cover: Option<&'a str> },
    /// A chunk's audio.
    Chunk { index: u32, object: &'a str },
    /// A whole book.
    Book { file: BookFile, object: &'a str },
}

/// The time by which a row must refer to objects that are announced now.
pub(super) fn announced_until(base: &Base) -> Timestamp {
    base.clock.now().plus_seconds(ANNOUNCED_SECONDS)
}

/// Announces that the run is about to upload these objects. If the run dies before its commit, the
/// sweep deletes them.
///
/// # Errors
/// The store's.
pub(super) async fn announce(base: &Base, run: &Run, keys: &[&str]) -> Result<(), JobError> {
    object_deletions::reserve(&base.store, keys, announced_until(base)).await?;
    run.stores(keys.iter().copied());
    Ok(())
}

/// The outcome of the run's commit. `answer` is the store's answer (false: the claim was lost), and
/// `trace` the mark that the commit leaves in the store.
///
/// # Errors
/// [`JobError::Lost`] when the claim was lost, [`JobError::CommitUnknown`] when the outcome is unknown, and the store's refusal.
pub(super) async fn settled(
    base: &Base,
    run: &Run,
    answer: lectern_store::Result<bool>,
    trace: Trace<'_>,
) -> Result<(), JobError> {
    match answer {
        Ok(true) => {
            run.keep_objects();
            Ok(())
        }
        Ok(false) => Err(JobError::Lost),
        // The database refused the transaction and rolled it back.
        Err(error) if !error.is_transient() => {
            Err(JobError::Failed(Fault::new(ErrorCode::InternalError, chain(&error))))
        }
        // Perhaps only the answer was lost.
        Err(error) => match looked_up(base, run, trace).await {
            Some(true) => {
                run.keep_objects();
                Ok(())
            }
            Some(false) => Err(JobError::Lost),
            None => {
                run.keep_objects();
                Err(JobError::CommitUnknown { reason: chain(&error) })
            }
        },
    }
}

/// The outcome of the run's commit when the code that makes it panicked, which usually rolls it
/// back. See [`settled`].
pub(super) async fn panicked(base: &Base, run: &Run, trace: Trace<'_>) -> Result<(), JobError> {
    const REASON: &str = "the commit panicked";
    match stands(base, &run.claim, trace).await {
        Ok(false) => Err(JobError::Failed(Fault::new(ErrorCode::InternalError, REASON))),
        Ok(true) => {
            run.keep_objects();
            Ok(())
        }
        Err(error) => {
            run.keep_objects();
            Err(JobError::CommitUnknown { reason: format!("{REASON}; {}", chain(&error)) })
        }
    }
}

/// Whether work whose commit failed is in the store nevertheless; `None` when the store does not
/// answer in time.
async fn looked_up(base: &Base, run: &Run, trace: Trace<'_>) -> Option<bool> {
    for _ in 0..LOOKS {
        // Releasing the claim waits for a commit in progress, and prevents a later one.
        if let Ok(released) = job_outcomes::release(&base.store, &run.claim, base.clock.now()).await {
            if released {
                return Some(false);
            }
            if let Ok(ours) = stands(base, &run.claim, trace).await {
                return Some(ours);
            }
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    None
}

/// Whether a commit's trace is in the store.
async fn stands(base: &Base, claim: &JobClaim, trace: Trace<'_>) -> lectern_store::Result<bool> {
    let Some(material) = claim.material else { return Ok(false) };
    let (store, account, environment) = (&base.store, claim.account, claim.environment);
    Ok(match trace {
        Trace::Text { cover } => {
            let found = materials::find(store, account, environment, material).await?;
            // All runs extract the same text, so only a cover tells them apart. Without one,
            // nothing can be lost.
            found.is_some_and(|found| {
                found.chunk_count.is_some()
                    && found.cover.as_ref().map(|cover| cover.object.as_str()) == cover
            })
        }
        Trace::Chunk { index, object } => {
            let found = chunks::find(store, account, environment, material, index).await?;
            found.and_then(|chunk| chunk.audio).is_some_and(|audio| audio.lossless_object == object)
        }
        Trace::Book { file, object } => {
            let found = books::find(store, account, environment, material, file).await?;
            matches!(found, BookState::Made(book) if book.object == object)
        }
    })
}
