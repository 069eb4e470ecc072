//! Jobs: their order, the jobs of workers that died, and the operator's commands.

use std::collections::HashSet;

use lectern_store::{
    Backend, Environment, Notification,
    books::{self, Book, BookState},
    job_outcomes::{self, MAX_LOST_LEASES, RetryOutcome},
    jobs::{self, Claiming, Filter, JobKind, JobStatus, Outcome},
    ledger,
    materials::{self, Convert, ConvertOutcome, Extracted},
    object_deletions,
};
use lectern_types::{
    BookFormat, ChunkStatus, Credits, LanguageSource, MaterialId, MaterialStatus, Timestamp,
};
use sqlx::Executor as _;

use crate::{
    fixture::{Fixture, NOON, new_id, on_both, writing},
    materials::{
        LIVE, Reader, claim, claim_all, claim_of, complete, conversion, convert, extraction, failure, look,
        queue, reader, ready, speak, start, statuses, upload,
    },
};

async fn held(f: &Fixture, reader: &Reader) -> i64 {
    ledger::balance(f, reader.account).await.expect("it reads").expect("it is there").held.0
}

/// Claims the next chunks; returns their materials and indexes.
async fn served(f: &Fixture, count: usize) -> Vec<(MaterialId, u32)> {
    let mut served = Vec::new();
    for _ in 0..count {
        let job = claim(f, JobKind::ConvertChunk, NOON).await.expect("there is work");
        served.push((job.material.expect("it has one"), job.chunk.expect("it has one")));
    }
    served
}

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

fn share(served: &[(MaterialId, u32)], of: MaterialId) -> usize {
    served.iter().filter(|(material, _)| *material == of).count()
}

