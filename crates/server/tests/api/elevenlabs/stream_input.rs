//! `GET /v1/text-to-speech/{voice_id}/stream-input`: ElevenLabs' messages on a socket.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use lectern_testkit::{Behavior, TestApp, on_both};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Error as SocketError, Message, client::IntoClientRequest as _},
};

use super::base64;

/// Nothing here takes as long.
const PATIENCE: Duration = Duration::from_secs(20);

struct Client(WebSocketStream<TcpStream>);

/// What a socket said until it closed.
#[derive(Debug, Default)]
struct Heard {
    audio: Vec<u8>,
    characters: String,
    /// Messages without audio.
    others: Vec<Value>,
    closed: Option<(u16, String)>,
}

impl Client {
    async fn connect(app: &TestApp, query: &str, key: Option<&str>) -> Result<Self, SocketError> {
        let address = app.url.strip_prefix("http://").unwrap();
        let url = format!("ws://{address}/v1/text-to-speech/heart/stream-input{query}");
        let mut request = url.into_client_request().unwrap();
        if let Some(key) = key {
            request.headers_mut().insert("xi-api-key", key.parse().unwrap());
        }
        let stream = TcpStream::connect(address).await.unwrap();
        client_async(request, stream).await.map(|(socket, _)| Self(socket))
    }

    async fn send(&mut self, message: Value) {
        self.0.send(Message::Text(message.to_string().into())).await.unwrap();
    }

    /// The next message; `None` at the end.
    async fn next(&mut self) -> Option<Message> {
        tokio::time::timeout(PATIENCE, self.0.next()).await.unwrap()?.ok()
    }

    async fn rest(&mut self) -> Heard {
        let mut heard = Heard::default();
        while let Some(message) = self.next().await {
            match message {
                Message::Text(text) => {
                    let message: Value = serde_json::from_str(&text).unwrap();
                    if message["audio"].is_string() {
                        heard.audio.extend(base64(&message["audio"]));
                        let alignment = &message["alignment"];
                        assert_eq!(alignment, &message["normalizedAlignment"]);
                        let list = |name: &str| alignment[name].as_array().cloned().unwrap_or_default();
                        assert_eq!(list("chars").len(), list("charStartTimesMs").len());
                        assert_eq!(list("chars").len(), list("charDurationsMs").len());
                        heard.characters.extend(list("chars").iter().map(|one| one.as_str().unwrap()));
                    } else {
                        heard.others.push(message);
                    }
                }
                Message::Close(close) => {
                    heard.closed = close.map(|close| (close.code.into(), close.reason.to_string()));
                }
                _ => {}
            }
        }
        heard
    }
}

