//! `POST /v1/saas/tts:synthesize`.

use lectern_store::{Tier, ereaders};
use lectern_testkit::{Behavior, Setup, TestApp, on_both};
use lectern_types::SynthesisId;
use reqwest::Method;
use serde_json::{Value, json};

const PATH: &str = "/v1/saas/tts:synthesize";

on_both! {
    async fn a_text_becomes_audio_at_a_signed_url_and_is_charged_by_the_character(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let text = "Hello, naïve world. 👩‍🚀";
        let reply = app.synthesize(&account.live, text).await;
        assert_eq!(reply.status, 200);
        let body = reply.json();
        let characters = i64::try_from(text.chars().count()).unwrap();
        assert!(body["id"].as_str().unwrap().parse::<SynthesisId>().is_ok());
        assert_eq!(body["characters"], characters);
        assert_eq!(body["credits_charged"], characters);
        assert_eq!(body["format"], "mp3");
        assert_eq!(body["sample_rate_hz"], 24_000);
        assert_eq!(body["ereader_id"], json!(app.ereader("heart").await));
        // 24 hours after 07:08:11.524 by the test's clock, in whole seconds.
        assert_eq!(body["expires_at"], "2026-11-22T07:08:11.000Z");
        assert!(body.get("timestamps").is_none(), "timestamps came without a request for them");
        assert!(body["duration_ms"].as_u64().unwrap() > 300);
        assert_eq!(app.balance(&account).await, (1_000 - characters, 0));

        let audio = app.send(app.request(Method::GET, body["audio_url"].as_str().unwrap())).await;
        assert_eq!((audio.status.as_u16(), audio.header("content-type")), (200, "audio/mpeg"));
        assert!(audio.bytes.starts_with(b"ID3") || audio.bytes.starts_with(&[0xff]), "no MP3");
        app.finish().await;
    }
}

#[tokio::test]
async fn each_format_has_its_media_type_and_content() {
    let app = TestApp::start().await;
    let account = app.account(1_000).await;
    let ereader = app.ereader("heart").await;
    for (format, media_type, magic) in [
        ("mp3", "audio/mpeg", &b"ID3"[..]),
        ("wav", "audio/wav", b"RIFF"),
        ("flac", "audio/flac", b"fLaC"),
        ("opus", "audio/ogg", b"OggS"),
    ] {
        let body = json!({ "text": "Hello there.", "ereader_id": ereader, "format": format });
        let reply = app.post(PATH, &account.live, &body).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["format"]), (200, &json!(format)));
        let audio = app.send(app.request(Method::GET, reply.json()["audio_url"].as_str().unwrap())).await;
        assert_eq!(audio.header("content-type"), media_type);
        assert!(audio.bytes.starts_with(magic), "{format} does not begin as it should");
    }
    app.finish().await;
}

#[tokio::test]
async fn the_same_request_gives_the_same_bytes() {
    let app = TestApp::start().await;
    let account = app.account(1_000).await;
    let mut heard = Vec::new();
    for text in ["Same again.", "Same again.", "Otherwise."] {
        let reply = app.synthesize(&account.live, text).await;
        let url = reply.json()["audio_url"].as_str().unwrap().to_owned();
        heard.push(app.send(app.request(Method::GET, &url)).await.bytes);
    }
    assert_eq!(heard[0], heard[1]);
    assert_ne!(heard[0], heard[2]);
    app.finish().await;
}

#[tokio::test]
async fn word_timestamps_point_into_the_text_as_sent() {
    let app = TestApp::start().await;
    let account = app.account(1_000).await;
    let text = "Größe zählt. 👍 Ja!";
    let body = json!({ "text": text, "ereader_id": app.ereader("heart").await, "timestamps": "word" });
    let reply = app.post(PATH, &account.live, &body).await.json();
    let words = reply["timestamps"].as_array().unwrap();
    assert_eq!(words.len(), 4);
    let scalars: Vec<char> = text.chars().collect();
    let mut before = 0;
    for word in words {
        let at = |field: &str| usize::try_from(word[field].as_u64().unwrap()).unwrap();
        let cut: String = scalars[at("start_char")..at("end_char")].iter().collect();
        assert_eq!(word["text"], cut);
        assert!(before <= at("start_ms") && at("start_ms") < at("end_ms"), "{word}");
        before = at("end_ms");
    }
    assert!(before as u64 <= reply["duration_ms"].as_u64().unwrap());
    app.finish().await;
}

