//! Webhooks: endpoints and their deliveries, over the public listener and to real HTTPS receivers.

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

/// An application with an account that may call a receiver. The test performs the jobs itself.
async fn set_up(setup: Setup) -> (TestApp, Account, TestReceiver) {
    let receiver = TestReceiver::start().await;
    let app = setup.with_receiver(&receiver).without_workers().start().await;
    let account = app.account(10_000).await;
    (app, account, receiver)
}

/// Registers an endpoint for these types and returns the response's body.
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

/// Sends a test event to an endpoint and returns its delivery.
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

/// Waits until a delivery has had this many attempts and none is in progress; returns the delivery.
async fn attempted(app: &TestApp, key: &str, webhook: &str, id: &str, attempts: u64) -> Value {
    app.until("the end of an attempt", async || {
        let found = delivery(app, key, webhook, id).await;
        found["attempt_count"] == attempts && found["status"] != "in_flight"
    })
    .await;
    delivery(app, key, webhook, id).await
}
