//! Notifications between processes: a write by one process wakes another at once. These tests
//! observe only signals that a notification triggers, so that polling cannot make them pass.

use std::time::Duration;

use lectern_testkit::{Kind, Setup, TestApp};
use serde_json::json;

/// A set-up without workers and without NATS, which would announce the jobs without the database.
fn embedded(setup: Setup) -> Setup {
    setup.without_workers().without_deliveries().set("LECTERN_QUEUE__URL", "embedded:")
}

/// Two processes on one PostgreSQL database that notify each other and do no work themselves.
async fn two() -> (TestApp, TestApp) {
    let first = embedded(Setup::from(Kind::Postgres)).start().await;
    let second = embedded(Setup::sharing(&first)).start().await;
    for app in [&first, &second] {
        app.until("its listening", async || app.base.listening.is_on()).await;
    }
    (first, second)
}

async fn announced<F: Future<Output = ()>>(what: &str, next: F) {
    tokio::time::timeout(Duration::from_secs(10), next)
        .await
        .unwrap_or_else(|_| panic!("{what} was not announced"));
}

// Negative control: without `Store::announce` in the notifier, the job is not announced.
#[tokio::test]
async fn jobs_changes_and_deliveries_of_one_process_are_announced_to_another() {
    let (first, second) = two().await;
    let owner = first.account(1_000).await;
    let mut jobs = second.base.store.watch_jobs();
    let id = first.upload(&owner.live, "The harbour was quiet.").await;
    announced("the job", jobs.next()).await;
    let mut changes = second.base.store.watch_material(id.parse().unwrap());
    first.extract(&["The harbour was quiet."]).await;
    announced("the extraction", changes.next()).await;

    let hook = json!({ "url": "https://1.1.1.1/hook", "events": ["material.completed"] });
    let hook = first.post("/v1/saas/webhooks", &owner.live, &hook).await;
    assert_eq!(hook.status, 201, "{}", hook.json());
    let mut deliveries = second.base.store.watch_deliveries();
    let test = format!("/v1/saas/webhooks/{}/test", hook.json()["id"].as_str().unwrap());
    assert!(first.post(&test, &owner.live, &json!({})).await.status.is_success());
    announced("the delivery", async { deliveries.changed().await.unwrap() }).await;
    second.end().await;
    first.finish().await;
}

// Negative control: with a return instead of the code in `hear` that follows a loss, the listener
// does not come back.
#[tokio::test]
async fn a_lost_listener_reconnects_and_wakes_for_missed_notifications() {
    let (first, second) = two().await;
    let owner = first.account(1_000).await;
    let mut jobs = second.base.store.watch_jobs();
    let listening = "FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'";
    first.database().number(&format!("SELECT COUNT(pg_terminate_backend(pid)) {listening}")).await;
    // The two listening connections were terminated. Each process is woken after it has
    // reconnected.
    announced("the reconnection", jobs.next()).await;
    second
        .until("both listeners", async || {
            first.database().number(&format!("SELECT COUNT(*) {listening}")).await == Some(2)
        })
        .await;
    first
        .until("its listening", async || first.base.listening.is_on() && second.base.listening.is_on())
        .await;
    let id = first.upload(&owner.live, "The harbour was quiet.").await;
    announced("the job", jobs.next()).await;
    let mut changes = second.base.store.watch_material(id.parse().unwrap());
    first.extract(&["The harbour was quiet."]).await;
    announced("the extraction", changes.next()).await;
    second.end().await;
    first.finish().await;
}
