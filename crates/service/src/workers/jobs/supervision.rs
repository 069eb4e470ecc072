//! Supervises one claimed job: runs its work, renews the claim meanwhile, cancels the work when the
//! claim is lost or the process stops, and records any outcome that the work did not record itself.
//! A panic is a failed attempt.

use std::{any::Any, sync::Arc, time::Duration};

use lectern_store::{
    MaterialChanges, job_outcomes,
    jobs::{self, JobClaim, JobKind, Outcome},
    materials::Failure,
};
use lectern_types::{ErrorCode, Timestamp};
use tokio::{task::JoinError, time::Instant};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use super::{WorkerState, backoff, slots::Slot};
use crate::{
    base::Base,
    dispatch::queue::{DeadLetter, QueueMessage},
    error::chain,
    services::materials::jobs::{
        assemble, convert_chunk, extract,
        run::{Dependency, Fault, JobError, Run},
    },
};

/// The interval at which recording an outcome is retried.
const OFFER_EVERY: Duration = Duration::from_millis(500);

/// The least time between two checks of a claim whose material changed.
const LOOK_REST: Duration = Duration::from_secs(1);

/// After this many claims, a storage that fails this job but answers others counts as the job's own
/// failure. The pauses between them add up to a quarter of an hour.
const PATIENT_CLAIMS: u32 = 200;

/// Why running work was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Broken {
    /// Another worker has the claim, or the job was deleted.
    Lost,
    /// The process is stopping.
    Closing,
}

/// Supervises a job. The slot is the job's place among the jobs that run at once. The message that
/// announced it, if any, is extended and returned together with the claim.
pub(super) async fn supervise(
    state: Arc<WorkerState>,
    claim: JobClaim,
    message: Option<QueueMessage>,
    slot: Slot,
) {
    let _slot = slot;
    let span = tracing::info_span!(
        "job.run",
        job.id = %claim.id,
        job.kind = claim.kind.as_str(),
        job.attempt = claim.attempts + 1,
        material.id = claim.material.map(tracing::field::display),
        chunk.index = claim.chunk,
    );
    let started = Instant::now();
    let kind = claim.kind;
    let run = Arc::new(Run::new(claim, CancellationToken::new()));
    let outcome = async {
        let done = carry_out(&state, &run, message.as_ref()).await;
        let ending = async {
            let outcome = end(&state, &run, done).await;
            run.discard_objects(&state.context.base).await;
            outcome
        };
        let mut ending = std::pin::pin!(ending);
        tokio::select! {
            biased;
            outcome = &mut ending => outcome,
            // With slow storage the last step may take longer than the rest of the lease. The
            // statement that records the outcome finds out whether the claim was lost.
            () = until_lost(&state, &run, message.as_ref()) => ending.await,
        }
    };
    let (outcome, again) = outcome.instrument(span).await;
    match (message, again) {
        (Some(message), None) => message.done().await,
        (Some(message), Some(delay)) => message.again(delay).await,
        (None, _) => {}
    }
    metrics::counter!("lectern_jobs_total", "kind" => kind.as_str(), "outcome" => outcome).increment(1);
    metrics::histogram!("lectern_job_seconds", "kind" => kind.as_str())
        .record(started.elapsed().as_secs_f64());
}

/// Runs the work until it ends or is cancelled.
async fn carry_out(
    state: &Arc<WorkerState>,
    run: &Arc<Run>,
    message: Option<&QueueMessage>,
) -> (Result<(), JobError>, Option<Broken>) {
    // A separate task, so that a panic ends only this work.
    let mut work = {
        let (context, run) = (state.context.clone(), Arc::clone(run));
        let work = async move {
            match run.claim.kind {
                JobKind::Extract => extract::extract(&context, &run).await,
                JobKind::ConvertChunk => convert_chunk::convert(&context, &run).await,
                JobKind::Assemble => assemble::assemble(&context, &run).await,
            }
        };
        tokio::spawn(work.in_current_span())
    };
    let broken = tokio::select! {
        // Checked first, so that a renewal that finds the job already finished does not hide the
        // result.
        biased;
        done = &mut work => return (joined(done), None),
        () = until_lost(state, run, message) => Broken::Lost,
        () = state.closing.cancelled() => Broken::Closing,
    };
    run.cancelled.cancel();
    (joined(work.await), Some(broken))
}

