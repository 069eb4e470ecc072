//! How jobs end: retried, dead and tried again by the operator, or with a result.

use lectern_store::{
    job_outcomes::{self, RetryOutcome},
    jobs::{self, Filter, JobKind, JobStatus, Outcome},
    materials::{self, Extracted},
    object_deletions,
};
use lectern_types::{ChunkStatus, Credits, LanguageSource, MaterialStatus};

use super::held;
use crate::{
    fixture::{Fixture, NOON, new_id, on_both, writing},
    materials::{
        LIVE, claim, complete, extraction, failure, look, queue, reader, ready, speak, start, statuses,
        upload,
    },
};

on_both! {
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
        assert_eq!(material.about.copyright.as_deref(), Some("© 2020 Ada"));
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
        let copyright = materials::NewValue::Set(Some("© The owner".to_owned()));
        let changes = materials::Changes { copyright, ..materials::Changes::default() };
        materials::update(f, reader.account, LIVE, unlucky, &changes, writing(NOON)).await.expect("it answers");
        assert!(materials::extracted(f, &job, &extraction(&[5]), writing(NOON)).await.expect("it answers"));
        let material = look(f, &reader, unlucky).await;
        assert_eq!(material.about.copyright.as_deref(), Some("© The owner"), "the document's takes its place");
        let listed = materials::list(f, reader.account, LIVE, None, 2).await.expect("it reads");
        assert_eq!(listed.iter().map(|material| material.id).collect::<Vec<_>>(), [unlucky, bad], "newest first");
        let next = materials::list(f, reader.account, LIVE, Some(bad), 2).await.expect("it reads");
        assert_eq!(next.iter().map(|material| material.id).collect::<Vec<_>>(), [given.id]);
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
}
