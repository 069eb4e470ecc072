//! Sees one claimed job through: lets its work run, keeps the claim alive meanwhile, breaks the work off when the claim is
//! lost or the process ends, and records an end that is not the work's own. A panic is a failed attempt.

use std::{any::Any, sync::Arc, time::Duration};

use lectern_store::{
    jobs::{self, JobClaim, JobKind, Outcome},
    materials::Failure,
};
use lectern_types::{ErrorCode, Timestamp};
use tokio::{task::JoinError, time::Instant};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use super::{Floor, backoff, slots::Slot};
use crate::{
    app::Base,
    error::chain,
    queue::{DeadLetter, Ticket},
    services::materials::{
        assembly, conversion, extraction,
        run::{Away, Fault, Run, Setback},
    },
    signals::MaterialChanges,
};

/// How often an end that the store did not take is offered again.
const OFFER_EVERY: Duration = Duration::from_millis(500);

/// The least time between two looks whether a claim still stands because its material changed.
const LOOK_REST: Duration = Duration::from_secs(1);

/// Claims of a job after which a storage that fails it again, and answers others, counts as the job's own failure: a quarter of an
/// hour of rests.
const PATIENT_CLAIMS: u32 = 200;

/// Why running work was broken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Broken {
    /// The claim is another's, or the job is gone.
    Lost,
    /// The process ends.
    Closing,
}

/// Sees a job through. The slot is its room; the ticket, if it came by one, is kept alive with the claim and given back with it.
pub(super) async fn see_through(floor: Arc<Floor>, claim: JobClaim, ticket: Option<Ticket>, slot: Slot) {
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
        let done = carry_out(&floor, &run, ticket.as_ref()).await;
        let ending = async {
            let outcome = end(&floor, &run, done).await;
            run.discard_objects(&floor.shop.base).await;
            outcome
        };
        let mut ending = std::pin::pin!(ending);
        tokio::select! {
            biased;
            outcome = &mut ending => outcome,
            // The end may take longer than what is left of the lease, where storage is slow. Whether the claim is lost is found
            // out by what writes the end.
            () = until_lost(&floor, &run, ticket.as_ref()) => ending.await,
        }
    };
    let (outcome, again) = outcome.instrument(span).await;
    match (ticket, again) {
        (Some(ticket), None) => ticket.done().await,
        (Some(ticket), Some(rest)) => ticket.again(rest).await,
        (None, _) => {}
    }
    metrics::counter!("lectern_jobs_total", "kind" => kind.as_str(), "outcome" => outcome).increment(1);
    metrics::histogram!("lectern_job_seconds", "kind" => kind.as_str())
        .record(started.elapsed().as_secs_f64());
}

/// Runs the work to its end, or until it has broken off.
async fn carry_out(
    floor: &Arc<Floor>,
    run: &Arc<Run>,
    ticket: Option<&Ticket>,
) -> (Result<(), Setback>, Option<Broken>) {
    // A task of its own, so that a panic ends it alone.
    let mut work = {
        let (shop, run) = (floor.shop.clone(), Arc::clone(run));
        let work = async move {
            match run.claim.kind {
                JobKind::Extract => extraction::extract(&shop, &run).await,
                JobKind::ConvertChunk => conversion::convert(&shop, &run).await,
                JobKind::Assemble => assembly::assemble(&shop, &run).await,
            }
        };
        tokio::spawn(work.in_current_span())
    };
    let broken = tokio::select! {
        // First, so that a renewal that sees the job just finished does not hide it.
        biased;
        done = &mut work => return (joined(done), None),
        () = until_lost(floor, run, ticket) => Broken::Lost,
        () = floor.closing.cancelled() => Broken::Closing,
    };
    run.cancelled.cancel();
    (joined(work.await), Some(broken))
}