#[tokio::test]
async fn speed_changes_the_length() {
    let app = TestApp::start().await;
    let account = app.account(1_000).await;
    let ereader = app.ereader("heart").await;
    let mut lengths = Vec::new();
    for speed in [json!(0.5), json!(1), json!(2.0)] {
        let body = json!({ "text": "A text of some length.", "ereader_id": ereader, "speed": speed });
        lengths.push(app.post(PATH, &account.live, &body).await.json()["duration_ms"].as_u64().unwrap());
    }
    assert!(
        lengths[0] > lengths[1] + lengths[1] / 2 && lengths[1] > lengths[2] + lengths[2] / 2,
        "{lengths:?}"
    );
    app.finish().await;
}

on_both! {
    // Negative control: seen to fail with the comparison of tiers inverted, and with the check for
    // a purchase before that of the tier.
    async fn refusals_come_in_the_contracts_order_and_charge_nothing(setup: Setup) {
        let app = setup.start().await;
        let rich = app.account(100_000).await;
        let poor = app.account(3).await;
        let never = app.account(0).await;
        let (heart, alma) = (app.ereader("heart").await, app.ereader("alma").await);
        let long = "x".repeat(5_001);
        let unknown = "erd_00000000000000000000000000000000";
        let ask = async |key: &str, body: Value| app.post(PATH, key, &body).await.refusal();
        for (key, body, code) in [
            (&rich.live, json!({ "text": "", "ereader_id": 1, "x": 1 }), "text_empty"),
            (&rich.live, json!({ "text": " \n\u{3000}" }), "text_empty"),
            (&rich.live, json!({ "text": long, "speed": 0 }), "text_too_long"),
            (&rich.live, json!({ "text": "a", "ereader_id": unknown, "speed": 0 }), "validation_failed"),
            (&rich.live, json!({ "text": 1 }), "validation_failed"),
            (&rich.live, json!({}), "validation_failed"),
            (&rich.live, json!({ "text": "a", "ereader_id": heart, "language": "fr" }), "validation_failed"),
            (&rich.live, json!({ "text": "a", "ereader_id": heart, "format": "ogg" }), "validation_failed"),
            (&rich.live, json!({ "text": "שלום", "ereader_id": unknown, "language": "fr" }), "ereader_not_found"),
            (&rich.live, json!({ "text": "שלום", "ereader_id": alma, "language": "fr" }), "validation_failed"),
            (&rich.live, json!({ "text": "שלום", "ereader_id": alma, "language": "en" }), "language_not_supported"),
            (&rich.live, json!({ "text": "ab שלום", "ereader_id": heart }), "language_not_supported"),
            (&never.live, json!({ "text": "a", "ereader_id": unknown }), "ereader_not_found"),
            (&never.live, json!({ "text": "a", "ereader_id": "heart" }), "ereader_not_found"),
            (&never.live, json!({ "text": "a", "ereader_id": alma }), "ereader_tier_not_available"),
            (&never.test, json!({ "text": "a", "ereader_id": alma }), "ereader_tier_not_available"),
            (&never.live, json!({ "text": "a", "ereader_id": heart }), "api_access_requires_credits"),
            (&poor.live, json!({ "text": "abcd", "ereader_id": heart }), "insufficient_balance"),
        ] {
            assert_eq!(ask(key, body.clone()).await, code, "{body}");
        }
        let hebrew = json!({ "text": "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.", "ereader_id": heart });
        let reply = app.post(PATH, &rich.test, &hebrew).await;
        let details = reply.json()["error"]["details"].clone();
        assert_eq!((&details["language"], &details["supported"][0]), (&json!("he"), &json!("en-US")));
        let short = app.post(PATH, &rich.live, &json!({ "text": "שלום", "ereader_id": heart })).await.json();
        assert_eq!(short["error"]["details"]["language"], json!(null));
        assert_eq!(app.engine.call_count(), 0, "the engine spoke a refused text");
        assert_eq!(app.balance(&rich).await, (100_000, 0));
        // The primary subtag decides about the language, and half of the letters decide about the
        // script: fewer of this text's letters are Hebrew, and `en-NZ` is English.
        let some = json!({ "text": "Words, and שלום", "ereader_id": heart, "language": "en-NZ" });
        assert_eq!(app.post(PATH, &rich.test, &some).await.status, 200);
        // Exactly enough credits are enough.
        assert_eq!(app.synthesize(&poor.live, "abc").await.status, 200);
        assert_eq!(app.balance(&poor).await, (0, 0));
        app.finish().await;
    }
}

