//! Hearing a text while it is spoken.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use lectern_testkit::{Behavior, Reply, Setup, TestApp, on_both};
use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::accounts::{self, Browser, browser, unlimited};

const PATH: &str = "/v1/bff/tts:stream";

/// Two sentences of 20 and 19 characters, and the space between them.
const TWO: &str = "First sentence here. Second one is held.";

/// A browser whose account has bought 1,000 credits.
async fn set_up(setup: Setup) -> (TestApp, Browser) {
    let app = unlimited(setup.speech(1, 8)).start().await;
    accounts::confirmed(&app, "ada@example.com").await;
    let ada = browser(&app, "ada@example.com").await;
    let account =
        ada.get(&app, "/v1/bff/me").await.json()["account"]["id"].as_str().unwrap().parse().unwrap();
    let ids = || app.base.transaction_id();
    let booking = lectern_store::ledger::Booking { now: app.clock.now(), ids: &ids };
    let (kind, credits) = (lectern_store::ledger::Addition::Purchase, lectern_types::Credits(1_000));
    lectern_store::ledger::add(&app.base.store, account, kind, credits, None, booking).await.unwrap();
    (app, ada)
}

async fn body(app: &TestApp, text: &str) -> Value {
    json!({ "text": text, "ereader_id": app.ereader("heart").await, "format": "wav" })
}

/// Sends a request and returns when the response's head has arrived.
async fn open(app: &TestApp, who: &Browser, key: Option<&str>, body: &Value) -> Response {
    let mut request = who.request(app, Method::POST, PATH).json(body);
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    request.send().await.unwrap()
}

async fn balance(app: &TestApp, who: &Browser) -> (Value, Value) {
    let shown = who.get(app, "/v1/bff/credits/balance").await.json();
    (shown["balance"].clone(), shown["held"].clone())
}

/// The newest entry of the history, and the audio that it plays.
async fn newest(app: &TestApp, who: &Browser) -> (Value, Vec<u8>) {
    let entry = who.get(app, "/v1/bff/history").await.json()["data"][0].clone();
    let heard = app.send(app.request(Method::GET, entry["audio_url"].as_str().unwrap())).await;
    assert_eq!(heard.status, 200);
    (entry, heard.bytes.clone())
}

/// Bytes until the stream ends, or breaks off.
async fn rest(mut response: Response) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        bytes.extend(chunk);
    }
    bytes
}

