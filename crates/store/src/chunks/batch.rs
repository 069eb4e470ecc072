//! Batches: simultaneous requests of several jobs of a process are carried out in one transaction,
//! because a commit, and each round trip before it, costs as much for one chunk as for twenty.

use std::{
    collections::BTreeMap,
    slice,
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{Error, Result, db::Tx};

/// A transaction that failed sooner than this is retried at once. A lost connection fails that
/// fast, and so does a connection that PostgreSQL closed because this process stood still. An
/// unreachable database takes longer.
const RETRY_WITHIN: Duration = Duration::from_secs(5);

/// A transaction ready to be committed, with an answer for each item; [`None`] when an item has
/// lost its claim.
type Done<A> = Option<(Tx, Vec<A>)>;

/// Does `work` for all items in one transaction, or for each item alone where that is not possible,
/// so that only the item at fault fails. A transient failure is reported for every item, because
/// the work may have been committed. A failure before the commit was sent cannot have changed
/// anything, so it is retried once.
pub(super) async fn in_batch<'a, Q, A, W>(
    asked: &'a [Q],
    work: impl Fn(&'a [Q]) -> W,
) -> Vec<Result<Option<A>>>
where
    W: Future<Output = Result<Done<A>>>,
{
    match carry_out(asked, &work).await {
        Ok(Some(done)) => return done.into_iter().map(|answer| Ok(Some(answer))).collect(),
        Err(error) if error.is_transient() => return shared(Arc::new(error), asked.len()).collect(),
        Ok(None) if asked.len() == 1 => return vec![Ok(None)],
        Err(error) if asked.len() == 1 => return vec![Err(error)],
        Ok(None) | Err(_) => {}
    }
    let mut answers = Vec::with_capacity(asked.len());
    for one in asked {
        match carry_out(slice::from_ref(one), &work).await {
            // The other items would wait just as long for the same failure.
            Err(error) if error.is_transient() => {
                answers.extend(shared(Arc::new(error), asked.len() - answers.len()));
                break;
            }
            answer => answers.push(answer.map(|done| done.and_then(|mut done| done.pop()))),
        }
    }
    answers
}

/// Does `work` and commits its transaction.
async fn carry_out<'a, Q, A, W>(asked: &'a [Q], work: &impl Fn(&'a [Q]) -> W) -> Result<Option<Vec<A>>>
where
    W: Future<Output = Result<Done<A>>>,
{
    let began = Instant::now();
    let done = match work(asked).await {
        Err(error) if error.is_transient() && began.elapsed() < RETRY_WITHIN => work(asked).await?,
        done => done?,
    };
    let Some((tx, answers)) = done else { return Ok(None) };
    tx.commit().await?;
    Ok(Some(answers))
}

/// One failure, reported for each of `many` items.
fn shared<A>(error: Arc<Error>, many: usize) -> impl Iterator<Item = Result<A>> {
    std::iter::repeat_with(move || Err(Error::Batch(Arc::clone(&error)))).take(many)
}

/// Sorts rows, which the database returns in any order, into the order of the requested keys;
/// [`None`] when one is missing.
pub(super) fn in_order<K: Ord, A>(
    asked: impl IntoIterator<Item = K>,
    found: impl IntoIterator<Item = (K, A)>,
) -> Option<Vec<A>> {
    let mut found: BTreeMap<K, A> = found.into_iter().collect();
    asked.into_iter().map(|key| found.remove(&key)).collect()
}