on_both! {
    async fn a_higher_tier_reaches_all_below_it(setup: Setup) {
        let app = setup.start().await;
        let account = app.account_of(Tier::Premium, 0).await;
        let body = json!({ "text": "Hello.", "ereader_id": app.ereader("alma").await });
        let refusal = app.post(PATH, &account.live, &body).await;
        assert_eq!(refusal.refusal(), "insufficient_balance", "paid tiers need no purchase first");
        lectern_store::ledger::add(
            &app.base.store,
            account.id,
            lectern_store::ledger::Addition::Grant,
            lectern_types::Credits(12),
            None,
            lectern_store::ledger::Booking { now: app.clock.now(), ids: &|| app.base.ids.make() },
        )
        .await
        .unwrap();
        assert_eq!(app.post(PATH, &account.live, &body).await.json()["credits_charged"], 12);
        app.finish().await;
    }
}

#[tokio::test]
async fn an_inactive_e_reader_is_not_found() {
    let app = TestApp::start().await;
    let account = app.account(100).await;
    let mut heart = ereaders::find_by_slug(&app.base.store, "heart").await.unwrap().unwrap();
    heart.active = false;
    ereaders::put(&app.base.store, &heart, app.base.clock.now()).await.unwrap();
    assert_eq!(app.synthesize(&account.live, "Hello.").await.refusal(), "ereader_not_found");
    let listed = app.get("/v1/saas/ereaders", &account.live).await.json();
    assert!(listed["data"].as_array().unwrap().iter().all(|ereader| ereader["slug"] != "heart"));
    app.finish().await;
}

#[tokio::test]
async fn test_keys_pay_nothing_and_have_a_daily_cap() {
    let app = Setup::default().set("LECTERN_LIMITS__SANDBOX_CHARACTERS_PER_DAY", "10").start().await;
    let account = app.account(0).await;
    let reply = app.synthesize(&account.test, "12345678").await;
    assert_eq!((reply.status.as_u16(), &reply.json()["credits_charged"]), (200, &json!(0)));
    let over = app.synthesize(&account.test, "123").await;
    assert_eq!(over.refusal(), "rate_limited");
    // The time from 07:08:11 to midnight.
    assert_eq!(over.header("retry-after"), (16 * 3600 + 51 * 60 + 49).to_string());
    assert_eq!(app.synthesize(&account.test, "12").await.status, 200, "what still fits is spoken");
    app.clock.advance_seconds(17 * 3600);
    assert_eq!(app.synthesize(&account.test, "123").await.status, 200, "a new day begins at midnight UTC");
    app.finish().await;
}

on_both! {
    // Negative control: without `give_back_sandbox` the last request is over the cap.
    async fn a_refused_request_uses_up_none_of_a_test_keys_day(setup: Setup) {
        let app = setup.set("LECTERN_LIMITS__SANDBOX_CHARACTERS_PER_DAY", "10").start().await;
        let account = app.account(0).await;
        app.database().run("UPDATE ereaders SET engine = 'elsewhere' WHERE slug = 'heart'").await;
        let body = json!({ "text": "12345678", "ereader_id": app.ereader("heart").await });
        for path in [PATH, "/v1/saas/tts:stream"] {
            assert_eq!(app.post(path, &account.test, &body).await.refusal(), "service_unavailable");
        }
        app.database().run("UPDATE ereaders SET engine = 'hibari' WHERE slug = 'heart'").await;
        assert_eq!(app.synthesize(&account.test, "1234567890").await.status, 200);
        assert_eq!(app.synthesize(&account.test, "1").await.refusal(), "rate_limited");
        app.finish().await;
    }

    // Negative control: without `abort` in `services::speech::synthesis::run`, the hold stays and
    // the balance shows it.
    async fn a_failed_engine_charges_nothing_and_releases_the_hold(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(100).await;
        for mood in [Behavior::Fail, Behavior::Panic] {
            app.engine.set(mood);
            assert_eq!(app.synthesize(&account.live, "Hello.").await.refusal(), "tts_provider_error");
            assert_eq!(app.balance(&account).await, (100, 0));
        }
        app.engine.set(Behavior::Speak);
        assert_eq!(app.synthesize(&account.live, "Hello.").await.status, 200, "the next request is served");
        app.finish().await;
    }
}

