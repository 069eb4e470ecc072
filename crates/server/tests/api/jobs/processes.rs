//! Workers as processes of their own: their management surface, how they end, and one that is stopped past its lease and goes on.

use std::time::{Duration, Instant};

use lectern_testkit::{Kind, Nats, Way, on_both};
use serde_json::{Value, json};

use super::{book, killed::Stage};
use crate::program::Process;

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
    let ereader = stage.voice();
    stage.asked.takes_ms.store(400, std::sync::atomic::Ordering::Relaxed);
    let serve = stage.serve(&["--no-workers"]);
    let frozen = stage.worker(&["--concurrency", "2"]);
    begin(&stage, &serve.url, &ereader, chapters).await;
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
    let _other = stage.worker(&[]);
    stage.eventually("the conversion by the other", "materials WHERE status = 'completed'", 1).await;
    stage.eventually("the end of all jobs", "jobs", 0).await;
    frozen.signal("-CONT");
    // It answers again, and has offered what it had in its hands by the time that it has ended.
    assert!(
        stage
            .client
            .get(format!("{}/healthz", frozen.management))
            .send()
            .await
            .unwrap()
            .status()
            .is_success()
    );
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
        process.signal("-STOP");
        if stage.database.kind() == Kind::Postgres
            || stage.database.try_run("BEGIN IMMEDIATE; ROLLBACK").await.is_ok()
        {
            return;
        }
        process.signal("-CONT");
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    panic!("it was always writing when it was frozen");
}

/// Asks a process to end and waits until it has, without blocking, which would hold up the voice that it waits for; how long it took.
async fn end(mut process: Process) -> Duration {
    let began = Instant::now();
    process.signal("-TERM");
    assert!(process.ended().await.success(), "it did not end in good order");
    began.elapsed()
}

on_both! {
    async fn a_worker_that_was_frozen_past_its_lease_changes_nothing(kind: Kind) {
        a_frozen_worker_changes_nothing(Stage::new(kind).await, 8).await;
    }

    async fn a_chunk_that_takes_long_is_given_back_within_ten_seconds(kind: Kind) {
        let stage = Stage::new(kind).await;
        let ereader = stage.voice();
        stage.asked.takes_ms.store(60_000, std::sync::atomic::Ordering::Relaxed);
        let serve = stage.serve(&["--no-workers"]);
        let worker = stage.worker(&[]);
        begin(&stage, &serve.url, &ereader, 3).await;
        stage.until("a running job", "materials WHERE status = 'converting' AND EXISTS (SELECT 1 FROM jobs j WHERE j.status = 'running')", 1).await;
        let took = end(worker).await;
        assert!(took < Duration::from_millis(10_500), "it took {took:?}");
        assert_eq!(stage.count("jobs WHERE status = 'running' OR lost_leases > 0 OR attempts > 0").await, 0);
        assert_eq!(stage.count("jobs WHERE status = 'queued'").await, 3);
        stage.database.end().await;
    }

    async fn a_worker_with_two_connections_converts_many_chunks_at_once(kind: Kind) {
        let mut stage = Stage::new(kind).await;
        stage.settings.push(("LECTERN_DATABASE__CONNECTIONS".to_owned(), "2".to_owned()));
        let ereader = stage.voice();
        let serve = stage.serve(&["--no-workers"]);
        let worker = stage.worker(&["--concurrency", "8"]);
        begin(&stage, &serve.url, &ereader, 16).await;
        stage.until("the conversion", "materials WHERE status = 'completed'", 1).await;
        if kind == Kind::Postgres {
            // Two of each process, one for notifications, one for the duties; and the test's own.
            let here = "pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
            let open = stage.count(here).await;
            assert!(open <= 8, "{open} connections");
        }
        end(worker).await;
        stage.database.end().await;
    }

    async fn a_worker_has_health_readiness_and_metrics(kind: Kind) {
        let stage = Stage::new(kind).await;
        let worker = stage.worker(&["--kinds", "convert,extract,deliver", "--concurrency", "2"]);
        let get = async |path: &str| {
            let reply = stage.client.get(format!("{}{path}", worker.management)).send().await.unwrap();
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

/// Negative control: without the deadline of `lifecycle::stop_on_signal` it waits for ever for the connections that it has.
// The way to the database is open while the test waits for the start.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_whose_database_hangs_ends_all_the_same() {
    let mut stage = Stage::new(Kind::Postgres).await;
    let ereader = stage.voice();
    let way = Way::to(&stage.database).await;
    stage.settings.push(("LECTERN_DATABASE__URL".to_owned(), way.url()));
    stage.settings.push(("LECTERN_HTTP__SHUTDOWN_SECONDS".to_owned(), "1".to_owned()));
    stage.asked.takes_ms.store(1_000, std::sync::atomic::Ordering::Relaxed);
    let mut serve = stage.serve(&[]);
    begin(&stage, &serve.url, &ereader, 8).await;
    stage.until("a chunk", "materials WHERE chunks_completed > 0", 1).await;
    way.fall_silent();
    let began = Instant::now();
    serve.signal("-TERM");
    let ended = serve.ended().await;
    assert!(began.elapsed() < Duration::from_secs(15), "it took {:?}", began.elapsed());
    assert_eq!(ended.code(), Some(1), "it says that it did not end in good order");
    // What it had in its hands is done by another.
    stage.settings.pop();
    stage.settings.pop();
    let other = stage.worker(&[]);
    stage.eventually("the conversion by another", "materials WHERE status = 'completed'", 1).await;
    end(other).await;
    assert_eq!(stage.admin(&["admin", "ledger", "verify", "--json"])["ok"], true);
    stage.database.end().await;
}

#[tokio::test]
async fn a_worker_on_nats_that_was_frozen_past_its_lease_changes_nothing() {
    let nats = Nats::start();
    let mut stage = Stage::new(Kind::Postgres).await;
    stage.settings.push(("LECTERN_QUEUE__URL".to_owned(), nats.url()));
    a_frozen_worker_changes_nothing(stage, 8).await;
}
