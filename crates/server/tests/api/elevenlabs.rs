//! The text-to-speech part of ElevenLabs' API. `scripts/elevenlabs_sdk.py` and its JavaScript
//! neighbour test that ElevenLabs' own SDKs can call it.

mod stream_input;

use lectern_testkit::{Account, Behavior, Reply, TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};

const TEXT: &str = "Hello there.";

/// A POST with the key where ElevenLabs' SDKs put it.
async fn say(app: &TestApp, key: &str, path: &str, body: &Value) -> Reply {
    let path = format!("/v1/text-to-speech/{path}");
    app.send(app.request(Method::POST, &path).header("xi-api-key", key).json(body)).await
}

async fn get(app: &TestApp, key: &str, path: &str) -> Reply {
    app.send(app.request(Method::GET, path).header("xi-api-key", key)).await
}

fn hello() -> Value {
    json!({ "text": TEXT, "model_id": "eleven_multilingual_v2" })
}

/// The code of a refusal, which `detail` must repeat.
fn refusal(reply: &Reply) -> String {
    let code = reply.refusal();
    let body = reply.json();
    assert_eq!(body["detail"], json!({ "status": code, "message": body["error"]["message"] }));
    code
}

async fn lexicon(app: &TestApp, account: &Account) -> String {
    let body = json!({ "name": "N", "language": "en-US", "entries": [{ "word": "there", "alias": "you" }] });
    app.post("/v1/saas/lexicons", &account.live, &body).await.json()["id"].as_str().unwrap().to_owned()
}

