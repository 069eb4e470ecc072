//! The test's own hand in the place of workers: it takes up jobs and ends them as the test wishes, by the store's own
//! functions, so that a material can be held in any state. For applications that were set up with [`Setup::by_hand`].
//!
//! [`Setup::by_hand`]: crate::Setup::by_hand

use std::sync::Arc;

use lectern_documents::language::Scripts;
use lectern_store::{
    books::{self, Book},
    chunks::{self, ChunkAudio, Spoken, Started, Starting},
    jobs::{self, Claiming, JobClaim, JobKind, Outcome},
    materials::{self, Extracted, Failure, NewChunk},
    object_deletions,
};
use lectern_types::{BookFormat, ErrorCode, Timestamp};
use serde_json::{Value, json};

use crate::TestApp;

/// How long a hand may hold a job, in seconds.
const LEASE_SECONDS: i64 = 3600;

/// Milliseconds of audio for each character.
const MS_A_CHARACTER: u64 = 20;

impl TestApp {
    /// Uploads a text and gives it these chunks, which are its text; the material's id.
    pub async fn ready(&self, key: &str, chunks: &[&str]) -> String {
        let id = self.upload(key, &chunks.concat()).await;
        self.extract(chunks).await;
        id
    }

    /// Uploads a text; the material's id.
    pub async fn upload(&self, key: &str, text: &str) -> String {
        let reply =
            self.post("/v1/saas/materials", key, &json!({ "text": text, "title": "The Harbour" })).await;
        assert_eq!(reply.status, 202, "{}", reply.json());
        reply.json()["id"].as_str().expect("a material has an id").to_owned()
    }

    /// A material of which every chunk has audio; its id.
    pub async fn completed(&self, key: &str, chunks: &[&str]) -> String {
        let id = self.ready(key, chunks).await;
        let body = json!({ "ereader_id": self.ereader("heart").await });
        let reply = self.post(&format!("/v1/saas/materials/{id}/convert"), key, &body).await;
        assert_eq!(reply.status, 202, "{}", reply.json());
        self.speak_all().await;
        id
    }

    /// A material as the API shows it.
    pub async fn material(&self, key: &str, id: &str) -> Value {
        self.get(&format!("/v1/saas/materials/{id}"), key).await.json()
    }

    /// Takes up the next job of this kind, if there is one.
    pub async fn take_up(&self, kind: JobKind) -> Option<JobClaim> {
        let now = self.clock.now();
        let (room, lease_until) = ([(kind, 1)], now.plus_seconds(LEASE_SECONDS));
        let claiming = Claiming { worker: "hand", room: &room, now, lease_until };
        jobs::claim(&self.app.store, &claiming).await.expect("the store answers").pop()
    }

    async fn must_take_up(&self, kind: JobKind) -> JobClaim {
        self.take_up(kind).await.unwrap_or_else(|| panic!("there is no job to {kind}"))
    }

    /// Ends the next extraction with these chunks. Those that begin with `#` begin a chapter.
    pub async fn extract(&self, chunks: &[&str]) {
        let claim = self.must_take_up(JobKind::Extract).await;
        let mut title = None;
        let chunks = chunks.iter().map(|text| {
            let heading = text.strip_prefix('#').and_then(|rest| rest.lines().next());
            title = heading.map(|heading| heading.trim().to_owned()).or(title.take());
            NewChunk {
                text: (*text).to_owned(),
                characters: text.chars().count() as u32,
                title: title.clone(),
                starts_chapter: heading.is_some(),
                breaks: Vec::new(),
                pause_after_ms: 0,
                scripts: Scripts::of(text).to_string(),
            }
        });
        let found =
            Extracted { title: None, author: None, language: None, cover: None, chunks: chunks.collect() };
        let written = materials::extracted(&self.app.store, &claim, &found, self.app.writing()).await;
        assert!(written.expect("the store answers"), "the claim was lost");
        self.tell(&claim);
    }

    /// Ends the next job of this kind for good, with a failure.
    pub async fn bury(&self, kind: JobKind, code: ErrorCode) {
        let claim = self.must_take_up(kind).await;
        let failure = Failure { code, message: "It was not to be.".to_owned() };
        let ended =
            jobs::bury(&self.app.store, &claim, &failure, "the hand said so", self.app.writing()).await;
        assert_ne!(ended.expect("the store answers"), Outcome::Lost);
        self.tell(&claim);
    }

    /// Begins the next chunk and leaves it so.
    pub async fn begin_chunk(&self) -> JobClaim {
        let claim = self.must_take_up(JobKind::ConvertChunk).await;
        assert!(self.begin(&claim, &[], self.clock.now()).await.is_some(), "the claim was lost");
        claim
    }

