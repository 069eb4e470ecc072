//! A worker that the test operates step by step: it claims and ends jobs with the store's own
//! functions, so that a material can be kept in any state. For applications set up with
//! [`Setup::without_workers`].
//!
//! [`Setup::without_workers`]: crate::Setup::without_workers

use std::sync::Arc;

use lectern_documents::language::Scripts;
use lectern_speech::engines::DEFAULT;
use lectern_store::{
    books::{self, Book},
    chunks::{self, ChunkAudio, Spoken, Started, Starting},
    job_outcomes,
    jobs::{self, Claiming, JobClaim, JobKind, Outcome},
    materials::{self, Extracted, Failure, NewChapter, NewChunk},
    object_deletions,
};
use lectern_types::{BookFile, ChapterRole, ErrorCode, Timestamp};
use serde_json::{Value, json};

use crate::TestApp;

/// The lease of a claim, in seconds.
const LEASE_SECONDS: i64 = 3600;

/// Milliseconds of audio for each character.
const MS_A_CHARACTER: u64 = 20;

impl TestApp {
    /// Uploads a text, ends its extraction with these chunks, and returns the material's id.
    pub async fn ready_material(&self, key: &str, chunks: &[&str]) -> String {
        let id = self.upload(key, &chunks.concat()).await;
        self.extract(chunks).await;
        id
    }

    /// Uploads a text and returns the material's id.
    pub async fn upload(&self, key: &str, text: &str) -> String {
        let reply =
            self.post("/v1/saas/materials", key, &json!({ "text": text, "title": "The Harbour" })).await;
        assert_eq!(reply.status, 202, "{}", reply.json());
        reply.json()["id"].as_str().expect("a material has an id").to_owned()
    }

    /// Creates a material whose chunks all have audio, and returns its id.
    pub async fn completed_material(&self, key: &str, chunks: &[&str]) -> String {
        let id = self.ready_material(key, chunks).await;
        let body = json!({ "ereader_id": self.ereader("heart").await });
        let reply = self.post(&format!("/v1/saas/materials/{id}/convert"), key, &body).await;
        assert_eq!(reply.status, 202, "{}", reply.json());
        self.convert_all_chunks().await;
        id
    }

    /// A material as the API shows it.
    pub async fn material(&self, key: &str, id: &str) -> Value {
        self.get(&format!("/v1/saas/materials/{id}"), key).await.json()
    }

    /// Claims the next job of this kind, if there is one.
    pub async fn claim_job(&self, kind: JobKind) -> Option<JobClaim> {
        let now = self.clock.now();
        let (room, lease_until) = ([(kind, 1)], now.plus_seconds(LEASE_SECONDS));
        let engines = [DEFAULT.name, "upstream", ""];
        let claiming = Claiming { worker: "test", room: &room, engines: &engines, now, lease_until };
        jobs::claim(&self.base.store, &claiming).await.expect("the store answers").pop()
    }

    async fn must_claim_job(&self, kind: JobKind) -> JobClaim {
        self.claim_job(kind).await.unwrap_or_else(|| panic!("there is no job to {kind}"))
    }

    /// Ends the next extraction with these chunks. A chunk that begins with `#` begins a chapter.
    pub async fn extract(&self, chunks: &[&str]) {
        let claim = self.must_claim_job(JobKind::Extract).await;
        let mut title = None;
        let mut chapters: Vec<NewChapter> = Vec::new();
        let chunks = chunks.iter().map(|text| {
            let heading = text.strip_prefix('#').and_then(|rest| rest.lines().next());
            title = heading.map(|heading| heading.trim().to_owned()).or(title.take());
            if heading.is_some() || chapters.is_empty() {
                let (title, role) = (title.clone(), ChapterRole::Body);
                chapters.push(NewChapter { title, level: 1, role, included: true });
            }
            NewChunk {
                text: (*text).to_owned(),
                characters: text.chars().count() as u32,
                title: title.clone(),
                starts_chapter: heading.is_some(),
                chapter: chapters.len() as u32 - 1,
                pauses: Vec::new(),
                pause_after_ms: 0,
                scripts: Scripts::of(text).to_string(),
                languages: Vec::new(),
                speakers: Vec::new(),
                pronounced: Vec::new(),
                headings: Vec::new(),
            }
        });
        let chunks: Vec<NewChunk> = chunks.collect();
        let found = Extracted {
            title: None,
            author: None,
            copyright: None,
            language: None,
            cover: None,
            scripts: String::new(),
            document_object: None,
            chunks,
            chapters,
            speakers: Vec::new(),
            lexicon: None,
        };
        let written = materials::extracted(&self.base.store, &claim, &found, self.base.writing()).await;
        assert!(written.expect("the store answers"), "the claim was lost");
    }