on_both! {
    async fn sentences_are_heard_with_their_characters_and_paid(setup: Setup) {
        let app = setup.speech(1, 8).start().await;
        let account = app.account(1_000).await;
        app.engine.set_for("Second", Behavior::Block);
        let query = "?model_id=eleven_flash_v2_5&output_format=pcm_24000";
        let mut client = Client::connect(&app, query, Some(&account.live)).await.unwrap();
        client.send(json!({
            "text": " ",
            "voice_settings": { "stability": 0.5, "speed": 1.0 },
            "generation_config": { "chunk_length_schedule": [50] },
        })).await;
        for piece in ["First sen", "tence here. ", "Second <bre"] {
            client.send(json!({ "text": piece, "try_trigger_generation": true })).await;
        }
        let Some(Message::Text(first)) = client.next().await else { panic!("no message") };
        let first: Value = serde_json::from_str(&first).unwrap();
        assert_eq!(first["isFinal"], Value::Null);
        assert_eq!(first["alignment"]["charStartTimesMs"][0], json!(0));
        app.engine.set_for("Second", Behavior::Speak);
        client.send(json!({ "text": "ak time=\"1s\"/> one.", "flush": true })).await;
        client.send(json!({ "text": "" })).await;
        let rest = client.rest().await;
        assert_eq!(rest.others, [json!({
            "audio": null, "isFinal": true, "alignment": null, "normalizedAlignment": null,
        })]);
        assert_eq!(rest.closed, Some((1000, String::new())));
        assert_eq!(rest.characters.trim_start(), "Second [pause 1s] one.");
        // 48 bytes a millisecond; the break and the two words.
        assert!(rest.audio.len() > 48 * 1_200, "{}", rest.audio.len());
        // The break is not paid, nor the space of the first message.
        assert_eq!(app.balance(&account).await, (1_000 - "First sentence here. Second  one.".len() as i64, 0));
        app.finish().await;
    }

    async fn a_key_may_come_in_the_first_message(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let mut client = Client::connect(&app, "?output_format=pcm_24000", None).await.unwrap();
        client.send(json!({ "text": "Hello there.", "xi_api_key": account.test, "flush": true })).await;
        client.send(json!({ "text": "" })).await;
        let heard = client.rest().await;
        assert_eq!((heard.characters.as_str(), heard.closed.map(|(code, _)| code)), ("Hello there.", Some(1000)));
        for (first, code) in [
            (json!({ "text": " ", "xi_api_key": "svc_live_nonsense" }), "invalid_api_key"),
            (json!({ "text": " " }), "missing_api_key"),
            (json!({ "text": " ", "xi_api_key": 7 }), "invalid_api_key"),
        ] {
            let mut client = Client::connect(&app, "", None).await.unwrap();
            client.send(first.clone()).await;
            let heard = client.rest().await;
            assert_eq!(heard.others[0]["detail"]["status"], code, "{first}");
            assert_eq!(heard.closed.as_ref().map(|(code, _)| *code), Some(1008), "{first}");
        }
        // Two keys are none.
        let mut client = Client::connect(&app, "", Some(&account.test)).await.unwrap();
        client.send(json!({ "text": " ", "xi_api_key": account.test })).await;
        assert_eq!(client.rest().await.others[0]["error"]["code"], "invalid_api_key");
        app.finish().await;
    }

    async fn what_is_wrong_is_told_before_the_upgrade_or_with_the_close(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(10).await;
        let refused = async |query: &str, key: &str| match Client::connect(&app, query, Some(key)).await {
            Err(SocketError::Http(response)) => {
                let body: Value = serde_json::from_slice(response.body().as_ref().unwrap()).unwrap();
                assert_eq!(body["detail"]["status"], body["error"]["code"]);
                (response.status().as_u16(), body["error"]["code"].as_str().unwrap().to_owned())
            }
            other => panic!("{query} {}", other.is_ok()),
        };
        assert_eq!(refused("", "svc_live_nonsense").await, (401, "invalid_api_key".to_owned()));
        assert_eq!(refused("?output_format=x", &account.live).await, (422, "validation_failed".to_owned()));
        assert_eq!(refused("?speed=1", &account.live).await, (422, "validation_failed".to_owned()));

        let first = json!({ "text": " " });
        for (messages, code, close) in [
            (vec![json!({ "text": " ", "voice_settings": { "speed": 9 } })], "validation_failed", 1008),
            (vec![json!({ "text": " ", "speed": 1 })], "validation_failed", 1008),
            (vec![first.clone(), json!({ "flush": true })], "validation_failed", 1008),
            (vec![first.clone(), json!({ "text": "a".repeat(5_001) })], "text_too_long", 1008),
            (vec![first.clone(), json!({ "text": "Longer than ten characters.", "flush": true })], "insufficient_balance", 1008),
            (vec![first.clone(), json!({ "text": "" }), json!({ "text": "More." })], "validation_failed", 1008),
        ] {
            let mut client = Client::connect(&app, "", Some(&account.live)).await.unwrap();
            for message in messages {
                client.send(message).await;
            }
            let heard = client.rest().await;
            // After the end, the last message races with the close.
            if heard.closed == Some((1000, String::new())) {
                continue;
            }
            let told = &heard.others[0];
            assert_eq!((&told["error"]["code"], &told["detail"]["status"]), (&json!(code), &json!(code)));
            assert_eq!((&told["message"], &told["code"]), (&told["error"]["message"], &json!(close)));
            let (closed, reason) = heard.closed.unwrap();
            assert!(closed == close && reason.starts_with(code), "{closed} {reason}");
        }
        let mut client = Client::connect(&app, "?inactivity_timeout=1", Some(&account.live)).await.unwrap();
        client.send(first).await;
        assert_eq!(client.rest().await.others[0]["detail"]["status"], "request_timeout");
        app.finish().await;
    }

    async fn a_client_far_ahead_waits_and_is_not_refused(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(20_000).await;
        let mut client = Client::connect(&app, "?output_format=ulaw_8000", Some(&account.live)).await.unwrap();
        client.send(json!({ "text": " " })).await;
        let line = format!("{}. ", "word ".repeat(99).trim_end());
        let sending = async {
            for _ in 0..20 {
                client.send(json!({ "text": line })).await;
            }
            client.send(json!({ "text": "" })).await;
            client
        };
        let mut client = sending.await;
        let heard = client.rest().await;
        assert_eq!(heard.closed, Some((1000, String::new())));
        let sent = 20 * line.len();
        // White space after the last sentence is not said.
        assert!(heard.characters.len() >= sent - 2, "{} of {sent}", heard.characters.len());
        app.finish().await;
    }
}