    /// Begins a chunk that was taken up, for which these objects are going to be put.
    async fn begin(&self, claim: &JobClaim, objects: &[String], due: Timestamp) -> Option<Started> {
        let objects = objects.to_vec();
        let starting = Starting { claim: claim.clone(), objects: Arc::new(move |_| objects.clone()) };
        let mut begun = chunks::start(&self.app.store, &[starting], due).await;
        begun.pop().expect("there is an answer").expect("the store answers")
    }

    /// Gives the next chunk audio; its index.
    pub async fn speak(&self) -> u32 {
        let claim = self.must_take_up(JobKind::ConvertChunk).await;
        assert_ne!(self.end_chunk(&claim).await, Outcome::Lost);
        claim.chunk.expect("a chunk's job names it")
    }

    /// Gives every queued chunk audio.
    pub async fn speak_all(&self) {
        while let Some(claim) = self.take_up(JobKind::ConvertChunk).await {
            assert_ne!(self.end_chunk(&claim).await, Outcome::Lost);
        }
    }

    /// Gives a chunk that was taken up audio: its text said back, with a word every 20 ms for each of its characters.
    pub async fn end_chunk(&self, claim: &JobClaim) -> Outcome {
        let material = claim.material.expect("a chunk's job names its material");
        let index = claim.chunk.expect("a chunk's job names it");
        let base = format!("materials/{material}/{index}-{}", claim.epoch);
        let names = [format!("{base}.mp3"), format!("{base}.flac"), format!("{base}.json")];
        let due = self.clock.now().plus_seconds(LEASE_SECONDS);
        let Some(started) = self.begin(claim, &names, due).await else { return Outcome::Lost };
        let [audio_object, lossless_object, words_object] = names;
        let put = async |key: &str, bytes: Vec<u8>| {
            self.app.objects.put(key, bytes).await.expect("the storage takes it")
        };
        let about = put(&audio_object, audio_of(&started.text)).await;
        put(&lossless_object, started.text.clone().into_bytes()).await;
        put(&words_object, words_of(&started.text).to_string().into_bytes()).await;
        let audio = ChunkAudio {
            audio_bytes: about.bytes,
            audio_etag: about.etag,
            duration_ms: u64::from(started.characters) * MS_A_CHARACTER,
            sample_rate_hz: 24_000,
            audio_object,
            lossless_object,
            words_object,
        };
        let spoken = Spoken { claim: claim.clone(), audio };
        let mut ended = chunks::complete(&self.app.store, &[spoken], self.app.writing()).await;
        self.tell(claim);
        ended.pop().expect("there is an answer").expect("the store answers")
    }

    /// Makes the next book that was asked for, of these bytes.
    pub async fn assemble(&self, bytes: &[u8]) {
        let claim = self.must_take_up(JobKind::Assemble).await;
        let material = claim.material.expect("a book's job names its material");
        let format = claim.detail.as_deref().and_then(BookFormat::of_word).expect("a book has a format");
        let object = format!("materials/{material}/book-{}.{}", claim.epoch, format.as_str());
        let due = self.clock.now().plus_seconds(LEASE_SECONDS);
        object_deletions::reserve(&self.app.store, &[&object], due).await.expect("the store answers");
        let about = self.app.objects.put(&object, bytes.to_vec()).await.expect("the storage takes it");
        let book = Book {
            format,
            object,
            bytes: about.bytes,
            etag: about.etag,
            duration_ms: 1,
            created_at: self.clock.now(),
        };
        assert!(books::insert(&self.app.store, &claim, &book).await.expect("the store answers"));
        self.tell(&claim);
    }

    /// Says in this process that a job has ended, as its worker would.
    fn tell(&self, claim: &JobClaim) {
        if let Some(material) = claim.material {
            self.app.signals.material_changed(material);
        }
    }
}

/// The audio of a text: its bytes a thousand times, so that there is something to cut ranges out of.
pub fn audio_of(text: &str) -> Vec<u8> {
    text.as_bytes().repeat(1_000)
}

/// The times of a text's words.
fn words_of(text: &str) -> Value {
    let mut words = Vec::new();
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let (whole, said) = (word.chars().count() as u64, word.trim_end().chars().count() as u64);
        if said > 0 {
            words.push(json!({
                "text": word.trim_end(), "start_char": at, "end_char": at + said,
                "start_ms": at * MS_A_CHARACTER, "end_ms": (at + said) * MS_A_CHARACTER,
            }));
        }
        at += whole;
    }
    json!(words)
}
