//! Jobs whose worker died.

use lectern_store::{
    Backend, Notification,
    job_outcomes::{self, MAX_LOST_LEASES},
    jobs::{self, Filter, JobKind, Outcome},
};
use lectern_types::{ChunkStatus, MaterialId, MaterialStatus, Timestamp};
use sqlx::Executor as _;

use super::held;
use crate::{
    fixture::{Fixture, NOON, on_both, writing},
    materials::{LIVE, claim, complete, failure, look, queue, reader, ready, speak, start, statuses},
};

/// Reclaims lost jobs; returns how many were queued again, and the materials of the notifications.
async fn reclaim(f: &Fixture, now: Timestamp) -> (u32, Vec<MaterialId>) {
    f.pending_notifications();
    let reclaimed = job_outcomes::reclaim_lost(f, 10, writing(now)).await.expect("it answers");
    let notified = f.pending_notifications().into_iter().filter_map(|notification| match notification {
        Notification::Material(material) => Some(material),
        _ => None,
    });
    (reclaimed.requeued, notified.collect())
}

on_both! {
    async fn a_dead_workers_job_comes_back_and_its_old_claim_changes_nothing(f: &Fixture) {
        let reader = reader(f, 100).await;
        let id = ready(f, &reader, LIVE, &[10], NOON).await;
        queue(f, &reader, id, NOON).await;
        let old = claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued");
        assert!(start(f, &old, NOON).await.is_some());
        assert!(jobs::renew(f, &old, NOON.plus_seconds(40)).await.expect("it answers"));
        let early = job_outcomes::reclaim_lost(f, 10, writing(NOON.plus_seconds(40))).await.expect("it answers");
        assert_eq!(early.requeued, 0, "the renewed lease is still valid");
        let late = NOON.plus_seconds(41);
        assert_eq!(reclaim(f, late).await, (1, vec![id]));
        assert_eq!(statuses(f, &reader, id).await, [ChunkStatus::Queued]);

        // The old claim can change nothing, neither while the job waits nor when another worker has
        // it.
        for taken in [false, true] {
            let new = if taken { claim(f, JobKind::ConvertChunk, late).await } else { None };
            assert_eq!(new.is_some(), taken);
            assert!(!jobs::renew(f, &old, late).await.expect("it answers"));
            assert!(start(f, &old, late).await.is_none());
            let done = complete(f, &old, late).await;
            assert_eq!(done, Outcome::Lost);
            let buried = job_outcomes::fail_permanently(f, &old, &failure(), "late", writing(late)).await.expect("it answers");
            assert_eq!(buried, Outcome::Lost);
            assert!(!job_outcomes::retry_later(f, &old, late, "late", true, late).await.expect("it answers"));
            assert!(!job_outcomes::release(f, &old, late).await.expect("it answers"));
            assert_eq!(held(f, &reader).await, 10);
            if let Some(new) = new {
                assert_eq!((new.attempts, new.lost_leases, new.epoch), (0, 1, 2));
                let done = speak(f, &new, late).await;
                assert_eq!(done, Outcome::Ended(MaterialStatus::Completed));
            }
        }
    }

    async fn what_cannot_be_taken_back_does_not_keep_the_rest_from_it(f: &Fixture) {
        let reader = reader(f, 100).await;
        let id = ready(f, &reader, LIVE, &[10, 10, 10], NOON).await;
        queue(f, &reader, id, NOON).await;
        for _ in 0..3 {
            claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued");
        }
        // The first rows that reclaiming reads: one of a kind that only a newer version knows, and
        // an unreadable one.
        f.sql("UPDATE jobs SET kind = 'translate', lease_until = 1 WHERE chunk_index = 0").await.expect("it writes");
        f.sql("UPDATE jobs SET lost_leases = -1, lease_until = 2 WHERE chunk_index = 1").await.expect("it writes");
        let later = NOON.plus_seconds(31);
        let reclaimed = job_outcomes::reclaim_lost(f, 10, writing(later)).await.expect("it answers");
        assert_eq!((reclaimed.requeued, reclaimed.failures.len()), (1, 1), "{reclaimed:?}");
        let next = claim(f, JobKind::ConvertChunk, later).await.expect("it is queued again");
        assert_eq!(next.chunk, Some(2));
        let counts = jobs::counts(f).await.expect("it answers");
        assert_eq!(counts.iter().map(|count| (count.kind, count.jobs)).collect::<Vec<_>>(), [(Some(JobKind::ConvertChunk), 2), (None, 1)]);
        f.sql("UPDATE jobs SET kind = 'sing' WHERE chunk_index = 1").await.expect("it writes");
        let counts = jobs::counts(f).await.expect("it answers");
        assert_eq!(counts.iter().map(|count| (count.kind, count.jobs)).collect::<Vec<_>>(), [(Some(JobKind::ConvertChunk), 1), (None, 2)]);
        f.sql("UPDATE jobs SET kind = 'convert_chunk' WHERE chunk_index = 1").await.expect("it writes");
        // Operators see unreadable rows, too.
        let listed = jobs::list(f, Filter::default(), 10).await.expect("it reads");
        let words = |job: &Result<jobs::Job, jobs::UnreadableJob>| job.as_ref().map_or_else(|it| it.kind.clone(), |job| job.kind.to_string());
        assert_eq!(listed.iter().map(words).collect::<Vec<_>>(), ["convert_chunk", "convert_chunk", "translate"]);
        assert_eq!(listed.iter().filter(|job| job.is_err()).count(), 2);
        f.sql("UPDATE jobs SET status = 'queued', worker = NULL, lease_until = NULL WHERE chunk_index = 0").await.expect("it writes");
        assert_eq!(jobs::due(f, later).await.expect("it answers"), []);
    }

    async fn a_job_that_cannot_be_read_does_not_keep_the_next_from_being_claimed(f: &Fixture) {
        let reader = reader(f, 100).await;
        let id = ready(f, &reader, LIVE, &[10, 10], NOON).await;
        queue(f, &reader, id, NOON).await;
        f.sql("UPDATE jobs SET lost_leases = -1 WHERE chunk_index = 0").await.expect("it writes");
        let next = claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued");
        assert_eq!(next.chunk, Some(1));
        let reclaimed = job_outcomes::reclaim_lost(f, 10, writing(NOON.plus_seconds(31))).await.expect("it answers");
        assert_eq!((reclaimed.requeued, reclaimed.failures.len()), (1, 1), "the unreadable job must be reported: {reclaimed:?}");
    }

    /// A transaction that was cut off while it held a material's lock does not prevent the
    /// reclaiming of other jobs.
    // Negative control: without SKIP LOCKED this waits for the lock for half a minute, and fails.
    async fn a_locked_material_is_not_waited_for_by_who_takes_jobs_back(f: &Fixture) {
        let reader = reader(f, 100).await;
        let mut books = Vec::new();
        for _ in 0..2 {
            let id = ready(f, &reader, LIVE, &[10], NOON).await;
            queue(f, &reader, id, NOON).await;
            claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued");
            books.push(id);
        }
        // SQLite has one writer, so no other transaction can lock a row.
        if f.backend() == Backend::Sqlite {
            return;
        }
        let mut locking = f.locked("materials", &books[0].to_string()).await;
        let at = NOON.plus_seconds(31);
        assert_eq!(reclaim(f, at).await, (1, vec![books[1]]));
        locking.execute("ROLLBACK").await.expect("it releases");
        assert_eq!(reclaim(f, at).await, (1, vec![books[0]]));
    }

    async fn a_job_that_loses_too_many_leases_dies_and_its_chunk_fails(f: &Fixture) {
        let reader = reader(f, 100).await;
        let id = ready(f, &reader, LIVE, &[10], NOON).await;
        queue(f, &reader, id, NOON).await;
        let mut now = NOON;
        for lost in 0..=MAX_LOST_LEASES {
            let job = claim(f, JobKind::ConvertChunk, now).await.expect("it is queued");
            assert_eq!((job.lost_leases, job.attempts), (lost, 0));
            now = now.plus_seconds(31);
            let reclaimed = job_outcomes::reclaim_lost(f, 10, writing(now)).await.expect("it answers");
            assert_eq!(reclaimed.dead.len(), usize::from(lost == MAX_LOST_LEASES));
        }
        assert_eq!(held(f, &reader).await, 0);
        assert_eq!(look(f, &reader, id).await.status, MaterialStatus::PartiallyFailed);
    }
}
