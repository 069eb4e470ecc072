//! The speech part of OpenAI's API. `scripts/openai_sdk.py` tests that OpenAI's own SDK can call
//! it.

use lectern_store::ereaders;
use lectern_testkit::{Behavior, Reply, TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};

const SPEECH: &str = "/v1/audio/speech";

fn speech(voice: impl Into<Value>) -> Value {
    json!({ "model": "tts-1", "input": "Hello there.", "voice": voice.into() })
}

on_both! {
    async fn a_voice_is_a_slug_an_id_or_a_name_of_openai_s(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let (heart, alma) = (app.ereader("heart").await, app.ereader("alma").await);
        for voice in [json!("heart"), json!(heart), json!("alloy"), json!("cedar"), json!({ "id": "heart" })] {
            let reply = app.post(SPEECH, &account.live, &speech(voice.clone())).await;
            assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "audio/mpeg"), "{voice}");
            assert!(reply.bytes.starts_with(b"ID3"));
        }
        assert_eq!(app.balance(&account).await, (1_000 - 5 * 12, 0));
        let by = app.get("/v1/saas/usage?group_by=ereader", &account.live).await.json()["data"].clone();
        assert_eq!(by, json!([{ "key": heart, "characters": 60, "credits": 60, "requests": 5 }]));
        for (voice, code) in [
            ("nobody", "ereader_not_found"),
            ("Heart", "ereader_not_found"),
            ("\u{0}", "ereader_not_found"),
            ("erd_019aa4f6c0de7000800000000000a001", "ereader_not_found"),
            ("alma", "ereader_tier_not_available"),
            (alma.as_str(), "ereader_tier_not_available"),
        ] {
            assert_eq!(app.post(SPEECH, &account.live, &speech(voice)).await.refusal(), code, "{voice:?}");
        }
        let mut hebrew = speech("heart");
        hebrew["input"] = json!("שלום עולם");
        assert_eq!(app.post(SPEECH, &account.live, &hebrew).await.refusal(), "language_not_supported");
        // A slug takes precedence over the name of an OpenAI voice.
        let mut named = ereaders::find_by_slug(&app.base.store, "alma").await.unwrap().unwrap();
        (named.slug, named.id) = ("alloy".to_owned(), app.base.ids.make());
        ereaders::put(&app.base.store, &named, app.base.clock.now()).await.unwrap();
        let reply = app.post(SPEECH, &account.live, &speech("alloy")).await;
        assert_eq!(reply.refusal(), "ereader_tier_not_available");
        app.finish().await;
    }

    // Negative control: when a name depends on the engines of the process, "nova" is spoken by the default voice, at its price.
    async fn a_name_stands_for_the_same_voice_on_processes_with_other_engines(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let mut nova = ereaders::find_by_slug(&app.base.store, "heart").await.unwrap().unwrap();
        (nova.slug, nova.engine, nova.id) = ("af-nova".to_owned(), "elsewhere".to_owned(), app.base.ids.make());
        assert_eq!(app.post(SPEECH, &account.live, &speech("nova")).await.status, 200, "nobody has it: the default one");
        ereaders::put(&app.base.store, &nova, app.base.clock.now()).await.unwrap();
        assert_eq!(app.post(SPEECH, &account.live, &speech("nova")).await.refusal(), "service_unavailable");
        let voices = app.get("/v1/audio/voices", &account.live).await.json()["voices"].clone();
        let listed = voices.as_array().unwrap().iter().find(|voice| voice["id"] == "nova").unwrap();
        assert_eq!(listed["ereader_id"], json!(nova.id));
        app.finish().await;
    }

    async fn each_response_format_has_its_media_type_and_content(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let mut lengths = Vec::new();
        for (format, media_type) in [
            ("mp3", "audio/mpeg"),
            ("opus", "audio/ogg"),
            ("flac", "audio/flac"),
            ("wav", "audio/wav"),
            ("pcm", "audio/pcm;rate=24000"),
        ] {
            let mut body = speech("heart");
            body["response_format"] = json!(format);
            let reply = app.post(SPEECH, &account.live, &body).await;
            assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, media_type));
            lengths.push(reply.bytes.len());
        }
        // 12 characters of 480 samples of two bytes each; WAV adds its header.
        assert_eq!(lengths[3..], [44 + 12 * 480 * 2, 12 * 480 * 2]);
        app.finish().await;
    }

    async fn unsupported_values_are_reported_by_the_request_fields(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let with = |field: &str, value: Value| {
            let mut body = speech("heart");
            body[field] = value;
            body
        };
        let reply = app.post(SPEECH, &account.live, &with("response_format", json!("aac"))).await;
        assert_eq!(reply.fields(), ["response_format"]);
        let sentence = reply.json()["error"]["details"]["fields"]["response_format"].clone();
        assert_eq!(sentence, "must be one of: mp3, opus, flac, wav, pcm, ulaw, alaw");
        for (field, value) in [("speed", json!(4)), ("stream_format", json!("sse")), ("volume", json!(1))] {
            assert_eq!(app.post(SPEECH, &account.live, &with(field, value)).await.fields(), [field]);
        }
        app.engine.set(Behavior::Silent);
        assert_eq!(app.post(SPEECH, &account.live, &speech("heart")).await.fields(), ["input"]);
        app.engine.set(Behavior::Speak);
        let reply = app.post(SPEECH, &account.live, &with("instructions", json!("Whisper."))).await;
        assert_eq!((reply.status.as_u16(), reply.header("lectern-ignored")), (200, "instructions"));
        assert_eq!(app.balance(&account).await, (1_000 - 12, 0));
        app.finish().await;
    }

    async fn it_streams_and_an_idempotency_key_makes_it_safe_to_repeat(setup: Setup) {
        let app = setup.speech(1, 8).start().await;
        let account = app.account(1_000).await;
        app.engine.set_for("Second", Behavior::Block);
        let body = json!({
            "model": "lectern",
            "input": "First one. Second one.",
            "voice": "heart",
            "instructions": "Whisper.",
        });
        let request = || {
            let request = app.request(Method::POST, SPEECH).bearer_auth(&account.live).json(&body);
            request.header("idempotency-key", "stainless-python-retry-7b1f2a40-1111-4222-8333-444455556666")
        };
        let mut response = request().send().await.unwrap();
        assert_eq!(response.headers()["lectern-ignored"], "instructions");
        let mut whole = response.chunk().await.unwrap().unwrap().to_vec();
        app.engine.set_for("Second", Behavior::Speak);
        while let Some(chunk) = response.chunk().await.unwrap() {
            whole.extend(chunk);
        }
        let again = Reply::read(request().send().await.unwrap()).await;
        assert_eq!((again.header("idempotent-replayed"), &again.bytes), ("true", &whole));
        assert_eq!(again.header("lectern-ignored"), "instructions");
        assert_eq!(app.balance(&account).await, (978, 0));
        app.finish().await;
    }
}

