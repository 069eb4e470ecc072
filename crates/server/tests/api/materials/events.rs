//! Event streams of materials.

use std::time::Duration;

use lectern_store::jobs::JobKind;
use lectern_testkit::{Account, Setup, TestApp, on_both};
use lectern_types::ErrorCode;
use reqwest::Method;
use serde_json::{Value, json};

use super::PATH;

/// A stream as an `EventSource` reads it.
struct Events {
    response: reqwest::Response,
    text: String,
}

/// One event.
#[derive(Debug, PartialEq)]
struct Event {
    id: Option<u64>,
    kind: String,
    data: Value,
}

impl Events {
    async fn of(app: &TestApp, key: &str, id: &str, seen: Option<&str>) -> Self {
        let mut request = app.request(Method::GET, &format!("{PATH}/{id}/events")).bearer_auth(key);
        if let Some(seen) = seen {
            request = request.header("last-event-id", seen);
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-store");
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        Self { response, text: String::new() }
    }

    /// The next event; `None` at the end of the stream.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(end) = self.text.find("\n\n") {
                let event: String = self.text.drain(..end + 2).collect();
                let fields: Vec<_> = event.lines().filter_map(|line| line.split_once(": ")).collect();
                let field =
                    |name: &str| fields.iter().find(|(found, _)| *found == name).map(|(_, value)| *value);
                let event = field("event").map(|kind| Event {
                    id: field("id").map(|id| id.parse().unwrap()),
                    kind: kind.to_owned(),
                    data: serde_json::from_str(field("data").unwrap()).unwrap(),
                });
                if event.is_some() {
                    return event;
                }
            }
            let piece = tokio::time::timeout(Duration::from_secs(10), self.response.chunk()).await;
            // An event, or the end of the stream, must arrive in time.
            let piece = piece.unwrap().unwrap()?;
            self.text.push_str(std::str::from_utf8(&piece).unwrap());
        }
    }

    /// The ids and types of all events to the end.
    async fn rest(mut self) -> Vec<(Option<u64>, String)> {
        let mut rest = Vec::new();
        while let Some(event) = self.next().await {
            rest.push((event.id, event.kind));
        }
        rest
    }
}

fn kinds_and_ids(kinds: &[&str], first: u64) -> Vec<(Option<u64>, String)> {
    (first..).zip(kinds).map(|(id, kind)| (Some(id), (*kind).to_owned())).collect()
}

/// The status of a request for a stream.
async fn status(app: &TestApp, key: &str, id: &str, seen: &str) -> u16 {
    let request = app.request(Method::GET, &format!("{PATH}/{id}/events")).bearer_auth(key);
    request.header("last-event-id", seen).send().await.unwrap().status().as_u16()
}

async fn convert(app: &TestApp, account: &Account, id: &str) {
    let body = json!({ "ereader_id": app.ereader("heart").await });
    assert_eq!(app.post(&format!("{PATH}/{id}/convert"), &account.live, &body).await.status, 202);
}

