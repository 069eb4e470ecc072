//! What several jobs of a process ask for at the same time, done in one transaction: a commit, and each round trip before it,
//! costs as much for one chunk as for twenty.

use std::{
    collections::BTreeMap,
    slice,
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{Error, Result, db::Tx};

/// How fast a transaction must have failed to be tried again at once: as a lost connection does, and one that PostgreSQL ended because
/// this process stood still for a while, and a database that is away does not.
const AT_ONCE: Duration = Duration::from_secs(5);

/// What was done in a transaction that is to be committed; [`None`] when one of those that asked is lost.
type Done<A> = Option<(Tx, Vec<A>)>;

/// Does `work` for all of `asked` in one transaction; for each by itself where it cannot be done for all, so that nobody loses or
/// fails for another's sake. A failure of a moment is everybody's: what is asked for may have been done. One before the commit
/// was sent has changed nothing, and much work of many may hang on it: it is tried once more.
pub(super) async fn together<'a, Q, A, W>(
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
            // Who comes after it would wait as long for the same.
            Err(error) if error.is_transient() => {
                answers.extend(shared(Arc::new(error), asked.len() - answers.len()));
                break;
            }
            answer => answers.push(answer.map(|done| done.and_then(|mut done| done.pop()))),
        }
    }
    answers
}

/// Does `work` and commits it.
async fn carry_out<'a, Q, A, W>(asked: &'a [Q], work: &impl Fn(&'a [Q]) -> W) -> Result<Option<Vec<A>>>
where
    W: Future<Output = Result<Done<A>>>,
{
    let began = Instant::now();
    let done = match work(asked).await {
        Err(error) if error.is_transient() && began.elapsed() < AT_ONCE => work(asked).await?,
        done => done?,
    };
    let Some((tx, answers)) = done else { return Ok(None) };
    tx.commit().await?;
    Ok(Some(answers))
}

/// One failure of so many.
fn shared<A>(error: Arc<Error>, many: usize) -> impl Iterator<Item = Result<A>> {
    std::iter::repeat_with(move || Err(Error::Together(Arc::clone(&error)))).take(many)
}

/// Takes the answers to `asked` out of what the database gave, in any order, each under its key; [`None`] when one is not there.
pub(super) fn in_order<K: Ord, A>(
    asked: impl IntoIterator<Item = K>,
    found: impl IntoIterator<Item = (K, A)>,
) -> Option<Vec<A>> {
    let mut found: BTreeMap<K, A> = found.into_iter().collect();
    asked.into_iter().map(|key| found.remove(&key)).collect()
}