fn joined(done: Result<Result<(), Setback>, JoinError>) -> Result<(), Setback> {
    done.unwrap_or_else(|error| {
        let reason = match error.try_into_panic() {
            Ok(panic) => format!("it panicked: {}", panic_text(panic.as_ref())),
            Err(error) => format!("its task ended: {error}"),
        };
        Err(Setback::Failed(Fault::new(ErrorCode::InternalError, reason)))
    })
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a word")
}

/// Renews the claim's lease in time, and looks whether it still stands when its material changed, which may have been
/// deleted; ends only when the claim is lost.
async fn until_lost(floor: &Floor, run: &Run, ticket: Option<&Ticket>) {
    let base = &floor.shop.base;
    let usual = base.renewal();
    let mut next = Instant::now() + usual;
    let mut changes = run.claim.material.map(|material| base.signals.watch_material(material));
    let mut looked = Instant::now();
    loop {
        let stands = tokio::select! {
            () = tokio::time::sleep_until(next) => {
                next = Instant::now() + usual;
                if let Some(ticket) = ticket {
                    ticket.goes_on().await;
                }
                jobs::renew(&base.store, &run.claim, base.lease_end()).await
            }
            // The chunks of a book change it several times for each of them, and all that run hear each of these: without a rest
            // they would ask more often the more of them there are.
            () = next_of(&mut changes, looked + LOOK_REST) => {
                looked = Instant::now();
                jobs::stands(&base.store, &run.claim).await
            }
        };
        match stands {
            Ok(true) => {}
            Ok(false) => return,
            // The lease still stands for a while, and nobody else may be able to take the job over either.
            Err(error) => {
                floor.store.failed(&error, Instant::now());
                next = next.min(Instant::now() + Duration::from_secs(1));
            }
        }
    }
}

/// Waits for the next change, but not one that comes before `earliest`: that is told then.
async fn next_of(changes: &mut Option<MaterialChanges>, earliest: Instant) {
    match changes {
        Some(changes) => {
            tokio::time::sleep_until(earliest).await;
            changes.next().await;
        }
        None => std::future::pending().await,
    }
}

/// Records how a run ended; the word for metrics, and after how long the job is to be taken up again, if it is.
async fn end(
    floor: &Floor,
    run: &Run,
    (outcome, broken): (Result<(), Setback>, Option<Broken>),
) -> (&'static str, Option<Duration>) {
    let claim = &run.claim;
    let outcome = match outcome {
        // The storage answers: what failed is this job's object alone, and may fail for ever. A storage that comes and goes
        // answers as well: what it said itself of its state counts against a job only when it has said so very often.
        Err(Setback::Postponed { what: what @ (Away::Object | Away::Objects), reason, .. })
            if (what == Away::Object || claim.epoch > PATIENT_CLAIMS)
                && floor.shop.base.objects.ping().await.is_ok() =>
        {
            Err(Setback::Failed(Fault::new(ErrorCode::InternalError, reason)))
        }
        outcome => outcome,
    };
    let setback = match outcome {
        Ok(()) => {
            floor.storage.over();
            match claim.kind {
                JobKind::ConvertChunk => floor.engines.over(),
                JobKind::Extract | JobKind::Assemble => floor.room.over(),
            }
            return ("done", None);
        }
        Err(setback) => setback,
    };
    match (setback, broken) {
        (Setback::Lost, _) | (_, Some(Broken::Lost)) => {
            tracing::info!("the job is another's now, or no longer wanted: this run counts for nothing");
            ("lost", None)
        }
        (Setback::Doubt { reason }, _) => {
            tracing::error!(reason, "whether a job's work was committed is not known; its lease will tell");
            ("doubt", Some(floor.shop.base.lease()))
        }
        (Setback::Cancelled, _) => {
            offer(floor, claim, End::Released).await;
            ("released", Some(Duration::ZERO))
        }
        (Setback::Postponed { what, rest, reason }, _) => {
            let now = Instant::now();
            match what {
                Away::Store => floor.store.failed(&Reason(&reason), now),
                Away::Objects | Away::Object => floor.storage.failed(&Reason(&reason), now),
                Away::Room => floor.room.failed(&Reason(&reason), now),
                Away::Engine => floor.engines.failed(&Reason(&reason), now),
                Away::Speech => tracing::debug!(reason, "a job was postponed"),
            }
            let rest = backoff::spread(rest);
            offer(floor, claim, End::Again { rest, reason: &reason, counts: false }).await;
            ("postponed", Some(rest))
        }
        (Setback::Failed(fault), _)
            if u64::from(claim.attempts) + 1 < floor.shop.base.config.jobs.attempts =>
        {
            let rest = backoff::after(claim.attempts);
            tracing::warn!(
                reason = fault.reason,
                job.retry_seconds = rest.as_secs_f64(),
                "a job failed and is tried again"
            );
            offer(floor, claim, End::Again { rest, reason: &fault.reason, counts: true }).await;
            ("failed", Some(rest))
        }
        (Setback::Failed(fault) | Setback::Hopeless(fault), _) => {
            if !offer(floor, claim, End::Dead(&fault)).await {
                tracing::info!(
                    "that the job failed was not recorded: it is another's now, or its lease will tell"
                );
                return ("lost", None);
            }
            tracing::error!(reason = fault.reason, error.code = fault.code.as_str(), "a job failed for good");
            put_aside(&floor.shop.base, claim, &fault.reason).await;
            ("dead", None)
        }
    }
}