#[tokio::test]
async fn models_and_voices_are_listed_in_openai_s_shape() {
    let app = TestApp::start().await;
    let account = app.account(0).await;
    let models = app.get("/v1/models", &account.test).await.json();
    assert_eq!(models["object"], "list");
    let ids: Vec<_> = models["data"].as_array().unwrap().iter().map(|model| &model["id"]).collect();
    assert_eq!(ids[..4], ["lectern", "tts-1", "tts-1-hd", "gpt-4o-mini-tts"]);
    let one = app.get("/v1/models/lectern", &account.test).await.json();
    assert_eq!(one, models["data"][0]);
    assert_eq!((&one["object"], one["created"].as_i64().unwrap() > 0), (&json!("model"), true));
    for name in ["gpt-5", "%00", "LECTERN"] {
        assert_eq!(app.get(&format!("/v1/models/{name}"), &account.test).await.refusal(), "not_found");
    }
    let voices = app.get("/v1/audio/voices", &account.test).await.json();
    let names: Vec<_> = voices["data"].as_array().unwrap().iter().map(|voice| &voice["id"]).collect();
    assert_eq!(names, ["heart", "alma"]);
    // And OpenAI's own names, which all stand for the first free one here.
    let all = voices["voices"].as_array().unwrap();
    assert_eq!(&all[..2], voices["data"].as_array().unwrap().as_slice());
    assert_eq!(all.len(), 2 + 13);
    assert_eq!((&all[2]["id"], &all[2]["ereader_id"]), (&json!("alloy"), &voices["data"][0]["ereader_id"]));
    assert_eq!(app.get("/v1/audio/voices?page=2", &account.test).await.fields(), ["page"]);
    app.finish().await;
}
