//! The last step of a run: its objects are announced, put, and made known to the store by one commit. A commit whose answer
//! was lost is looked up, and objects go again when, and only when, it is certain that no row knows of them.

use std::time::Duration;

use lectern_store::{
    books::{self, BookState},
    chunks,
    jobs::{self, JobClaim},
    materials, object_deletions,
};
use lectern_types::{BookFormat, ErrorCode, Timestamp};

use super::run::{Fault, Run, Setback};
use crate::{app::Base, error::chain};

/// How long objects may lie in the storage before a row must know of them, in seconds: longer than any run.
const ANNOUNCED_SECONDS: i64 = 6 * 60 * 60;

/// How often an end in doubt is looked up, and how long apart.
const LOOKS: u32 = 20;
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// What a run's commit leaves in the store, by which it is told from other runs'.
#[derive(Debug, Clone, Copy)]
pub(super) enum Trace<'a> {
    /// A material's text, and its cover.
    Text {
        /// The cover's object.
        cover: Option<&'a str>,
    },
    /// A chunk's audio.
    Chunk {
        /// The chunk's place.
        index: u32,
        /// Its lossless audio.
        object: &'a str,
    },
    /// A whole book.
    Book {
        /// Its form.
        format: BookFormat,
        /// Its object.
        object: &'a str,
    },
}

/// Until when objects that are announced now may lie in the storage without a row that knows of them.
pub(super) fn announced_until(base: &Base) -> Timestamp {
    base.clock.now().plus_seconds(ANNOUNCED_SECONDS)
}

/// Notes that the run is about to put these objects: should it die before its commit, the sweep deletes them.
///
/// # Errors
/// The store's.
pub(super) async fn announce(base: &Base, run: &Run, keys: &[&str]) -> Result<(), Setback> {
    object_deletions::reserve(&base.store, keys, announced_until(base)).await?;
    run.stores(keys.iter().copied());
    Ok(())
}

/// What became of the run's commit: `answer` is what the store said (`None`: the claim was lost), `trace` what the commit
/// leaves there. `None` when it was committed and that had to be looked up.
///
/// # Errors
/// [`Setback::Lost`] when the claim was, [`Setback::Doubt`] when it cannot be told, and the store's refusal.
pub(super) async fn settled<T>(
    base: &Base,
    run: &Run,
    answer: lectern_store::Result<Option<T>>,
    trace: Trace<'_>,
) -> Result<Option<T>, Setback> {
    match answer {
        Ok(Some(end)) => {
            run.keep_objects();
            Ok(Some(end))
        }
        Ok(None) => Err(Setback::Lost),
        // The database refused, and undid, the transaction.
        Err(error) if !error.is_transient() => {
            Err(Setback::Failed(Fault::new(ErrorCode::InternalError, chain(&error))))
        }
        // The answer may be all that was lost.
        Err(error) => match looked_up(base, run, trace).await {
            Some(true) => {
                run.keep_objects();
                Ok(None)
            }
            Some(false) => Err(Setback::Lost),
            None => {
                run.keep_objects();
                Err(Setback::Doubt { reason: chain(&error) })
            }
        },
    }
}

/// What became of the run's commit when what was to make it panicked, which as a rule undoes it. As [`settled`].
pub(super) async fn panicked<T>(base: &Base, run: &Run, trace: Trace<'_>) -> Result<Option<T>, Setback> {
    const REASON: &str = "what was to commit it panicked";
    match stands(base, &run.claim, trace).await {
        Ok(false) => Err(Setback::Failed(Fault::new(ErrorCode::InternalError, REASON))),
        Ok(true) => {
            run.keep_objects();
            Ok(None)
        }
        Err(error) => {
            run.keep_objects();
            Err(Setback::Doubt { reason: format!("{REASON}; {}", chain(&error)) })
        }
    }
}

/// Whether work whose commit failed stands in the store all the same; `None` when the store does not say in time.
async fn looked_up(base: &Base, run: &Run, trace: Trace<'_>) -> Option<bool> {
    for _ in 0..LOOKS {
        // Giving the claim back waits for a commit that is under way, and leaves one that comes later nothing to commit.
        let given_back = jobs::release(&base.store, &run.claim, base.clock.now()).await;
        if let Ok(released) = given_back {
            if released {
                base.signals.jobs_queued();
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
            // All runs find the same text, so that only a cover would tell them apart; without one nothing is lost.
            found.is_some_and(|found| {
                found.chunk_count.is_some()
                    && found.cover.as_ref().map(|cover| cover.object.as_str()) == cover
            })
        }
        Trace::Chunk { index, object } => {
            let found = chunks::find(store, account, environment, material, index).await?;
            found.and_then(|chunk| chunk.audio).is_some_and(|audio| audio.lossless_object == object)
        }
        Trace::Book { format, object } => {
            let found = books::find(store, account, environment, material, format).await?;
            matches!(found, BookState::Made(book) if book.object == object)
        }
    })
}