on_both! {
    async fn a_voice_is_an_id_or_a_name_and_the_key_is_in_either_header(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let heart = app.ereader("heart").await;
        for voice in ["heart", heart.as_str(), "alloy"] {
            for path in [voice.to_owned(), format!("{voice}/stream")] {
                let reply = say(&app, &account.live, &path, &hello()).await;
                assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "audio/mpeg"), "{path}");
            }
        }
        let reply = app.post("/v1/text-to-speech/heart", &account.live, &hello()).await;
        assert_eq!(reply.status, 200);
        assert_eq!(app.balance(&account).await, (1_000 - 7 * 12, 0));
        for (voice, code) in [
            ("nobody", "ereader_not_found"),
            ("%00", "ereader_not_found"),
            ("alma", "ereader_tier_not_available"),
        ] {
            assert_eq!(refusal(&say(&app, &account.live, voice, &hello()).await), code, "{voice}");
        }
        let both = app.request(Method::POST, "/v1/text-to-speech/heart").bearer_auth(&account.live);
        let both = app.send(both.header("xi-api-key", &account.live).json(&hello())).await;
        assert_eq!(refusal(&both), "invalid_api_key");
        let none = app.send(app.request(Method::GET, "/v1/voices")).await;
        assert_eq!(refusal(&none), "missing_api_key");
        assert_eq!(refusal(&get(&app, "svc_live_nonsense", "/v1/models").await), "invalid_api_key");
        // The header is for this interface only, and `detail` as well.
        assert_eq!(get(&app, &account.live, "/v1/saas/me").await.refusal(), "missing_api_key");
        let openai = app.get("/v1/models/none", &account.live).await.json();
        assert_eq!(openai["detail"], Value::Null);
        app.finish().await;
    }

    async fn every_listed_output_format_can_be_had_and_others_are_named(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        for (format, media_type) in [
            ("mp3_22050_32", "audio/mpeg"),
            ("mp3_44100_192", "audio/mpeg"),
            ("opus_48000_128", "audio/ogg"),
            ("wav_16000", "audio/wav"),
            ("pcm_44100", "audio/pcm;rate=44100"),
            ("ulaw_8000", "audio/PCMU"),
            ("alaw_8000", "audio/PCMA"),
        ] {
            let reply = say(&app, &account.live, &format!("heart?output_format={format}"), &hello()).await;
            assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, media_type), "{format}");
        }
        let usual = say(&app, &account.live, "heart", &hello()).await;
        let named = say(&app, &account.live, "heart?output_format=mp3_44100_128", &hello()).await;
        assert_eq!(usual.bytes, named.bytes);
        for format in ["mp3_44100_129", "opus_48000_192", "pcm_32000", ""] {
            let reply = say(&app, &account.live, &format!("heart?output_format={format}"), &hello()).await;
            assert_eq!((refusal(&reply).as_str(), reply.fields()), ("validation_failed", vec!["output_format".to_owned()]));
        }
        let reply = say(&app, &account.live, "heart?speed=1", &hello()).await;
        assert_eq!(reply.fields(), ["speed"]);
        app.finish().await;
    }

    async fn fields_are_followed_ignored_or_named(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let with = |field: &str, value: Value| {
            let mut body = hello();
            body[field] = value;
            body
        };
        let ours = lexicon(&app, &account).await;
        let locators = |id: &str| json!([{ "pronunciation_dictionary_id": id, "version_id": "1" }]);
        let reply = say(&app, &account.live, "heart", &with("pronunciation_dictionary_locators", locators(&ours))).await;
        assert_eq!(reply.status, 200);
        assert_eq!(app.engine.utterances().last().unwrap().trim(), "Hello you.");
        for id in ["lex_019aa4f6c0de7000800000000000a001", "theirs"] {
            let body = with("pronunciation_dictionary_locators", locators(id));
            assert_eq!(refusal(&say(&app, &account.live, "heart", &body).await), "lexicon_not_found");
        }
        let slow = say(&app, &account.live, "heart?output_format=pcm_24000", &with("voice_settings", json!({ "speed": 0.5 }))).await;
        let usual = say(&app, &account.live, "heart?output_format=pcm_24000", &hello()).await;
        assert!(slow.bytes.len() > usual.bytes.len(), "{} {}", slow.bytes.len(), usual.bytes.len());
        let body = with("voice_settings", json!({ "stability": 0.5, "speed": null }));
        let reply = say(&app, &account.live, "heart", &body).await;
        assert_eq!((reply.status.as_u16(), reply.header("lectern-ignored")), (200, "voice_settings.stability"));
        for (field, value, named) in [
            ("voice_settings", json!({ "speed": 3 }), "voice_settings.speed"),
            ("language_code", json!("fr"), "language_code"),
            ("audio_effects", json!({}), "audio_effects"),
            ("seed", json!(-1), "seed"),
        ] {
            let reply = say(&app, &account.live, "heart", &with(field, value)).await;
            assert_eq!((refusal(&reply).as_str(), reply.fields()), ("validation_failed", vec![named.to_owned()]));
        }
        let long = with("text", json!("a".repeat(5_001)));
        assert_eq!(refusal(&say(&app, &account.live, "heart?output_format=x", &long).await), "text_too_long");
        assert_eq!(refusal(&say(&app, &account.live, "heart", &with("text", json!(" "))).await), "text_empty");
        app.finish().await;
    }

    // Not seen to fail yet: without the parameters in the fingerprint, the second format replays the first.
    async fn an_idempotency_key_covers_the_output_format_as_well(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        for route in ["heart", "heart/with-timestamps"] {
            let send = async |format: &str| {
                let path = format!("/v1/text-to-speech/{route}?output_format={format}");
                let request = app.request(Method::POST, &path).header("xi-api-key", &account.live);
                app.send(request.header("idempotency-key", "once").json(&hello())).await
            };
            let first = send("pcm_16000").await;
            let again = send("pcm_16000").await;
            assert_eq!((again.header("idempotent-replayed"), &again.bytes), ("true", &first.bytes), "{route}");
            assert_eq!(refusal(&send("pcm_8000").await), "idempotency_key_reuse", "{route}");
        }
        assert_eq!(app.balance(&account).await, (1_000 - 2 * 12, 0));
        app.finish().await;
    }

    async fn times_come_for_each_character_whole_or_in_lines(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let plain = say(&app, &account.live, "heart/with-timestamps?output_format=pcm_48000", &hello()).await;
        assert_eq!((plain.status.as_u16(), plain.header("content-type")), (200, "application/json"));
        assert_eq!(plain.header("content-length"), plain.bytes.len().to_string());
        let whole = plain.json();
        let alignment = &whole["alignment"];
        let characters: Vec<&str> = alignment["characters"].as_array().unwrap().iter().map(|c| c.as_str().unwrap()).collect();
        assert_eq!(characters.concat(), TEXT);
        let times = |name: &str| -> Vec<f64> {
            alignment[name].as_array().unwrap().iter().map(|time| time.as_f64().unwrap()).collect()
        };
        let (starts, ends) = (times("character_start_times_seconds"), times("character_end_times_seconds"));
        assert_eq!((starts.len(), ends.len()), (TEXT.len(), TEXT.len()));
        assert!(starts.is_sorted() && ends.is_sorted() && starts.iter().zip(&ends).all(|(start, end)| start <= end));
        let audio = base64(&whole["audio_base64"]);
        let seconds = audio.len() as f64 / 2.0 / 48_000.0;
        assert!((ends.last().unwrap() - seconds).abs() < 0.01, "{ends:?} {seconds}");

        let lines = say(&app, &account.live, "heart/stream/with-timestamps?output_format=pcm_48000", &hello()).await;
        assert_eq!((lines.status.as_u16(), lines.header("content-type")), (200, "application/x-ndjson"));
        let lines = lines_of(lines);
        let told: Vec<&Value> = lines.iter().map(|line| &line["alignment"]).filter(|told| !told.is_null()).collect();
        let joined = |name: &str| told.iter().flat_map(|told| told[name].as_array().unwrap().clone()).collect::<Vec<_>>();
        assert_eq!(joined("characters").iter().map(|c| c.as_str().unwrap()).collect::<String>(), TEXT);
        assert_eq!(joined("character_start_times_seconds").len(), TEXT.len());
        let pieces: Vec<Vec<u8>> = lines.iter().map(|line| base64(&line["audio_base64"])).collect();
        // A stream keeps the level of the voice, so only the length is the same.
        assert!(pieces.concat().len().abs_diff(audio.len()) < 9_600, "{} {}", pieces.concat().len(), audio.len());
        assert_eq!(app.balance(&account).await, (1_000 - 2 * 12, 0));
        // With a key for repetitions, the lines are the same each time.
        let again = async || {
            let request = app.request(Method::POST, "/v1/text-to-speech/heart/stream/with-timestamps");
            app.send(request.header("xi-api-key", &account.live).header("idempotency-key", "k").json(&hello())).await
        };
        let (first, second) = (again().await, again().await);
        assert_eq!((second.header("idempotent-replayed"), &second.bytes), ("true", &first.bytes));
        app.finish().await;
    }

    // With the times of the whole text, the first line could not come while the second sentence is held.
    async fn lines_with_times_come_sentence_by_sentence(setup: Setup) {
        let app = setup.speech(1, 8).start().await;
        let account = app.account(1_000).await;
        app.engine.set_for("Second", Behavior::Block);
        let path = "/v1/text-to-speech/heart/stream/with-timestamps?output_format=pcm_24000";
        let request = app.request(Method::POST, path).header("xi-api-key", &account.live);
        let text = "First sentence here.  Second one is held.\n";
        let mut response = request.json(&json!({ "text": text })).send().await.unwrap();
        let first = response.chunk().await.unwrap().unwrap();
        let first: Value = serde_json::from_slice(&first).unwrap();
        assert_eq!(characters(&first), "First sentence here.");
        assert_eq!(first["alignment"]["character_start_times_seconds"][0], json!(0.0));
        app.engine.set_for("Second", Behavior::Speak);
        let mut rest = Vec::new();
        while let Some(chunk) = response.chunk().await.unwrap() {
            rest.extend_from_slice(&chunk);
        }
        let rest: Vec<Value> = String::from_utf8(rest).unwrap().lines()
            .map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(rest.iter().map(characters).collect::<String>(), "  Second one is held.\n");
        let starts = rest[0]["alignment"]["character_start_times_seconds"].as_array().unwrap();
        assert!(starts[2].as_f64().unwrap() >= 0.4, "times count from the beginning of the whole: {starts:?}");
        app.finish().await;
    }

    async fn tags_of_elevenlabs_are_understood(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let text = r#"One. <break time="2s" /> <phoneme alphabet="cmu-arpabet" ph="M AE1 D">Two</phoneme>."#;
        let path = "heart?output_format=pcm_24000";
        let long = say(&app, &account.live, path, &json!({ "text": text })).await;
        let usual = say(&app, &account.live, path, &json!({ "text": "One.  Two." })).await;
        let longer = (long.bytes.len() - usual.bytes.len()) / 48;
        assert!((1_000..2_100).contains(&longer), "{longer} ms");
        // Neither tag is paid for.
        assert_eq!(app.balance(&account).await, (1_000 - 2 * 10, 0));
        app.finish().await;
    }
}

