//! `POST /v1/saas/tts:stream`.

use lectern_testkit::{Account, Behavior, Reply, Setup, TestApp, on_both};
use reqwest::{Method, Response};
use serde_json::{Value, json};

const PATH: &str = "/v1/saas/tts:stream";

/// Two sentences of 20 and 19 characters, and the space between them.
const TWO: &str = "First sentence here. Second one is held.";

async fn set_up(setup: Setup) -> (TestApp, Account) {
    let app = setup.speech(1, 8).start().await;
    let account = app.account(1_000).await;
    (app, account)
}

async fn body(app: &TestApp, text: &str, format: &str) -> Value {
    json!({ "text": text, "ereader_id": app.ereader("heart").await, "format": format })
}

/// Sends a request and returns when the response's head has arrived.
async fn open(app: &TestApp, key: &str, idempotency_key: Option<&str>, body: &Value) -> Response {
    let mut request = app.request(Method::POST, PATH).bearer_auth(key).json(body);
    if let Some(idempotency_key) = idempotency_key {
        request = request.header("idempotency-key", idempotency_key);
    }
    request.send().await.unwrap()
}

async fn usage(app: &TestApp, key: &str) -> Value {
    app.get("/v1/saas/usage", key).await.json()["data"].clone()
}

fn used(characters: i64, credits: i64, requests: i64) -> Value {
    json!([{ "key": "2026-11-21", "characters": characters, "credits": credits, "requests": requests }])
}

/// Reads the rest of a body that must break off, and returns the bytes that arrived.
async fn broken(mut response: Response) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => bytes.extend(chunk),
            Ok(None) => panic!("the stream ended as if it were complete, after {} bytes", bytes.len()),
            Err(_) => return bytes,
        }
    }
}

