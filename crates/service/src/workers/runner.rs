//! Repeats a task at an interval until the service stops. A failed round is logged and does not
//! stop the next one.

use std::{future::Future, time::Duration};

use tokio_util::sync::CancellationToken;

use crate::error::Result;

/// How long a round may take once the service was asked to stop. The round works in transactions,
/// which are rolled back or continued by the next round.
const LAST_ROUND: Duration = Duration::from_secs(3);

/// Runs `job` immediately and then every `interval`.
pub async fn every<F, R>(name: &'static str, interval: Duration, stop: CancellationToken, job: F)
where
    F: Fn() -> R,
    R: Future<Output = Result<()>>,
{
    let mut ticks = tokio::time::interval(interval);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => return,
            _ = ticks.tick() => {}
        }
        match until_late(&stop, LAST_ROUND, job()).await {
            Some(Ok(())) => {}
            Some(Err(error)) => tracing::error!(error = %error, job.name = name, "a job's round failed"),
            None => tracing::warn!(
                job.name = name,
                "a job's round was cancelled: what it waits for does not answer"
            ),
        }
    }
}

/// The result of `work`, unless it takes longer than `grace` after `stop` is cancelled: a stopping
/// process must not wait for a database that hangs.
pub async fn until_late<T>(
    stop: &CancellationToken,
    grace: Duration,
    work: impl Future<Output = T>,
) -> Option<T> {
    tokio::select! {
        biased;
        outcome = work => Some(outcome),
        () = async { stop.cancelled().await; tokio::time::sleep(grace).await } => None,
    }
}

#[cfg(test)]
mod tests {
    use std::{future, time::Duration};

    use tokio_util::sync::CancellationToken;

    use super::{every, until_late};

    // Negative control: with the round awaited alone, it never ended.
    #[tokio::test(start_paused = true)]
    async fn a_round_that_hangs_is_broken_off_once_the_service_is_to_stop() {
        let stop = CancellationToken::new();
        let hanging = every("hanging", Duration::from_secs(1), stop.clone(), future::pending);
        let stopping = async {
            tokio::time::sleep(Duration::from_mins(1)).await;
            stop.cancel();
        };
        let both = async { tokio::join!(hanging, stopping) };
        assert!(tokio::time::timeout(Duration::from_secs(70), both).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn work_that_ends_in_the_grace_counts() {
        let stop = CancellationToken::new();
        stop.cancel();
        let work = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            7
        };
        assert_eq!(until_late(&stop, Duration::from_secs(2), work).await, Some(7));
    }
}
