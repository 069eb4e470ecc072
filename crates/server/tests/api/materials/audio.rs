//! The audio of chunks and of whole books.

use std::time::Duration;

use lectern_store::jobs::JobKind;
use lectern_testkit::{Reply, Setup, TestApp, audio_of, on_both};
use lectern_types::ErrorCode;
use reqwest::Method;
use serde_json::{Value, json};

use super::PATH;

const TEXTS: [&str; 2] = ["# One\n\nIt was a day. ", "And a night."];

/// Asserts that `path` serves these bytes with the headers that a player needs.
async fn is_served(app: &TestApp, key: &str, path: &str, media_type: &str, bytes: &[u8]) -> Reply {
    let send = |method: Method, name: &'static str, value: &str| {
        app.send(app.request(method, path).bearer_auth(key).header(name, value))
    };
    let whole = app.get(path, key).await;
    assert_eq!((whole.status.as_u16(), whole.header("content-type")), (200, media_type));
    assert!(whole.bytes == bytes);
    assert_eq!(whole.header("content-length"), bytes.len().to_string());
    assert_eq!(whole.header("accept-ranges"), "bytes");
    assert_eq!(whole.header("x-content-type-options"), "nosniff");
    let etag = whole.header("etag");
    assert!(etag.starts_with('"'), "{etag}");
    let head = send(Method::HEAD, "x", "").await;
    assert_eq!(
        (head.status.as_u16(), head.bytes.len(), head.header("content-length")),
        (200, 0, whole.header("content-length"))
    );
    let part = send(Method::GET, "range", "bytes=5-9").await;
    assert_eq!((part.status.as_u16(), part.bytes.as_slice()), (206, &bytes[5..10]));
    assert_eq!(part.header("content-range"), format!("bytes 5-9/{}", bytes.len()));
    let beyond = send(Method::GET, "range", &format!("bytes={}-", bytes.len())).await;
    assert_eq!(beyond.refusal(), "range_not_satisfiable");
    let again = send(Method::GET, "if-none-match", etag).await;
    assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
    whole
}

/// Asserts that `path` answers with a URL that serves these bytes without a key, for a day.
async fn is_linked(app: &TestApp, key: &str, path: &str, media_type: &str, bytes: &[u8]) {
    let reply = app.get(&format!("{path}{}url=true", if path.contains('?') { '&' } else { '?' }), key).await;
    assert_eq!((reply.status.as_u16(), reply.header("cache-control")), (200, "no-store"));
    let link = reply.json();
    let day = lectern_types::Timestamp(app.clock.now().unix_seconds() * 1_000_000).plus_seconds(86_400);
    assert_eq!(link["expires_at"], json!(day));
    assert_eq!(link.as_object().unwrap().len(), 2);
    let url = link["audio_url"].as_str().unwrap();
    let served = app.send(app.request(Method::GET, url)).await;
    assert_eq!((served.status.as_u16(), served.header("content-type")), (200, media_type));
    assert!(served.bytes == bytes);
}