/// The characters of a line, none if it tells no times.
fn characters(line: &Value) -> String {
    let list = line["alignment"]["characters"].as_array();
    list.into_iter().flatten().map(|character| character.as_str().unwrap()).collect()
}

fn lines_of(reply: Reply) -> Vec<Value> {
    let text = String::from_utf8(reply.bytes).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn base64(text: &Value) -> Vec<u8> {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    STANDARD.decode(text.as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn voices_are_listed_found_and_paged() {
    let app = TestApp::start().await;
    let account = app.account(0).await;
    let heart = app.ereader("heart").await;
    let all = get(&app, &account.test, "/v1/voices?show_legacy=true").await.json();
    let names: Vec<&Value> =
        all["voices"].as_array().unwrap().iter().map(|voice| &voice["labels"]["slug"]).collect();
    assert_eq!(names, ["heart", "alma"]);
    let first = &all["voices"][0];
    assert_eq!(
        (&first["voice_id"], &first["available_for_tiers"]),
        (&json!(heart), &json!(["free", "standard", "premium"]))
    );
    assert_eq!(all["voices"][1]["available_for_tiers"], json!(["premium"]));
    for name in ["heart", heart.as_str(), "nova"] {
        assert_eq!(
            &get(&app, &account.test, &format!("/v1/voices/{name}?with_settings=true")).await.json(),
            first
        );
    }
    assert_eq!(refusal(&get(&app, &account.test, "/v1/voices/nobody").await), "ereader_not_found");

    let page = get(&app, &account.test, "/v2/voices?page_size=1").await.json();
    assert_eq!(
        (&page["voices"], &page["has_more"], &page["total_count"]),
        (&json!([first]), &json!(true), &json!(2))
    );
    let token = page["next_page_token"].as_str().unwrap();
    let next =
        get(&app, &account.test, &format!("/v2/voices?page_size=1&next_page_token={token}")).await.json();
    assert_eq!((&next["voices"][0], &next["has_more"]), (&all["voices"][1], &json!(false)));
    assert_eq!(next["next_page_token"], Value::Null);
    for (query, found) in [
        ("search=ALMA", 1),
        ("search=xyz", 0),
        ("language=en&language=fr", 2),
        ("language=fr", 0),
        ("gender=nobody", 0),
        (&format!("voice_ids={heart}&voice_ids=other&include_total_count=true"), 1),
    ] {
        let page = get(&app, &account.test, &format!("/v2/voices?{query}")).await.json();
        assert_eq!(page["total_count"], found, "{query}");
    }
    for (query, field) in
        [("page_size=101", "page_size"), ("next_page_token=x", "next_page_token"), ("sort=name", "sort")]
    {
        assert_eq!(get(&app, &account.test, &format!("/v2/voices?{query}")).await.fields(), [field]);
    }
    app.finish().await;
}

#[tokio::test]
async fn models_and_credits_are_shown_in_elevenlabs_form() {
    let app = TestApp::start().await;
    let account = app.account(1_000).await;
    let models = get(&app, &account.test, "/v1/models").await.json();
    assert_eq!(
        (&models[0]["model_id"], &models[0]["can_do_text_to_speech"]),
        (&json!("lectern"), &json!(true))
    );
    assert_eq!(models[0]["languages"][0], json!({ "language_id": "en", "name": "en-US" }));
    let openai = app.get("/v1/models", &account.test).await.json();
    assert_eq!(openai["object"], "list");
    let subscription = get(&app, &account.live, "/v1/user/subscription").await.json();
    assert_eq!(
        (&subscription["character_count"], &subscription["character_limit"], &subscription["status"]),
        (&json!(0), &json!(1_000), &json!("active"))
    );
    let user = get(&app, &account.live, "/v1/user").await.json();
    assert_eq!(user["subscription"], subscription);
    let me = app.get("/v1/saas/me", &account.live).await.json();
    assert_eq!(user["user_id"], me["id"]);
    app.finish().await;
}
