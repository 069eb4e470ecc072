//! `GET /v1/saas/usage`.

use lectern_store::Tier;
use lectern_testkit::on_both;
use serde_json::{Value, json};

const PATH: &str = "/v1/saas/usage";

fn sum(key: &Value, characters: i64, credits: i64, requests: i64) -> Value {
    json!({ "key": key, "characters": characters, "credits": credits, "requests": requests })
}

on_both! {
    async fn usage_is_added_up_by_day_e_reader_or_key_within_the_keys_environment(setup: Setup) {
        let app = setup.start().await;
        let account = app.account_of(Tier::Premium, 1_000).await;
        let stranger = app.account(1_000).await;
        app.synthesize(&stranger.live, "Not yours.").await;
        app.synthesize(&account.live, "Hello.").await;
        app.synthesize(&account.test, "A test.").await;
        app.clock.advance_seconds(24 * 3600);
        let alma = json!(app.ereader("alma").await);
        let body = json!({ "text": "Deep.", "ereader_id": alma });
        app.post("/v1/saas/tts:synthesize", &account.live, &body).await;
        app.synthesize(&account.live, "Again.").await;

        let by_day = app.get(PATH, &account.live).await.json();
        assert_eq!(
            by_day,
            json!({
                "data": [sum(&json!("2026-11-21"), 6, 6, 1), sum(&json!("2026-11-22"), 11, 16, 2)],
                "from": "2026-10-24T00:00:00.000Z",
                "to": "2026-11-23T00:00:00.000Z",
                "group_by": "day",
            })
        );
        let heart = json!(app.ereader("heart").await);
        let by_ereader = app.get(&format!("{PATH}?group_by=ereader"), &account.live).await.json();
        assert_eq!(by_ereader["data"], json!([sum(&heart, 12, 12, 2), sum(&alma, 5, 10, 1)]));
        assert_eq!(by_ereader["group_by"], "ereader");
        let key = app.get("/v1/saas/me", &account.live).await.json()["key"]["id"].clone();
        let by_key = app.get(&format!("{PATH}?group_by=key"), &account.live).await.json();
        assert_eq!(by_key["data"], json!([sum(&key, 17, 22, 3)]));
        let tests = app.get(PATH, &account.test).await.json();
        assert_eq!(tests["data"], json!([sum(&json!("2026-11-21"), 7, 0, 1)]));
        app.finish().await;
    }

    async fn a_span_begins_with_from_and_ends_before_to(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        app.synthesize(&account.live, "Hello.").await;
        for (query, requests) in [
            ("from=2026-11-21T07:08:11.524Z", 1),
            ("from=2026-11-21T07:08:11.525Z", 0),
            ("to=2026-11-21T07:08:11.525Z", 1),
            ("to=2026-11-21T07:08:11.524Z", 0),
            ("from=2026-11-21&to=2026-11-22", 1),
            ("from=2026-11-20&to=2026-11-21", 0),
        ] {
            let usage = app.get(&format!("{PATH}?{query}"), &account.live).await.json();
            assert_eq!(usage["data"].as_array().unwrap().len(), requests, "{query}");
        }
        let page = app.get(&format!("{PATH}?group_by=week&from=2026-11-23&limit=2"), &account.live).await;
        assert_eq!(page.fields(), ["from", "group_by", "limit"]);
        app.finish().await;
    }

    async fn usage_outlives_the_audio(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let url = app.synthesize(&account.live, "Hello.").await.json()["audio_url"].as_str().unwrap().to_owned();
        app.clock.advance_seconds(26 * 3600);
        lectern_service::workers::sweep::round(&app.base).await.unwrap();
        let name = url.split_once("/syntheses/").unwrap().1.split('?').next().unwrap();
        assert_eq!(app.base.objects.head(&format!("syntheses/{name}")).await.unwrap(), None, "the audio is still there");
        let usage = app.get(PATH, &account.live).await.json();
        assert_eq!(usage["data"], json!([sum(&json!("2026-11-21"), 6, 6, 1)]));
        app.finish().await;
    }
}