    /// Ends the next job of this kind with a permanent failure.
    pub async fn fail_job(&self, kind: JobKind, code: ErrorCode) {
        let claim = self.must_claim_job(kind).await;
        let failure = Failure { code, message: "It was not to be.".to_owned() };
        let ended = job_outcomes::fail_permanently(
            &self.base.store,
            &claim,
            &failure,
            "the hand said so",
            self.base.writing(),
        )
        .await;
        assert_ne!(ended.expect("the store answers"), Outcome::Lost);
    }

    /// Starts converting the next chunk and leaves it unfinished.
    pub async fn start_chunk(&self) -> JobClaim {
        let claim = self.must_claim_job(JobKind::ConvertChunk).await;
        assert!(self.begin(&claim, &[], self.clock.now()).await.is_some(), "the claim was lost");
        claim
    }

    /// Starts converting a claimed chunk whose audio will be stored in these objects.
    async fn begin(&self, claim: &JobClaim, objects: &[String], due: Timestamp) -> Option<Started> {
        let objects = objects.to_vec();
        let starting = Starting { claim: claim.clone(), objects: Arc::new(move |_| objects.clone()) };
        let mut begun = chunks::start(&self.base.store, &[starting], due).await;
        begun.pop().expect("there is an answer").expect("the store answers")
    }

    /// Converts the next chunk and returns its index.
    pub async fn convert_chunk(&self) -> u32 {
        let claim = self.must_claim_job(JobKind::ConvertChunk).await;
        assert_ne!(self.complete_chunk(&claim).await, Outcome::Lost);
        claim.chunk.expect("a chunk's job names it")
    }

    /// Converts all queued chunks.
    pub async fn convert_all_chunks(&self) {
        while let Some(claim) = self.claim_job(JobKind::ConvertChunk).await {
            assert_ne!(self.complete_chunk(&claim).await, Outcome::Lost);
        }
    }

    /// Completes a claimed chunk: its audio is [`audio_of`] its text, and each character takes 20
    /// ms.
    pub async fn complete_chunk(&self, claim: &JobClaim) -> Outcome {
        let material = claim.material.expect("a chunk's job names its material");
        let index = claim.chunk.expect("a chunk's job names it");
        let base = format!("materials/{material}/{index}-{}", claim.epoch);
        let names = [format!("{base}.mp3"), format!("{base}.flac"), format!("{base}.json")];
        let due = self.clock.now().plus_seconds(LEASE_SECONDS);
        let Some(started) = self.begin(claim, &names, due).await else { return Outcome::Lost };
        let [audio_object, lossless_object, words_object] = names;
        let put = async |key: &str, bytes: Vec<u8>| {
            self.base.objects.put(key, bytes).await.expect("the storage takes it")
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
            // Nothing that could be joined.
            mp3_object: None,
            aac_object: None,
        };
        let spoken = Spoken { claim: claim.clone(), audio };
        let mut ended = chunks::complete(&self.base.store, &[spoken], self.base.writing()).await;
        ended.pop().expect("there is an answer").expect("the store answers")
    }

    /// Completes the next assembly with these bytes.
    pub async fn assemble(&self, bytes: &[u8]) {
        let claim = self.must_claim_job(JobKind::Assemble).await;
        let material = claim.material.expect("a book's job names its material");
        let file = claim.detail.as_deref().and_then(|file| file.parse::<BookFile>().ok());
        let file = file.expect("a book has a format");
        let object = format!("materials/{material}/book-{}.{}", claim.epoch, file.format.extension());
        let due = self.clock.now().plus_seconds(LEASE_SECONDS);
        object_deletions::reserve(&self.base.store, &[&object], due).await.expect("the store answers");
        let about = self.base.objects.put(&object, bytes.to_vec()).await.expect("the storage takes it");
        let book = Book {
            file,
            object,
            parts: Vec::new(),
            bytes: about.bytes,
            etag: about.etag,
            duration_ms: 1,
            created_at: self.clock.now(),
        };
        assert!(books::insert(&self.base.store, &claim, &book).await.expect("the store answers"));
    }
}

/// The audio of a text: the text's bytes a thousand times, long enough to request ranges of it.
pub fn audio_of(text: &str) -> Vec<u8> {
    text.as_bytes().repeat(1_000)
}

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