on_both! {
    async fn a_stream_sends_a_materials_events_as_they_happen_and_ends_with_the_last(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.upload(&account.live, "One. Two.").await;
        let heart = app.ereader("heart").await;
        let mut events = Events::of(&app, &account.live, &id, None).await;
        app.extract(&["One. ", "Two."]).await;
        let material = |status: &str, sequence: u64, completed: u32, duration: Value| {
            json!({
                "material_id": id, "status": status, "sequence": sequence, "chunk_count": 2,
                "chunks_completed": completed, "chunks_failed": 0, "duration_ms": duration,
            })
        };
        let ready = Event {
            id: Some(1),
            kind: "material.ready".to_owned(),
            data: material("ready", 1, 0, json!(null)),
        };
        assert_eq!(events.next().await, Some(ready));
        convert(&app, &account, &id).await;
        let chunk = |index: u32, sequence: u64, characters: u32| Event {
            id: Some(sequence),
            kind: "chunk.completed".to_owned(),
            data: json!({
                "material_id": id, "sequence": sequence, "chunk_index": index, "ereader_id": heart,
                "characters": characters, "duration_ms": characters * 20, "format": "mp3",
            }),
        };
        app.convert_chunk().await;
        assert_eq!(events.next().await, Some(chunk(0, 2, 5)));
        app.convert_chunk().await;
        assert_eq!(events.next().await, Some(chunk(1, 3, 4)));
        let done = Event {
            id: Some(4),
            kind: "material.completed".to_owned(),
            data: material("completed", 4, 2, json!(180)),
        };
        assert_eq!((events.next().await, events.next().await), (Some(done), None));
        app.finish().await;
    }

    async fn a_reconnecting_client_continues_where_it_stopped(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.completed_material(&account.live, &["One. ", "Two."]).await;
        let kinds = ["material.ready", "chunk.completed", "chunk.completed", "material.completed"];
        let all = Events::of(&app, &account.live, &id, None).await.rest().await;
        assert_eq!(all, kinds_and_ids(&kinds, 1));
        let rest = Events::of(&app, &account.live, &id, Some("2")).await.rest().await;
        assert_eq!(rest, kinds_and_ids(&kinds[2..], 3));
        // A client cannot have seen an id that was never sent.
        for strange in ["", "x", "-1", "5", "99999999999999999999"] {
            let all = Events::of(&app, &account.live, &id, Some(strange)).await.rest().await;
            assert_eq!(all, kinds_and_ids(&kinds, 1), "{strange}");
        }
        assert_eq!(status(&app, &account.live, &id, "4").await, 204);
        app.finish().await;
    }

    async fn a_conversion_with_failures_ends_its_stream_and_the_next_one_uses_another(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.ready_material(&account.live, &["One. ", "Two."]).await;
        convert(&app, &account, &id).await;
        app.convert_chunk().await;
        app.fail_job(JobKind::ConvertChunk, ErrorCode::TtsProviderError).await;
        let mut events = Events::of(&app, &account.live, &id, Some("2")).await;
        let failed = events.next().await.unwrap();
        assert_eq!(
            (failed.kind.as_str(), &failed.data["error"]["code"], &failed.data["duration_ms"]),
            ("chunk.failed", &json!("tts_provider_error"), &json!(null))
        );
        let ended = events.next().await.unwrap();
        assert_eq!(
            (ended.kind.as_str(), &ended.data["status"]),
            ("material.failed", &json!("partially_failed"))
        );
        assert_eq!(events.next().await, None);
        assert_eq!(status(&app, &account.live, &id, "4").await, 204);
        convert(&app, &account, &id).await;
        let again = Events::of(&app, &account.live, &id, Some("4")).await;
        app.convert_all_chunks().await;
        assert_eq!(again.rest().await, kinds_and_ids(&["chunk.completed", "material.completed"], 5));
        app.finish().await;
    }

    async fn changes_by_another_process_are_sent_too(setup: Setup) {
        let app = setup.without_workers().start().await;
        let beside = Setup::sharing(&app).without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.upload(&account.live, "One.").await;
        let mut events = Events::of(&app, &account.live, &id, None).await;
        beside.extract(&["One."]).await;
        assert_eq!(events.next().await.map(|event| event.kind), Some("material.ready".to_owned()));
        beside.end().await;
        app.finish().await;
    }

    /// After a month, the stream sends the remaining events and ends.
    // Negative control: when the last event that was read counts as the last one that exists, the
    // stream never ends, and this fails.
    async fn a_stream_whose_events_were_swept_ends(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.upload(&account.live, "One.").await;
        app.fail_job(JobKind::Extract, ErrorCode::MaterialUnreadable).await;
        assert_eq!(Events::of(&app, &account.live, &id, None).await.rest().await, kinds_and_ids(&["material.failed"], 1));
        app.clock.advance_seconds(30 * 24 * 60 * 60 + 1);
        lectern_service::workers::sweep::round(&app.base).await.unwrap();
        assert_eq!(Events::of(&app, &account.live, &id, None).await.rest().await, []);
        app.finish().await;
    }

    async fn a_deletion_is_the_last_event(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.ready_material(&account.live, &["One."]).await;
        let mut events = Events::of(&app, &account.live, &id, Some("1")).await;
        let delete = app.request(Method::DELETE, &format!("{PATH}/{id}")).bearer_auth(&account.live);
        assert_eq!(app.send(delete).await.status, 200);
        let last = Event {
            id: None,
            kind: "material.deleted".to_owned(),
            data: json!({ "material_id": id, "status": "deleted" }),
        };
        assert_eq!((events.next().await, events.next().await), (Some(last), None));
        app.finish().await;
    }
}

#[tokio::test]
async fn a_failed_extraction_ends_the_stream() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(0).await;
    let id = app.upload(&account.live, "One.").await;
    let events = Events::of(&app, &account.live, &id, None).await;
    app.fail_job(JobKind::Extract, ErrorCode::MaterialUnreadable).await;
    assert_eq!(events.rest().await, kinds_and_ids(&["material.failed"], 1));
    app.finish().await;
}

// Negative control: without `Notifications::wake` in `post`, only the next poll, a second later,
// finds the event.
#[tokio::test]
async fn changes_by_this_process_are_sent_at_once() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(1_000).await;
    let id = app.upload(&account.live, "One.").await;
    let mut events = Events::of(&app, &account.live, &id, None).await;
    // Long enough for the stream's first query, which would otherwise find the event without a
    // signal. It cannot be observed from outside that the stream waits.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let changed = std::time::Instant::now();
    app.extract(&["One."]).await;
    events.next().await.unwrap();
    assert!(changed.elapsed() < Duration::from_millis(600), "{:?}", changed.elapsed());
    app.finish().await;
}

#[tokio::test]
async fn a_stream_ends_when_the_service_stops() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(0).await;
    let id = app.upload(&account.live, "One.").await;
    let mut events = Events::of(&app, &account.live, &id, None).await;
    app.app.stop.cancel();
    assert_eq!(events.next().await, None);
    app.end().await;
}

#[tokio::test]
async fn an_accounts_simultaneous_streams_are_limited() {
    let app = Setup::default().without_workers().start().await;
    let (account, other) = (app.account(0).await, app.account(0).await);
    let (id, theirs) = (app.upload(&account.live, "One.").await, app.upload(&other.live, "One.").await);
    let mut open = Vec::new();
    for _ in 0..20 {
        open.push(Events::of(&app, &account.live, &id, None).await);
    }
    let path = format!("{PATH}/{id}/events");
    assert_eq!(app.get(&path, &account.live).await.refusal(), "rate_limited");
    let head = app.send(app.request(Method::HEAD, &path).bearer_auth(&account.live)).await;
    assert_eq!(head.status, 429);
    drop(Events::of(&app, &other.live, &theirs, None).await);
    drop(open.pop());
    app.until("a place that is free", async || status(&app, &account.live, &id, "0").await == 200).await;
    assert_eq!(app.get(&format!("{path}?since=1"), &account.live).await.fields(), ["since"]);
    drop(open);
    app.finish().await;
}
