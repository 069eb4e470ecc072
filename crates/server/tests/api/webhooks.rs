//! Webhooks: endpoints, what is delivered to them and when, over the public surface and to real HTTPS receivers.

mod attempts;
mod crash;
mod credits_low;
mod endpoints;
mod ends;
mod events;
mod metrics;
mod payloads;
mod registration;
mod secrets;

use lectern_testkit::{Account, Reply, Setup, TestApp, TestReceiver};
use reqwest::Method;
use serde_json::{Value, json};

const PATH: &str = "/v1/saas/webhooks";

/// An application that may call a receiver, with an account. Materials are moved by the test's own hand.
async fn set_up(setup: Setup) -> (TestApp, Account, TestReceiver) {
    let receiver = TestReceiver::start().await;
    let app = setup.reaching(&receiver).by_hand().start().await;
    let account = app.account(10_000).await;
    (app, account, receiver)
}

/// Registers an endpoint for these types; as it was answered.
async fn register(app: &TestApp, key: &str, url: &str, events: &[&str]) -> Value {
    let reply = app.post(PATH, key, &json!({ "url": url, "events": events })).await;
    assert_eq!(reply.status, 201, "{}", reply.json());
    reply.json()
}

fn id(value: &Value) -> String {
    value["id"].as_str().unwrap().to_owned()
}

async fn patch(app: &TestApp, key: &str, id: &str, body: &Value) -> Reply {
    app.send(app.request(Method::PATCH, &format!("{PATH}/{id}")).bearer_auth(key).json(body)).await
}

async fn delete(app: &TestApp, key: &str, id: &str) -> Reply {
    app.send(app.request(Method::DELETE, &format!("{PATH}/{id}")).bearer_auth(key)).await
}

/// A POST without a body.
async fn bare(app: &TestApp, key: &str, path: &str) -> Reply {
    app.send(app.request(Method::POST, path).bearer_auth(key)).await
}

/// Sends an endpoint a test event; the delivery.
async fn try_out(app: &TestApp, key: &str, webhook: &str) -> Value {
    let reply = bare(app, key, &format!("{PATH}/{webhook}/test")).await;
    assert_eq!(reply.status, 200, "{}", reply.json());
    reply.json()
}

async fn deliveries(app: &TestApp, key: &str, webhook: &str) -> Vec<Value> {
    let page = app.get(&format!("{PATH}/{webhook}/deliveries?limit=100"), key).await.json();
    page["data"].as_array().unwrap().clone()
}

/// A delivery with its attempts.
async fn delivery(app: &TestApp, key: &str, webhook: &str, delivery: &str) -> Value {
    let reply = app.get(&format!("{PATH}/{webhook}/deliveries/{delivery}"), key).await;
    assert_eq!(reply.status, 200, "{}", reply.json());
    reply.json()
}

/// Waits until a delivery has had so many attempts and none is under way; the delivery.
async fn attempted(app: &TestApp, key: &str, webhook: &str, id: &str, attempts: u64) -> Value {
    app.until("the end of an attempt", async || {
        let found = delivery(app, key, webhook, id).await;
        found["attempt_count"] == attempts && found["status"] != "in_flight"
    })
    .await;
    delivery(app, key, webhook, id).await
}