on_both! {
    async fn accounts_take_turns_then_materials_and_chunks_come_in_their_order(f: &Fixture) {
        let (busy, calm) = (reader(f, 10_000).await, reader(f, 10_000).await);
        let long = ready(f, &busy, LIVE, &[1; 60], NOON).await;
        let short = ready(f, &busy, LIVE, &[1; 60], NOON).await;
        let other = ready(f, &calm, LIVE, &[1; 60], NOON).await;
        queue(f, &busy, long, NOON).await;
        let first = served(f, 20).await;
        assert_eq!(share(&first, long), 20);
        // Another account gets half of the turns from its start on, however much the first one has
        // queued.
        queue(f, &calm, other, NOON).await;
        let second = served(f, 10).await;
        assert_eq!((share(&second, long), share(&second, other)), (5, 5));
        // Another material of the first account shares that account's half.
        queue(f, &busy, short, NOON).await;
        let third = served(f, 40).await;
        assert_eq!((share(&third, other), share(&third, long), share(&third, short)), (20, 10, 10));
        for material in [long, short, other] {
            let all: Vec<u32> = [&first, &second, &third]
                .into_iter()
                .flat_map(|part| part.iter())
                .filter_map(|&(of, index)| (of == material).then_some(index))
                .collect();
            assert!(all.is_sorted(), "out of order: {all:?}");
        }
        // An account that returns after a pause does not catch up on missed turns.
        let fourth = served(f, 95).await;
        assert_eq!(share(&fourth, other), 35, "the remaining chunks of the calm account");
    }

    async fn a_higher_tier_gets_more_turns_and_nobody_gets_none(f: &Fixture) {
        let mut books = Vec::new();
        for tier in ["free", "standard", "premium"] {
            let reader = reader(f, 10_000).await;
            f.sql(&format!("UPDATE accounts SET tier = '{tier}' WHERE id = '{}'", reader.account)).await.expect("it is written");
            let book = ready(f, &reader, LIVE, &[1; 60], NOON).await;
            queue(f, &reader, book, NOON).await;
            books.push(book);
        }
        // After these claims, the extractions no longer affect the turns.
        let _ = served(f, 10).await;
        let next = served(f, 70).await;
        let shares: Vec<usize> = books.iter().map(|book| share(&next, *book)).collect();
        assert!((9..=11).contains(&shares[0]) && (19..=21).contains(&shares[1]) && (39..=41).contains(&shares[2]), "{shares:?}");
    }

    async fn room_for_many_is_shared_out_as_for_one_at_a_time(f: &Fixture) {
        let (busy, calm) = (reader(f, 10_000).await, reader(f, 10_000).await);
        let long = ready(f, &busy, LIVE, &[1; 60], NOON).await;
        let short = ready(f, &busy, LIVE, &[1; 60], NOON).await;
        let other = ready(f, &calm, LIVE, &[1; 60], NOON).await;
        let sandbox = ready(f, &calm, Environment::Test, &[1; 60], NOON).await;
        for (reader, material) in [(&busy, long), (&busy, short), (&calm, other)] {
            queue(f, reader, material, NOON).await;
        }
        let free = Convert { price_per_character: Credits::ZERO, ..conversion(&calm, sandbox, None) };
        convert(f, &calm, Environment::Test, &free, None, NOON).await;
        // After these claims, the extractions no longer affect the turns.
        let _ = served(f, 8).await;
        let room = [(JobKind::ConvertChunk, 20)];
        let mut taken = Vec::new();
        while taken.len() < 80 {
            let claims = claim_all(f, &room, NOON).await;
            assert!(!claims.is_empty() && claims.len() <= 20);
            taken.extend(claims);
        }
        taken.truncate(80);
        let of = |material| taken.iter().filter(|claim| claim.material == Some(material)).count();
        assert_eq!(of(sandbox), 10, "the sandbox gets one job in eight");
        // The sandbox's jobs count for their account, so that each account gets half of all jobs.
        assert!((28..=32).contains(&of(other)), "{}", of(other));
        assert!(of(long).abs_diff(of(short)) <= 2, "{} and {}", of(long), of(short));
        assert_eq!(taken.iter().map(|claim| claim.id).collect::<HashSet<_>>().len(), 80, "no job may be claimed twice");
        let places: Vec<u32> = taken.iter().filter(|claim| claim.material == Some(other)).filter_map(|claim| claim.chunk).collect();
        assert!(places.is_sorted(), "out of order: {places:?}");
    }

    async fn a_worker_claims_only_jobs_of_its_engines(f: &Fixture) {
        let reader = reader(f, 10_000).await;
        let (heavy, light) = (ready(f, &reader, LIVE, &[1; 3], NOON).await, ready(f, &reader, LIVE, &[1; 3], NOON).await);
        let wanted = Convert { engine: "kokoro", ..conversion(&reader, heavy, None) };
        convert(f, &reader, LIVE, &wanted, None, NOON).await;
        queue(f, &reader, light, NOON).await;
        let room = [(JobKind::ConvertChunk, 20)];
        let claimed = async |engines: &[&str]| {
            let claiming =
                Claiming { worker: "w1", room: &room, engines, now: NOON, lease_until: NOON.plus_seconds(30) };
            jobs::claim(&f.store, &claiming).await.expect("it answers")
        };
        assert_eq!(claimed(&["upstream", ""]).await, []);
        let claims = claimed(&["kokoro"]).await;
        assert!(claims.len() == 3 && claims.iter().all(|claim| claim.material == Some(heavy)), "{claims:?}");
        assert!(claims.iter().all(|claim| claim.engine == "kokoro"));
        let due = jobs::due(&f.store, NOON.plus_seconds(1)).await.expect("it answers");
        assert_eq!(due.iter().map(|due| (&*due.engine, due.jobs)).collect::<Vec<_>>(), [("hibari", 3)]);
        let characters = jobs::characters_to_convert(&f.store).await.expect("it answers");
        assert_eq!(characters.iter().map(|(engine, sum)| (&**engine, *sum)).collect::<std::collections::BTreeMap<_, _>>(), [("hibari", 3), ("kokoro", 3)].into());
        // An older program names no engine.
        f.sql("UPDATE jobs SET engine = '' WHERE status = 'queued'").await.expect("it answers");
        assert_eq!(claimed(&["hibari"]).await, []);
        assert_eq!(claimed(&["hibari", ""]).await.len(), 3);
    }

    async fn the_sandbox_comes_after_live_work_but_has_its_share(f: &Fixture) {
        let reader = reader(f, 10_000).await;
        let live = ready(f, &reader, LIVE, &[1; 60], NOON).await;
        let test = ready(f, &reader, Environment::Test, &[1; 60], NOON).await;
        queue(f, &reader, live, NOON).await;
        let free = Convert { price_per_character: Credits::ZERO, ..conversion(&reader, test, None) };
        let queued = convert(f, &reader, Environment::Test, &free, None, NOON).await;
        assert!(matches!(queued, ConvertOutcome::Queued(..)));
        let first = served(f, 40).await;
        assert_eq!((share(&first, live), share(&first, test)), (35, 5));
        let rest = served(f, 80).await;
        assert_eq!((share(&rest, live), share(&rest, test)), (25, 55), "without live work the sandbox gets every turn");
    }

    async fn of_many_workers_one_takes_a_job(f: &Fixture) {
        let (one, two) = (reader(f, 1_000).await, reader(f, 1_000).await);
        for reader in [&one, &two] {
            let id = ready(f, reader, LIVE, &[1; 60], NOON).await;
            queue(f, reader, id, NOON).await;
        }
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let store = f.store.clone();
            tasks.spawn(async move {
                let mut mine = Vec::new();
                loop {
                    let room = [(JobKind::ConvertChunk, 1 + mine.len() % 5)];
                    let some = claim_all(&store, &room, NOON).await;
                    if some.is_empty() {
                        break mine;
                    }
                    mine.extend(some.into_iter().map(|job| job.id));
                }
            });
        }
        let all: Vec<_> = tasks.join_all().await.into_iter().flatten().collect();
        assert_eq!(all.len(), 120);
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 120, "no job may be claimed twice");
    }

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

    async fn a_failed_attempt_waits_and_counts_unless_it_was_not_its_fault(f: &Fixture) {
        let reader = reader(f, 100).await;
        let id = ready(f, &reader, LIVE, &[10], NOON).await;
        queue(f, &reader, id, NOON).await;
        let job = claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued");
        assert!(start(f, &job, NOON).await.is_some());
        let later = NOON.plus_seconds(5);
        assert!(job_outcomes::retry_later(f, &job, later, "no luck", true, NOON).await.expect("it answers"));
        assert_eq!(statuses(f, &reader, id).await, [ChunkStatus::Queued]);
        assert!(claim(f, JobKind::ConvertChunk, later.plus_micros(-1)).await.is_none(), "not yet");
        let job = claim(f, JobKind::ConvertChunk, later).await.expect("its time has come");
        assert_eq!(job.attempts, 1);
        assert!(job_outcomes::retry_later(f, &job, later, "the queue was full", false, later).await.expect("it answers"));
        let job = claim(f, JobKind::ConvertChunk, later).await.expect("it is due");
        assert!(job_outcomes::release(f, &job, later).await.expect("it answers"));
        let job = claim(f, JobKind::ConvertChunk, later).await.expect("it is due at once");
        assert_eq!((job.attempts, job.lost_leases, job.epoch), (1, 0, 4));
        let stored = jobs::find(f, job.id).await.expect("it reads").expect("it is there");
        assert_eq!((stored.status, stored.last_error.as_deref()), (JobStatus::Running, Some("the queue was full")));
        assert_eq!(stored.worker.as_deref(), Some("w1"));
    }

    async fn an_operator_sees_dead_jobs_and_may_try_them_again(f: &Fixture) {
        let reader = reader(f, 25).await;
        let id = ready(f, &reader, LIVE, &[10, 15], NOON).await;
        queue(f, &reader, id, NOON).await;
        let job = claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued");
        let live = job_outcomes::retry(f, job.id, writing(NOON)).await.expect("it answers");
        assert_eq!(live, RetryOutcome::NotDead);
        job_outcomes::fail_permanently(f, &job, &failure(), "the engine is gone", writing(NOON)).await.expect("it answers");
        let dead = Filter { status: Some(JobStatus::Dead), ..Filter::default() };
        let listed = jobs::list(f, dead, 10).await.expect("it reads");
        let [Ok(listed)] = listed.as_slice() else { panic!("{listed:?}") };
        assert_eq!((listed.id, listed.attempts, listed.chunk), (job.id, 1, Some(0)));
        assert_eq!(listed.last_error.as_deref(), Some("the engine is gone"));
        let counts = jobs::counts(f).await.expect("it reads");
        let counts: Vec<_> = counts.iter().map(|count| (count.kind, count.status, count.jobs)).collect();
        let kind = JobKind::ConvertChunk;
        assert_eq!(counts, [(Some(kind), JobStatus::Dead, 1), (Some(kind), JobStatus::Queued, 1)]);

        assert_eq!(job_outcomes::retry(f, new_id(), writing(NOON)).await.expect("it answers"), RetryOutcome::NotFound);
        let other = ready(f, &reader, LIVE, &[10], NOON).await;
        queue(f, &reader, other, NOON).await;
        let poor = job_outcomes::retry(f, job.id, writing(NOON)).await.expect("it answers");
        assert_eq!(poor, RetryOutcome::Insufficient { available: Credits::ZERO, required: Credits(10) });
        assert_eq!(look(f, &reader, id).await.chunks_failed, 1, "nothing was changed");
        materials::delete(f, reader.account, LIVE, other, writing(NOON)).await.expect("it answers");
        assert_eq!(job_outcomes::retry(f, job.id, writing(NOON)).await.expect("it answers"), RetryOutcome::Queued);
        assert_eq!(held(f, &reader).await, 25);
        let mut spoken = 0;
        while let Some(job) = claim(f, kind, NOON).await {
            assert_eq!(job.attempts, 0);
            speak(f, &job, NOON).await;
            spoken += 1;
        }
        assert_eq!((spoken, look(f, &reader, id).await.status), (2, MaterialStatus::Completed));
    }

    async fn an_extraction_keeps_what_the_client_gave_and_fails_with_a_reason(f: &Fixture) {
        let reader = reader(f, 0).await;
        let given = materials::NewMaterial {
            title: "My title",
            title_given: true,
            language: Some("fr"),
            ..crate::materials::new_material(reader.key, "materials/x/source")
        };
        let create = materials::create(f, reader.account, LIVE, &given, None, writing(NOON)).await;
        assert_eq!(create.expect("it answers"), materials::CreateOutcome::Expired, "nothing reserved its source");
        object_deletions::reserve(f, &["materials/x/source"], NOON.plus_seconds(60)).await.expect("it reserves");
        let create = materials::create(f, reader.account, LIVE, &given, None, writing(NOON)).await;
        let materials::CreateOutcome::Created(made) = create.expect("it answers") else { panic!() };
        assert_eq!(*made, look(f, &reader, given.id).await, "the answer must equal the stored material");
        let job = claim(f, JobKind::Extract, NOON).await.expect("it is queued");
        let cover = materials::NewCover { object: "materials/x/cover".into(), media_type: "image/png".into() };
        let found = Extracted { cover: Some(cover), ..extraction(&[5]) };
        assert!(!materials::extracted(f, &job, &found, writing(NOON)).await.expect("it answers"), "the cover was not reserved");
        object_deletions::reserve(f, &["materials/x/cover"], NOON.plus_seconds(60)).await.expect("it reserves");
        assert!(materials::extracted(f, &job, &found, writing(NOON)).await.expect("it answers"));
        let material = look(f, &reader, given.id).await;
        assert_eq!((material.title.as_str(), material.language), ("My title", Some(crate::materials::language("fr", LanguageSource::Given))));
        assert_eq!(material.cover.map(|cover| cover.media_type).as_deref(), Some("image/png"));
        let known = materials::objects(f, given.id, "materials/x/").await.expect("it reads");
        assert_eq!(known.len(), 2);
        assert!(!materials::extracted(f, &job, &found, writing(NOON)).await.expect("it answers"), "a second time");

        let bad = upload(f, &reader, LIVE, NOON).await;
        let job = claim(f, JobKind::Extract, NOON).await.expect("it is queued");
        assert!(materials::extraction_failed(f, &job, &failure(), writing(NOON)).await.expect("it answers"));
        let material = look(f, &reader, bad).await;
        assert_eq!((material.status, material.failure), (MaterialStatus::Failed, Some(failure())));
        assert_eq!(jobs::find(f, job.id).await.expect("it reads"), None);

        let unlucky = upload(f, &reader, LIVE, NOON).await;
        let job = claim(f, JobKind::Extract, NOON).await.expect("it is queued");
        let buried = job_outcomes::fail_permanently(f, &job, &failure(), "it crashed", writing(NOON)).await.expect("it answers");
        assert_eq!(buried, Outcome::Ended(MaterialStatus::Failed));
        assert_eq!(job_outcomes::retry(f, job.id, writing(NOON)).await.expect("it answers"), RetryOutcome::Queued);
        let material = look(f, &reader, unlucky).await;
        assert_eq!((material.status, material.failure), (MaterialStatus::Processing, None));
        let job = claim(f, JobKind::Extract, NOON).await.expect("it is queued");
        assert!(materials::extracted(f, &job, &extraction(&[5]), writing(NOON)).await.expect("it answers"));
        let listed = materials::list(f, reader.account, LIVE, None, 2).await.expect("it reads");
        assert_eq!(listed.iter().map(|material| material.id).collect::<Vec<_>>(), [unlucky, bad], "newest first");
        let next = materials::list(f, reader.account, LIVE, Some(bad), 2).await.expect("it reads");
        assert_eq!(next.iter().map(|material| material.id).collect::<Vec<_>>(), [given.id]);
    }

    // Negative control: when each kind counts only its own jobs, the account's turn is 240.
    async fn kinds_that_are_claimed_together_cost_an_account_each_job_once(f: &Fixture) {
        let reader = reader(f, 100).await;
        let id = ready(f, &reader, LIVE, &[1, 1, 1], NOON).await;
        queue(f, &reader, id, NOON).await;
        upload(f, &reader, LIVE, NOON).await;
        let room = [(JobKind::Extract, 2), (JobKind::ConvertChunk, 5)];
        assert_eq!(claim_all(f, &room, NOON).await.len(), 4);
        // Sixty steps for each of the four jobs and for the earlier extraction.
        assert_eq!(f.number("SELECT MAX(served) FROM job_turns").await, 300);
    }

    async fn audio_whose_reservation_ended_is_not_used(f: &Fixture) {
        let reader = reader(f, 100).await;
        let id = ready(f, &reader, LIVE, &[10], NOON).await;
        queue(f, &reader, id, NOON).await;
        let job = claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued");
        assert!(start(f, &job, NOON).await.is_some());
        // The sweep may delete the objects from this instant on.
        let due = NOON.plus_seconds(86_400);
        let done = complete(f, &job, due).await;
        assert_eq!((done, held(f, &reader).await), (Outcome::Lost, 10));
        let done = complete(f, &job, due.plus_micros(-1)).await;
        assert_eq!(done, Outcome::Ended(MaterialStatus::Completed));
        assert_eq!(object_deletions::due(f, due, 10).await.expect("it reads"), [""; 0], "its objects stay");
    }

    async fn books_are_made_when_asked_for_and_once(f: &Fixture) {
        let reader = reader(f, 100).await;
        let id = ready(f, &reader, LIVE, &[10], NOON).await;
        let ask = async |format: BookFormat| {
            books::request(f, reader.account, LIVE, id, format.into(), writing(NOON)).await.expect("it answers")
        };
        assert_eq!(ask(BookFormat::M4b).await, BookState::NotReady);
        queue(f, &reader, id, NOON).await;
        let job = claim(f, JobKind::ConvertChunk, NOON).await.expect("it is queued");
        speak(f, &job, NOON).await;
        assert_eq!(ask(BookFormat::Mp3).await, BookState::Queued { progress: 0 }, "it was queued with the last chunk");
        let find = async |format: BookFormat| books::find(f, reader.account, LIVE, id, format.into()).await.expect("it reads");
        assert_eq!(find(BookFormat::M4b).await, BookState::Missing);
        let stranger = crate::materials::reader(f, 0).await;
        let theirs = books::find(f, stranger.account, LIVE, id, BookFormat::Mp3.into()).await.expect("it reads");
        assert_eq!(theirs, BookState::NotFound);
        assert_eq!(ask(BookFormat::M4b).await, BookState::Queued { progress: 0 });
        assert_eq!(ask(BookFormat::M4b).await, BookState::Queued { progress: 0 }, "again, and still one job");
        let jobs = [
            claim_of(f, &[JobKind::ConvertChunk, JobKind::Assemble], NOON).await.expect("it is queued"),
            claim(f, JobKind::Assemble, NOON).await.expect("it is queued"),
        ];
        assert!(claim(f, JobKind::Assemble, NOON).await.is_none());
        assert_eq!(jobs.each_ref().map(|job| job.detail.as_deref()), [Some("mp3"), Some("m4b")]);
        let book = Book {
            file: BookFormat::Mp3.into(),
            parts: Vec::new(),
            object: format!("materials/{id}/book.mp3"),
            bytes: 9,
            etag: "\"e\"".into(),
            duration_ms: 1_000,
            created_at: NOON,
        };
        assert!(!books::insert(f, &jobs[0], &book).await.expect("it answers"), "it was not reserved");
        object_deletions::reserve(f, &[&book.object], NOON.plus_seconds(60)).await.expect("it reserves");
        assert!(books::insert(f, &jobs[0], &book).await.expect("it answers"));
        assert!(!books::insert(f, &jobs[0], &book).await.expect("it answers"), "a second time");
        assert_eq!(ask(BookFormat::Mp3).await, BookState::Made(book));
        job_outcomes::fail_permanently(f, &jobs[1], &failure(), "no luck", writing(NOON)).await.expect("it answers");
        assert_eq!(find(BookFormat::M4b).await, BookState::Dead);
        assert_eq!(look(f, &reader, id).await.status, MaterialStatus::Completed, "the chunks have their audio all the same");
        assert_eq!(ask(BookFormat::M4b).await, BookState::Queued { progress: 0 }, "another try");
    }

    async fn a_claim_among_twenty_thousand_jobs_is_quick_and_fair(f: &Fixture) {
        // One account with 19,000 chunks, and 20 with 50 each.
        let busy = reader(f, 1_000_000).await;
        let long = ready(f, &busy, LIVE, &vec![1; 9_500], NOON).await;
        let longer = ready(f, &busy, LIVE, &vec![1; 9_500], NOON).await;
        queue(f, &busy, long, NOON).await;
        queue(f, &busy, longer, NOON).await;
        for _ in 0..20 {
            let calm = reader(f, 1_000).await;
            let id = ready(f, &calm, LIVE, &[1; 50], NOON).await;
            queue(f, &calm, id, NOON).await;
        }
        let began = std::time::Instant::now();
        let served = served(f, 420).await;
        let each = began.elapsed() / 420;
        #[expect(clippy::print_stdout, reason = "shown when the test fails, and measured")]
        {
        println!("{each:?} a claim among 20,000 jobs");
        }
        assert_eq!((share(&served, long), share(&served, longer)), (10, 10), "the busy account gets one claim in 21");
        assert!(each.as_millis() < 100, "{each:?}: it looks at every job");
    }
}
