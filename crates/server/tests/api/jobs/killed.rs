//! Processes that are killed while they convert: the binary as `serve` with its own workers and as
//! `worker`, on both databases. The test has its own engine, which counts its utterances.
//! `bench/kill` does the same with the full number of kills.

use std::{
    process::{Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{Json, Router, extract::State, routing::post};
use lectern_service::clock;
use lectern_testkit::{Database, Kind, on_both, until_within};
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};

use super::book;
use crate::program::{self, Process};

const CHAPTERS: usize = 12;
const KILLS: usize = 8;
const LEASE_SECONDS: u64 = 2;

/// The engine's utterances and their times, in microseconds since 1970.
#[derive(Debug, Clone, Default)]
pub(super) struct EngineLog {
    said: Arc<Mutex<Vec<(String, i64)>>>,
    /// The engine's time for an utterance, in milliseconds; 0 stands for the default, 150.
    pub(super) utterance_ms: Arc<AtomicU64>,
}

impl EngineLog {
    /// The number of utterances since this time.
    pub(super) fn since(&self, began: i64) -> usize {
        self.said.lock().unwrap().iter().filter(|(_, at)| *at > began).count()
    }

    /// The times at which this chapter was spoken.
    fn of_chapter(&self, chapter: usize) -> Vec<i64> {
        let words = format!("Kay {chapter} says");
        let asked = self.said.lock().unwrap();
        asked.iter().filter(|(text, _)| text.contains(&words)).map(|(_, at)| *at).collect()
    }
}

/// Speaks like an OpenAI server: returns a tone after a delay.
async fn speak(State(log): State<EngineLog>, Json(body): Json<Value>) -> Vec<u8> {
    let text = body["input"].as_str().unwrap().to_owned();
    let samples = 240 * text.chars().count();
    log.said.lock().unwrap().push((text, clock::Clock::system().now().0));
    let takes = log.utterance_ms.load(Ordering::Relaxed);
    // Stands for the time that speech takes.
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

/// The binary, its data, its database and its engine.
pub(super) struct Installation {
    dir: tempfile::TempDir,
    pub(super) database: Database,
    upstream: String,
    pub(super) engine_log: EngineLog,
    pub(super) client: Client,
    key: String,
    /// Additional settings of its processes.
    pub(super) settings: Vec<(String, String)>,
}

impl Installation {
    pub(super) async fn new(kind: Kind) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let dir = tempfile::tempdir().unwrap();
        let database = Database::create(kind, dir.path()).await;
        let engine_log = EngineLog::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let upstream = format!("http://{}/v1", listener.local_addr().unwrap());
        let engine = Router::new().route("/v1/audio/speech", post(speak)).with_state(engine_log.clone());
        tokio::spawn(async move { axum::serve(listener, engine).await });
        #[expect(clippy::disallowed_methods, reason = "a test's own client")]
        let client = Client::new();
        let settings = Vec::new();
        let mut installation =
            Self { dir, database, upstream, engine_log, client, key: String::new(), settings };
        assert!(installation.command(&["migrate"]).output().unwrap().status.success());
        let invite =
            ["admin", "invite", "create", "--email", "a@example.com", "--credits", "90000", "--json"];
        installation.admin(&invite)["live_key"].as_str().unwrap().clone_into(&mut installation.key);
        installation
    }

    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program::lectern(self.dir.path(), arguments);
        command
            .envs(self.database.settings())
            // No voice pack: the binary starts fast and uses only the test's engine.
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

    /// Adds an e-reader of the test's engine and returns its id.
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
        self.database.count(rows).await
    }

    /// Waits for this many rows, and asserts meanwhile that work continues.
    pub(super) async fn until(&self, what: &str, rows: &str, number: i64) {
        self.looking(what, rows, number, async || {
            // Work resumes within 5 s after the lease has expired, whichever process was killed.
            let overdue = clock::Clock::system().now().plus_seconds(-5).0;
            let late = format!("jobs WHERE status = 'running' AND lease_until < {overdue}");
            assert_eq!(self.count(&late).await, 0, "nobody took over a killed process's jobs");
            assert_eq!(self.count("jobs WHERE attempts > 0").await, 0, "a kill counted as an attempt");
        })
        .await;
    }

    /// Waits for this many rows without a limit on expired leases, for a test that has just started
    /// the process that takes over.
    pub(super) async fn eventually(&self, what: &str, rows: &str, number: i64) {
        self.looking(what, rows, number, async || {}).await;
    }

    async fn looking(&self, what: &str, rows: &str, number: i64, look: impl AsyncFn()) {
        until_within(Duration::from_mins(1), what, async || {
            let is_there = self.count(rows).await == number;
            if !is_there {
                look().await;
            }
            is_there
        })
        .await;
    }
}

/// Starts a worker that may be killed before it has printed its addresses.
fn spawn_worker(installation: &Installation) -> Process {
    Process::spawn(installation.command(&["worker"]).stdout(Stdio::null()))
}