/// Puts a dead job aside where the queue keeps such.
pub(super) async fn put_aside(base: &Base, claim: &JobClaim, reason: &str) {
    if let Err(error) = base.queue.bury(&DeadLetter::of(claim, reason)).await {
        tracing::debug!(error = %error, "a dead job was not put aside");
    }
}

/// An end that is no success.
#[derive(Debug, Clone, Copy)]
enum End<'a> {
    /// Given back as it was.
    Released,
    /// To be tried again.
    Again {
        /// After this time.
        rest: Duration,
        /// For the operator.
        reason: &'a str,
        /// Whether it was an attempt.
        counts: bool,
    },
    /// Given up, and with it what it was for.
    Dead(&'a Fault),
}

/// Offers an end to the store until it takes it, for as long as the lease may still stand; after it, others find the job. Whether it
/// was taken: not from one whose claim is lost.
async fn offer(floor: &Floor, claim: &JobClaim, end: End<'_>) -> bool {
    let until = Instant::now() + floor.shop.base.lease();
    let is_taken = loop {
        match write(&floor.shop.base, claim, end).await {
            Ok(is_taken) => break is_taken,
            Err(error) if error.is_transient() && Instant::now() < until => {
                floor.store.failed(&error, Instant::now());
                tokio::time::sleep(OFFER_EVERY).await;
            }
            Err(error) => {
                tracing::error!(
                    error = chain(&error),
                    "how a job ended was not recorded; its lease will tell"
                );
                return false;
            }
        }
    };
    floor.store.over();
    let signals = &floor.shop.base.signals;
    if let Some(material) = claim.material {
        signals.material_changed(material);
    }
    if matches!(end, End::Released) {
        signals.jobs_queued();
    }
    is_taken
}

async fn write(base: &Base, claim: &JobClaim, end: End<'_>) -> lectern_store::Result<bool> {
    let now = base.clock.now();
    match end {
        End::Released => jobs::release(&base.store, claim, now).await,
        End::Again { rest, reason, counts } => {
            let run_at = Timestamp(now.0.saturating_add(i64::try_from(rest.as_micros()).unwrap_or(i64::MAX)));
            jobs::retry_later(&base.store, claim, run_at, reason, counts, now).await
        }
        End::Dead(fault) => {
            let failure = Failure { code: fault.code, message: fault.message.clone() };
            let outcome = jobs::bury(&base.store, claim, &failure, &fault.reason, base.writing()).await?;
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
            let Err(Setback::Failed(fault)) = joined(work.await) else { panic!("it is no failed attempt") };
            assert!(fault.reason.contains(words), "{}", fault.reason);
            assert_eq!(fault.code, ErrorCode::InternalError);
        }
    }
}