on_both! {
    // Negative control: when `Narrator::speak` delivers nothing inside its loop, only after it, no
    // response ever comes.
    async fn the_first_bytes_arrive_while_the_engine_speaks_the_second_sentence(setup: Setup) {
        let (app, account) = set_up(setup).await;
        app.engine.set_for("Second", Behavior::Block);
        let mut response = open(&app, &account.live, None, &body(&app, TWO, "wav").await).await;
        assert_eq!(response.status(), 200);
        let header = |name: &str| response.headers().get(name).unwrap().to_str().unwrap().to_owned();
        assert_eq!(header("content-type"), "audio/wav");
        assert_eq!(header("x-accel-buffering"), "no");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!((header("lectern-characters"), header("lectern-credits")), ("40".into(), "40".into()));
        assert!(response.headers().get("content-length").is_none());
        assert!(header("x-request-id").starts_with("req_"));
        let synthesis = header("lectern-synthesis-id");
        // 20 characters of 480 samples each, less the samples that are still in the limiter.
        let mut whole = Vec::new();
        while whole.len() < 2 * 20 * 450 {
            whole.extend(response.chunk().await.unwrap().unwrap());
        }
        assert!(whole.starts_with(b"RIFF"));
        assert_eq!(app.balance(&account).await, (1_000, 40), "the whole price is held");

        app.engine.set_for("Second", Behavior::Speak);
        while let Some(chunk) = response.chunk().await.unwrap() {
            whole.extend(chunk);
        }
        // Both sentences, and the pause of a quarter of a second.
        assert_eq!(whole.len(), 44 + 2 * (39 * 480 + 6_000));
        assert_eq!(app.balance(&account).await, (960, 0));
        assert_eq!(usage(&app, &account.live).await, used(40, 40, 1));
        let ledger = app.get("/v1/saas/credits/transactions", &account.live).await.json();
        let kinds: Vec<_> = ledger["data"].as_array().unwrap().iter().map(|row| &row["kind"]).collect();
        assert_eq!(kinds, ["charge", "release", "hold", "purchase"]);
        assert_eq!(ledger["data"][0]["reference"], synthesis);
        app.finish().await;
    }

    async fn each_format_streams_with_its_media_type_and_content(setup: Setup) {
        let (app, account) = set_up(setup).await;
        for (format, media_type, magic) in [
            ("mp3", "audio/mpeg", &b"ID3"[..]),
            ("wav", "audio/wav", b"RIFF\xff\xff\xff\xff"),
            ("flac", "audio/flac", b"fLaC"),
            ("opus", "audio/ogg", b"OggS"),
        ] {
            let reply = app.post(PATH, &account.live, &body(&app, TWO, format).await).await;
            assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, media_type));
            assert!(reply.bytes.starts_with(magic) && reply.bytes.len() > 1_000, "{format}");
        }
        let encoded = app.request(Method::POST, "/v1/saas/tts%3Astream").bearer_auth(&account.live);
        assert_eq!(app.send(encoded.json(&body(&app, TWO, "mp3").await)).await.status, 200);
        app.finish().await;
    }

    async fn refusals_are_those_of_a_synthesis_and_charge_nothing(setup: Setup) {
        let app = setup.start().await;
        let (rich, poor, fresh) = (app.account(1_000).await, app.account(3).await, app.account(0).await);
        let (heart, alma) = (app.ereader("heart").await, app.ereader("alma").await);
        for (key, body, code) in [
            (&rich.live, json!({ "text": " ", "timestamps": "word" }), "text_empty"),
            (&rich.live, json!({ "text": "x".repeat(5_001), "ereader_id": heart }), "text_too_long"),
            (&rich.live, json!({ "text": "Hi.", "ereader_id": "erd_x" }), "ereader_not_found"),
            (&rich.live, json!({ "text": "Hi.", "ereader_id": alma }), "ereader_tier_not_available"),
            (&fresh.live, json!({ "text": "Hi.", "ereader_id": heart }), "api_access_requires_credits"),
            (&poor.live, json!({ "text": "Four", "ereader_id": heart }), "insufficient_balance"),
        ] {
            assert_eq!(app.post(PATH, key, &body).await.refusal(), code);
        }
        let words = json!({ "text": "Hi.", "ereader_id": heart, "timestamps": "word", "format": "aac" });
        assert_eq!(app.post(PATH, &rich.live, &words).await.fields(), ["format", "timestamps"]);
        assert_eq!(app.engine.call_count(), 0);
        app.finish().await;
    }

    async fn a_failure_before_the_first_bytes_is_an_envelope_and_costs_nothing(setup: Setup) {
        let (app, account) = set_up(setup).await;
        for mood in [Behavior::Fail, Behavior::Panic] {
            app.engine.set(mood);
            let reply = app.post(PATH, &account.live, &body(&app, TWO, "mp3").await).await;
            assert_eq!(reply.refusal(), "tts_provider_error");
            assert_eq!(app.balance(&account).await, (1_000, 0));
        }
        app.engine.set(Behavior::Silent);
        assert_eq!(app.post(PATH, &account.live, &body(&app, TWO, "mp3").await).await.fields(), ["text"]);
        assert_eq!(app.balance(&account).await, (1_000, 0));
        assert_eq!(usage(&app, &account.live).await, json!([]));
        app.finish().await;
    }

    // Negative control: with `outlet.end()` instead of `outlet.fail(error)`, the body ends as if it
    // were complete.
    async fn a_failure_in_the_middle_cuts_the_body_off_and_charges_what_was_delivered(setup: Setup) {
        let (app, account) = set_up(setup).await;
        app.engine.set_for("Third", Behavior::Fail);
        let text = "  Ünicode first.  Second one.  Third fails. Fourth is never said.";
        for (at, format) in ["mp3", "wav", "flac", "opus"].into_iter().enumerate() {
            let at = i64::try_from(at).unwrap();
            let response = open(&app, &account.live, None, &body(&app, text, format).await).await;
            assert_eq!(response.status(), 200);
            assert!(!broken(response).await.is_empty());
            // The text up to the full stop of the second sentence, including the spaces before it.
            let delivered = i64::try_from("  Ünicode first.  Second one.".chars().count()).unwrap();
            app.until("the charge", async || app.balance(&account).await.1 == 0).await;
            assert_eq!(app.balance(&account).await, (1_000 - (at + 1) * delivered, 0), "{format}");
            assert_eq!(
                usage(&app, &account.live).await,
                used((at + 1) * delivered, (at + 1) * delivered, at + 1)
            );
        }
        app.finish().await;
    }

    // Negative control: without `outlet.left()` in `Narrator::speak`, the work waits for the
    // engine, and the hold stays.
    async fn a_client_that_disconnects_pays_for_what_it_received_and_the_rest_is_not_spoken(setup: Setup) {
        let (app, account) = set_up(setup).await;
        app.engine.set_for("Second", Behavior::Block);
        let text = "First sentence here. Second one is held. Third one. Fourth one. Fifth one. Sixth one.";
        let mut response = open(&app, &account.live, None, &body(&app, text, "opus").await).await;
        assert!(response.chunk().await.unwrap().is_some());
        app.until("the second sentence's turn", async || app.engine.call_count() == 2).await;
        drop(response);
        app.until("the charge", async || app.balance(&account).await == (980, 0)).await;
        assert_eq!(usage(&app, &account.live).await, used(20, 20, 1));
        app.engine.set_for("Second", Behavior::Speak);
        assert_eq!(app.synthesize(&account.live, "Still there.").await.status, 200);
        assert_eq!(app.engine.call_count(), 3, "the engine spoke after the client had left");
        app.finish().await;
    }

    async fn a_client_that_disconnects_before_the_first_bytes_pays_nothing(setup: Setup) {
        let (app, account) = set_up(setup).await;
        app.engine.set(Behavior::Block);
        let request = app.request(Method::POST, PATH).bearer_auth(&account.live);
        let request = request.json(&body(&app, TWO, "mp3").await).send();
        let request = tokio::spawn(request);
        app.until("the hold", async || app.balance(&account).await.1 == 40).await;
        request.abort();
        app.until("the release", async || app.balance(&account).await == (1_000, 0)).await;
        app.engine.set(Behavior::Speak);
        app.finish().await;
    }

    async fn a_repeated_call_under_a_key_gets_the_same_bytes_as_a_whole_and_pays_once(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let sent = body(&app, TWO, "opus").await;
        let first = Reply::read(open(&app, &account.live, Some("k"), &sent).await).await;
        assert_eq!((first.status.as_u16(), first.header("idempotent-replayed")), (200, ""));
        app.clock.advance_seconds(24 * 3600 - 1);
        lectern_service::workers::sweep::round(&app.base).await.unwrap();
        let again = Reply::read(open(&app, &account.live, Some("k"), &sent).await).await;
        assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (200, "true"));
        assert_eq!(first.bytes, again.bytes);
        assert_eq!(again.header("content-length"), first.bytes.len().to_string());
        for header in ["content-type", "lectern-synthesis-id", "lectern-characters", "lectern-credits"] {
            assert_eq!(first.header(header), again.header(header));
        }
        let other = body(&app, "Something else.", "opus").await;
        let reused = Reply::read(open(&app, &account.live, Some("k"), &other).await).await;
        assert_eq!(reused.refusal(), "idempotency_key_reuse");
        assert_eq!((app.engine.call_count(), app.balance(&account).await), (2, (960, 0)));
        app.finish().await;
    }

    async fn under_a_key_the_work_continues_without_its_client_and_is_replayed(setup: Setup) {
        let (app, account) = set_up(setup).await;
        app.engine.set_for("Second", Behavior::Block);
        let sent = body(&app, TWO, "wav").await;
        let mut response = open(&app, &account.live, Some("k"), &sent).await;
        assert!(response.chunk().await.unwrap().is_some());
        drop(response);
        // Another call under the key waits for the first to end.
        let request = app.request(Method::POST, PATH).bearer_auth(&account.live).json(&sent);
        let request = request.header("idempotency-key", "k").send();
        let waiting = tokio::spawn(async move { Reply::read(request.await.unwrap()).await });
        app.engine.set_for("Second", Behavior::Speak);
        let replay = waiting.await.unwrap();
        assert_eq!((replay.status.as_u16(), replay.header("idempotent-replayed")), (200, "true"));
        assert_eq!(replay.bytes.len(), 44 + 2 * (39 * 480 + 6_000));
        assert_eq!((app.engine.call_count(), app.balance(&account).await), (2, (960, 0)));
        assert_eq!(usage(&app, &account.live).await, used(40, 40, 1));
        app.finish().await;
    }

    async fn a_failure_in_the_middle_frees_the_key(setup: Setup) {
        let (app, account) = set_up(setup).await;
        app.engine.set_for("Second", Behavior::Fail);
        let sent = body(&app, TWO, "wav").await;
        broken(open(&app, &account.live, Some("k"), &sent).await).await;
        app.until("the charge", async || app.balance(&account).await == (980, 0)).await;
        app.engine.set_for("Second", Behavior::Speak);
        let again = Reply::read(open(&app, &account.live, Some("k"), &sent).await).await;
        assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (200, ""));
        assert_eq!(app.balance(&account).await, (940, 0));
        app.finish().await;
    }

    async fn a_test_key_streams_for_nothing_within_its_daily_cap(setup: Setup) {
        let app = setup.set("LECTERN_LIMITS__SANDBOX_CHARACTERS_PER_DAY", "50").start().await;
        let account = app.account(0).await;
        let reply = app.post(PATH, &account.test, &body(&app, TWO, "mp3").await).await;
        assert_eq!((reply.status.as_u16(), reply.header("lectern-credits")), (200, "0"));
        assert_eq!(usage(&app, &account.test).await, used(40, 0, 1));
        let over = app.post(PATH, &account.test, &body(&app, TWO, "mp3").await).await;
        assert_eq!(over.refusal(), "rate_limited");
        app.finish().await;
    }
}
