//! Formats, sample rates, bit rates, loudness, pitch and seed, on every route that speaks.

use lectern_speech::audio::{decode::decode, loudness};
use lectern_testkit::{Account, Reply, TestApp};
use reqwest::Method;
use serde_json::{Value, json};

const WHOLE: &str = "/v1/saas/tts:synthesize";
const STREAM: &str = "/v1/saas/tts:stream";
const OPENAI: &str = "/v1/audio/speech";

/// Long enough to be measured: the engine of these tests speaks 50 characters a second.
const TEXT: &str = "It was a long day in the middle of the year. The rain came late and stayed until the evening. \
    Nobody minded. There was a fire, and there were stories, and there was bread. Then it was night.";

async fn set_up() -> (TestApp, Account, Value) {
    let app = TestApp::start().await;
    let account = app.account(100_000).await;
    let body = json!({ "text": TEXT, "ereader_id": app.ereader("heart").await });
    (app, account, body)
}

fn with(body: &Value, fields: &Value) -> Value {
    let mut body = body.clone();
    for (field, value) in fields.as_object().unwrap() {
        body[field] = value.clone();
    }
    body
}

/// The response to a synthesis, and its audio.
async fn heard(app: &TestApp, key: &str, body: &Value) -> (Value, Reply) {
    let reply = app.post(WHOLE, key, body).await;
    assert_eq!(reply.status, 200, "{}", reply.json());
    let audio = app.send(app.request(Method::GET, reply.json()["audio_url"].as_str().unwrap())).await;
    (reply.json(), audio)
}

/// Samples of a headerless format, as 16 bits.
fn raw(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(2).map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / 32_768.0).collect()
}

#[tokio::test]
async fn every_format_has_every_rate_that_it_can_carry() {
    let (app, account, body) = set_up().await;
    let (plain, _) = heard(&app, &account.live, &body).await;
    for (format, rates, media_type) in [
        ("mp3", &[8_000, 16_000, 22_050, 24_000, 44_100, 48_000][..], "audio/mpeg"),
        ("wav", &[8_000, 16_000, 22_050, 24_000, 44_100, 48_000], "audio/wav"),
        ("flac", &[8_000, 22_050, 44_100], "audio/flac"),
        ("opus", &[8_000, 16_000, 24_000, 48_000], "audio/ogg"),
        ("pcm", &[8_000, 22_050, 48_000], "audio/pcm;rate="),
        ("ulaw", &[8_000, 16_000], "audio/PCMU"),
        ("alaw", &[8_000, 48_000], "audio/PCMA"),
    ] {
        for rate in rates {
            let fields = json!({ "format": format, "sample_rate_hz": rate });
            let (about, audio) = heard(&app, &account.live, &with(&body, &fields)).await;
            assert_eq!(about["sample_rate_hz"], json!(rate), "{format}");
            let duration = about["duration_ms"].as_u64().unwrap();
            assert!(duration.abs_diff(plain["duration_ms"].as_u64().unwrap()) < 20, "{format} {rate}");
            let expected = match (format, rate) {
                ("pcm", _) => format!("audio/pcm;rate={rate}"),
                _ => media_type.to_owned(),
            };
            assert_eq!(audio.header("content-type"), expected);
            let samples = match format {
                "pcm" => audio.bytes.len() / 2,
                "ulaw" | "alaw" => audio.bytes.len(),
                _ => {
                    let decoded = decode(&audio.bytes).unwrap();
                    // Opus decodes to 48,000 samples a second whatever was coded.
                    assert!(format == "opus" || decoded.sample_rate_hz == *rate, "{format} {rate}");
                    decoded.samples.len() * *rate as usize / decoded.sample_rate_hz as usize
                }
            };
            let lasts = samples as u64 * 1000 / u64::from(*rate);
            assert!(lasts.abs_diff(duration) < 30, "{format} at {rate}: {lasts} of {duration} ms");
        }
    }
    let (telephone, audio) = heard(&app, &account.live, &with(&body, &json!({ "format": "ulaw" }))).await;
    assert_eq!((&telephone["sample_rate_hz"], audio.header("content-type")), (&json!(8_000), "audio/PCMU"));
    app.finish().await;
}

