//! Many simultaneous requests under one `Idempotency-Key`, in one process and in two, and
//! long-running requests.

use std::time::Duration;

use lectern_service::workers::sweep;
use lectern_testkit::{Account, Behavior, Reply, Setup, TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

/// Starts a synthesis of `text` under the key `storm`.
async fn call(app: &TestApp, account: &Account, text: &str) -> JoinHandle<Reply> {
    let body = json!({ "text": text, "ereader_id": app.ereader("heart").await });
    call_with(app, account, &body)
}

fn call_with(app: &TestApp, account: &Account, body: &Value) -> JoinHandle<Reply> {
    let request = app.request(Method::POST, "/v1/saas/tts:synthesize").bearer_auth(&account.live);
    let request = request.header("idempotency-key", "storm").json(body);
    tokio::spawn(async move { Reply::read(request.send().await.unwrap()).await })
}

async fn replies(calls: Vec<JoinHandle<Reply>>) -> Vec<Reply> {
    let mut replies = Vec::new();
    for call in calls {
        replies.push(call.await.unwrap());
    }
    replies
}

async fn ledger_rows(app: &TestApp, account: &Account) -> i64 {
    let count = format!("SELECT COUNT(*) FROM ledger_transactions WHERE account_id = '{}'", account.id);
    app.database().number(&count).await.unwrap()
}

on_both! {
    // Negative control: with the condition of the claim's `ON CONFLICT … WHERE` always true, the
    // responses differ.
    async fn of_200_identical_calls_one_speaks_and_is_charged_and_199_are_its_replays(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        app.engine.set(Behavior::Block);
        let body = json!({ "text": "All at once.", "ereader_id": app.ereader("heart").await });
        let calls: Vec<_> = (0..200).map(|_| call_with(&app, &account, &body)).collect();
        app.until("one call reaching the engine", async || app.engine.call_count() > 0).await;
        app.engine.set(Behavior::Speak);
        let replies = replies(calls).await;
        for reply in &replies {
            let said = String::from_utf8_lossy(&reply.bytes);
            assert!(reply.status == 200 && reply.bytes == replies[0].bytes, "{}: {said}", reply.status);
        }
        let replayed = replies.iter().filter(|reply| reply.header("idempotent-replayed") == "true").count();
        assert_eq!(replayed, 199);
        let mut ids: Vec<_> = replies.iter().map(|reply| reply.header("x-request-id")).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 200, "a replay has its own request id");
        assert_eq!(app.engine.call_count(), 1);
        assert_eq!(app.balance(&account).await, (988, 0));
        assert_eq!(ledger_rows(&app, &account).await, 4, "purchase, hold, release, charge");
        assert_eq!(app.database().number("SELECT COUNT(*) FROM syntheses").await, Some(1));
        app.finish().await;
    }

    async fn of_two_bodies_that_race_under_one_key_one_wins_and_the_other_is_refused_at_once(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        app.engine.set(Behavior::Block);
        let heart = app.ereader("heart").await;
        let bodies = ["One.", "Another."].map(|text| json!({ "text": text, "ereader_id": heart }));
        let calls: Vec<_> = (0..100).map(|n| call_with(&app, &account, &bodies[n % 2])).collect();
        // The requests with the losing body are answered while the winner still runs.
        app.until("the refusals", async || calls.iter().filter(|call| call.is_finished()).count() == 50).await;
        app.engine.set(Behavior::Speak);
        let replies = replies(calls).await;
        let won = usize::from(replies[0].status != 200);
        for (n, reply) in replies.iter().enumerate() {
            if n % 2 == won {
                assert_eq!((reply.status.as_u16(), &reply.bytes), (200, &replies[won].bytes));
            } else {
                assert_eq!(reply.refusal(), "idempotency_key_reuse", "{}", String::from_utf8_lossy(&reply.bytes));
            }
        }
        assert_eq!(app.engine.call_count(), 1);
        app.finish().await;
    }

    async fn a_duplicate_on_another_process_waits_and_gets_the_replay(setup: Setup) {
        let app = setup.start().await;
        let other = Setup::sharing(&app).start().await;
        let account = app.account(1_000).await;
        app.engine.set(Behavior::Block);
        let first = call(&app, &account, "Only here.").await;
        app.until("the first call reaching the engine", async || app.engine.call_count() == 1).await;
        let calls = vec![call(&other, &account, "Only here.").await, call(&other, &account, "Only here.").await];
        let another = call(&other, &account, "Something else.").await.await.unwrap();
        assert_eq!(another.refusal(), "idempotency_key_reuse");
        assert!(calls.iter().all(|call| !call.is_finished()), "a duplicate did not wait");
        app.engine.set(Behavior::Speak);
        let first = first.await.unwrap();
        assert_eq!((first.status.as_u16(), first.header("idempotent-replayed")), (200, ""));
        // The URLs name the process that created them; the bytes are those of the first response in
        // any case.
        for reply in replies(calls).await {
            assert_eq!((reply.header("idempotent-replayed"), &reply.bytes), ("true", &first.bytes));
        }
        assert_eq!((other.engine.call_count(), app.balance(&account).await), (0, (990, 0)));
        other.finish().await;
        app.finish().await;
    }

    // Negative control: without the renewal, the first call gets a 503, because its hold is gone.
    async fn a_long_request_renews_its_lease(setup: Setup) {
        let app = setup.running_clock().set("LECTERN_JOBS__LEASE_SECONDS", "2").start().await;
        let account = app.account(1_000).await;
        app.engine.set(Behavior::Block);
        let first = call(&app, &account, "It takes its time.").await;
        app.until("the first call reaching the engine", async || app.engine.call_count() == 1).await;
        let mut duplicate = None;
        // Leases are renewed by the system clock, which no test can move: this waits for two
        // leases.
        for look in 0..50 {
            tokio::time::sleep(Duration::from_millis(100)).await;
            sweep::round(&app.base).await.unwrap();
            if look == 30 {
                duplicate = Some(call(&app, &account, "It takes its time.").await);
            }
        }
        app.engine.set(Behavior::Speak);
        let first = first.await.unwrap();
        assert_eq!((first.status.as_u16(), first.header("idempotent-replayed")), (200, ""));
        let second = duplicate.unwrap().await.unwrap();
        assert_eq!((second.header("idempotent-replayed"), &second.bytes), ("true", &first.bytes));
        assert_eq!((app.engine.call_count(), app.balance(&account).await), (1, (982, 0)));
        app.finish().await;
    }

    // Negative control: without the clock's condition in `services::idempotency::follow`, the
    // duplicate is not refused before the runtime's own timer, and the time limit here ends the
    // test.
    async fn a_duplicate_that_has_waited_for_30_seconds_is_sent_away_with_retry_after(setup: Setup) {
        let app = setup.set("LECTERN_JOBS__LEASE_SECONDS", "600").start().await;
        let account = app.account(1_000).await;
        app.engine.set(Behavior::Block);
        let first = call(&app, &account, "Slowly.").await;
        app.until("the first call reaching the engine", async || app.engine.call_count() == 1).await;
        let duplicate = call(&app, &account, "Slowly.").await;
        // It cannot be observed from outside that the duplicate waits. It polls at least every
        // quarter of a second, so that each pause has two polls.
        tokio::time::sleep(Duration::from_millis(500)).await;
        app.clock.advance_seconds(29);
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert!(!duplicate.is_finished(), "it did not wait for 30 seconds");
        app.clock.advance_seconds(2);
        let sent_away = tokio::time::timeout(Duration::from_secs(10), duplicate).await.unwrap().unwrap();
        assert_eq!(sent_away.refusal(), "service_unavailable");
        app.engine.set(Behavior::Speak);
        assert_eq!(first.await.unwrap().status, 200);
        let replayed = call(&app, &account, "Slowly.").await.await.unwrap();
        assert_eq!(replayed.header("idempotent-replayed"), "true");
        app.finish().await;
    }
}