fn joined(done: Result<Result<(), JobError>, JoinError>) -> Result<(), JobError> {
    done.unwrap_or_else(|error| {
        let reason = match error.try_into_panic() {
            Ok(panic) => format!("it panicked: {}", panic_text(panic.as_ref())),
            Err(error) => format!("its task ended: {error}"),
        };
        Err(JobError::Failed(Fault::new(ErrorCode::InternalError, reason)))
    })
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a word")
}

/// Renews the claim's lease in time. Also checks the claim when its material changed, which may
/// mean that it was deleted. Ends only when the claim is lost.
async fn until_lost(state: &WorkerState, run: &Run, message: Option<&QueueMessage>) {
    let base = &state.context.base;
    let usual = base.renewal();
    let mut next = Instant::now() + usual;
    let mut changes = run.claim.material.map(|material| base.store.watch_material(material));
    let mut looked = Instant::now();
    loop {
        let stands = tokio::select! {
            () = tokio::time::sleep_until(next) => {
                next = Instant::now() + usual;
                if let Some(message) = message {
                    message.goes_on().await;
                }
                jobs::renew(&base.store, &run.claim, base.lease_end()).await
            }
            // Every chunk changes its book several times, and every running chunk of that book is
            // notified each time. Without this pause the number of checks would grow with the
            // square of the running chunks.
            () = next_of(&mut changes, looked + LOOK_REST) => {
                looked = Instant::now();
                jobs::stands(&base.store, &run.claim).await
            }
        };
        match stands {
            Ok(true) => {}
            Ok(false) => return,
            // The lease is still valid for a while, and other workers may not reach the store
            // either.
            Err(error) => {
                state.store.failed(&error, Instant::now());
                next = next.min(Instant::now() + Duration::from_secs(1));
            }
        }
    }
}

/// Waits for the next change. One that comes before `earliest` is reported at `earliest`.
async fn next_of(changes: &mut Option<MaterialChanges>, earliest: Instant) {
    match changes {
        Some(changes) => {
            tokio::time::sleep_until(earliest).await;
            changes.next().await;
        }
        None => std::future::pending().await,
    }
}

