//! SSML and speakers on the routes that speak: prices by voice, places in the text as sent, refusals in the
//! contract's order.

use lectern_store::Tier;
use lectern_testkit::{Account, Reply, TestApp};
use reqwest::Method;
use serde_json::{Value, json};

const WHOLE: &str = "/v1/saas/tts:synthesize";
const STREAM: &str = "/v1/saas/tts:stream";
const OPENAI: &str = "/v1/audio/speech";

/// An account of the tier that may use `alma`, which costs 2 credits a character.
async fn set_up() -> (TestApp, Account) {
    let app = TestApp::start().await;
    let account = app.account_of(Tier::Premium, 100_000).await;
    (app, account)
}

async fn synthesize(app: &TestApp, account: &Account, fields: Value) -> Reply {
    let mut body = json!({ "ereader_id": app.ereader("heart").await, "text_type": "ssml" });
    for (field, value) in fields.as_object().unwrap() {
        body[field] = value.clone();
    }
    app.post(WHOLE, &account.live, &body).await
}

fn sentence(reply: &Reply, field: &str) -> String {
    assert_eq!(reply.refusal(), "validation_failed");
    reply.json()["error"]["details"]["fields"][field].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn elements_are_free_and_words_stand_where_they_were_sent() {
    let (app, account) = set_up().await;
    let text = "<speak>Hé <mark name=\"here\"/>said <sub alias=\"World Wide Web\">WWW</sub> &amp; tea.\
        <break time=\"1s\"/><mark name=\"end\"/></speak>";
    let reply = synthesize(&app, &account, json!({ "text": text, "timestamps": "word" })).await;
    assert_eq!(reply.status, 200, "{}", reply.json());
    let body = reply.json();
    // "Hé said World Wide Web & tea."
    assert_eq!((&body["characters"], &body["credits_charged"]), (&json!(29), &json!(29)));
    let stamps = body["timestamps"].as_array().unwrap();
    let words: Vec<&str> = stamps.iter().filter_map(|stamp| stamp["text"].as_str()).collect();
    assert_eq!(words, ["Hé", "said", "WWW", "&", "tea."]);
    let characters: Vec<char> = text.chars().collect();
    let sent: Vec<String> = stamps
        .iter()
        .filter(|stamp| stamp["text"].is_string())
        .map(|stamp| {
            let place = |name: &str| usize::try_from(stamp[name].as_u64().unwrap()).unwrap();
            characters[place("start_char")..place("end_char")].iter().collect()
        })
        .collect();
    assert_eq!(sent, ["Hé", "said", "WWW", "&amp;", "tea."]);
    let marks: Vec<(&str, u64)> =
        stamps.iter().filter_map(|stamp| Some((stamp["mark"].as_str()?, stamp["at_ms"].as_u64()?))).collect();
    let said = stamps.iter().find(|stamp| stamp["text"] == "said").unwrap();
    assert_eq!(marks[0], ("here", said["start_ms"].as_u64().unwrap()));
    assert_eq!(marks[1].0, "end");
    let times: Vec<u64> =
        stamps.iter().map(|stamp| stamp["start_ms"].as_u64().or(stamp["at_ms"].as_u64()).unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    app.finish().await;
}

#[tokio::test]
async fn a_break_lasts_as_long_as_it_says_on_every_route() {
    let (app, account) = set_up().await;
    let id = app.ereader("heart").await;
    let length = async |text: &str| {
        let mut lengths = Vec::new();
        for (path, body) in [
            (
                WHOLE,
                json!({ "text": text, "text_type": "ssml", "ereader_id": id, "format": "pcm", "sample_rate_hz": 24_000 }),
            ),
            (
                STREAM,
                json!({ "text": text, "text_type": "ssml", "ereader_id": id, "format": "pcm", "sample_rate_hz": 24_000 }),
            ),
            (
                OPENAI,
                json!({ "model": "lectern", "input": text, "input_type": "ssml", "voice": "heart", "response_format": "pcm" }),
            ),
        ] {
            let reply = app.post(path, &account.live, &body).await;
            assert_eq!(reply.status, 200, "{path}");
            let bytes = if path == WHOLE {
                let url = reply.json()["audio_url"].as_str().unwrap().to_owned();
                app.send(app.request(Method::GET, &url)).await.bytes
            } else {
                reply.bytes
            };
            lengths.push(bytes.len() as u64 / 48);
        }
        lengths
    };
    let without = length("<speak>One <break time=\"500ms\"/>two</speak>").await;
    let with = length("<speak>One <break time=\"1.5s\"/>two</speak>").await;
    for (without, with) in without.iter().zip(&with) {
        assert!((with - without).abs_diff(1_000) <= 20, "{without} and {with} ms");
    }
    app.finish().await;
}

#[tokio::test]
async fn each_character_has_the_price_of_its_voice() {
    let (app, account) = set_up().await;
    let text = "<speak>Four<voice name=\"alma\">fives</voice></speak>";
    let reply = synthesize(&app, &account, json!({ "text": text })).await;
    assert_eq!(reply.status, 200, "{}", reply.json());
    assert_eq!((&reply.json()["characters"], &reply.json()["credits_charged"]), (&json!(9), &json!(4 + 10)));
    assert_eq!(app.balance(&account).await, (100_000 - 14, 0));

    let id = app.ereader("heart").await;
    let body = json!({ "text": text, "text_type": "ssml", "ereader_id": id });
    let stream = app.post(STREAM, &account.live, &body).await;
    assert_eq!((stream.header("lectern-characters"), stream.header("lectern-credits")), ("9", "14"));

    let speakers = json!({ "Ines": app.ereader("alma").await });
    let text = "Four\n[speaker Ines]\nfives\n[speaker Tom]\nsix";
    let plain = json!({ "text": text, "ereader_id": id, "speakers": speakers });
    let reply = app.post(WHOLE, &account.live, &plain).await;
    assert_eq!(reply.status, 200, "{}", reply.json());
    // The ends of lines count; the lines that name speakers do not.
    assert_eq!(
        (&reply.json()["characters"], &reply.json()["credits_charged"]),
        (&json!(16), &json!(5 + 14 + 4))
    );
    let spoken = app.engine.utterances();
    assert!(spoken.iter().all(|text| !text.contains("speaker")), "{spoken:?}");
    app.finish().await;
}

#[tokio::test]
async fn refusals_come_in_the_contracts_order_and_cost_nothing() {
    let (app, account) = set_up().await;
    let free = app.account(10).await;
    let send = async |fields: Value| synthesize(&app, &account, fields).await;
    let before = app.balance(&account).await;
    assert_eq!(
        sentence(&send(json!({ "text": "", "text_type": "html" })).await, "text_type"),
        "must be one of: text, ssml"
    );
    assert_eq!(send(json!({ "text": "x".repeat(40_001) })).await.refusal(), "text_too_long");
    let wrong = send(json!({ "text": "<speak>\n <audio/></speak>", "speed": 9, "ereader_id": "no" })).await;
    assert!(sentence(&wrong, "text").starts_with("line 2, column 2: the element audio"));
    assert_eq!(wrong.fields(), ["text"]);
    assert_eq!(
        send(json!({ "text": "<speak> <break/> </speak>", "speed": 9 })).await.refusal(),
        "text_empty"
    );
    let long = format!("<speak>{}</speak>", "x".repeat(5_001));
    assert_eq!(send(json!({ "text": long, "speed": 9 })).await.refusal(), "text_too_long");
    let fields = send(json!({ "text": "<speak>x</speak>", "speed": 9, "speakers": 1 })).await;
    assert_eq!(fields.fields(), ["speakers", "speed"]);
    let both = send(json!({ "text": "<speak>x</speak>", "speakers": {} })).await;
    assert_eq!(both.fields(), ["speakers"]);
    let unknown = "<speak><voice name=\"nobody\">x</voice></speak>";
    assert_eq!(send(json!({ "text": unknown, "format": "xyz" })).await.fields(), ["format"]);
    assert_eq!(send(json!({ "text": unknown })).await.refusal(), "ereader_not_found");
    let other = "<speak><voice name=\"alma\">x</voice></speak>";
    let reply = synthesize(&app, &free, json!({ "text": other })).await;
    assert_eq!(reply.refusal(), "ereader_tier_not_available");
    let slug = json!({ "text": "[speaker A]\nx", "text_type": "text", "speakers": { "A": "erd_x" } });
    assert_eq!(send(slug).await.refusal(), "ereader_not_found");
    app.database().run("UPDATE ereaders SET engine = 'upstream' WHERE slug = 'alma'").await;
    for element in
        ["<emphasis>x</emphasis>", "<prosody rate=\"80%\">x</prosody>", "<phoneme ph=\"ə\">x</phoneme>"]
    {
        let text = format!("<speak><voice name=\"alma\">{element}</voice></speak>");
        let sentence = sentence(&send(json!({ "text": text })).await, "text");
        assert!(sentence.starts_with("line 1, column 27: the engine upstream cannot follow "), "{sentence}");
    }
    assert_eq!(app.balance(&account).await, before);
    app.finish().await;
}

#[tokio::test]
async fn a_replayed_request_is_charged_once_whatever_it_is_written_in() {
    let (app, account) = set_up().await;
    let id = app.ereader("heart").await;
    let body = json!({ "text": "<speak>Hello</speak>", "text_type": "ssml", "ereader_id": id });
    let once = |body: Value| {
        app.request(Method::POST, WHOLE).bearer_auth(&account.live).header("Idempotency-Key", "k").json(&body)
    };
    let first = app.send(once(body.clone())).await;
    let again = app.send(once(body.clone())).await;
    assert_eq!(first.json(), again.json());
    let plain = json!({ "text": "<speak>Hello</speak>", "ereader_id": id });
    assert_eq!(app.send(once(plain)).await.refusal(), "idempotency_key_reuse");
    assert_eq!(app.balance(&account).await, (100_000 - 5, 0));
    app.finish().await;
}
