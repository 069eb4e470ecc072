//! Processes that are killed while they convert: `serve` with its own workers, and `worker` beside it, driven through the
//! binary on both databases, with an engine of the test's own that counts what it is asked to say. `bench/kill` does the
//! same at full length.

use std::{
    process::{Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{Json, Router, extract::State, routing::post};
use lectern_server::clock;
use lectern_testkit::{Database, Kind, on_both};
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};

use super::book;
use crate::program::{self, Process};

const CHAPTERS: usize = 12;
const KILLS: usize = 8;
const LEASE_SECONDS: u64 = 2;

/// What the engine was asked to say, and when, in microseconds since 1970.
#[derive(Debug, Clone, Default)]
pub(super) struct Asked {
    said: Arc<Mutex<Vec<(String, i64)>>>,
    /// How long the engine takes for an utterance, in milliseconds; 150 if it is not said.
    pub(super) takes_ms: Arc<AtomicU64>,
}

impl Asked {
    /// How often it was asked since this instant.
    pub(super) fn since(&self, began: i64) -> usize {
        self.said.lock().unwrap().iter().filter(|(_, at)| *at > began).count()
    }

    /// When the chapter's text was asked for.
    fn of_chapter(&self, chapter: usize) -> Vec<i64> {
        let words = format!("Kay {chapter} says");
        let asked = self.said.lock().unwrap();
        asked.iter().filter(|(text, _)| text.contains(&words)).map(|(_, at)| *at).collect()
    }
}

/// Speaks like an OpenAI server: a tone, after a while.
async fn speak(State(asked): State<Asked>, Json(body): Json<Value>) -> Vec<u8> {
    let text = body["input"].as_str().unwrap().to_owned();
    let samples = 240 * text.chars().count();
    asked.said.lock().unwrap().push((text, clock::Clock::system().now().0));
    let takes = asked.takes_ms.load(Ordering::Relaxed);
    tokio::time::sleep(Duration::from_millis(if takes == 0 { 150 } else { takes })).await;
    let data: Vec<u8> =
        (0..samples).flat_map(|at| ((3_000.0 * (at as f32 * 0.05).sin()) as i16).to_le_bytes()).collect();
    let mut wav = Vec::with_capacity(44 + data.len());
    wav.extend_from_slice(b"RIFF");
    wav.extend_from_slice(&(36 + data.len() as u32).to_le_bytes());
    wav.extend_from_slice(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    wav.extend_from_slice(&24_000_u32.to_le_bytes());
    wav.extend_from_slice(&48_000_u32.to_le_bytes());
    wav.extend_from_slice(b"\x02\0\x10\0data");
    wav.extend_from_slice(&(data.len() as u32).to_le_bytes());
    wav.extend_from_slice(&data);
    wav
}

/// The binary, its data and its database, and the engine it speaks through.
pub(super) struct Stage {
    dir: tempfile::TempDir,
    pub(super) database: Database,
    upstream: String,
    pub(super) asked: Asked,
    pub(super) client: Client,
    key: String,
    /// Further settings of its processes.
    pub(super) settings: Vec<(String, String)>,
}

impl Stage {
    pub(super) async fn new(kind: Kind) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let dir = tempfile::tempdir().unwrap();
        let database = Database::create(kind, dir.path()).await;
        let asked = Asked::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let upstream = format!("http://{}/v1", listener.local_addr().unwrap());
        let engine = Router::new().route("/v1/audio/speech", post(speak)).with_state(asked.clone());
        tokio::spawn(async move { axum::serve(listener, engine).await });
        #[expect(clippy::disallowed_methods, reason = "a test's own client")]
        let client = Client::new();
        let settings = Vec::new();
        let mut stage = Self { dir, database, upstream, asked, client, key: String::new(), settings };
        assert!(stage.command(&["migrate"]).output().unwrap().status.success());
        let invite =
            ["admin", "invite", "create", "--email", "a@example.com", "--credits", "90000", "--json"];
        stage.admin(&invite)["live_key"].as_str().unwrap().clone_into(&mut stage.key);
        stage
    }

    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program::lectern(self.dir.path(), arguments);
        command
            .envs(self.database.settings())
            // No voices of its own: it starts quickly, and only the engine of the test speaks.
            .env("LECTERN_SPEECH__VOICES_DIR", self.dir.path().join("none"))
            .env("LECTERN_UPSTREAM__BASE_URL", &self.upstream)
            .env("LECTERN_JOBS__LEASE_SECONDS", LEASE_SECONDS.to_string())
            .envs(self.settings.iter().map(|(key, value)| (key, value)))
            .stderr(Stdio::null());
        command
    }

    pub(super) fn admin(&self, arguments: &[&str]) -> Value {
        program::printed(&mut self.command(arguments))
    }

    /// Adds an e-reader of the test's own engine; its id.
    pub(super) fn voice(&self) -> Value {
        let mut words =
            vec!["admin", "voices", "add", "--slug", "tone", "--name", "Tone", "--language", "en-US"];
        words.extend(["--engine", "upstream", "--voice", "tone", "--tier", "free", "--price", "1", "--json"]);
        self.admin(&words)["id"].clone()
    }

    pub(super) fn serve(&self, more: &[&str]) -> Process {
        Process::start(&mut self.command(&[&["serve"], more].concat()))
    }

    pub(super) fn worker(&self, more: &[&str]) -> Process {
        Process::start(&mut self.command(&[&["worker"], more].concat()))
    }

    pub(super) async fn sent(&self, request: RequestBuilder) -> Value {
        let reply = request.bearer_auth(&self.key).send().await.unwrap();
        let status = reply.status();
        let body: Value = reply.json().await.unwrap();
        assert!(status.is_success(), "{status}: {body}");
        body
    }

    pub(super) async fn number(&self, sql: &str) -> i64 {
        self.database.number(sql).await.unwrap_or(0)
    }

    pub(super) async fn count(&self, rows: &str) -> i64 {
        self.number(&format!("SELECT CAST(COUNT(*) AS BIGINT) FROM {rows}")).await
    }

    /// Waits for so many rows, and sees that work goes on meanwhile.
    pub(super) async fn until(&self, what: &str, rows: &str, number: i64) {
        self.looking(what, rows, number, async || {
            // Back to work within 5 s after the lease, whoever was killed.
            let overdue = clock::Clock::system().now().plus_seconds(-5).0;
            let late = format!("jobs WHERE status = 'running' AND lease_until < {overdue}");
            assert_eq!(self.count(&late).await, 0, "nobody took over what a killed process had");
            assert_eq!(self.count("jobs WHERE attempts > 0").await, 0, "a kill counted as an attempt");
        })
        .await;
    }

    /// Waits for so many rows, however long leases have ended: for when whoever takes over has only just been started.
    pub(super) async fn eventually(&self, what: &str, rows: &str, number: i64) {
        self.looking(what, rows, number, async || {}).await;
    }

    async fn looking(&self, what: &str, rows: &str, number: i64, look: impl AsyncFn()) {
        let began = Instant::now();
        while self.count(rows).await != number {
            assert!(began.elapsed() < Duration::from_mins(1), "{what} did not come about");
            look().await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// A worker that may be killed before it has said where it listens.
fn spawn_worker(stage: &Stage) -> Process {
    Process::spawn(stage.command(&["worker"]).stdout(Stdio::null()))
}

/// A whole number below `below`.
fn chance(below: u32) -> u32 {
    u32::from_be_bytes(clock::random()) % below
}

on_both! {
    async fn killed_at_random_every_chunk_is_there_once_and_charged_once(kind: Kind) {
        let stage = Stage::new(kind).await;
        let ereader = stage.voice();
        let mut serve = stage.serve(&["--no-workers"]);
        let url = serve.url.clone();
        let mut worker = spawn_worker(&stage);
        let text = book("Kay", CHAPTERS, 3);
        let upload = stage.client.post(format!("{url}/v1/saas/materials")).json(&json!({ "text": text }));
        let id = stage.sent(upload).await["id"].as_str().unwrap().to_owned();
        stage.until("the extraction by the worker", "materials WHERE status = 'ready'", 1).await;
        let convert = stage.client.post(format!("{url}/v1/saas/materials/{id}/convert"));
        let asked = stage.sent(convert.json(&json!({ "ereader_id": ereader }))).await;
        let price = asked["credits_held"].as_i64().unwrap();

        let mut kills = 0;
        while kills < KILLS && stage.count("materials WHERE status = 'completed'").await == 0 {
            tokio::time::sleep(Duration::from_millis(150 + u64::from(chance(600)))).await;
            assert_eq!(stage.count("jobs WHERE attempts > 0").await, 0, "a kill counted as an attempt");
            // Every third time the service itself, which has workers of its own from then on.
            if kills % 3 == 2 {
                drop(serve);
                serve = stage.serve(&[]);
            } else {
                drop(worker);
                worker = spawn_worker(&stage);
            }
            kills += 1;
        }
        assert!(kills > 2, "it was done after {kills} kills");
        stage.until("the conversion", "materials WHERE status = 'completed'", 1).await;
        stage.until("the end of all jobs", "jobs", 0).await;

        let chapters = i64::try_from(CHAPTERS).unwrap();
        assert_eq!(stage.count("chunks WHERE status = 'completed'").await, chapters);
        assert_eq!(stage.count("ledger_transactions WHERE kind = 'charge'").await, chapters);
        assert_eq!(stage.count("events WHERE kind = 'chunk.completed'").await, chapters);
        assert_eq!(stage.count("events WHERE kind = 'material.completed'").await, 1);
        assert_eq!(stage.count("holds WHERE settled_at IS NULL").await, 0, "a hold is stuck");
        assert_eq!(stage.count("material_books").await, 1);
        assert_eq!(stage.number("SELECT balance FROM account_balances").await, 90_000 - price);
        let mut again = 0;
        for chapter in 1..=CHAPTERS {
            let times = stage.asked.of_chapter(chapter);
            let done = stage.number(&format!("SELECT completed_at FROM chunks WHERE idx = {}", chapter - 1)).await;
            assert!(!times.is_empty() && times.iter().all(|at| *at < done), "chunk {chapter} was spoken after its end");
            again += times.len() - 1;
        }
        // Three chunks are under way in each of two processes at most.
        assert!(again <= 4 * kills, "{again} chunks were begun again after {kills} kills");
        assert_eq!(stage.admin(&["admin", "ledger", "verify", "--json"])["ok"], true);
        drop((serve, worker));
        stage.database.end().await;
    }

    async fn a_worker_that_is_asked_to_end_gives_its_jobs_to_others_at_once(kind: Kind) {
        let stage = Stage::new(kind).await;
        let ereader = stage.voice();
        let serve = stage.serve(&["--no-workers"]);
        let url = &serve.url;
        let mut first = stage.worker(&[]);
        let upload = stage.client.post(format!("{url}/v1/saas/materials"));
        let id = stage.sent(upload.json(&json!({ "text": book("Kay", 20, 2) }))).await["id"].as_str().unwrap().to_owned();
        stage.until("the extraction", "materials WHERE status = 'ready'", 1).await;
        let convert = stage.client.post(format!("{url}/v1/saas/materials/{id}/convert"));
        stage.sent(convert.json(&json!({ "ereader_id": ereader }))).await;
        stage.until("a running job", "materials WHERE chunks_completed > 0", 1).await;
        first.signal("-TERM");
        // Not by blocking, which would hold up the voice that it waits for.
        assert!(first.ended().await.success(), "it did not end in good order");
        assert_eq!(stage.count("jobs WHERE status = 'running' OR lost_leases > 0 OR attempts > 0").await, 0);
        assert!(stage.count("jobs WHERE status = 'queued'").await > 5, "it did all the work instead of stopping");
        let _second = stage.worker(&[]);
        stage.until("the conversion by the second", "materials WHERE status = 'completed'", 1).await;
        drop(first);
        stage.database.end().await;
    }
}
