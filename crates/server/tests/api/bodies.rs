//! Request bodies that violate the contract.

use lectern_testkit::{Setup, TestApp};
use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

const PATH: &str = "/v1/saas/tts:synthesize";

#[tokio::test]
async fn a_body_that_is_not_one_json_object_is_reported_as_the_body() {
    let app = TestApp::start().await;
    let account = app.account(100).await;
    let deep = "[".repeat(10_000);
    let doubled = r#"{"text":"a","text":"a"}"#;
    let nested = r#"{"text":"a","ereader_id":{"a":1,"a":2}}"#;
    for body in [
        "",
        "{",
        "[]",
        "null",
        "\"text\"",
        "{} {}",
        "{'text':1}",
        r#"{"text":"\ud83d"}"#,
        &deep,
        doubled,
        nested,
    ] {
        let request = app.request(Method::POST, PATH).bearer_auth(&account.live);
        let reply = app.send(request.header("content-type", "application/json").body(body.to_owned())).await;
        assert_eq!(reply.fields(), ["body"], "{}", &body[..body.len().min(40)]);
    }
    for media_type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        let request = app.request(Method::POST, PATH).bearer_auth(&account.live).body("{}");
        assert_eq!(
            app.send(request.header("content-type", media_type)).await.fields(),
            ["body"],
            "{media_type}"
        );
    }
    let not_utf8 = app.request(Method::POST, PATH).bearer_auth(&account.live);
    let not_utf8 = not_utf8.header("content-type", "application/json").body(b"{\"text\":\"\xff\"}".to_vec());
    assert_eq!(app.send(not_utf8).await.fields(), ["body"]);
    app.finish().await;
}

#[tokio::test]
async fn unknown_and_wrong_fields_are_all_named() {
    let app = TestApp::start().await;
    let account = app.account(100).await;
    let ereader = app.ereader("heart").await;
    let body = json!({
        "text": "a", "ereader_id": ereader, "spede": 1, "format": "aac", "speed": 0, "timestamps": "char",
        "language": 5,
    });
    let reply = app.post(PATH, &account.live, &body).await;
    assert_eq!(reply.fields(), ["format", "language", "spede", "speed", "timestamps"]);
    let reply = app.post(PATH, &account.live, &json!({})).await;
    assert_eq!(reply.fields(), ["ereader_id", "text"]);
    let query = app.post(&format!("{PATH}?speed=2"), &account.live, &json!({ "text": "a" })).await;
    assert_eq!(query.fields(), ["speed"]);
    app.finish().await;
}

#[tokio::test]
async fn a_declared_length_over_the_limit_is_refused_before_the_key_is_read() {
    let app = Setup::default().set("LECTERN_LIMITS__BODY_BYTES", "1000").start().await;
    let account = app.account(100).await;
    for key in [account.live.as_str(), "nonsense"] {
        let reply = app.send(app.request(Method::POST, PATH).bearer_auth(key).body(vec![b' '; 1_001])).await;
        assert_eq!(reply.refusal(), "request_too_large");
        assert_eq!(reply.json()["error"]["details"]["max_bytes"], 1_000);
    }
    let fits =
        app.send(app.request(Method::POST, PATH).bearer_auth(&account.live).body(vec![b' '; 1_000])).await;
    assert_eq!(fits.refusal(), "validation_failed");
    app.finish().await;
}

// Negative control: without counting bytes in `json::read`, this request continues until the test's
// own time limit.
#[tokio::test]
async fn a_body_without_a_length_is_measured_while_it_is_read() {
    let app = Setup::default().set("LECTERN_LIMITS__BODY_BYTES", "100000").start().await;
    let account = app.account(100).await;
    let mut stream = tokio::net::TcpStream::connect(app.url.trim_start_matches("http://")).await.unwrap();
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\n\r\n",
        account.live
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let chunk = format!("{:x}\r\n{}\r\n", 10_000, " ".repeat(10_000));
    for _ in 0..11 {
        // The server may have closed the connection already.
        if stream.write_all(chunk.as_bytes()).await.is_err() {
            break;
        }
    }
    let mut answer = vec![0; 4096];
    let read = stream.read(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
    assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("request_too_large"), "{answer}");
    app.finish().await;
}

#[tokio::test]
async fn a_body_that_does_not_arrive_in_time_is_given_up() {
    let app = Setup::default().set("LECTERN_HTTP__BODY_SECONDS", "1").start().await;
    let account = app.account(100).await;
    let mut stream = tokio::net::TcpStream::connect(app.url.trim_start_matches("http://")).await.unwrap();
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Length: 10\r\n\r\n{{",
        account.live
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = vec![0; 4096];
    let read = stream.read(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("request_timeout"), "{answer}");
    app.finish().await;
}

/// A list of odd texts: each yields sensible speech or the contract's error, and leaves no hold.
#[tokio::test]
async fn odd_texts_are_spoken_or_refused_and_never_break_anything() {
    let app = TestApp::start().await;
    let account = app.account(100_000).await;
    let texts = [
        "w".repeat(5_000),
        // 29 minutes of speech. The same number of sevens would take 40 minutes, and be refused.
        "0123456789".repeat(500),
        ".".repeat(5_000),
        format!("{}.", "word ".repeat(999)),
        "a\u{0}b\u{1}c\u{7f}".to_owned(),
        "\u{202e}right to left\u{202c}".to_owned(),
        "👩‍🚀🎉".to_owned(),
        "e\u{301}".repeat(2_500),
    ];
    for text in texts {
        let reply = app.synthesize(&account.live, &text).await;
        assert_eq!(reply.status, 200, "{}", text.chars().take(20).collect::<String>());
        assert_eq!(reply.json()["characters"], text.chars().count());
    }
    app.finish().await;
}