/// A random integer below `below`.
fn chance(below: u32) -> u32 {
    u32::from_be_bytes(clock::random()) % below
}

on_both! {
    async fn after_random_kills_every_chunk_exists_once_and_is_charged_once(kind: Kind) {
        let installation = Installation::new(kind).await;
        let ereader = installation.voice();
        let mut serve = installation.serve(&["--no-workers"]);
        let url = serve.url.clone();
        let mut worker = spawn_worker(&installation);
        let text = book("Kay", CHAPTERS, 3);
        let upload = installation.client.post(format!("{url}/v1/saas/materials")).json(&json!({ "text": text }));
        let id = installation.sent(upload).await["id"].as_str().unwrap().to_owned();
        installation.until("the extraction by the worker", "materials WHERE status = 'ready'", 1).await;
        let convert = installation.client.post(format!("{url}/v1/saas/materials/{id}/convert"));
        let asked = installation.sent(convert.json(&json!({ "ereader_id": ereader }))).await;
        let price = asked["credits_held"].as_i64().unwrap();

        let mut kills = 0;
        while kills < KILLS && installation.count("materials WHERE status = 'completed'").await == 0 {
            // The random moment of the kill is the subject of the test.
            tokio::time::sleep(Duration::from_millis(150 + u64::from(chance(600)))).await;
            assert_eq!(installation.count("jobs WHERE attempts > 0").await, 0, "a kill counted as an attempt");
            // Every third kill hits the service itself, which runs its own workers from then on.
            if kills % 3 == 2 {
                drop(serve);
                serve = installation.serve(&[]);
            } else {
                drop(worker);
                worker = spawn_worker(&installation);
            }
            kills += 1;
        }
        assert!(kills > 2, "it was done after {kills} kills");
        installation.until("the conversion", "materials WHERE status = 'completed'", 1).await;
        installation.until("the end of all jobs", "jobs", 0).await;

        let chapters = i64::try_from(CHAPTERS).unwrap();
        assert_eq!(installation.count("chunks WHERE status = 'completed'").await, chapters);
        assert_eq!(installation.count("ledger_transactions WHERE kind = 'charge'").await, chapters);
        assert_eq!(installation.count("events WHERE kind = 'chunk.completed'").await, chapters);
        assert_eq!(installation.count("events WHERE kind = 'material.completed'").await, 1);
        assert_eq!(installation.count("holds WHERE settled_at IS NULL").await, 0, "a hold is left over");
        assert_eq!(installation.count("material_books").await, 1);
        assert_eq!(installation.number("SELECT balance FROM account_balances").await, 90_000 - price);
        let mut again = 0;
        for chapter in 1..=CHAPTERS {
            let times = installation.engine_log.of_chapter(chapter);
            let done = installation.number(&format!("SELECT completed_at FROM chunks WHERE idx = {}", chapter - 1)).await;
            assert!(!times.is_empty() && times.iter().all(|at| *at < done), "chunk {chapter} was spoken after its end");
            again += times.len() - 1;
        }
        // Each of two processes works on at most three chunks at a time.
        assert!(again <= 4 * kills, "{again} chunks were started again after {kills} kills");
        assert_eq!(installation.admin(&["admin", "ledger", "verify", "--json"])["ok"], true);
        drop((serve, worker));
        installation.database.end().await;
    }

    async fn a_worker_that_shuts_down_releases_its_jobs_at_once(kind: Kind) {
        let installation = Installation::new(kind).await;
        let ereader = installation.voice();
        let serve = installation.serve(&["--no-workers"]);
        let url = &serve.url;
        let mut first = installation.worker(&[]);
        let upload = installation.client.post(format!("{url}/v1/saas/materials"));
        let id = installation.sent(upload.json(&json!({ "text": book("Kay", 20, 2) }))).await["id"].as_str().unwrap().to_owned();
        installation.until("the extraction", "materials WHERE status = 'ready'", 1).await;
        let convert = installation.client.post(format!("{url}/v1/saas/materials/{id}/convert"));
        installation.sent(convert.json(&json!({ "ereader_id": ereader }))).await;
        installation.until("a running job", "materials WHERE chunks_completed > 0", 1).await;
        first.signal("-TERM");
        // Waits without blocking, because the engine that the worker waits for runs in this
        // process.
        assert!(first.ended().await.success(), "it did not shut down gracefully");
        assert_eq!(installation.count("jobs WHERE status = 'running' OR lost_leases > 0 OR attempts > 0").await, 0);
        assert!(installation.count("jobs WHERE status = 'queued'").await > 5, "it did all the work instead of stopping");
        let _second = installation.worker(&[]);
        installation.until("the conversion by the second", "materials WHERE status = 'completed'", 1).await;
        drop(first);
        installation.database.end().await;
    }
}