#[tokio::test]
async fn words_keep_their_times_at_another_rate() {
    let (app, account, body) = set_up().await;
    let times = async |fields: Value| {
        let (about, _) = heard(&app, &account.live, &with(&body, &fields)).await;
        let words = about["timestamps"].as_array().unwrap().clone();
        words.iter().map(|word| word["start_ms"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let plain = times(json!({ "timestamps": "word" })).await;
    let other = times(json!({ "timestamps": "word", "sample_rate_hz": 44_100, "format": "wav" })).await;
    assert!(plain.iter().zip(&other).all(|(one, other)| one.abs_diff(*other) <= 2), "{plain:?} {other:?}");
    // ACX's room tone comes first.
    let acx = times(json!({ "timestamps": "word", "loudness": "acx", "format": "wav" })).await;
    assert!(
        plain.iter().zip(&acx).all(|(one, other)| (one + 600).abs_diff(*other) <= 2),
        "{plain:?} {acx:?}"
    );
    app.finish().await;
}

#[tokio::test]
async fn bit_rates_are_those_that_were_asked_for() {
    let (app, account, body) = set_up().await;
    for (format, rate, kbps) in [
        ("mp3", 24_000, 32),
        ("mp3", 24_000, 160),
        ("mp3", 44_100, 320),
        ("mp3", 8_000, 64),
        ("opus", 48_000, 6),
        ("opus", 48_000, 128),
    ] {
        let fields = json!({ "format": format, "sample_rate_hz": rate, "bitrate_kbps": kbps });
        let (about, audio) = heard(&app, &account.live, &with(&body, &fields)).await;
        let reached = audio.bytes.len() as u64 * 8 / about["duration_ms"].as_u64().unwrap();
        // Opus takes what it needs for a tone, more or less.
        let most = if format == "opus" { 3 * kbps } else { kbps + kbps / 8 };
        assert!((kbps / 2..=most).contains(&reached), "{format} {kbps}: {reached} kbit/s");
    }
    // MP3 of 8,000 samples a second holds no more than 64 kbit/s.
    let fields = json!({ "sample_rate_hz": 8_000, "bitrate_kbps": 160 });
    let (about, audio) = heard(&app, &account.live, &with(&body, &fields)).await;
    let reached = audio.bytes.len() as u64 * 8 / about["duration_ms"].as_u64().unwrap();
    assert!((32..=72).contains(&reached), "{reached} kbit/s");
    app.finish().await;
}

/// What no route takes, and the field that is named.
fn refused() -> Vec<(Value, &'static str)> {
    vec![
        (json!({ "sample_rate_hz": 11_025 }), "sample_rate_hz"),
        (json!({ "sample_rate_hz": 0 }), "sample_rate_hz"),
        (json!({ "sample_rate_hz": "8000" }), "sample_rate_hz"),
        (json!({ "bitrate_kbps": 192 }), "bitrate_kbps"),
        (json!({ "bitrate_kbps": 192, "sample_rate_hz": 24_000 }), "bitrate_kbps"),
        (json!({ "bitrate_kbps": 224, "sample_rate_hz": 44_100 }), "bitrate_kbps"),
        (json!({ "bitrate_kbps": 33 }), "bitrate_kbps"),
        (json!({ "bitrate_kbps": 0 }), "bitrate_kbps"),
        (json!({ "pitch": 12.5 }), "pitch"),
        (json!({ "pitch": -12.5 }), "pitch"),
        (json!({ "pitch": "high" }), "pitch"),
        (json!({ "seed": -1 }), "seed"),
        (json!({ "seed": 4_294_967_296_u64 }), "seed"),
        (json!({ "seed": 0.5 }), "seed"),
        (json!({ "loudness": "quiet" }), "loudness"),
        (json!({ "loudness": null }), "loudness"),
    ]
}

/// The same, of formats that only our own routes take by these names.
fn refused_with_a_format() -> Vec<(Value, &'static str)> {
    vec![
        (json!({ "format": "opus", "sample_rate_hz": 44_100 }), "sample_rate_hz"),
        (json!({ "format": "opus", "sample_rate_hz": 22_050 }), "sample_rate_hz"),
        (json!({ "format": "opus", "bitrate_kbps": 5 }), "bitrate_kbps"),
        (json!({ "format": "opus", "bitrate_kbps": 129 }), "bitrate_kbps"),
        (json!({ "format": "wav", "bitrate_kbps": 64 }), "bitrate_kbps"),
        (json!({ "format": "flac", "bitrate_kbps": 64 }), "bitrate_kbps"),
        (json!({ "format": "pcm", "bitrate_kbps": 64 }), "bitrate_kbps"),
        (json!({ "format": "ulaw", "bitrate_kbps": 64 }), "bitrate_kbps"),
        (json!({ "format": "alaw", "bitrate_kbps": 64 }), "bitrate_kbps"),
        (json!({ "format": "s16le" }), "format"),
        (json!({ "format": "mulaw" }), "format"),
    ]
}

// Not seen to fail yet: without `audio.errors(Some(…))` in `synthesis::plan`, 192 kbit/s at the voice's rate is taken.
#[tokio::test]
async fn what_does_not_go_together_is_refused_and_nothing_is_held_or_charged() {
    let (app, account, body) = set_up().await;
    for (fields, named) in refused().into_iter().chain(refused_with_a_format()) {
        for path in [WHOLE, STREAM] {
            let reply = app.post(path, &account.live, &with(&body, &fields)).await;
            assert_eq!(
                (reply.status.as_u16(), reply.fields()),
                (422, vec![named.to_owned()]),
                "{path} {fields}"
            );
        }
    }
    for loudness in ["acx", "broadcast"] {
        let reply = app.post(STREAM, &account.live, &with(&body, &json!({ "loudness": loudness }))).await;
        assert_eq!(reply.fields(), ["loudness"], "{loudness}");
    }
    let openai = json!({ "model": "tts-1", "input": TEXT, "voice": "heart" });
    for (fields, named) in refused() {
        let reply = app.post(OPENAI, &account.live, &with(&openai, &fields)).await;
        assert_eq!(reply.fields(), [named], "{fields}");
    }
    let aac = app.post(OPENAI, &account.live, &with(&openai, &json!({ "response_format": "aac" }))).await;
    assert_eq!(aac.fields(), ["response_format"]);
    let coded = json!({ "response_format": "ulaw", "bitrate_kbps": 64 });
    assert_eq!(app.post(OPENAI, &account.live, &with(&openai, &coded)).await.fields(), ["bitrate_kbps"]);
    assert_eq!((app.balance(&account).await, app.engine.call_count()), ((100_000, 0), 0));
    app.finish().await;
}

#[tokio::test]
async fn streams_are_converted_as_well_and_say_what_they_are() {
    let (app, account, body) = set_up().await;
    let (about, _) = heard(&app, &account.live, &with(&body, &json!({ "format": "wav" }))).await;
    let duration = about["duration_ms"].as_u64().unwrap();
    for (fields, media_type, bytes_a_second) in [
        (json!({ "format": "pcm" }), "audio/pcm;rate=24000", 48_000),
        (json!({ "format": "pcm", "sample_rate_hz": 16_000 }), "audio/pcm;rate=16000", 32_000),
        (json!({ "format": "ulaw" }), "audio/PCMU", 8_000),
        (json!({ "format": "alaw" }), "audio/PCMA", 8_000),
        (json!({ "format": "mp3", "sample_rate_hz": 44_100, "bitrate_kbps": 320 }), "audio/mpeg", 40_000),
    ] {
        let reply = app.post(STREAM, &account.live, &with(&body, &fields)).await;
        assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, media_type));
        let lasts = reply.bytes.len() as u64 * 1000 / bytes_a_second;
        assert!(lasts.abs_diff(duration) < 120, "{fields}: {lasts} of {duration} ms");
    }
    let openai = json!({
        "model": "tts-1", "input": TEXT, "voice": "heart", "response_format": "pcm", "sample_rate_hz": 8_000,
    });
    let reply = app.post(OPENAI, &account.live, &openai).await;
    assert_eq!(reply.header("content-type"), "audio/pcm;rate=8000");
    assert!((reply.bytes.len() as u64 / 16).abs_diff(duration) < 120);
    for (format, rate, media_type) in
        [("ulaw", None, "audio/PCMU"), ("alaw", None, "audio/PCMA"), ("alaw", Some(16_000), "audio/PCMA")]
    {
        let mut body =
            json!({ "model": "tts-1", "input": TEXT, "voice": "heart", "response_format": format });
        if let Some(rate) = rate {
            body["sample_rate_hz"] = json!(rate);
        }
        let reply = app.post(OPENAI, &account.live, &body).await;
        assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, media_type));
        let lasts = reply.bytes.len() as u64 * 1_000 / rate.unwrap_or(8_000);
        assert!(lasts.abs_diff(duration) < 120, "{format}: {lasts} of {duration} ms");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_replayed_stream_has_its_media_type_and_bytes() {
    let (app, account, body) = set_up().await;
    let sent = with(&body, &json!({ "format": "pcm", "sample_rate_hz": 8_000 }));
    let ask = async || {
        let request = app.request(Method::POST, STREAM).bearer_auth(&account.live);
        app.send(request.header("idempotency-key", "k").json(&sent)).await
    };
    let (first, again) = (ask().await, ask().await);
    assert_eq!(
        (again.header("content-type"), again.header("idempotent-replayed")),
        ("audio/pcm;rate=8000", "true")
    );
    assert_eq!(first.bytes, again.bytes);
    let other = with(&sent, &json!({ "sample_rate_hz": 16_000 }));
    let request = app.request(Method::POST, STREAM).bearer_auth(&account.live);
    let reused = app.send(request.header("idempotency-key", "k").json(&other)).await;
    assert_eq!(reused.refusal(), "idempotency_key_reuse");
    app.finish().await;
}

#[tokio::test]
async fn loudness_is_that_of_its_name() {
    let (app, account, body) = set_up().await;
    let measured = async |name: &str| {
        let fields = json!({ "loudness": name, "format": "pcm" });
        let (_, audio) = heard(&app, &account.live, &with(&body, &fields)).await;
        raw(&audio.bytes)
    };
    let lufs = |samples: &[f32]| loudness::measure(samples, 24_000).unwrap().lufs;
    let rms = |samples: &[f32]| {
        let power: f32 = samples.iter().map(|sample| sample * sample).sum();
        10.0 * (power / samples.len() as f32).log10()
    };
    let (standard, broadcast) = (measured("standard").await, measured("broadcast").await);
    assert!((lufs(&standard) + 16.0).abs() < 0.5, "{}", lufs(&standard));
    assert!((lufs(&broadcast) + 23.0).abs() < 0.5, "{}", lufs(&broadcast));
    let acx = measured("acx").await;
    assert!((-23.0..=-18.0).contains(&rms(&acx)), "{}", rms(&acx));
    let peak = acx.iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
    assert!(20.0 * peak.log10() <= -3.0, "{peak}");
    let (head, tail) = (&acx[..12_000], &acx[acx.len() - 24_000..]);
    for tone in [head, tail] {
        assert!((-80.0..-60.0).contains(&rms(tone)), "{}", rms(tone));
    }
    // The engine of these tests gives a tone of 0.1.
    let own = measured("none").await;
    let peak = own.iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
    assert!((peak - 0.1).abs() < 0.001, "{peak}");
    app.finish().await;
}

#[tokio::test]
async fn a_seed_decides_what_is_random_and_the_same_request_gives_the_same_bytes() {
    let (app, account, body) = set_up().await;
    for path in [STREAM, OPENAI] {
        let said = async |seed: u32| {
            let body = match path {
                OPENAI => json!({ "model": "tts-1", "input": TEXT, "voice": "heart", "seed": seed }),
                _ => with(&body, &json!({ "seed": seed })),
            };
            app.post(path, &account.live, &body).await.bytes
        };
        assert_eq!(said(7).await, said(7).await, "{path}");
        assert_ne!(said(7).await, said(u32::MAX).await, "{path}");
    }
    let whole =
        async |seed: u32| heard(&app, &account.live, &with(&body, &json!({ "seed": seed }))).await.1.bytes;
    assert_eq!(whole(0).await, whole(0).await);
    assert_ne!(whole(0).await, whole(1).await);
    app.finish().await;
}

#[tokio::test]
async fn a_pitch_needs_an_engine_that_can_change_it() {
    let (app, account, body) = set_up().await;
    let raised = with(&body, &json!({ "pitch": 3 }));
    assert_eq!(app.post(WHOLE, &account.live, &raised).await.status, 200);
    assert_eq!(app.post(STREAM, &account.live, &raised).await.status, 200);
    let before = app.balance(&account).await;
    for engine in ["piper", "upstream"] {
        app.database().run(&format!("UPDATE ereaders SET engine = '{engine}' WHERE slug = 'heart'")).await;
        for path in [WHOLE, STREAM] {
            let reply = app.post(path, &account.live, &raised).await;
            assert_eq!(reply.fields(), ["pitch"]);
            let sentence = reply.json()["error"]["details"]["fields"]["pitch"].as_str().unwrap().to_owned();
            assert!(sentence.contains(engine), "{sentence}");
        }
    }
    assert_eq!(app.balance(&account).await, before);
    app.finish().await;
}

#[tokio::test]
async fn a_chunk_of_a_book_may_be_for_the_telephone() {
    let app = TestApp::start().await;
    let account = app.account(1_000).await;
    let heart = app.ereader("heart").await;
    for (format, media_type) in [("ulaw", "audio/PCMU"), ("pcm", "audio/pcm;rate=24000")] {
        let id = app.upload(&account.live, "It was a day.").await;
        let path = format!("/v1/saas/materials/{id}");
        app.until("the extraction", async || app.material(&account.live, &id).await["status"] == "ready")
            .await;
        let body = json!({ "ereader_id": heart, "format": format });
        assert_eq!(app.post(&format!("{path}/convert"), &account.live, &body).await.status, 202);
        app.until("the conversion", async || app.material(&account.live, &id).await["status"] == "completed")
            .await;
        let audio = app.get(&format!("{path}/chunks/0/audio"), &account.live).await;
        assert_eq!((audio.status.as_u16(), audio.header("content-type")), (200, media_type));
        let url = app.get(&format!("{path}/chunks/0/audio?url=true"), &account.live).await.json();
        let signed = app.send(app.request(Method::GET, url["audio_url"].as_str().unwrap())).await;
        assert_eq!((signed.header("content-type"), &signed.bytes), (media_type, &audio.bytes));
        let chunk = app.get(&format!("{path}/chunks"), &account.live).await.json()["data"][0].clone();
        let duration = chunk["duration_ms"].as_u64().unwrap();
        let bytes_a_ms = if format == "pcm" { 48 } else { 8 };
        assert!((audio.bytes.len() as u64).abs_diff(duration * bytes_a_ms) <= 2, "{format}");
    }
    app.finish().await;
}
