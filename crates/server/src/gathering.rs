//! Does together what several tasks ask for at about the same time: while one round is under way, what comes gathers for the next.
//! Nobody waits for company: who comes alone is served alone, and the more come, the more are served in a round.

use tokio::sync::{mpsc, oneshot};

/// Where to ask for something that is done for several at once.
#[derive(Debug)]
pub struct Gathering<Q, A> {
    asking: mpsc::Sender<(Q, oneshot::Sender<A>)>,
}

impl<Q: Clone + Send + 'static, A: Send + 'static> Gathering<Q, A> {
    /// Begins to serve rounds of `most` at most. `serve` answers each of what is asked, in its order. Ends when it can no longer be
    /// asked.
    pub fn start<R>(most: usize, serve: impl Fn(Vec<Q>) -> R + Send + 'static) -> Self
    where
        R: Future<Output = Vec<A>> + Send + 'static,
    {
        let (asking, mut asked) = mpsc::channel(most);
        tokio::spawn(async move {
            while let Some(first) = asked.recv().await {
                // Those that were woken together with the first have their turn before it is served.
                tokio::task::yield_now().await;
                let rest = std::iter::from_fn(|| asked.try_recv().ok()).take(most.saturating_sub(1));
                let (questions, askers): (Vec<Q>, Vec<oneshot::Sender<A>>) =
                    std::iter::once(first).chain(rest).unzip();
                // A task of its own, so that a panic ends this round alone.
                if let Ok(answers) = tokio::spawn(serve(questions.clone())).await {
                    for (asker, answer) in askers.into_iter().zip(answers) {
                        // Who does not wait any more does not want it.
                        let _ = asker.send(answer);
                    }
                    continue;
                }
                // Whose it was shows when each is served alone; the others are not to suffer from it.
                for (question, asker) in questions.into_iter().zip(askers) {
                    let served = tokio::spawn(serve(vec![question])).await;
                    let _ = served.map(|mut answers| answers.pop().map(|answer| asker.send(answer)));
                }
            }
        });
        Self { asking }
    }

    /// Asks; [`None`] when it panicked.
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

    /// What each round was asked.
    type Rounds = Arc<Mutex<Vec<Vec<u32>>>>;

    /// Doubles numbers, as many rounds as there are permits. Zero makes it panic.
    fn doubling(most: usize, permits: usize) -> (Gathering<u32, u32>, Rounds, Arc<Semaphore>) {
        let (rounds, gate) = (Rounds::default(), Arc::new(Semaphore::new(permits)));
        let (kept, permits) = (Arc::clone(&rounds), Arc::clone(&gate));
        let gathering = Gathering::start(most, move |asked: Vec<u32>| {
            kept.lock().expect("nobody panics with it").push(asked.clone());
            let permits = Arc::clone(&permits);
            async move {
                permits.acquire().await.expect("it stays open").forget();
                assert!(!asked.contains(&0), "it is zero");
                asked.into_iter().map(|number| number * 2).collect()
            }
        });
        (gathering, rounds, gate)
    }

    #[tokio::test]
    async fn what_is_asked_during_a_round_is_done_in_the_next_and_each_gets_its_own_answer() {
        let (gathering, rounds, gate) = doubling(4, 0);
        let first = gathering.ask(1);
        let rest = async {
            while rounds.lock().expect("nobody panics with it").is_empty() {
                tokio::task::yield_now().await;
            }
            let asking = futures_util::future::join_all((2..=7).map(|number| gathering.ask(number)));
            // After they have asked, in the order in which they are polled.
            tokio::join!(asking, async { gate.add_permits(3) }).0
        };
        let (first, rest) = tokio::join!(first, rest);
        assert_eq!(first, Some(2));
        assert_eq!(rest, [4, 6, 8, 10, 12, 14].map(Some));
        let rounds = rounds.lock().expect("nobody panics with it");
        assert_eq!(*rounds, [vec![1], vec![2, 3, 4, 5], vec![6, 7]]);
    }

    #[tokio::test]
    async fn those_who_come_at_once_are_served_in_one_round() {
        let (gathering, rounds, _) = doubling(16, 1);
        let answers = futures_util::future::join_all((1..=9).map(|number| gathering.ask(number))).await;
        assert!(answers.iter().all(Option::is_some));
        assert_eq!(rounds.lock().expect("nobody panics with it").len(), 1);
    }

    #[tokio::test]
    async fn a_panic_is_of_the_one_that_has_it_alone() {
        let (gathering, rounds, _) = doubling(4, 5);
        let answers = futures_util::future::join_all([1, 0, 2].map(|number| gathering.ask(number))).await;
        assert_eq!(answers, [Some(2), None, Some(4)]);
        assert_eq!(gathering.ask(21).await, Some(42));
        let rounds = rounds.lock().expect("nobody panics with it");
        assert_eq!(*rounds, [vec![1, 0, 2], vec![1], vec![0], vec![2], vec![21]]);
    }
}
