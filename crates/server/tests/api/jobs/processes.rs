//! Workers as processes of their own: their management surface, how they end, and one that is stopped past its lease and goes on.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use lectern_testkit::{Kind, Nats, on_both};
use serde_json::{Value, json};

use super::{
    book,
    killed::{Process, Stage},
};

const VOICE: &[&str] = &[
    "admin",
    "voices",
    "add",
    "--slug",
    "tone",
    "--name",
    "Tone",
    "--engine",
    "upstream",
    "--voice",
    "tone",
    "--tier",
    "free",
    "--price",
    "1",
    "--language",
    "en-US",
    "--json",
];

fn signal(process: &Process, name: &str) {
    let sent = Command::new("kill").args([name, &process.0.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Uploads a book of so many chapters and asks for its conversion, once a worker has read it.
async fn begin(stage: &Stage, url: &str, ereader: &Value, chapters: usize) {
    let upload = stage.client.post(format!("{url}/v1/saas/materials"));
    let made = stage.sent(upload.json(&json!({ "text": book("Kay", chapters, 2) }))).await;
    let id = made["id"].as_str().unwrap();
    stage.until("the extraction", "materials WHERE status = 'ready'", 1).await;
    let convert = stage.client.post(format!("{url}/v1/saas/materials/{id}/convert"));
    stage.sent(convert.json(&json!({ "ereader_id": ereader }))).await;
}

/// One frozen in the middle of chunks, which another does meanwhile, changes nothing when it goes on.
async fn a_frozen_worker_changes_nothing(stage: Stage, chapters: usize) {
    let ereader = stage.admin(VOICE)["id"].clone();
    stage.asked.takes_ms.store(400, std::sync::atomic::Ordering::Relaxed);
    let (_serve, url) = stage.serve(&["--no-workers"]);
    let (frozen, managing) = stage.managed_worker(&["--concurrency", "2"]);
    begin(&stage, &url, &ereader, chapters).await;
    stage.until("a chunk", "materials WHERE chunks_completed > 0", 1).await;
    // It is to wait for the voice with both hands when it is frozen: one frozen in a transaction would hold the others up.
    stage.asked.takes_ms.store(5_000, std::sync::atomic::Ordering::Relaxed);
    let slower = lectern_server::clock::Clock::system().now().0;
    let began = Instant::now();
    while stage.asked.since(slower) < 2 {
        assert!(began.elapsed() < Duration::from_secs(30), "the voice was not asked twice more");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    freeze(&stage, &frozen).await;
    stage.asked.takes_ms.store(400, std::sync::atomic::Ordering::Relaxed);
    let held = stage.count("jobs WHERE status = 'running'").await;
    assert!(held > 0, "it was frozen with nothing in its hands");
    let (_other, _) = stage.managed_worker(&[]);
    stage.eventually("the conversion by the other", "materials WHERE status = 'completed'", 1).await;
    stage.eventually("the end of all jobs", "jobs", 0).await;
    signal(&frozen, "-CONT");
    // It answers again, and has offered what it had in its hands by the time that it has ended.
    assert!(stage.client.get(format!("{managing}/healthz")).send().await.unwrap().status().is_success());
    end(frozen).await;
    let chapters = i64::try_from(chapters).unwrap();
    assert_eq!(stage.count("ledger_transactions WHERE kind = 'charge'").await, chapters);
    assert_eq!(stage.count("events WHERE kind = 'chunk.completed'").await, chapters);
    assert_eq!(stage.count("holds WHERE settled_at IS NULL").await, 0, "a hold is stuck");
    assert_eq!(stage.admin(&["admin", "ledger", "verify", "--json"])["ok"], true);
    stage.database.end().await;
}

/// Freezes a process, but not in the middle of a transaction on SQLite: nobody could write until it goes on.
async fn freeze(stage: &Stage, process: &Process) {
    for _ in 0..20 {
        signal(process, "-STOP");
        if stage.database.kind() == Kind::Postgres
            || stage.database.try_run("BEGIN IMMEDIATE; ROLLBACK").await.is_ok()
        {
            return;
        }
        signal(process, "-CONT");
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    panic!("it was always writing when it was frozen");
}

/// Asks a process to end and waits until it has, without blocking, which would hold up the voice that it waits for; how long it took.
async fn end(mut process: Process) -> Duration {
    let began = Instant::now();
    signal(&process, "-TERM");
    loop {
        if let Some(ended) = process.0.try_wait().unwrap() {
            assert!(ended.success(), "it did not end in good order");
            return began.elapsed();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

on_both! {
    async fn a_worker_that_was_frozen_past_its_lease_changes_nothing(kind: Kind) {
        a_frozen_worker_changes_nothing(Stage::new(kind).await, 8).await;
    }

    async fn a_chunk_that_takes_long_is_given_back_within_ten_seconds(kind: Kind) {
        let stage = Stage::new(kind).await;
        let ereader = stage.admin(VOICE)["id"].clone();
        stage.asked.takes_ms.store(60_000, std::sync::atomic::Ordering::Relaxed);
        let (_serve, url) = stage.serve(&["--no-workers"]);
        let (worker, _) = stage.managed_worker(&[]);
        begin(&stage, &url, &ereader, 3).await;
        stage.until("a running job", "materials WHERE status = 'converting' AND EXISTS (SELECT 1 FROM jobs j WHERE j.status = 'running')", 1).await;
        let took = end(worker).await;
        assert!(took < Duration::from_millis(10_500), "it took {took:?}");
        assert_eq!(stage.count("jobs WHERE status = 'running' OR lost_leases > 0 OR attempts > 0").await, 0);
        assert_eq!(stage.count("jobs WHERE status = 'queued'").await, 3);
        stage.database.end().await;
    }

    async fn a_worker_has_health_readiness_and_metrics(kind: Kind) {
        let stage = Stage::new(kind).await;
        let (worker, url) = stage.managed_worker(&["--kinds", "convert,extract,deliver", "--concurrency", "2"]);
        let get = async |path: &str| {
            let reply = stage.client.get(format!("{url}{path}")).send().await.unwrap();
            (reply.status().as_u16(), reply.text().await.unwrap())
        };
        assert_eq!(get("/healthz").await.0, 200);
        // Its engine is the upstream, of which nothing is known before it is asked.
        let (status, said) = get("/readyz").await;
        assert_eq!(status, 200, "{said}");
        let names = ["lectern_jobs_oldest_seconds", "lectern_backlog_audio_seconds", "lectern_queue_up", "lectern_duties"];
        let began = Instant::now();
        loop {
            let (status, said) = get("/metrics").await;
            assert_eq!(status, 200);
            let missing = names.iter().find(|name| !said.lines().any(|line| line.starts_with(**name)));
            // Who has the duties is asked once it works, which may be a moment after it answers.
            let Some(missing) = missing else { break };
            assert!(began.elapsed() < Duration::from_secs(15), "{missing} is missing");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(get("/v1/saas/me").await.0, 404);
        end(worker).await;
        stage.database.end().await;
    }
}

#[tokio::test]
async fn a_worker_on_nats_that_was_frozen_past_its_lease_changes_nothing() {
    let nats = Nats::start();
    let mut stage = Stage::new(Kind::Postgres).await;
    stage.settings.push(("LECTERN_QUEUE__URL".to_owned(), nats.url()));
    a_frozen_worker_changes_nothing(stage, 8).await;
}
