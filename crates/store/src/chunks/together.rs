//! What several jobs of a process ask for at the same time, done in one transaction: a commit, and each round trip before it,
//! costs as much for one chunk as for twenty.

use std::{slice, sync::Arc};

use crate::{Error, Result};

/// Does `work` for all of `asked` in one transaction; for each by itself where it cannot be done for all, so that nobody loses or
/// fails for another's sake. `work` answers [`None`], and has undone what it did, when one of them is lost. A failure of a moment
/// is everybody's: what is asked for may have been done.
pub(super) async fn together<'a, Q, A, W>(
    asked: &'a [Q],
    work: impl Fn(&'a [Q]) -> W,
) -> Vec<Result<Option<A>>>
where
    W: Future<Output = Result<Option<Vec<A>>>>,
{
    match work(asked).await {
        Ok(Some(done)) => done.into_iter().map(|answer| Ok(Some(answer))).collect(),
        Err(error) if error.is_transient() => {
            let error = Arc::new(error);
            asked.iter().map(|_| Err(Error::Together(Arc::clone(&error)))).collect()
        }
        _ if asked.len() > 1 => {
            let mut answers = Vec::with_capacity(asked.len());
            for one in asked {
                let answer = work(slice::from_ref(one)).await;
                answers.push(answer.map(|done| done.and_then(|mut done| done.pop())));
            }
            answers
        }
        Ok(None) => vec![Ok(None)],
        Err(error) => vec![Err(error)],
    }
}

/// Takes the answers to `asked` out of what the database gave, in any order, each under its key; [`None`] when one is not there.
pub(super) fn in_order<K: Ord, A>(
    asked: impl IntoIterator<Item = K>,
    found: impl IntoIterator<Item = (K, A)>,
) -> Option<Vec<A>> {
    let mut found: std::collections::BTreeMap<K, A> = found.into_iter().collect();
    asked.into_iter().map(|key| found.remove(&key)).collect()
}