/// How a run ended: the outcome's name for metrics, and the delay before the next attempt, if there is one.
type Ended = (&'static str, Option<Duration>);

/// Records how a run ended.
async fn end(
    state: &WorkerState,
    run: &Run,
    (outcome, broken): (Result<(), JobError>, Option<Broken>),
) -> Ended {
    let claim = &run.claim;
    let Err(error) = outcome else {
        state.storage.over();
        if claim.kind != JobKind::ConvertChunk {
            state.room.over();
        }
        return ("done", None);
    };
    let error = blame_object(state, claim, error).await;
    if matches!(error, JobError::Lost) || matches!(broken, Some(Broken::Lost)) {
        tracing::info!("claim lost; result discarded");
        return ("lost", None);
    }
    match error {
        JobError::Lost => ("lost", None),
        JobError::CommitUnknown { reason } => {
            tracing::error!(
                reason,
                "it is unknown whether the job's work was committed; the job is retried when its lease expires"
            );
            ("doubt", Some(state.context.base.lease()))
        }
        JobError::Cancelled => {
            offer(state, claim, End::Released).await;
            ("released", Some(Duration::ZERO))
        }
        JobError::Unavailable { what, delay, reason } => {
            postpone(state, claim, (what, &reason), backoff::spread(delay)).await
        }
        JobError::Failed(fault)
            if u64::from(claim.attempts) + 1 < state.context.base.config.jobs.attempts =>
        {
            retry(state, claim, &fault).await
        }
        JobError::Failed(fault) | JobError::Permanent(fault) => fail(state, claim, &fault).await,
    }
}

/// Where the storage answers, only this job's object failed, and may fail for ever: the attempt counts. An unstable
/// storage also answers, so its own errors count against a job only after very many of them.
async fn blame_object(state: &WorkerState, claim: &JobClaim, error: JobError) -> JobError {
    let may_be_object = match &error {
        JobError::Unavailable { what: Dependency::Object, .. } => true,
        JobError::Unavailable { what: Dependency::Objects, .. } => claim.epoch > PATIENT_CLAIMS,
        _ => false,
    };
    match error {
        JobError::Unavailable { reason, .. }
            if may_be_object && state.context.base.objects.ping().await.is_ok() =>
        {
            JobError::Failed(Fault::new(ErrorCode::InternalError, reason))
        }
        error => error,
    }
}

/// Puts off a job whose dependency is unavailable; the attempt does not count.
async fn postpone(
    state: &WorkerState,
    claim: &JobClaim,
    (what, reason): (Dependency, &str),
    delay: Duration,
) -> Ended {
    let now = Instant::now();
    match what {
        Dependency::Store => state.store.failed(&Reason(reason), now),
        Dependency::Objects | Dependency::Object => state.storage.failed(&Reason(reason), now),
        Dependency::Room => state.room.failed(&Reason(reason), now),
        // It now names its engine, so this process does not claim it again.
        Dependency::Engine => tracing::info!(reason, "a job is left to another process"),
        Dependency::Speech | Dependency::TextRecognition => tracing::debug!(reason, "a job was postponed"),
    }
    offer(state, claim, End::Again { delay, reason, counts: false }).await;
    ("postponed", Some(delay))
}

/// Puts off a job that failed; the attempt counts.
async fn retry(state: &WorkerState, claim: &JobClaim, fault: &Fault) -> Ended {
    let (delay, reason) = (backoff::after(claim.attempts), fault.reason.as_str());
    tracing::warn!(reason, job.retry_seconds = delay.as_secs_f64(), "a job failed and is tried again");
    offer(state, claim, End::Again { delay, reason, counts: true }).await;
    ("failed", Some(delay))
}

/// Ends a job for good.
async fn fail(state: &WorkerState, claim: &JobClaim, fault: &Fault) -> Ended {
    if !offer(state, claim, End::Dead(fault)).await {
        tracing::info!(
            "the failure was not recorded: the claim was lost, or the job is retried when its lease expires"
        );
        return ("lost", None);
    }
    tracing::error!(reason = fault.reason, error.code = fault.code.as_str(), "a job failed for good");
    dead_letter(&state.context.base, claim, &fault.reason).await;
    ("dead", None)
}

/// Stores the dead letter of a job if the queue keeps dead letters.
pub(super) async fn dead_letter(base: &Base, claim: &JobClaim, reason: &str) {
    if let Err(error) = base.queue.put_dead_letter(&DeadLetter::of(claim, reason)).await {
        tracing::debug!(error = %error, "the dead letter of a job was not stored");
    }
}

/// An outcome other than success.
#[derive(Debug, Clone, Copy)]
enum End<'a> {
    /// Released unchanged.
    Released,
    /// To be retried.
    Again {
        delay: Duration,
        /// For the operator.
        reason: &'a str,
        /// Whether it counts as an attempt.
        counts: bool,
    },
    /// Failed for good.
    Dead(&'a Fault),
}

/// Retries recording an outcome until the lease must have expired; after that other workers find
/// the job. Returns whether the outcome was recorded, which fails when the claim was lost.
async fn offer(state: &WorkerState, claim: &JobClaim, end: End<'_>) -> bool {
    let until = Instant::now() + state.context.base.lease();
    let is_taken = loop {
        match write(&state.context.base, claim, end).await {
            Ok(is_taken) => break is_taken,
            Err(error) if error.is_transient() && Instant::now() < until => {
                state.store.failed(&error, Instant::now());
                tokio::time::sleep(OFFER_EVERY).await;
            }
            Err(error) => {
                tracing::error!(
                    error = chain(&error),
                    "the job's outcome was not recorded; the job is retried when its lease expires"
                );
                return false;
            }
        }
    };
    state.store.over();
    is_taken
}

async fn write(base: &Base, claim: &JobClaim, end: End<'_>) -> lectern_store::Result<bool> {
    let now = base.clock.now();
    match end {
        End::Released => job_outcomes::release(&base.store, claim, now).await,
        End::Again { delay, reason, counts } => {
            let run_at =
                Timestamp(now.0.saturating_add(i64::try_from(delay.as_micros()).unwrap_or(i64::MAX)));
            job_outcomes::retry_later(&base.store, claim, run_at, reason, counts, now).await
        }
        End::Dead(fault) => {
            let failure = Failure { code: fault.code, message: fault.message.clone() };
            let outcome =
                job_outcomes::fail_permanently(&base.store, claim, &failure, &fault.reason, base.writing())
                    .await?;
            Ok(outcome != Outcome::Lost)
        }
    }
}

/// A reason as an error, for the log.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Reason<'a>(&'a str);

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_a_failed_attempt_with_its_words_as_the_reason() {
        for (work, words) in [
            (tokio::spawn(async { panic!("the lamp fell over") }), "the lamp fell over"),
            (tokio::spawn(async { std::panic::panic_any(7) }), "without a word"),
        ] {
            let Err(JobError::Failed(fault)) = joined(work.await) else {
                panic!("it does not count as a failed attempt")
            };
            assert!(fault.reason.contains(words), "{}", fault.reason);
            assert_eq!(fault.code, ErrorCode::InternalError);
        }
    }
}
