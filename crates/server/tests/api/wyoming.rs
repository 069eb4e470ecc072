//! The listener for Home Assistant. `scripts/wyoming_client.py` tests it with Home Assistant's own
//! client.

use std::sync::Arc;

use lectern_server::wyoming;
use lectern_testkit::{Behavior, TestApp, on_both};
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// "Hello there." as the test's engine says it: 480 samples of two bytes a character.
const HELLO_BYTES: usize = 12 * 480 * 2;

/// The listener of an application, which this key pays for.
struct Home {
    address: std::net::SocketAddr,
    serving: JoinHandle<()>,
}

impl Home {
    async fn start(app: &TestApp, key: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let key = SecretString::from(key);
        Self { address, serving: tokio::spawn(wyoming::serve(Arc::clone(&app.app), listener, key)) }
    }

    async fn connect(&self) -> Client {
        Client(BufReader::new(TcpStream::connect(self.address).await.unwrap()))
    }

    /// The events that come for one, to the end of the connection or of the audio.
    async fn ask(&self, kind: &str, data: Value) -> Vec<(String, Value, usize)> {
        let mut client = self.connect().await;
        client.send(kind, data).await;
        client.rest().await
    }
}

struct Client(BufReader<TcpStream>);

impl Client {
    async fn send(&mut self, kind: &str, data: Value) {
        let line = format!("{}\n", json!({ "type": kind, "data": data }));
        self.0.get_mut().write_all(line.as_bytes()).await.unwrap();
    }

    /// Type, data and bytes of payload of the next event; `None` when the connection ended.
    async fn next(&mut self) -> Option<(String, Value, usize)> {
        let mut line = String::new();
        self.0.read_line(&mut line).await.unwrap();
        let head: Value = serde_json::from_str(&line).ok()?;
        let length = |field: &str| head[field].as_u64().unwrap_or_default() as usize;
        let mut data = vec![0; length("data_length")];
        self.0.read_exact(&mut data).await.unwrap();
        let mut payload = vec![0; length("payload_length")];
        self.0.read_exact(&mut payload).await.unwrap();
        let data = serde_json::from_slice(&data).unwrap_or_default();
        Some((head["type"].as_str().unwrap().to_owned(), data, payload.len()))
    }

    async fn rest(&mut self) -> Vec<(String, Value, usize)> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            let is_end = event.0 == "audio-stop";
            events.push(event);
            if is_end {
                break;
            }
        }
        events
    }
}

fn audio_bytes(events: &[(String, Value, usize)]) -> usize {
    events.iter().map(|(_, _, bytes)| bytes).sum()
}

fn code(events: &[(String, Value, usize)]) -> &str {
    let (kind, data, _) = events.last().unwrap();
    assert_eq!(kind, "error", "{events:?}");
    data["code"].as_str().unwrap()
}