#[tokio::test]
async fn a_text_with_nothing_to_say_is_refused_not_skipped() {
    let app = TestApp::start().await;
    let account = app.account(100).await;
    app.engine.set(Behavior::Silent);
    assert_eq!(app.synthesize(&account.live, "\u{1}\u{2}").await.fields(), ["text"]);
    assert_eq!(app.balance(&account).await, (100, 0));
    app.finish().await;
}

#[tokio::test]
async fn a_full_queue_answers_503_and_releases_the_hold() {
    let app = Setup::default().speech(1, 1).start().await;
    let account = app.account(100).await;
    app.engine.set(Behavior::Block);
    let body = json!({ "text": "First.", "ereader_id": app.ereader("heart").await });
    let first = app.request(Method::POST, PATH).bearer_auth(&account.live).json(&body);
    let first = tokio::spawn(async move { first.send().await.unwrap().status() });
    app.until("the first request reaching the engine", async || app.engine.call_count() == 1).await;
    let second = app.request(Method::POST, PATH).bearer_auth(&account.live).json(&body);
    let second = tokio::spawn(async move { second.send().await.unwrap().status() });
    app.until("the second request's place in the queue", async || app.app.speech.speaker.queued() == 1).await;
    let third = app.synthesize(&account.live, "Third.").await;
    assert_eq!((third.refusal().as_str(), third.header("retry-after")), ("service_unavailable", "1"));
    assert_eq!(app.balance(&account).await, (100, 12), "only the first two hold their price");
    app.engine.set(Behavior::Speak);
    assert_eq!((first.await.unwrap().as_u16(), second.await.unwrap().as_u16()), (200, 200));
    app.finish().await;
}

/// Two engines, one of which takes half a second for a character, on one thread.
async fn with_a_heavy_engine(setup: Setup) -> TestApp {
    let app = setup.speech(1, 64).engines(&[("hibari", 0.001), ("heavy", 0.5)]).start().await;
    app.database().run("UPDATE ereaders SET engine = 'heavy' WHERE slug = 'heart'").await;
    app
}

#[tokio::test]
async fn a_queue_is_full_by_its_work_and_says_when_there_is_room() {
    let app = with_a_heavy_engine(Setup::default().set("LECTERN_SPEECH__QUEUE_SECONDS", "60")).await;
    let account = app.account(10_000).await;
    app.engine.set(Behavior::Block);
    let long = "The keeper went down to the sea. ".repeat(8);
    let ereader = app.ereader("heart").await;
    let send = |text: &str| {
        let body = json!({ "text": text, "ereader_id": ereader });
        let request = app.request(Method::POST, PATH).bearer_auth(&account.live).json(&body);
        tokio::spawn(async move { request.send().await.unwrap().status().as_u16() })
    };
    let first = send("First.");
    app.until("the first request reaching the engine", async || app.engine.call_count() == 1).await;
    let second = send(&long);
    app.until("the second request's place in the queue", async || app.app.speech.speaker.queued() == 1).await;
    let third = app.synthesize(&account.live, &long).await;
    assert_eq!(third.refusal(), "service_unavailable");
    let seconds: u64 = third.header("retry-after").parse().unwrap();
    assert!((60..=200).contains(&seconds), "some 130 s of work wait: {seconds}");
    // The other engine has a queue of its own, and a thread for what is short.
    app.database().run("UPDATE ereaders SET engine = 'hibari' WHERE slug = 'heart'").await;
    let light = send("Light.");
    app.until("the light request reaching the engine", async || app.engine.call_count() == 2).await;
    app.engine.set(Behavior::Speak);
    for request in [first, second, light] {
        assert_eq!(request.await.unwrap(), 200);
    }
    app.finish().await;
}

#[tokio::test]
async fn a_voice_whose_engine_is_not_loaded_answers_503_and_says_so() {
    let app = TestApp::start().await;
    let account = app.account(100).await;
    app.database().run("UPDATE ereaders SET engine = 'elsewhere' WHERE slug = 'heart'").await;
    let refused = app.synthesize(&account.live, "Hello.").await;
    assert_eq!((refused.refusal().as_str(), refused.header("retry-after")), ("service_unavailable", "10"));
    assert!(refused.json()["error"]["message"].as_str().unwrap().contains("engine"), "{}", refused.json());
    assert_eq!(app.balance(&account).await, (100, 0));
    let ready = app.send(app.request(Method::GET, &format!("{}/readyz", app.management))).await;
    assert_eq!(ready.status, 200, "it has another engine");
    app.finish().await;
}

