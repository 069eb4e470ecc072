//! A storage that is unreachable, silent, or whose connections break.

use lectern_testkit::{Link, Setup, TestApp, on_both};
use serde_json::{Value, json};

use super::{noise, objects, server, whole};

// The HTTP client checks the length as well; our own check is in `objects::exact_length`, which has
// its own test.
#[tokio::test]
async fn a_truncated_read_is_an_error() {
    let (_folder, server) = server();
    let objects = objects(&server, "");
    let bytes = noise(300_000);
    objects.put("a", bytes.clone()).await.unwrap();
    let mut failed = 0;
    for most in [0, 40, 200, 1_000, 100_000, 299_999, 310_000] {
        server.set_link(Link::ResponseBytes(most));
        match whole(&objects, "a").await {
            Ok(read) => assert!(read == bytes, "{most}: {} bytes counted as the whole object", read.len()),
            Err(_) => failed += 1,
        }
    }
    assert!(failed >= 3, "the connection was not cut");
    server.set_link(Link::Up);
    assert!(whole(&objects, "a").await.unwrap() == bytes);
}

#[tokio::test]
async fn a_truncated_upload_creates_no_object() {
    let (_folder, server) = server();
    let objects = objects(&server, "");
    for most in [10, 500, 5_000, 250_000] {
        server.set_link(Link::RequestBytes(most));
        assert!(objects.put("a", noise(300_000)).await.is_err(), "{most}");
        server.set_link(Link::Up);
        assert_eq!(objects.head("a").await.unwrap(), None, "{most}");
    }
    objects.put("a", noise(300_000)).await.unwrap();
    assert!(whole(&objects, "a").await.unwrap() == noise(300_000));
}

async fn readiness(app: &TestApp) -> (u16, Value) {
    let reply = app.send(app.request(reqwest::Method::GET, &format!("{}/readyz", app.management))).await;
    (reply.status.as_u16(), reply.json()["error"]["details"]["missing"].clone())
}

on_both! {
    // Negative control: without the classification of S3's failures in `envelope`, the code was
    // `internal_error`.
    async fn a_short_outage_is_503_for_a_synthesis_and_charges_nothing(setup: Setup) {
        let app = setup.on_s3().start().await;
        let account = app.account(1_000).await;
        app.s3().unwrap().set_link(Link::Down);
        let reply = app.synthesize(&account.live, "Not today.").await;
        assert_eq!(reply.refusal(), "service_unavailable");
        assert!(reply.header("retry-after").parse::<u64>().unwrap() > 0);
        assert_eq!(app.balance(&account).await, (1_000, 0));
        assert_eq!(readiness(&app).await, (503, json!(["objects"])));
        // The same process, once the storage is back.
        app.s3().unwrap().set_link(Link::Up);
        assert_eq!(readiness(&app).await.0, 200);
        let reply = app.synthesize(&account.live, "Tomorrow.").await;
        assert_eq!(reply.status, 200);
        assert_eq!(app.balance(&account).await, (1_000 - 9, 0));
        app.finish().await;
    }

    async fn a_conversion_continues_when_the_storage_is_back(setup: Setup) {
        let app = setup.on_s3().start().await;
        let account = app.account(1_000).await;
        let text = "CHAPTER 1\n\nThe harbour was still.\n\nCHAPTER 2\n\nThen came the wind.";
        let made = app.post("/v1/saas/materials", &account.live, &json!({ "title": "A book", "text": text })).await;
        let id = made.json()["id"].as_str().unwrap().to_owned();
        let status = async || app.material(&account.live, &id).await["status"].clone();
        app.until("the extraction", async || status().await == "ready").await;
        app.s3().unwrap().set_link(Link::Down);
        let body = json!({ "ereader_id": app.ereader("heart").await });
        let reply = app.post(&format!("/v1/saas/materials/{id}/convert"), &account.live, &body).await;
        assert_eq!(reply.status, 202);
        let count = async |rows: &str| app.database().count(rows).await;
        app.until("the postponement", async || {
            count("jobs WHERE status = 'queued' AND last_error LIKE '%object storage%'").await > 0
        })
        .await;
        assert_eq!(count("jobs WHERE attempts > 0").await, 0, "an attempt was counted");
        app.s3().unwrap().set_link(Link::Up);
        app.until("the conversion", async || {
            if count("jobs WHERE status = 'running'").await == 0 {
                app.clock.advance_seconds(1);
            }
            status().await == "completed"
        })
        .await;
        let audio = app.get(&format!("/v1/saas/materials/{id}/chunks/0/audio"), &account.live).await;
        assert_eq!(audio.status, 200);
        assert_eq!(audio.header("content-length"), audio.bytes.len().to_string());
        app.until("the end of all jobs", async || count("jobs WHERE status <> 'dead'").await == 0).await;
        app.finish().await;
    }
}

#[tokio::test]
async fn operations_on_the_storage_are_counted_and_timed() {
    let app = Setup::default().on_s3().start().await;
    let account = app.account(100).await;
    assert_eq!(app.synthesize(&account.live, "Counted.").await.status, 200);
    let reply = app.send(app.request(reqwest::Method::GET, &format!("{}/metrics", app.management))).await;
    let text = String::from_utf8(reply.bytes.clone()).unwrap();
    for line in [
        "lectern_storage_operations_total{operation=\"put\",outcome=\"ok\"}",
        "lectern_storage_operation_seconds_count{operation=\"put\"}",
    ] {
        assert!(text.contains(line), "{line} is missing: {text}");
    }
    app.finish().await;
}
