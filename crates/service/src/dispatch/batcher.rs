//! Collects requests of several tasks into batches. While one batch is in progress, new requests
//! wait for the next. A single request never waits for others: it is a batch of one.

use tokio::sync::{mpsc, oneshot};

/// Answers requests in batches.
#[derive(Debug)]
pub struct Batcher<Q, A> {
    asking: mpsc::Sender<(Q, oneshot::Sender<A>)>,
}

impl<Q: Clone + Send + 'static, A: Send + 'static> Batcher<Q, A> {
    /// Starts serving batches of at most `most` requests. `serve` returns one answer for each
    /// request, in the same order. The task ends when the batcher is dropped.
    pub fn start<R>(most: usize, serve: impl Fn(Vec<Q>) -> R + Send + 'static) -> Self
    where
        R: Future<Output = Vec<A>> + Send + 'static,
    {
        let (asking, mut asked) = mpsc::channel(most);
        tokio::spawn(async move {
            while let Some(first) = asked.recv().await {
                // Tasks that were woken together with the first one get a chance to ask before the
                // batch is served.
                tokio::task::yield_now().await;
                let rest = std::iter::from_fn(|| asked.try_recv().ok()).take(most.saturating_sub(1));
                let (questions, askers): (Vec<Q>, Vec<oneshot::Sender<A>>) =
                    std::iter::once(first).chain(rest).unzip();
                // A separate task, so that a panic ends only this batch.
                if let Ok(answers) = tokio::spawn(serve(questions.clone())).await {
                    for (asker, answer) in askers.into_iter().zip(answers) {
                        // The receiver may have given up waiting.
                        let _ = asker.send(answer);
                    }
                    continue;
                }
                // Retry one by one so that only the request that panics fails.
                for (question, asker) in questions.into_iter().zip(askers) {
                    let served = tokio::spawn(serve(vec![question])).await;
                    let _ = served.map(|mut answers| answers.pop().map(|answer| asker.send(answer)));
                }
            }
        });
        Self { asking }
    }

    /// Waits for the answer to this request; [`None`] when serving it panicked.
    pub async fn ask(&self, question: Q) -> Option<A> {
        let (asker, answer) = oneshot::channel();
        self.asking.send((question, asker)).await.ok()?;
        answer.await.ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tokio::sync::Semaphore;

    use super::*;

    /// The requests of each batch.
    type Batches = Arc<Mutex<Vec<Vec<u32>>>>;

    /// Doubles numbers, one batch for each permit. Zero makes it panic.
    fn doubling(most: usize, permits: usize) -> (Batcher<u32, u32>, Batches, Arc<Semaphore>) {
        let (served, gate) = (Batches::default(), Arc::new(Semaphore::new(permits)));
        let (kept, permits) = (Arc::clone(&served), Arc::clone(&gate));
        let batcher = Batcher::start(most, move |asked: Vec<u32>| {
            kept.lock().expect("nobody panics with it").push(asked.clone());
            let permits = Arc::clone(&permits);
            async move {
                permits.acquire().await.expect("it stays open").forget();
                assert!(!asked.contains(&0), "it is zero");
                asked.into_iter().map(|number| number * 2).collect()
            }
        });
        (batcher, served, gate)
    }

    #[tokio::test]
    async fn requests_made_during_a_batch_are_served_in_the_next_and_each_gets_its_own_answer() {
        let (batcher, served, gate) = doubling(4, 0);
        let first = batcher.ask(1);
        let rest = async {
            while served.lock().expect("nobody panics with it").is_empty() {
                tokio::task::yield_now().await;
            }
            let asking = futures_util::future::join_all((2..=7).map(|number| batcher.ask(number)));
            // Runs after all of them have asked: `join!` polls in order.
            tokio::join!(asking, async { gate.add_permits(3) }).0
        };
        let (first, rest) = tokio::join!(first, rest);
        assert_eq!(first, Some(2));
        assert_eq!(rest, [4, 6, 8, 10, 12, 14].map(Some));
        let served = served.lock().expect("nobody panics with it");
        assert_eq!(*served, [vec![1], vec![2, 3, 4, 5], vec![6, 7]]);
    }

    #[tokio::test]
    async fn simultaneous_requests_are_served_in_one_batch() {
        let (batcher, served, _) = doubling(16, 1);
        let answers = futures_util::future::join_all((1..=9).map(|number| batcher.ask(number))).await;
        assert!(answers.iter().all(Option::is_some));
        assert_eq!(served.lock().expect("nobody panics with it").len(), 1);
    }

    #[tokio::test]
    async fn a_panic_fails_only_the_request_that_caused_it() {
        let (batcher, served, _) = doubling(4, 5);
        let answers = futures_util::future::join_all([1, 0, 2].map(|number| batcher.ask(number))).await;
        assert_eq!(answers, [Some(2), None, Some(4)]);
        assert_eq!(batcher.ask(21).await, Some(42));
        let served = served.lock().expect("nobody panics with it");
        assert_eq!(*served, [vec![1, 0, 2], vec![1], vec![0], vec![2], vec![21]]);
    }
}