#[tokio::test]
async fn abandoned_requests_are_dropped_before_their_work_begins() {
    let app = Setup::default().speech(1, 8).start().await;
    let account = app.account(100).await;
    app.engine.set(Behavior::Block);
    let ereader = app.ereader("heart").await;
    let send = |text: &str| {
        let body = json!({ "text": text, "ereader_id": ereader });
        let request = app.request(Method::POST, PATH).bearer_auth(&account.live).json(&body);
        tokio::spawn(async move { request.send().await.map(|response| response.status()) })
    };
    let first = send("First.");
    app.until("the first request reaching the engine", async || app.engine.call_count() == 1).await;
    let second = send("Nobody waits for this.");
    app.until("the second request's hold", async || app.balance(&account).await.1 > 6).await;
    second.abort();
    app.until("the release of the second request's hold", async || app.balance(&account).await.1 == 6).await;
    app.engine.set(Behavior::Speak);
    assert_eq!(first.await.unwrap().unwrap(), 200);
    assert_eq!(app.engine.call_count(), 1, "the engine spoke for an abandoned request");
    assert_eq!(app.balance(&account).await, (94, 0));
    app.finish().await;
}

on_both! {
    async fn markup_is_spoken_and_not_paid_for(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(100).await;
        let text = "[pause 2s] Say [Ada](/ˈeɪdə/).[pause 1s]";
        let body = json!({ "text": text, "ereader_id": app.ereader("heart").await, "timestamps": "word" });
        let reply = app.post(PATH, &account.live, &body).await.json();
        // The spoken text is " Say Ada."
        assert_eq!((&reply["characters"], &reply["credits_charged"]), (&json!(9), &json!(9)), "{reply}");
        assert!(reply["duration_ms"].as_u64().unwrap() > 3_000, "{reply}");
        for word in reply["timestamps"].as_array().unwrap() {
            let (start, end) = (word["start_char"].as_u64().unwrap(), word["end_char"].as_u64().unwrap());
            let written: String = text.chars().skip(start as usize).take((end - start) as usize).collect();
            assert_eq!(word["text"], json!(lectern_speech::markup::plain(&written)));
            assert!(word["start_ms"].as_u64().unwrap() >= 1_900, "{word}");
        }
        assert_eq!(app.balance(&account).await, (91, 0));
        let nothing = json!({ "text": "[pause 1s] [pause 2s]", "ereader_id": "erd_x" });
        assert_eq!(app.post(PATH, &account.live, &nothing).await.refusal(), "text_empty");
        app.finish().await;
    }

    async fn a_text_of_over_half_an_hour_or_five_minutes_of_pauses_is_refused_before_anything_is_held(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(10_000).await;
        let emoji = "😂🚀".repeat(2_500);
        let pauses = format!("Well.{}", "[pause 10s]".repeat(181));
        // Five minutes of silence for five credits.
        let silence = format!("Well.{}", "[pause 10s]".repeat(31));
        for text in [emoji.as_str(), pauses.as_str(), silence.as_str()] {
            for path in [PATH, "/v1/saas/tts:stream"] {
                // The text's field is refused before the e-reader is looked up, at any speed.
                let body = json!({ "text": text, "ereader_id": "erd_x", "speed": 2 });
                let refusal = app.post(path, &account.live, &body).await;
                assert_eq!(refusal.refusal(), "validation_failed");
                assert_eq!(refusal.fields(), ["text"]);
            }
            let body = json!({ "model": "tts-1", "input": text, "voice": "nobody" });
            let refusal = app.post("/v1/audio/speech", &account.live, &body).await;
            assert_eq!(refusal.fields(), ["input"]);
            // An invalid field is reported first.
            let body = json!({ "text": text, "ereader_id": "erd_x", "speed": 9 });
            assert_eq!(app.post(PATH, &account.live, &body).await.fields(), ["speed"]);
        }
        assert_eq!(app.engine.call_count(), 0);
        assert_eq!(app.balance(&account).await, (10_000, 0));
        app.finish().await;
    }
}