on_both! {
    async fn a_text_is_spoken_and_the_key_pays(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(100).await;
        let home = Home::start(&app, &account.live).await;
        let events = home.ask("synthesize", json!({ "text": "Hello there.", "voice": { "name": "heart" } })).await;
        assert_eq!((events[0].0.as_str(), &events[0].1), ("audio-start", &json!({ "rate": 24_000, "width": 2, "channels": 1 })));
        assert_eq!(audio_bytes(&events), HELLO_BYTES);
        assert_eq!(app.balance(&account).await, (88, 0));
        for (data, expected) in [
            (json!({ "text": " " }), "text_empty"),
            (json!({}), "validation_failed"),
            (json!({ "text": "Hello.", "voice": { "name": "nobody" } }), "ereader_not_found"),
            (json!({ "text": "Hello.", "voice": { "name": "alma" } }), "ereader_tier_not_available"),
            (json!({ "text": "Hello.", "voice": { "language": "fr" } }), "ereader_not_found"),
            (json!({ "text": "Hello.", "voice": 7 }), "validation_failed"),
            (json!({ "text": "Hello.", "text_format": "html" }), "validation_failed"),
            (json!({ "text": "a".repeat(89) }), "insufficient_balance"),
            (json!({ "text": "a".repeat(5_001) }), "text_too_long"),
        ] {
            assert_eq!(code(&home.ask("synthesize", data.clone()).await), expected, "{data}");
        }
        assert_eq!(app.balance(&account).await, (88, 0));
        app.finish().await;
        home.serving.await.unwrap();
    }

    // Not seen to fail yet: without the check of the scope, a key that may only read speaks.
    async fn a_key_that_may_not_speak_is_refused(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(100).await;
        let body = json!({ "name": "reader", "scopes": ["read"] });
        let reader = app.post("/v1/saas/keys", &account.live, &body).await.json();
        let reading = Home::start(&app, reader["key"].as_str().unwrap()).await;
        assert_eq!(code(&reading.ask("synthesize", json!({ "text": "Hello." })).await), "insufficient_scope");
        let mut client = reading.connect().await;
        client.send("describe", json!({})).await;
        let (kind, info, _) = client.next().await.unwrap();
        assert_eq!((kind.as_str(), &info["tts"][0]["voices"][0]["name"]), ("info", &json!("heart")));
        let wrong = Home::start(&app, "svc_live_nonsense").await;
        for kind in ["describe", "synthesize"] {
            assert_eq!(code(&wrong.ask(kind, json!({ "text": "Hello." })).await), "invalid_api_key");
        }
        app.finish().await;
    }

    async fn sentences_that_come_in_pieces_are_paid_one_by_one(setup: Setup) {
        let app = setup.speech(1, 8).start().await;
        let account = app.account(100).await;
        let home = Home::start(&app, &account.live).await;
        let mut client = home.connect().await;
        client.send("synthesize-start", json!({ "voice": { "name": "heart" } })).await;
        for piece in ["First ", "one. Sec", "ond"] {
            client.send("synthesize-chunk", json!({ "text": piece })).await;
        }
        // The first sentence comes before the second one is whole.
        assert_eq!(client.next().await.unwrap().0, "audio-start");
        let mut bytes = 0;
        // What is still in the limiter comes with the next sentence.
        while bytes < "First one.".len() * 450 * 2 {
            bytes += client.next().await.unwrap().2;
        }
        app.until("the first sentence is paid", async || {
            let (balance, held) = app.balance(&account).await;
            balance < 100 && held == 0
        })
        .await;
        client.send("synthesize", json!({ "text": "First one. Second one." })).await;
        client.send("synthesize-chunk", json!({ "text": " one." })).await;
        client.send("synthesize-stop", json!({})).await;
        let rest = client.rest().await;
        assert!(audio_bytes(&rest) >= "Second one.".len() * 480 * 2);
        assert_eq!(client.next().await.unwrap().0, "synthesize-stopped");
        assert_eq!(app.balance(&account).await, (100 - 22, 0));
        app.finish().await;
    }

    // Not seen to fail yet: when a stop ends every connection at once, the audio breaks off.
    async fn what_is_being_said_is_said_to_its_end_when_the_service_stops(setup: Setup) {
        let app = setup.speech(1, 8).start().await;
        let account = app.account(100).await;
        let home = Home::start(&app, &account.live).await;
        let mut idle = home.connect().await;
        idle.send("ping", json!({ "text": "x" })).await;
        assert_eq!(idle.next().await.unwrap().1, json!({ "text": "x" }));
        let text = "First one. Second one.";
        let whole = audio_bytes(&home.ask("synthesize", json!({ "text": text })).await);
        app.engine.set_for("Second", Behavior::Block);
        let mut client = home.connect().await;
        client.send("synthesize", json!({ "text": text })).await;
        assert_eq!(client.next().await.unwrap().0, "audio-start");
        app.app.stop.cancel();
        assert_eq!(idle.next().await, None, "an idle connection ends at once");
        app.engine.set_for("Second", Behavior::Speak);
        let events = client.rest().await;
        assert_eq!(audio_bytes(&events), whole);
        assert_eq!(client.next().await, None);
        home.serving.await.unwrap();
        app.end().await;
    }
}
