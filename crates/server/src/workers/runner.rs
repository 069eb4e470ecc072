//! Repeats a job at its interval until the service stops; a failed round is logged and the next one tried.

use std::{future::Future, time::Duration};

use tokio_util::sync::CancellationToken;

use crate::error::Result;

/// Runs `job` at once and then every `interval`.
pub async fn every<F, R>(name: &'static str, interval: Duration, stop: CancellationToken, job: F)
where
    F: Fn() -> R,
    R: Future<Output = Result<()>>,
{
    let mut ticks = tokio::time::interval(interval);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = ticks.tick() => {}
        }
        if let Err(error) = job().await {
            tracing::error!(error = %error, job.name = name, "a job's round failed");
        }
    }
}