on_both! {
    async fn a_chunks_audio_is_served_in_ranges_and_by_url(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.completed_material(&account.live, &TEXTS).await;
        for (index, text) in TEXTS.iter().enumerate() {
            let path = format!("{PATH}/{id}/chunks/{index}/audio");
            let reply = is_served(&app, &account.live, &path, "audio/mpeg", &audio_of(text)).await;
            assert_eq!(reply.header("content-disposition"), format!("inline; filename=\"{id}-{index}.mp3\""));
            is_linked(&app, &account.live, &path, "audio/mpeg", &audio_of(text)).await;
            let plain = app.get(&format!("{path}?url=false"), &account.live).await;
            assert!(plain.bytes == audio_of(text));
        }
        let bad = format!("{PATH}/{id}/chunks/0/audio?url=yes&format=mp3");
        assert_eq!(app.get(&bad, &account.live).await.fields(), ["format", "url"]);
        let words = app.get(&format!("{PATH}/{id}/chunks/1/timestamps"), &account.live).await.json();
        assert_eq!(words["index"], 1);
        assert_eq!(
            words["timestamps"][1],
            json!({ "text": "a", "start_char": 4, "end_char": 5, "start_ms": 80, "end_ms": 100 })
        );
        app.finish().await;
    }

    async fn a_book_is_assembled_once_and_named_by_its_title(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.completed_material(&account.live, &TEXTS).await;
        let path = format!("{PATH}/{id}/audio");
        app.assemble(b"the whole book as MP3").await;
        let reply = is_served(&app, &account.live, &path, "audio/mpeg", b"the whole book as MP3").await;
        assert_eq!(reply.header("content-disposition"), "attachment; filename=\"The Harbour.mp3\"");
        is_linked(&app, &account.live, &format!("{path}?format=mp3"), "audio/mpeg", b"the whole book as MP3")
            .await;
        assert_eq!(app.claim_job(JobKind::Assemble).await, None);
        // The book in the other format is assembled on request, once for all requests.
        let calls: Vec<_> = (0..3)
            .map(|_| {
                let call = app.request(Method::GET, &format!("{path}?format=m4b")).bearer_auth(&account.live);
                tokio::spawn(async move { Reply::read(call.send().await.unwrap()).await })
            })
            .collect();
        let queued = "SELECT COUNT(*) FROM jobs WHERE kind = 'assemble' AND status = 'queued'";
        app.until("the job to assemble", async || app.database().number(queued).await == Some(1)).await;
        // Gives the other two requests time to join the first, which cannot be observed from
        // outside.
        tokio::time::sleep(Duration::from_millis(100)).await;
        app.assemble(b"the whole book as M4B").await;
        for call in calls {
            let reply = call.await.unwrap();
            assert_eq!(
                (reply.status.as_u16(), reply.bytes.as_slice()),
                (200, b"the whole book as M4B".as_slice())
            );
            assert_eq!(reply.header("content-type"), "audio/mp4");
            assert_eq!(reply.header("content-disposition"), "attachment; filename=\"The Harbour.m4b\"");
        }
        assert_eq!(app.claim_job(JobKind::Assemble).await, None);
        for (query, field) in
            [("format=wav", "format"), ("format=", "format"), ("url=1", "url"), ("x=1", "x")]
        {
            assert_eq!(app.get(&format!("{path}?{query}"), &account.live).await.fields(), [field]);
        }
        app.finish().await;
    }

    async fn a_failed_assembly_is_an_error_and_can_be_requested_again(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.completed_material(&account.live, &TEXTS).await;
        let call = app.request(Method::GET, &format!("{PATH}/{id}/audio")).bearer_auth(&account.live);
        let first = tokio::spawn(async move { Reply::read(call.send().await.unwrap()).await });
        let queued = "SELECT COUNT(*) FROM jobs WHERE kind = 'assemble' AND status = 'queued'";
        app.until("the job to assemble", async || app.database().number(queued).await == Some(1)).await;
        app.fail_job(JobKind::Assemble, ErrorCode::InternalError).await;
        assert_eq!(first.await.unwrap().refusal(), "internal_error");
        let call = app.request(Method::GET, &format!("{PATH}/{id}/audio")).bearer_auth(&account.live);
        let second = tokio::spawn(async move { Reply::read(call.send().await.unwrap()).await });
        app.until("another try", async || app.database().number(queued).await == Some(1)).await;
        app.assemble(b"better").await;
        assert_eq!(second.await.unwrap().bytes, b"better");
        app.finish().await;
    }

    async fn an_incomplete_book_names_its_missing_chunks(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(100_000).await;
        let texts: Vec<String> = (0..150).map(|number| format!("{number}. ")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let id = app.ready_material(&account.live, &texts).await;
        let body = json!({ "ereader_id": app.ereader("heart").await, "chunks": [1, 2, 148] });
        assert_eq!(app.post(&format!("{PATH}/{id}/convert"), &account.live, &body).await.status, 202);
        app.convert_all_chunks().await;
        let missing: Vec<Value> =
            (0..103).filter(|index| ![1, 2].contains(index)).take(100).map(Value::from).collect();
        for path in ["audio", "audio?format=m4b&url=true", "captions"] {
            let reply = app.get(&format!("{PATH}/{id}/{path}"), &account.live).await;
            assert_eq!(reply.refusal(), "chunk_not_ready");
            assert_eq!(reply.json()["error"]["details"], json!({ "indexes": missing, "count": 147 }));
        }
        app.finish().await;
    }
}

#[tokio::test]
async fn a_request_that_waits_for_a_book_is_answered_at_shutdown() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(1_000).await;
    let id = app.completed_material(&account.live, &TEXTS).await;
    let call = app.request(Method::GET, &format!("{PATH}/{id}/audio?format=m4b")).bearer_auth(&account.live);
    let waiting = tokio::spawn(async move { Reply::read(call.send().await.unwrap()).await });
    let queued = "SELECT COUNT(*) FROM jobs WHERE detail = 'm4b'";
    app.until("the job to assemble", async || app.database().number(queued).await == Some(1)).await;
    app.app.stop.cancel();
    let reply = waiting.await.unwrap();
    assert_eq!((reply.status.as_u16(), reply.header("retry-after")), (202, "5"));
    assert_eq!(reply.json(), json!({ "status": "assembling", "progress": 0.0 }));
    app.end().await;
}

#[tokio::test]
async fn titles_of_every_kind_become_safe_file_names() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(1_000).await;
    let id = app.completed_material(&account.live, &["Words."]).await;
    app.assemble(b"book").await;
    for (title, disposition) in [
        ("Über \"uns\"", "attachment; filename=\"_ber _uns_.mp3\"; filename*=UTF-8''%C3%9Cber%20_uns_.mp3"),
        ("../../etc/passwd", "attachment; filename=\"_._.._etc_passwd.mp3\""),
    ] {
        app.database().run(&format!("UPDATE materials SET title = '{title}'")).await;
        let reply = app.get(&format!("{PATH}/{id}/audio"), &account.live).await;
        assert_eq!(reply.header("content-disposition"), disposition);
    }
    app.finish().await;
}
