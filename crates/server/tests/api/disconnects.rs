//! Clients that disconnect early: before the work begins, after it has begun, and in the middle of
//! their own request.

use std::time::Duration;

use lectern_testkit::{Behavior, Connection, Setup, TestApp};
use reqwest::Method;
use serde_json::json;

const SYNTHESIZE: &str = "/v1/saas/tts:synthesize";

#[tokio::test]
async fn a_client_that_disconnects_pays_nothing_before_the_work_begins_and_once_after() {
    let app = Setup::default().speech(1, 8).start().await;
    let account = app.account(1_000).await;
    let heart = app.ereader("heart").await;
    let post = |text: &str, key: &str| {
        let body = json!({ "text": text, "ereader_id": heart }).to_string();
        format!(
            "POST {SYNTHESIZE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nIdempotency-Key: {key}\r\n\
             Content-Length: {}\r\n\r\n{body}",
            account.live,
            body.len()
        )
    };
    app.engine.set(Behavior::Block);
    // The only thread works for the first client, and the second client waits in the queue. Neither
    // has received a sentence.
    let mut first = Connection::open(&app.url).await;
    first.send(post("Begun.", "first")).await;
    app.until("the first to begin", async || app.engine.call_count() == 1).await;
    let mut second = Connection::open(&app.url).await;
    second.send(post("Not begun.", "second")).await;
    app.until("both to be held", async || app.balance(&account).await.1 == 16).await;
    drop((first, second));
    app.until("both holds to be released", async || app.balance(&account).await == (1_000, 0)).await;
    app.engine.set(Behavior::Speak);

    // When the engine gets the second sentence, the first sentence is finished.
    let asked = app.engine.call_count();
    let text = "Done. ".repeat(100);
    let mut third = Connection::open(&app.url).await;
    third.send(post(&text, "third")).await;
    app.until("the second sentence", async || app.engine.call_count() >= asked + 2).await;
    drop(third);
    app.until("the charge", async || app.balance(&account).await == (400, 0)).await;
    let asked = app.engine.call_count();
    let replay =
        app.request(Method::POST, SYNTHESIZE).bearer_auth(&account.live).header("idempotency-key", "third");
    let replay = app.send(replay.json(&json!({ "text": text, "ereader_id": heart }))).await;
    assert_eq!((replay.status.as_u16(), replay.header("idempotent-replayed")), (200, "true"));
    assert_eq!((app.balance(&account).await, app.engine.call_count()), ((400, 0), asked));
    app.finish().await;
}

#[tokio::test]
async fn a_client_that_disconnects_in_the_middle_of_a_body_leaves_no_trace() {
    let app = TestApp::start().await;
    let account = app.account(100).await;
    let mut connection = Connection::open(&app.url).await;
    let head = format!("POST {SYNTHESIZE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n", account.live);
    connection.send(format!("{head}Content-Length: 100\r\n\r\n{{\"text\":")).await;
    assert!(connection.is_silent_for(Duration::from_millis(50)).await);
    drop(connection);
    assert_eq!(app.get("/v1/saas/me", &account.live).await.status, 200);
    assert_eq!((app.balance(&account).await, app.engine.call_count()), ((100, 0), 0));
    app.finish().await;
}
