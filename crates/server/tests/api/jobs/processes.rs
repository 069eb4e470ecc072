//! Workers as separate processes: their management listener, their shutdown, and a worker that is
//! frozen beyond its lease and then continues.

use std::time::{Duration, Instant};

use lectern_testkit::{DatabaseProxy, Kind, Nats, on_both, until, until_within};
use serde_json::{Value, json};

use super::{book, killed::Installation};
use crate::program::Process;

/// Uploads a book with this many chapters and starts its conversion after a worker has extracted
/// it.
async fn begin(installation: &Installation, url: &str, ereader: &Value, chapters: usize) {
    let upload = installation.client.post(format!("{url}/v1/saas/materials"));
    let made = installation.sent(upload.json(&json!({ "text": book("Kay", chapters, 2) }))).await;
    let id = made["id"].as_str().unwrap();
    installation.until("the extraction", "materials WHERE status = 'ready'", 1).await;
    let convert = installation.client.post(format!("{url}/v1/saas/materials/{id}/convert"));
    installation.sent(convert.json(&json!({ "ereader_id": ereader }))).await;
}

/// A worker is frozen in the middle of chunks, and another process converts them. When the frozen
/// worker continues, it changes nothing.
async fn a_frozen_worker_changes_nothing(installation: Installation, chapters: usize) {
    let ereader = installation.voice();
    installation.engine_log.utterance_ms.store(400, std::sync::atomic::Ordering::Relaxed);
    let serve = installation.serve(&["--no-workers"]);
    let frozen = installation.worker(&["--concurrency", "2"]);
    begin(&installation, &serve.url, &ereader, chapters).await;
    installation.until("a chunk", "materials WHERE chunks_completed > 0", 1).await;
    // Freeze the worker while all its jobs wait for the engine: a worker frozen inside a
    // transaction would block the others.
    installation.engine_log.utterance_ms.store(5_000, std::sync::atomic::Ordering::Relaxed);
    let slower = lectern_service::clock::Clock::system().now().0;
    until("two more utterances", async || installation.engine_log.since(slower) >= 2).await;
    freeze(&installation, &frozen).await;
    installation.engine_log.utterance_ms.store(400, std::sync::atomic::Ordering::Relaxed);
    let held = installation.count("jobs WHERE status = 'running'").await;
    assert!(held > 0, "it was frozen without a job");
    let _other = installation.worker(&[]);
    installation.eventually("the conversion by the other", "materials WHERE status = 'completed'", 1).await;
    installation.eventually("the end of all jobs", "jobs", 0).await;
    frozen.signal("-CONT");
    // The worker answers again. By the time it ends, it has offered its results.
    assert!(
        installation
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
    assert_eq!(installation.count("ledger_transactions WHERE kind = 'charge'").await, chapters);
    assert_eq!(installation.count("events WHERE kind = 'chunk.completed'").await, chapters);
    assert_eq!(installation.count("holds WHERE settled_at IS NULL").await, 0, "a hold is left over");
    assert_eq!(installation.admin(&["admin", "ledger", "verify", "--json"])["ok"], true);
    installation.database.end().await;
}

/// Freezes a process, but not inside a transaction on SQLite, which would block all writers until
/// it continues.
async fn freeze(installation: &Installation, process: &Process) {
    until("a moment outside a transaction", async || {
        process.signal("-STOP");
        let is_idle = installation.database.kind() == Kind::Postgres
            || installation.database.try_run("BEGIN IMMEDIATE; ROLLBACK").await.is_ok();
        if !is_idle {
            process.signal("-CONT");
        }
        is_idle
    })
    .await;
}

/// Asks a process to end and returns how long that took. Waits without blocking the thread, because
/// that would hold up the engine.
async fn end(mut process: Process) -> Duration {
    let began = Instant::now();
    process.signal("-TERM");
    assert!(process.ended().await.success(), "it did not shut down gracefully");
    began.elapsed()
}

on_both! {
    async fn a_worker_that_was_frozen_past_its_lease_changes_nothing(kind: Kind) {
        a_frozen_worker_changes_nothing(Installation::new(kind).await, 8).await;
    }

    async fn a_slow_chunk_is_released_within_ten_seconds_of_shutdown(kind: Kind) {
        let installation = Installation::new(kind).await;
        let ereader = installation.voice();
        installation.engine_log.utterance_ms.store(60_000, std::sync::atomic::Ordering::Relaxed);
        let serve = installation.serve(&["--no-workers"]);
        let worker = installation.worker(&[]);
        begin(&installation, &serve.url, &ereader, 3).await;
        installation.until("a running job", "materials WHERE status = 'converting' AND EXISTS (SELECT 1 FROM jobs j WHERE j.status = 'running')", 1).await;
        let took = end(worker).await;
        assert!(took < Duration::from_millis(10_500), "it took {took:?}");
        assert_eq!(installation.count("jobs WHERE status = 'running' OR lost_leases > 0 OR attempts > 0").await, 0);
        assert_eq!(installation.count("jobs WHERE status = 'queued'").await, 3);
        installation.database.end().await;
    }

    async fn a_worker_with_two_connections_converts_many_chunks_at_once(kind: Kind) {
        let mut installation = Installation::new(kind).await;
        installation.settings.push(("LECTERN_DATABASE__CONNECTIONS".to_owned(), "2".to_owned()));
        let ereader = installation.voice();
        let serve = installation.serve(&["--no-workers"]);
        let worker = installation.worker(&["--concurrency", "8"]);
        begin(&installation, &serve.url, &ereader, 16).await;
        installation.until("the conversion", "materials WHERE status = 'completed'", 1).await;
        if kind == Kind::Postgres {
            // Each process has two connections, one for notifications and one for the leader lock;
            // and the test has its own.
            let here = "pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
            let open = installation.count(here).await;
            assert!(open <= 8, "{open} connections");
        }
        end(worker).await;
        installation.database.end().await;
    }

    async fn a_worker_has_health_readiness_and_metrics(kind: Kind) {
        let installation = Installation::new(kind).await;
        let worker = installation.worker(&["--kinds", "convert,extract,deliver", "--concurrency", "2"]);
        let get = async |path: &str| {
            let reply = installation.client.get(format!("{}{path}", worker.management)).send().await.unwrap();
            (reply.status().as_u16(), reply.text().await.unwrap())
        };
        assert_eq!(get("/healthz").await.0, 200);
        // Its engine is the upstream server, whose state is unknown before the first request.
        let (status, said) = get("/readyz").await;
        assert_eq!(status, 200, "{said}");
        let names = ["lectern_jobs_oldest_seconds", "lectern_backlog_audio_seconds", "lectern_queue_up", "lectern_duties"];
        // A process tries to become the leader after its start, possibly a moment after its first
        // response.
        for name in names {
            until_within(Duration::from_secs(15), &format!("the metric {name}"), async || {
                let (status, said) = get("/metrics").await;
                assert_eq!(status, 200);
                said.lines().any(|line| line.starts_with(name))
            })
            .await;
        }
        assert_eq!(get("/v1/saas/me").await.0, 404);
        end(worker).await;
        installation.database.end().await;
    }
}

/// Negative control: without the deadline of `lifecycle::stop_on_signal` the process waits forever
/// for its connections.
// Two threads, so that the proxy forwards while the test waits for the start.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_ends_even_when_its_database_hangs() {
    let mut installation = Installation::new(Kind::Postgres).await;
    let ereader = installation.voice();
    let proxy = DatabaseProxy::to(&installation.database).await;
    installation.settings.push(("LECTERN_DATABASE__URL".to_owned(), proxy.url()));
    installation.settings.push(("LECTERN_HTTP__SHUTDOWN_SECONDS".to_owned(), "1".to_owned()));
    installation.engine_log.utterance_ms.store(1_000, std::sync::atomic::Ordering::Relaxed);
    let mut serve = installation.serve(&[]);
    begin(&installation, &serve.url, &ereader, 8).await;
    installation.until("a chunk", "materials WHERE chunks_completed > 0", 1).await;
    proxy.stall();
    let began = Instant::now();
    serve.signal("-TERM");
    let ended = serve.ended().await;
    assert!(began.elapsed() < Duration::from_secs(15), "it took {:?}", began.elapsed());
    assert_eq!(ended.code(), Some(1), "the exit code says that shutdown was forced");
    // Another process does the unfinished jobs.
    installation.settings.pop();
    installation.settings.pop();
    let other = installation.worker(&[]);
    installation.eventually("the conversion by another", "materials WHERE status = 'completed'", 1).await;
    end(other).await;
    assert_eq!(installation.admin(&["admin", "ledger", "verify", "--json"])["ok"], true);
    installation.database.end().await;
}

#[tokio::test]
async fn a_worker_on_nats_that_was_frozen_past_its_lease_changes_nothing() {
    let nats = Nats::start();
    let mut installation = Installation::new(Kind::Postgres).await;
    installation.settings.push(("LECTERN_QUEUE__URL".to_owned(), nats.url()));
    a_frozen_worker_changes_nothing(installation, 8).await;
}
