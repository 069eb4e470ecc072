//! E-readers for installed voices, and what other services' voice names stand for. The voices are
//! Kokoro's; the fake engine speaks for them.

use lectern_service::services::speech::ereader_catalog::sync;
use lectern_speech::engines::{self, InstalledVoice, LocalEngine};
use lectern_store::ereaders;
use lectern_testkit::{Setup, TestApp, on_both};
use lectern_types::Credits;
use serde_json::{Value, json};

use super::slugs;

fn kokoro() -> &'static LocalEngine {
    engines::local("kokoro").unwrap()
}

fn voices() -> Vec<InstalledVoice> {
    kokoro().all_voices().collect()
}

/// A service that speaks with both engines, and an e-reader for each of Kokoro's voices.
async fn synced(setup: Setup) -> TestApp {
    let app = setup.speaking_for(&["hibari", "kokoro"]).start().await;
    let done = sync::run(&app.base, &voices()).await.unwrap();
    assert_eq!((done.made.len(), done.taken.len()), (kokoro().voices.len(), 0));
    app
}

async fn all(app: &TestApp, key: &str) -> Vec<Value> {
    app.get("/v1/saas/ereaders?limit=100", key).await.json()["data"].as_array().unwrap().clone()
}

on_both! {
    async fn each_installed_voice_gets_an_e_reader_after_the_first_ones(setup: Setup) {
        let app = synced(setup).await;
        let account = app.account(0).await;
        let listed = all(&app, &account.test).await;
        assert_eq!(listed.len(), kokoro().voices.len() + 2);
        let slugs: Vec<_> = listed.iter().map(|ereader| ereader["slug"].as_str().unwrap()).collect();
        // The first ones lead; then the better voices.
        assert_eq!(slugs[..6], ["heart", "alma", "af-bella", "af-heart", "af-nicole", "bf-emma"]);
        let mut bella = listed[2].clone();
        assert!(bella.as_object_mut().unwrap().remove("id").is_some());
        assert_eq!(
            bella,
            json!({
                "slug": "af-bella", "name": "Bella", "description": "A full, lively voice; American.",
                "languages": ["en-US"], "gender": "female", "grade": "A", "preview": false, "tier": "free",
                "engine": "kokoro", "sample_rate_hz": 24_000, "price_per_character": 4,
                "sample_langs": ["en-US"], "formats": ["mp3", "wav", "flac", "opus", "pcm", "ulaw", "alaw"], "active": true,
            })
        );
        assert_eq!(listed[3]["name"], "Heart (Kokoro)", "the first Heart is another voice");
        let names: std::collections::HashSet<_> = listed.iter().map(|e| e["name"].as_str().unwrap()).collect();
        assert_eq!(names.len(), listed.len());
        let sky = listed.iter().find(|ereader| ereader["slug"] == "af-sky").unwrap();
        assert_eq!((&sky["grade"], &sky["price_per_character"]), (&json!("C"), &json!(3)));
        assert_eq!(sky["description"], "A female voice for American English, grade C.");
        app.finish().await;
    }

    // Negative control: with `put` in the place of `add`, and without the look at what exists, the
    // operator's changes are gone.
    async fn syncing_again_makes_nothing_and_changes_nothing(setup: Setup) {
        let app = synced(setup).await;
        let account = app.account(0).await;
        let mut sky = ereaders::find_by_slug(&app.base.store, "af-sky").await.unwrap().unwrap();
        (sky.price_per_character, sky.name, sky.active) = (Credits(9), "Sky high".to_owned(), false);
        ereaders::put(&app.base.store, &sky, app.base.clock.now()).await.unwrap();
        let before = all(&app, &account.live).await;
        let again = sync::run(&app.base, &voices()).await.unwrap();
        assert_eq!((again.made.len(), again.taken.len()), (0, 0));
        assert_eq!(all(&app, &account.live).await, before);
        assert_eq!(ereaders::find_by_slug(&app.base.store, "af-sky").await.unwrap(), Some(sky));
        app.finish().await;
    }

    async fn a_slug_that_is_taken_is_named_and_left_alone(setup: Setup) {
        let app = setup.start().await;
        let mut other = ereaders::find_by_slug(&app.base.store, "alma").await.unwrap().unwrap();
        (other.slug, other.id) = ("af-nova".to_owned(), app.base.ids.make());
        ereaders::put(&app.base.store, &other, app.base.clock.now()).await.unwrap();
        let done = sync::run(&app.base, &voices()).await.unwrap();
        assert_eq!((done.made.len(), done.taken), (kokoro().voices.len() - 1, vec!["af_nova".to_owned()]));
        let kept = ereaders::find_by_slug(&app.base.store, "af-nova").await.unwrap().unwrap();
        assert_eq!(kept.engine, "hibari");
        // An e-reader of the voice under another slug is enough.
        let mut mine = ereaders::find_by_slug(&app.base.store, "af-sky").await.unwrap().unwrap();
        (mine.slug, mine.id, mine.voice) = ("mine".to_owned(), app.base.ids.make(), "af_nova".to_owned());
        ereaders::put(&app.base.store, &mine, app.base.clock.now()).await.unwrap();
        let again = sync::run(&app.base, &voices()).await.unwrap();
        assert_eq!((again.made.len(), again.taken.len()), (0, 0));
        app.finish().await;
    }

    async fn prices_follow_the_table_of_the_settings(setup: Setup) {
        let app = synced(setup.set("LECTERN_VOICES__PRICES", "kokoro/A:7,kokoro/BC:5")).await;
        let account = app.account(0).await;
        let listed = all(&app, &account.live).await;
        let price = |slug: &str| {
            listed.iter().find(|e| e["slug"] == slug).unwrap()["price_per_character"].as_i64().unwrap()
        };
        assert_eq!([price("af-bella"), price("bf-emma"), price("af-sky"), price("am-onyx")], [7, 5, 5, 3]);
        assert_eq!(price("heart"), 1);
        app.finish().await;
    }

    async fn names_of_openai_stand_for_the_voices_of_the_table(setup: Setup) {
        let app = synced(setup.set("LECTERN_VOICES__OPENAI", "nova:af-nova,alloy:nobody,amy:bf-emma")).await;
        let account = app.account(100_000).await;
        let body = |voice: &str| json!({ "model": "tts-1", "input": "Hello there.", "voice": voice });
        let mut expected = Vec::new();
        for (voice, slug) in [
            ("nova", "af-nova"),
            ("amy", "bf-emma"),
            ("af_bella", "af-bella"),
            ("af-bella", "af-bella"),
            // No e-reader has the slug of the table, and the table has no such name.
            ("alloy", "heart"),
            ("cedar", "heart"),
        ] {
            let reply = app.post("/v1/audio/speech", &account.live, &body(voice)).await;
            assert_eq!(reply.status, 200, "{voice}: {}", reply.json());
            expected.push((voice, app.ereader(slug).await));
        }
        let used = app.get("/v1/saas/usage?group_by=ereader", &account.live).await.json();
        for (voice, id) in &expected {
            let times = expected.iter().filter(|other| other.1 == *id).count();
            let sums = used["data"].as_array().unwrap();
            let sum = sums.iter().find(|sum| sum["key"] == json!(id)).unwrap();
            assert_eq!(sum["requests"], times, "{voice}");
        }
        assert_eq!(app.post("/v1/audio/speech", &account.live, &body("emma")).await.refusal(), "ereader_not_found");

        let listed = app.get("/v1/audio/voices", &account.test).await.json();
        let (data, voices) = (listed["data"].as_array().unwrap(), listed["voices"].as_array().unwrap());
        assert_eq!(data.len(), kokoro().voices.len() + 2);
        assert_eq!(voices[..data.len()], data[..]);
        // Clients read `id` and `name` of each.
        let others: Vec<_> = voices[data.len()..].iter().map(|voice| (&voice["id"], &voice["name"])).collect();
        assert!(others.contains(&(&json!("nova"), &json!("nova (Nova)"))), "{others:?}");
        assert!(others.contains(&(&json!("alloy"), &json!("alloy (Heart)"))), "{others:?}");
        assert!(others.contains(&(&json!("amy"), &json!("amy (Emma)"))), "{others:?}");
        assert_eq!(others.len(), 14);
        app.finish().await;
    }
}

#[tokio::test]
async fn the_list_can_be_filtered_by_engine_and_gender() {
    let app = synced(Setup::default()).await;
    let account = app.account(0).await;
    let list =
        async |query: &str| slugs(&app.get(&format!("/v1/saas/ereaders?{query}"), &account.live).await);
    assert_eq!(list("engine=hibari").await, ["heart", "alma"]);
    assert_eq!(list("gender=male&limit=2").await, ["am-fenrir", "am-michael"]);
    let men = kokoro().voices.iter().filter(|voice| voice.gender == "male").count();
    assert_eq!(list("gender=MALE&limit=100").await.len(), men);
    app.finish().await;
}
