//! Rules for every path: the envelope, request ids, methods, spellings.

use lectern_testkit::TestApp;
use reqwest::Method;

#[tokio::test]
async fn unknown_paths_and_methods_are_envelopes() {
    let app = TestApp::start().await;
    let account = app.account(0).await;
    for path in [
        "/index.html",
        "/sign-in/",
        "/nope",
        "/v1/saas",
        "/v1/saas/nope",
        "/v1/saas/me/",
        "/v1/saas/ME",
        "/media",
    ] {
        assert_eq!(app.get(path, &account.live.replace("svc_", "x")).await.refusal(), "not_found", "{path}");
    }
    for (method, path, allow) in [
        (Method::POST, "/v1/saas/me", "GET,HEAD"),
        (Method::GET, "/v1/saas/tts:synthesize", "POST"),
        (Method::OPTIONS, "/v1/saas/ereaders", "GET,HEAD"),
        (Method::DELETE, "/media/x", "GET,HEAD"),
    ] {
        let reply = app.send(app.request(method, path)).await;
        assert_eq!((reply.refusal().as_str(), reply.header("allow")), ("method_not_allowed", allow));
    }
    app.finish().await;
}

#[tokio::test]
async fn the_request_id_is_made_by_the_server() {
    let app = TestApp::start().await;
    let account = app.account(0).await;
    let mine = "req_00000000000000000000000000000000";
    let request =
        app.request(Method::GET, "/v1/saas/me").bearer_auth(&account.live).header("x-request-id", mine);
    let reply = app.send(request).await;
    assert_eq!(reply.status, 200);
    let id = reply.header("x-request-id");
    assert!(id != mine && id.parse::<lectern_types::RequestId>().is_ok(), "{id}");
    app.finish().await;
}

#[tokio::test]
async fn a_percent_encoded_colon_is_the_same_path() {
    let app = TestApp::start().await;
    let account = app.account(0).await;
    for path in ["/v1/saas/tts%3Asynthesize", "/v1/saas/tts%3asynthesize", "/v1/s%61as/tts:synthesize"] {
        let reply = app.send(app.request(Method::POST, path).bearer_auth(&account.live).body("{}")).await;
        assert_eq!(reply.refusal(), "validation_failed", "{path}");
    }
    app.finish().await;
}

#[tokio::test]
async fn api_keys_are_refused_on_the_web_applications_routes_before_routing() {
    let app = TestApp::start().await;
    for path in ["/v1/bff/nope", "/v1/bff/auth/login", "/v1/b%66f/me", "/v1/bff"] {
        for key in ["svc_live_x", "svc_"] {
            assert_eq!(app.get(path, key).await.refusal(), "api_key_not_allowed_on_bff", "{path}");
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn several_requests_share_a_connection_after_a_refusal() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let app = TestApp::start().await;
    let mut stream = tokio::net::TcpStream::connect(app.url.trim_start_matches("http://")).await.unwrap();
    for _ in 0..3 {
        stream.write_all(b"GET /nope HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        let mut answer = vec![0; 4096];
        let read = stream.read(&mut answer).await.unwrap();
        assert!(String::from_utf8_lossy(&answer[..read]).contains("not_found"));
    }
    app.finish().await;
}

#[tokio::test]
async fn a_request_in_progress_is_finished_when_the_service_stops() {
    let app = TestApp::start().await;
    let account = app.account(100).await;
    app.engine.set(lectern_testkit::Behavior::Block);
    let body = serde_json::json!({ "text": "Last words.", "ereader_id": app.ereader("heart").await });
    let request = app.request(Method::POST, "/v1/saas/tts:synthesize").bearer_auth(&account.live).json(&body);
    let last = tokio::spawn(async move { request.send().await.unwrap().status() });
    app.until("the request reaching the engine", async || app.engine.call_count() == 1).await;
    app.app.stop.cancel();
    let ready = app.request(Method::GET, &format!("{}/readyz", app.management));
    let ready = app.send(ready).await;
    assert_eq!(ready.json()["error"]["details"]["missing"], serde_json::json!(["shutting_down"]));
    app.until("an end of new connections", async || {
        tokio::net::TcpStream::connect(app.url.trim_start_matches("http://")).await.is_err()
    })
    .await;
    app.engine.set(lectern_testkit::Behavior::Speak);
    assert_eq!(last.await.unwrap(), 200);
    app.end().await;
}
