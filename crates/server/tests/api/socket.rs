//! `GET /v1/saas/tts:socket`.
//!
//! The cancel test failed one run in six while a cancel could interrupt the encoder. No other control was seen to fail yet.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use lectern_speech::audio::decode::decode;
use lectern_store::Tier;
use lectern_testkit::{Account, Behavior, Setup, TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{
        Error as SocketError, Message,
        client::IntoClientRequest as _,
        protocol::{
            CloseFrame,
            frame::{
                Frame,
                coding::{Data, OpCode},
            },
        },
    },
};

const PATH: &str = "/v1/saas/tts:socket";

/// Nothing here takes as long.
const PATIENCE: Duration = Duration::from_secs(20);

struct Client {
    socket: WebSocketStream<TcpStream>,
}

/// What a socket said until it fell silent or closed.
#[derive(Debug, Default)]
struct Heard {
    audio: Vec<u8>,
    words: Vec<Value>,
    /// Everything else.
    messages: Vec<Value>,
    closed: Option<u16>,
}

impl Heard {
    fn texts(&self) -> Vec<&str> {
        self.words.iter().filter_map(|word| word["text"].as_str()).collect()
    }

    fn refusal(&self) -> (&str, Option<u16>) {
        let error = self.messages.iter().find(|message| message["type"] == "error");
        (error.map_or("none", |error| error["error"]["code"].as_str().unwrap()), self.closed)
    }
}