on_both! {
    // Negative control, seen: with `Keeping::Nothing` in `stream_for_history`, the entry has no audio.
    async fn a_stream_is_charged_once_and_heard_again_from_the_history(setup: Setup) {
        let (app, ada) = set_up(setup).await;
        app.engine.set_for("Second", Behavior::Block);
        let mut response = open(&app, &ada, None, &body(&app, TWO).await).await;
        assert_eq!(response.status(), 200);
        let header = |name: &str| response.headers().get(name).unwrap().to_str().unwrap().to_owned();
        assert_eq!((header("content-type"), header("x-accel-buffering")), ("audio/wav".into(), "no".into()));
        assert_eq!((header("lectern-characters"), header("lectern-credits")), ("40".into(), "40".into()));
        let id = header("lectern-synthesis-id");
        // The first sentence arrives while the second one is held.
        let mut bytes = response.chunk().await.unwrap().unwrap().to_vec();
        assert_eq!(balance(&app, &ada).await, (json!(1_000), json!(40)));
        app.engine.set_for("Second", Behavior::Speak);
        bytes.extend(rest(response).await);
        assert_eq!(bytes.len(), 44 + 2 * (39 * 480 + 6_000));
        assert_eq!(balance(&app, &ada).await, (json!(960), json!(0)));
        let (entry, heard) = newest(&app, &ada).await;
        assert_eq!((&entry["id"], &entry["text"]), (&json!(id), &json!(TWO)));
        assert_eq!((&entry["characters"], &entry["credits_charged"]), (&json!(40), &json!(40)));
        assert!(heard == bytes, "the history plays other bytes than were sent");
        app.finish().await;
    }

    async fn lines_have_the_audio_and_the_words_that_begin_in_it(setup: Setup) {
        let (app, ada) = set_up(setup).await;
        let plain = rest(open(&app, &ada, None, &body(&app, TWO).await).await).await;
        let request = ada.request(&app, Method::POST, PATH).json(&body(&app, TWO).await);
        let reply = app.send(request.header("accept", "application/x-ndjson")).await;
        assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "application/x-ndjson"));
        let text = String::from_utf8(reply.bytes.clone()).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let audio = |line: &Value| STANDARD.decode(line["audio_base64"].as_str().unwrap()).unwrap();
        assert!(lines.iter().flat_map(audio).collect::<Vec<u8>>() == plain);
        let words: Vec<&str> = lines
            .iter()
            .flat_map(|line| line["timestamps"].as_array().unwrap())
            .map(|word| word["text"].as_str().unwrap())
            .collect();
        assert_eq!(words, ["First", "sentence", "here.", "Second", "one", "is", "held."]);
        assert_eq!(balance(&app, &ada).await, (json!(920), json!(0)));
        app.finish().await;
    }

    // Negative control, seen: with `outlet.take_kept` left out of `Narrator::settle`, the entry has no audio.
    async fn who_stops_pays_for_what_was_spoken_and_can_hear_it_again(setup: Setup) {
        let (app, ada) = set_up(setup).await;
        app.engine.set_for("Second", Behavior::Block);
        let mut response = open(&app, &ada, None, &body(&app, TWO).await).await;
        let mut delivered = response.chunk().await.unwrap().unwrap().to_vec();
        app.until("the second sentence's turn", async || app.engine.call_count() == 2).await;
        drop(response);
        app.until("the charge", async || balance(&app, &ada).await == (json!(980), json!(0))).await;
        let (entry, heard) = newest(&app, &ada).await;
        assert_eq!((&entry["characters"], &entry["credits_charged"]), (&json!(20), &json!(20)));
        delivered.truncate(heard.len());
        assert!(heard.len() > 44 + 20 * 450 && heard.starts_with(&delivered));
        app.engine.set_for("Second", Behavior::Speak);
        app.finish().await;
    }

    async fn who_stops_before_the_first_sound_pays_nothing(setup: Setup) {
        let (app, ada) = set_up(setup).await;
        app.engine.set(Behavior::Block);
        let request = ada.request(&app, Method::POST, PATH).json(&body(&app, TWO).await).send();
        let request = tokio::spawn(request);
        app.until("the hold", async || balance(&app, &ada).await.1 == json!(40)).await;
        request.abort();
        app.until("the release", async || balance(&app, &ada).await == (json!(1_000), json!(0))).await;
        assert_eq!(ada.get(&app, "/v1/bff/history").await.json()["data"], json!([]));
        app.engine.set(Behavior::Speak);
        app.finish().await;
    }

    async fn a_failure_in_the_middle_is_charged_and_kept_up_to_there(setup: Setup) {
        let (app, ada) = set_up(setup).await;
        app.engine.set_for("Second", Behavior::Fail);
        let sent = body(&app, TWO).await;
        let received = rest(open(&app, &ada, Some("k"), &sent).await).await;
        app.until("the charge", async || balance(&app, &ada).await == (json!(980), json!(0))).await;
        let (entry, heard) = newest(&app, &ada).await;
        assert_eq!(entry["characters"], 20);
        assert!(heard == received, "{} and {} bytes", heard.len(), received.len());
        // It failed, so the key is free.
        app.engine.set_for("Second", Behavior::Speak);
        let again = Reply::read(open(&app, &ada, Some("k"), &sent).await).await;
        assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (200, ""));
        assert_eq!(balance(&app, &ada).await, (json!(940), json!(0)));
        app.finish().await;
    }

    // Negative control, seen: with `commit_part` for a listener who left, the text is spoken and charged again.
    async fn a_repeated_call_gets_what_was_delivered_to_the_first(setup: Setup) {
        let (app, ada) = set_up(setup).await;
        let sent = body(&app, TWO).await;
        let first = rest(open(&app, &ada, Some("whole"), &sent).await).await;
        let again = Reply::read(open(&app, &ada, Some("whole"), &sent).await).await;
        assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (200, "true"));
        assert!(again.bytes == first);
        assert_eq!(balance(&app, &ada).await, (json!(960), json!(0)));

        app.engine.set_for("Second", Behavior::Block);
        let mut response = open(&app, &ada, Some("part"), &sent).await;
        assert!(response.chunk().await.unwrap().is_some());
        app.until("the second sentence's turn", async || app.engine.call_count() == 4).await;
        drop(response);
        app.until("the charge", async || balance(&app, &ada).await == (json!(940), json!(0))).await;
        app.engine.set_for("Second", Behavior::Speak);
        let request = ada.request(&app, Method::POST, PATH).json(&sent).header("idempotency-key", "part");
        let again = app.send(request.header("accept", "application/x-ndjson")).await;
        assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (200, "true"));
        let line = String::from_utf8(again.bytes.clone()).unwrap();
        let line: Value = serde_json::from_str(line.lines().next().unwrap()).unwrap();
        assert_eq!(line["timestamps"], json!([]));
        let heard = newest(&app, &ada).await.1;
        assert!(heard.starts_with(&STANDARD.decode(line["audio_base64"].as_str().unwrap()).unwrap()));
        assert_eq!(balance(&app, &ada).await, (json!(940), json!(0)));
        let other = Reply::read(open(&app, &ada, Some("part"), &body(&app, "Else.").await).await).await;
        assert_eq!(other.refusal(), "idempotency_key_reuse");
        app.finish().await;
    }

    async fn refusals_come_before_any_audio_and_charge_nothing(setup: Setup) {
        let (app, ada) = set_up(setup).await;
        for (sent, code) in [
            (body(&app, " ").await, "text_empty"),
            (body(&app, &"x".repeat(5_001)).await, "text_too_long"),
            (json!({ "text": "Hi.", "ereader_id": "erd_x" }), "ereader_not_found"),
            (body(&app, &"Too much. ".repeat(120)).await, "insufficient_balance"),
        ] {
            assert_eq!(ada.post(&app, PATH, &sent).await.refusal(), code);
        }
        let words = json!({ "text": "Hi.", "ereader_id": app.ereader("heart").await, "timestamps": "word" });
        assert_eq!(ada.post(&app, PATH, &words).await.fields(), ["timestamps"]);
        assert_eq!(ada.post(&app, &format!("{PATH}?words=1"), &body(&app, "Hi.").await).await.fields(), ["words"]);
        // A page of another site has the cookie, but not the token.
        let forged = app.request(Method::POST, PATH).header("cookie", &ada.cookie).json(&body(&app, "Hi.").await);
        assert_eq!(app.send(forged).await.refusal(), "invalid_credentials");
        assert_eq!((app.engine.call_count(), balance(&app, &ada).await), (0, (json!(1_000), json!(0))));
        // The test environment is free.
        let free = ada.post(&app, &format!("{PATH}?environment=test"), &body(&app, TWO).await).await;
        assert_eq!((free.status.as_u16(), free.header("lectern-credits")), (200, "0"));
        app.finish().await;
    }
}
