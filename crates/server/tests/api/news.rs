//! What one process writes wakes another at once where the database carries news: here only the signals are asked, which
//! nothing but news sets off, so that no look of the other's own can take its place.

use std::time::Duration;

use lectern_testkit::{Kind, Setup, TestApp};
use serde_json::json;

/// Without hands of its own, and without NATS, which would carry the jobs past the database.
fn embedded(setup: Setup) -> Setup {
    setup.by_hand().undelivered().set("LECTERN_QUEUE__URL", "embedded:")
}

/// Two processes on one PostgreSQL that hear each other and do nothing by themselves.
async fn two() -> (TestApp, TestApp) {
    let first = embedded(Setup::from(Kind::Postgres)).start().await;
    let second = embedded(Setup::beside(&first)).start().await;
    for app in [&first, &second] {
        app.until("its ear", async || app.app.signals.hears_others()).await;
    }
    (first, second)
}

async fn heard<F: Future<Output = ()>>(what: &str, next: F) {
    tokio::time::timeout(Duration::from_secs(10), next)
        .await
        .unwrap_or_else(|_| panic!("{what} was not heard of"));
}

// Negative control: without `Store::announce` in the herald, the job is not heard of.
#[tokio::test]
async fn jobs_changes_and_deliveries_of_one_process_are_heard_of_in_another() {
    let (first, second) = two().await;
    let owner = first.account(1_000).await;
    let mut jobs = second.app.signals.watch_jobs();
    let id = first.upload(&owner.live, "The harbour was quiet.").await;
    heard("the job", jobs.next()).await;
    let mut changes = second.app.signals.watch_material(id.parse().unwrap());
    first.extract(&["The harbour was quiet."]).await;
    heard("the extraction", changes.next()).await;

    let hook = json!({ "url": "https://1.1.1.1/hook", "events": ["material.completed"] });
    let hook = first.post("/v1/saas/webhooks", &owner.live, &hook).await;
    assert_eq!(hook.status, 201, "{}", hook.json());
    let mut deliveries = second.app.store.watch_deliveries();
    let test = format!("/v1/saas/webhooks/{}/test", hook.json()["id"].as_str().unwrap());
    assert!(first.post(&test, &owner.live, &json!({})).await.status.is_success());
    heard("the delivery", async { deliveries.changed().await.unwrap() }).await;
    second.end().await;
    first.finish().await;
}

// Negative control: with a return in the place of the rest of `hear` after a loss, the ear does not come back.
#[tokio::test]
async fn a_lost_ear_comes_back_and_looks_for_what_was_said_meanwhile() {
    let (first, second) = two().await;
    let owner = first.account(1_000).await;
    let mut jobs = second.app.signals.watch_jobs();
    let listening = "FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'";
    first.database().number(&format!("SELECT COUNT(pg_terminate_backend(pid)) {listening}")).await;
    // The two ears that were cut off are gone, and each wakes its own process when it is back.
    heard("the end of its deafness", jobs.next()).await;
    second
        .until("both ears", async || {
            first.database().number(&format!("SELECT COUNT(*) {listening}")).await == Some(2)
        })
        .await;
    first
        .until("its ear", async || first.app.signals.hears_others() && second.app.signals.hears_others())
        .await;
    let id = first.upload(&owner.live, "The harbour was quiet.").await;
    heard("the job", jobs.next()).await;
    let mut changes = second.app.signals.watch_material(id.parse().unwrap());
    first.extract(&["The harbour was quiet."]).await;
    heard("the extraction", changes.next()).await;
    second.end().await;
    first.finish().await;
}
