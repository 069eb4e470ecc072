//! Dispatch by NATS JetStream: a real server for each test, and the fate of jobs when messages are
//! lost, duplicated or late, and when the server fails.

mod refusals;

use std::time::Duration;

use futures_util::TryStreamExt as _;
use lectern_testkit::{Account, Nats, Setup, TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};

/// Settings for a service with this server. A message whose acknowledgement was lost is redelivered
/// when its lease has expired, so the lease must be shorter than the test's time limit.
fn on(setup: Setup, nats: &Nats) -> Setup {
    setup.set("LECTERN_QUEUE__URL", &nats.url()).set("LECTERN_JOBS__LEASE_SECONDS", "10")
}

/// A text with this many chapters; each is a chunk.
fn book(chapters: usize) -> String {
    (1..=chapters)
        .map(|at| format!("CHAPTER {at}\n\nChapter {at} has one sentence."))
        .collect::<Vec<_>>()
        .join("\n\n")
}

async fn upload(app: &TestApp, owner: &Account, chapters: usize) -> String {
    let body = json!({ "title": "A book", "text": book(chapters) });
    let made = app.post("/v1/saas/materials", &owner.live, &body).await;
    assert_eq!(made.status, 202, "{}", made.json());
    made.json()["id"].as_str().unwrap().to_owned()
}

async fn convert(app: &TestApp, owner: &Account, id: &str) {
    let body = json!({ "ereader_id": app.ereader("heart").await });
    let reply = app.post(&format!("/v1/saas/materials/{id}/convert"), &owner.live, &body).await;
    assert_eq!(reply.status, 202, "{}", reply.json());
}

async fn until_status(app: &TestApp, owner: &Account, id: &str, status: &str) {
    app.until(&format!("the status {status}"), async || {
        app.material(&owner.live, id).await["status"] == status
    })
    .await;
}

async fn count(app: &TestApp, rows: &str) -> i64 {
    app.database().count(rows).await
}

async fn until_idle(app: &TestApp) {
    app.until("the end of all jobs", async || count(app, "jobs").await == 0).await;
}

async fn readiness(app: &TestApp) -> Value {
    app.send(app.request(Method::GET, &format!("{}/readyz", app.management))).await.json()
}

/// The names of the work queues and the number of messages in all of them.
async fn messages(nats: &Nats) -> (Vec<String>, u64) {
    let streams: Vec<_> = nats.jetstream().await.streams().try_collect().await.unwrap();
    let work = streams.iter().filter(|stream| !stream.config.name.ends_with("_dead"));
    (
        work.clone().map(|stream| stream.config.name.clone()).collect(),
        work.map(|stream| stream.state.messages).sum(),
    )
}

/// The subject of the chunks' work queue.
async fn subject(nats: &Nats) -> String {
    let (names, _) = messages(nats).await;
    let name = names.iter().find(|name| name.ends_with("convert_chunk_hibari_live")).unwrap();
    let namespace = name.strip_prefix("lectern_").unwrap().split('_').next().unwrap();
    format!("lectern.{namespace}.jobs.convert_chunk.hibari.live")
}

async fn publish(nats: &Nats, subject: &str, body: &'static str) {
    nats.jetstream().await.publish(subject.to_owned(), body.into()).await.unwrap().await.unwrap();
}