impl Client {
    async fn connect(
        app: &TestApp,
        headers: &[(&'static str, String)],
    ) -> Result<(Self, String), SocketError> {
        let address = app.url.strip_prefix("http://").unwrap();
        let mut request = format!("ws://{address}{PATH}").into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().append(*name, value.parse().unwrap());
        }
        let stream = TcpStream::connect(address).await.unwrap();
        let (socket, response) = client_async(request, stream).await?;
        let chosen = response.headers().get("sec-websocket-protocol");
        let chosen = chosen.map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default();
        Ok((Self { socket }, chosen))
    }

    /// A socket of a key.
    async fn of(app: &TestApp, key: &str) -> Self {
        Self::connect(app, &[("authorization", format!("Bearer {key}"))]).await.unwrap().0
    }

    /// A started socket that gives PCM.
    async fn started(app: &TestApp, key: &str) -> Self {
        let mut client = Self::of(app, key).await;
        client
            .send(json!({ "type": "start", "ereader_id": app.ereader("heart").await, "format": "pcm" }))
            .await;
        client
    }

    async fn send(&mut self, message: Value) {
        self.socket.send(Message::Text(message.to_string().into())).await.unwrap();
    }

    async fn text(&mut self, text: &str) {
        self.send(json!({ "type": "text", "text": text })).await;
    }

    async fn say(&mut self, kind: &str) {
        self.send(json!({ "type": kind })).await;
    }

    /// Listens until this kind of message or the end.
    async fn until(&mut self, kind: &str) -> Heard {
        let mut heard = Heard::default();
        loop {
            let next = tokio::time::timeout(PATIENCE, self.socket.next()).await;
            match next.unwrap() {
                Some(Ok(Message::Binary(bytes))) => {
                    heard.audio.extend_from_slice(&bytes);
                    if kind == "audio" {
                        return heard;
                    }
                }
                Some(Ok(Message::Text(text))) => {
                    let message: Value = serde_json::from_str(&text).unwrap();
                    if message["type"] == "words" {
                        heard.words.extend(message["words"].as_array().unwrap().iter().cloned());
                        continue;
                    }
                    let is_last = message["type"] == kind;
                    heard.messages.push(message);
                    if is_last {
                        return heard;
                    }
                }
                Some(Ok(Message::Close(close))) => {
                    heard.closed = close.map(|CloseFrame { code, .. }| code.into());
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return heard,
            }
        }
    }
}

async fn set_up(setup: Setup) -> (TestApp, Account) {
    let app = setup.speech(1, 8).start().await;
    let account = app.account(1_000).await;
    (app, account)
}

/// A new key of an account: its id and itself.
async fn key_of(app: &TestApp, account: &Account, scope: &str) -> (String, String) {
    let body = json!({ "name": "Agent", "scopes": [scope] });
    let made = app.post("/v1/saas/keys", &account.live, &body).await.json();
    let text = |field: &str| made[field].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
    (text("id"), text("key"))
}

on_both! {
    async fn a_sentence_is_heard_as_soon_as_it_ends(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let mut client = Client::started(&app, &account.live).await;
        // Words may be cut; what follows the first sentence is not needed for it.
        for piece in ["First sen", "tence here", ". Sec"] {
            client.text(piece).await;
        }
        let first = client.until("audio").await;
        assert_eq!(first.texts(), ["First", "sentence", "here."]);
        client.text("ond one is held").await;
        client.say("flush").await;
        let rest = client.until("flushed").await;
        assert_eq!(rest.texts(), ["Second", "one", "is", "held"]);
        // Places count in the text of the whole socket, and times from its first sample.
        assert_eq!((&rest.words[0]["start_char"], &rest.words[3]["end_char"]), (&json!(21), &json!(39)));
        assert!(rest.words[0]["start_ms"].as_u64().unwrap() >= 400, "{:?}", rest.words);
        client.say("end").await;
        let last = client.until("close").await;
        assert_eq!(last.messages, [json!({ "type": "done", "characters": 39, "credits_charged": 39 })]);
        assert_eq!(last.closed, Some(1000));
        // 39 characters of 480 samples, a pause between sentences, one at the flush, and what the limiter keeps.
        let samples = (first.audio.len() + rest.audio.len() + last.audio.len()) / 2;
        assert!((39 * 480 + 6_000..39 * 480 + 10_000).contains(&samples), "{samples}");
        assert_eq!(app.balance(&account).await, (961, 0));
        let usage = app.get("/v1/saas/usage", &account.live).await.json()["data"].clone();
        assert_eq!((&usage[0]["characters"], &usage[0]["requests"]), (&json!(39), &json!(2)));
        app.finish().await;
    }

    async fn a_stop_ends_a_sentence_when_no_more_text_comes(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let mut client = Client::started(&app, &account.test).await;
        client.text("Hello there.").await;
        assert_eq!(client.until("audio").await.texts(), ["Hello", "there."]);
        client.say("end").await;
        let last = client.until("close").await;
        assert_eq!(last.messages, [json!({ "type": "done", "characters": 12, "credits_charged": 0 })]);
        app.finish().await;
    }

    // Seen to fail before the sentences of a socket knew who spoke: 47 credits.
    async fn a_speaker_goes_on_over_sentences_and_costs_its_own_price(setup: Setup) {
        let app = setup.speech(1, 8).start().await;
        let account = app.account_of(Tier::Premium, 1_000).await;
        let mut client = Client::of(&app, &account.live).await;
        let (heart, alma) = (app.ereader("heart").await, app.ereader("alma").await);
        client.send(json!({ "type": "start", "ereader_id": heart, "format": "pcm", "speakers": { "Ann": alma } })).await;
        client.text("One here.\n[speaker Ann]\nTwo here. Three here.\n[speaker Bob]\nFour.").await;
        client.say("end").await;
        let heard = client.until("close").await;
        // Alma's price is 2 credits a character; an end of a line costs what the voice before or after it does.
        let done = &heard.messages[0];
        let (characters, credits) = (done["characters"].as_i64().unwrap(), done["credits_charged"].as_i64().unwrap());
        assert!((36..=40).contains(&characters), "{done}");
        assert!((20..=23).contains(&(credits - characters)), "{done}");
        assert!(app.engine.utterances().iter().all(|said| !said.contains("speaker")));
        app.finish().await;
    }

    // Seen to fail: a text of nothing but pauses was passed over.
    async fn a_pause_after_a_sentence_is_heard_whatever_follows(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let mut lengths = Vec::new();
        for text in ["Hi.", "Hi. [pause 2s]", "Hi.\n[pause 2s]\n"] {
            let mut client = Client::started(&app, &account.live).await;
            client.text(text).await;
            client.say("end").await;
            lengths.push(client.until("close").await.audio.len());
        }
        let (plain, with_pause) = (lengths[0], &lengths[1..]);
        assert!(with_pause.iter().all(|length| length - plain >= 2 * 48_000 - 4_800), "{lengths:?}");
        let (balance, held) = app.balance(&account).await;
        assert!(balance >= 1_000 - 3 * 5 && held == 0, "{balance} {held}");
        app.finish().await;
    }

    async fn unknown_parameters_and_keys_twice_are_refused(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let address = app.url.strip_prefix("http://").unwrap();
        let mut request = format!("ws://{address}{PATH}?foo=1").into_client_request().unwrap();
        request.headers_mut().append("authorization", format!("Bearer {}", account.test).parse().unwrap());
        let stream = TcpStream::connect(address).await.unwrap();
        let Err(SocketError::Http(refused)) = client_async(request, stream).await else { panic!("upgraded") };
        assert_eq!(refused.status(), 422);
        let mut client = Client::started(&app, &account.test).await;
        client.socket.send(Message::Text(r#"{"type":"text","text":"a","text":"b"}"#.into())).await.unwrap();
        assert_eq!(client.until("close").await.refusal(), ("validation_failed", Some(1008)));
        app.finish().await;
    }

    // Not seen to fail yet: without `revoked`, audio of the first sentence should follow the cancel.
    async fn a_cancel_stops_at_once_and_charges_nothing_that_was_not_heard(setup: Setup) {
        let (app, account) = set_up(setup).await;
        app.engine.set_for("Second", Behavior::Block);
        let mut client = Client::started(&app, &account.live).await;
        client.text("First sentence here. Second one is held. Third.").await;
        client.say("flush").await;
        let first = client.until("audio").await;
        assert_eq!(first.texts(), ["First", "sentence", "here."]);
        // A cancel before the first sentence is settled would not charge the white space after it.
        let second_begins = async || app.engine.utterances().iter().any(|said| said.starts_with("Second"));
        app.until("the second sentence begins", second_begins).await;
        client.say("cancel").await;
        // The flush is answered, and nothing of the other sentences is heard.
        let rest = client.until("flushed").await;
        assert_eq!(rest.texts(), Vec::<&str>::new());
        app.engine.set_for("Second", Behavior::Speak);
        client.text("After it. ").await;
        let after = client.until("audio").await;
        assert_eq!((after.texts(), &after.words[0]["start_char"]), (vec!["After", "it."], &json!(47)));
        client.say("end").await;
        let last = client.until("close").await;
        assert_eq!(last.messages, [json!({ "type": "done", "characters": 31, "credits_charged": 31 })]);
        assert_eq!(app.balance(&account).await, (969, 0));
        app.finish().await;
    }

    async fn what_is_wrong_ends_the_socket_with_an_error(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let heart = app.ereader("heart").await;
        let start = json!({ "type": "start", "ereader_id": heart, "format": "pcm" });
        let text = |text: &str| json!({ "type": "text", "text": text });
        for (messages, code) in [
            (vec![text("Early.")], "validation_failed"),
            (vec![json!({ "type": "start", "ereader_id": "erd_x" })], "ereader_not_found"),
            (vec![json!({ "type": "start", "ereader_id": app.ereader("alma").await })], "ereader_tier_not_available"),
            (vec![json!({ "type": "start", "ereader_id": heart, "text": "a" })], "validation_failed"),
            (vec![json!({ "type": "start", "ereader_id": heart, "speed": 9 })], "validation_failed"),
            (vec![start.clone(), start.clone()], "validation_failed"),
            (vec![start.clone(), json!({ "type": "speak" })], "validation_failed"),
            (vec![start.clone(), json!({ "type": "end" }), text("a")], "none"),
            (vec![start.clone(), text(&"x ".repeat(2_501))], "text_too_long"),
            (vec![start.clone(), text(&"x".repeat(70_000))], "request_too_large"),
            (vec![json!({ "type": "start", "ereader_id": heart, "text_type": "ssml" }), text("<speak>"),
                json!({ "type": "flush" })], "validation_failed"),
        ] {
            let mut client = Client::of(&app, &account.test).await;
            for message in &messages {
                // The socket may be closed already.
                let _ = client.socket.send(Message::Text(message.to_string().into())).await;
            }
            let heard = client.until("close").await;
            let closed = if code == "none" { 1000 } else { 1008 };
            assert_eq!(heard.refusal(), (code, Some(closed)), "{messages:?}");
        }
        for message in [Message::Binary(vec![1, 2].into()), Message::Text("{".into()), Message::Text("[]".into())] {
            let mut client = Client::started(&app, &account.test).await;
            client.socket.send(message).await.unwrap();
            assert_eq!(client.until("close").await.refusal(), ("validation_failed", Some(1008)));
        }
        // Seen to fail, with a connection that only ends, without `unread`.
        let letters = |letters: Vec<u8>| {
            Message::Frame(Frame::message(letters, OpCode::Data(Data::Text), true))
        };
        for (message, code, closed) in [
            (letters(b"{\"type\":\"text\",\"text\":\"\xff\"}".to_vec()), "validation_failed", 1007),
            (letters(vec![b' '; 3 << 20]), "request_too_large", 1009),
        ] {
            let mut client = Client::started(&app, &account.test).await;
            // The socket may be closed before all is sent.
            let _ = client.socket.send(message).await;
            assert_eq!(client.until("close").await.refusal(), (code, Some(closed)));
        }
        app.engine.set_for("Broken", Behavior::Fail);
        let mut client = Client::started(&app, &account.live).await;
        client.text("Broken. ").await;
        assert_eq!(client.until("close").await.refusal(), ("tts_provider_error", Some(1013)));
        assert_eq!(app.balance(&account).await, (1_000, 0));
        app.finish().await;
    }

    async fn credits_and_keys_are_checked_before_each_sentence(setup: Setup) {
        let app = setup.speech(1, 8).start().await;
        let account = app.account(25).await;
        let mut client = Client::started(&app, &account.live).await;
        client.text("First sentence here. ").await;
        client.until("audio").await;
        client.text("Second one. ").await;
        assert_eq!(client.until("close").await.refusal(), ("insufficient_balance", Some(1008)));
        assert_eq!(app.balance(&account).await, (4, 0), "the first sentence is charged");

        let account = app.account(1_000).await;
        let (admin, other) = (&account.live, key_of(&app, &account, "write").await);
        let mut client = Client::started(&app, &other.1).await;
        client.text("First sentence here. ").await;
        client.until("audio").await;
        let path = format!("/v1/saas/keys/{}", other.0);
        assert_eq!(app.send(app.request(Method::DELETE, &path).bearer_auth(admin)).await.status, 200);
        client.text("Second one. ").await;
        assert_eq!(client.until("close").await.refusal(), ("api_key_revoked", Some(1008)));
        app.finish().await;
    }

    async fn a_client_that_leaves_pays_for_what_it_heard(setup: Setup) {
        let (app, account) = set_up(setup).await;
        app.engine.set_for("Second", Behavior::Block);
        let mut client = Client::started(&app, &account.live).await;
        client.text("First sentence here. Second one is held. ").await;
        client.until("audio").await;
        // The second sentence is held.
        app.until("the second sentence is held", async || app.balance(&account).await == (979, 20)).await;
        drop(client);
        app.until("its hold is released", async || app.balance(&account).await == (979, 0)).await;
        app.engine.set_for("Second", Behavior::Speak);
        app.finish().await;
    }

    async fn a_key_may_be_a_subprotocol_and_refusals_are_envelopes(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let protocols = format!("lectern.v1, lectern.key.{}", account.test);
        let (mut client, chosen) =
            Client::connect(&app, &[("sec-websocket-protocol", protocols)]).await.unwrap();
        assert_eq!(chosen, "lectern.v1", "the key is not echoed");
        client.send(json!({ "type": "start", "ereader_id": app.ereader("heart").await })).await;
        client.say("end").await;
        assert_eq!(client.until("done").await.messages[0]["characters"], 0);

        let refused = async |headers: &[(&'static str, String)]| {
            let Err(SocketError::Http(response)) = Client::connect(&app, headers).await else {
                panic!("the socket was opened");
            };
            let body: Value = serde_json::from_slice(response.body().as_deref().unwrap()).unwrap();
            (response.status().as_u16(), body["error"]["code"].as_str().unwrap().to_owned())
        };
        assert_eq!(refused(&[]).await, (401, "missing_api_key".to_owned()));
        let wrong = "lectern.v1, lectern.key.svc_live_wrong".to_owned();
        assert_eq!(refused(&[("sec-websocket-protocol", wrong)]).await, (401, "invalid_api_key".to_owned()));
        let reader = key_of(&app, &account, "read").await;
        let bearer = format!("Bearer {}", reader.1);
        assert_eq!(refused(&[("authorization", bearer)]).await, (403, "insufficient_scope".to_owned()));
        let plain = app.get(PATH, &account.test).await;
        assert_eq!((plain.status.as_u16(), plain.refusal()), (400, "bad_request".to_owned()));
        app.finish().await;
    }

    // Negative control: without the look at the stop, the service waits a minute for the start.
    async fn a_socket_that_has_not_begun_does_not_delay_a_shutdown(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let mut client = Client::of(&app, &account.test).await;
        let stopped = tokio::time::timeout(PATIENCE, app.finish());
        let (stopped, heard) = tokio::join!(stopped, client.until("close"));
        stopped.unwrap();
        assert_eq!(heard.refusal(), ("service_unavailable", Some(1013)));
    }

    // Seen by hand before the look at the stop: after SIGTERM, eighty sentences that had come were all spoken.
    async fn a_shutdown_ends_a_socket_after_the_sentence_that_has_begun(setup: Setup) {
        let (app, account) = set_up(setup).await;
        app.engine.set_for("First", Behavior::Block);
        let mut client = Client::started(&app, &account.live).await;
        client.text("First sentence here. Second one is not said. Third. ").await;
        client.say("flush").await;
        let begins = async || app.engine.utterances().iter().any(|said| said.starts_with("First"));
        app.until("the first sentence begins", begins).await;
        app.app.stop.cancel();
        app.engine.set_for("First", Behavior::Speak);
        let heard = client.until("close").await;
        assert_eq!(heard.texts(), ["First", "sentence", "here."]);
        assert_eq!(heard.refusal(), ("service_unavailable", Some(1013)));
        // The store closes with the service, so what was paid cannot be asked any more.
        assert!(!app.engine.utterances().iter().any(|said| said.starts_with("Third")));
        app.end().await;
    }

    async fn every_format_is_one_stream(setup: Setup) {
        let (app, account) = set_up(setup).await;
        for format in ["mp3", "wav", "flac", "opus"] {
            let mut client = Client::of(&app, &account.test).await;
            client.send(json!({ "type": "start", "ereader_id": app.ereader("heart").await, "format": format })).await;
            client.text("First sentence here. Second one is held. ").await;
            client.say("end").await;
            let heard = client.until("close").await;
            let decoded = decode(&heard.audio).unwrap();
            let seconds = decoded.samples.len() as f64 / f64::from(decoded.sample_rate_hz);
            assert!((0.9..1.4).contains(&seconds), "{format}: {seconds} s");
        }
        app.finish().await;
    }
}
