//! The jobs that make files of whole books.

use lectern_store::{
    books::{self, Book, BookState},
    job_outcomes,
    jobs::JobKind,
    object_deletions,
};
use lectern_types::{BookFormat, MaterialStatus};

use crate::{
    fixture::{Fixture, NOON, on_both, writing},
    materials::{LIVE, claim, claim_of, failure, look, queue, reader, ready, speak},
};

on_both! {
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
}