on_both! {
    async fn each_job_has_one_message_and_every_message_is_acknowledged(setup: Setup) {
        let nats = Nats::start();
        let app = on(setup, &nats).start().await;
        let owner = app.account(100_000).await;
        let id = upload(&app, &owner, 6).await;
        until_status(&app, &owner, &id, "ready").await;
        convert(&app, &owner, &id).await;
        until_status(&app, &owner, &id, "completed").await;
        until_idle(&app).await;
        app.until("the last acknowledgement", async || messages(&nats).await.1 == 0).await;
        let (queues, _) = messages(&nats).await;
        assert_eq!(queues.len(), 8, "{queues:?}");
        let stream = queues.iter().find(|name| name.ends_with("convert_chunk_hibari_live")).unwrap();
        let stream = nats.jetstream().await.get_stream(stream).await.unwrap();
        let acknowledged = stream.consumer_info("workers").await.unwrap().ack_floor.stream_sequence;
        assert_eq!(acknowledged, 6, "one message for each chunk");
        assert_eq!(count(&app, "ledger_transactions WHERE kind = 'charge'").await, 6);
        assert_eq!(readiness(&app).await["degraded"], json!([]));
        app.finish().await;
    }

    // Negative control: with heartbeats requested, the client stopped receiving, and the message
    // waited for fifteen seconds; polling found the job.
    async fn an_idle_worker_still_receives_messages(setup: Setup) {
        let nats = Nats::start();
        let app = on(setup.running_clock(), &nats).start().await;
        let owner = app.account(100_000).await;
        // The idle time is the subject of the test: the client's heartbeats stopped within it.
        tokio::time::sleep(Duration::from_secs(5)).await;
        upload(&app, &owner, 1).await;
        let acknowledged = app.until("the acknowledgement", async || {
            messages(&nats).await.1 == 0 && count(&app, "jobs").await == 0
        });
        let in_time = tokio::time::timeout(Duration::from_secs(9), acknowledged).await;
        assert!(in_time.is_ok(), "the message was not received");
        app.finish().await;
    }

    async fn lost_messages_delay_jobs_and_lose_none(setup: Setup) {
        let nats = Nats::start();
        let api = on(setup.running_clock(), &nats).without_workers().start().await;
        let owner = api.account(100_000).await;
        let id = upload(&api, &owner, 3).await;
        api.until("the message", async || messages(&nats).await.1 == 1).await;
        for name in messages(&nats).await.0 {
            nats.jetstream().await.get_stream(name).await.unwrap().purge().await.unwrap();
        }
        // Negative control: without `workers::replenish`, no message is published again. It runs
        // every five seconds and looks for jobs that have been due for two seconds; on a busy
        // machine it takes longer.
        api.until("the message's second publication", async || messages(&nats).await.1 == 1).await;
        let worker = on(Setup::sharing(&api), &nats).start().await;
        until_status(&api, &owner, &id, "ready").await;
        worker.end().await;
        api.finish().await;
    }

    async fn duplicated_late_and_malformed_messages_change_nothing(setup: Setup) {
        let nats = Nats::start();
        let app = on(setup, &nats).start().await;
        let owner = app.account(100_000).await;
        let id = upload(&app, &owner, 4).await;
        until_status(&app, &owner, &id, "ready").await;
        let subject = subject(&nats).await;
        for _ in 0..20 {
            publish(&nats, &subject, "nonsense").await;
        }
        convert(&app, &owner, &id).await;
        for _ in 0..20 {
            publish(&nats, &subject, "job_0:0").await;
        }
        until_status(&app, &owner, &id, "completed").await;
        publish(&nats, &subject, "job_0:1").await;
        until_idle(&app).await;
        app.until("the last acknowledgement", async || messages(&nats).await.1 == 0).await;
        assert_eq!(count(&app, "ledger_transactions WHERE kind = 'charge'").await, 4);
        assert_eq!(count(&app, "chunk_conversions").await, 4);
        app.finish().await;
    }

    async fn killing_and_wiping_nats_loses_no_job(setup: Setup) {
        let mut nats = Nats::start();
        let app = on(setup.running_clock(), &nats).start().await;
        let owner = app.account(100_000).await;
        let first = upload(&app, &owner, 30).await;
        until_status(&app, &owner, &first, "ready").await;
        convert(&app, &owner, &first).await;
        app.until("a chunk", async || count(&app, "chunks WHERE status = 'completed'").await > 0).await;
        nats.kill();
        nats.wipe();
        app.until("the outage to show", async || readiness(&app).await["degraded"] == json!(["queue"])).await;
        assert_eq!(readiness(&app).await["status"], "ready");
        // This job is started while NATS is unavailable.
        let second = upload(&app, &owner, 3).await;
        until_status(&app, &owner, &first, "completed").await;
        until_status(&app, &owner, &second, "ready").await;
        nats.restart();
        app.until("its recovery", async || readiness(&app).await["degraded"] == json!([])).await;
        app.until("its streams", async || messages(&nats).await.0.len() == 8).await;
        convert(&app, &owner, &second).await;
        until_status(&app, &owner, &second, "completed").await;
        until_idle(&app).await;
        app.until("the last acknowledgement", async || messages(&nats).await.1 == 0).await;
        assert_eq!(count(&app, "ledger_transactions WHERE kind = 'charge'").await, 33);
        app.finish().await;
    }

    async fn a_service_starts_without_nats_and_finds_it_later(setup: Setup) {
        let mut nats = Nats::start();
        nats.kill();
        let app = on(setup.running_clock(), &nats).start().await;
        assert_eq!(readiness(&app).await["degraded"], json!(["queue"]));
        let owner = app.account(100_000).await;
        let id = upload(&app, &owner, 2).await;
        until_status(&app, &owner, &id, "ready").await;
        nats.restart();
        app.until("its streams", async || messages(&nats).await.0.len() == 8).await;
        app.until("its recovery", async || readiness(&app).await["degraded"] == json!([])).await;
        app.finish().await;
    }
}

#[tokio::test]
async fn a_dead_job_becomes_a_dead_letter() {
    let nats = Nats::start();
    let app = on(Setup::default(), &nats).set("LECTERN_JOBS__ATTEMPTS", "1").start().await;
    let owner = app.account(100_000).await;
    let id = upload(&app, &owner, 1).await;
    until_status(&app, &owner, &id, "ready").await;
    app.engine.set(lectern_testkit::Behavior::Fail);
    convert(&app, &owner, &id).await;
    until_status(&app, &owner, &id, "partially_failed").await;
    let streams = async || -> Vec<_> { nats.jetstream().await.streams().try_collect().await.unwrap() };
    let dead = async || {
        let streams = streams().await;
        streams
            .iter()
            .find(|stream| stream.config.name.ends_with("_dead"))
            .map_or(0, |dead| dead.state.messages)
    };
    app.until("the dead letter", async || dead().await == 1).await;
    tokio::time::timeout(Duration::from_secs(10), app.finish()).await.unwrap();
}
