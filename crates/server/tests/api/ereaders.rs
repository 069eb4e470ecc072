//! The list of e-readers, and one of them. `samples` has how they sound, `favorites` what users marked,
//! `catalogue` and `commands` where e-readers come from.

mod catalogue;
mod commands;
mod favorites;
mod samples;

use lectern_store::ereaders;
use lectern_testkit::{Reply, TestApp, on_both};
use serde_json::{Value, json};

use crate::accounts;

fn slugs(reply: &Reply) -> Vec<String> {
    assert_eq!(reply.status, 200);
    let body = reply.json();
    body["data"].as_array().unwrap().iter().map(|e| e["slug"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_fresh_store_lists_a_free_and_a_premium_e_reader() {
    let app = TestApp::start().await;
    let account = app.account(0).await;
    let page = app.get("/v1/saas/ereaders", &account.test).await;
    assert_eq!(slugs(&page), ["heart", "alma"]);
    let heart = &page.json()["data"][0];
    let id = heart["id"].as_str().unwrap();
    assert!(id.parse::<lectern_types::EreaderId>().is_ok());
    let mut rest = heart.clone();
    for text in ["id", "name", "description"] {
        assert!(rest.as_object_mut().unwrap().remove(text).unwrap().as_str().is_some_and(|t| !t.is_empty()));
    }
    assert_eq!(
        rest,
        json!({
            "slug": "heart", "languages": ["en-US"], "gender": "female", "grade": null, "preview": false,
            "tier": "free", "engine": "hibari", "sample_rate_hz": 24_000, "price_per_character": 1,
            "sample_langs": ["en-US"],
            "formats": ["mp3", "wav", "flac", "opus", "pcm", "ulaw", "alaw"], "active": true,
        })
    );
    app.finish().await;
}

#[tokio::test]
async fn the_list_can_be_filtered_and_paged() {
    let app = TestApp::start().await;
    let account = app.account(0).await;
    let list =
        async |query: &str| slugs(&app.get(&format!("/v1/saas/ereaders?{query}"), &account.live).await);
    assert_eq!(list("tier=premium").await, ["alma"]);
    assert_eq!(list("tier=standard").await, [""; 0]);
    assert_eq!(list("language=en-gb").await, ["heart", "alma"]);
    assert_eq!(list("language=EN").await, ["heart", "alma"]);
    assert_eq!(list("language=en-ZA").await, ["heart", "alma"]);
    assert_eq!(list("language=fr").await, [""; 0]);
    assert_eq!(list("engine=hibari&gender=Female").await, ["heart", "alma"]);
    assert_eq!(list("engine=upstream").await, [""; 0]);
    assert_eq!(list("gender=male").await, [""; 0]);
    for (query, field) in [
        ("tier=gold", "tier"),
        ("language=", "language"),
        ("language=e%20n", "language"),
        ("engine=hibary", "engine"),
        ("engine=", "engine"),
        ("gender=", "gender"),
    ] {
        assert_eq!(app.get(&format!("/v1/saas/ereaders?{query}"), &account.live).await.fields(), [field]);
    }
    let first = app.get("/v1/saas/ereaders?limit=1", &account.live).await;
    assert_eq!(slugs(&first), ["heart"]);
    let cursor = first.json()["next_cursor"].as_str().unwrap().to_owned();
    let second = app.get(&format!("/v1/saas/ereaders?limit=1&cursor={cursor}"), &account.live).await;
    assert_eq!((slugs(&second), &second.json()["next_cursor"]), (vec!["alma".to_owned()], &Value::Null));
    app.finish().await;
}

on_both! {
    // Negative control: without the filter by `active` the last line gets the e-reader.
    async fn an_e_reader_is_found_by_its_slug_as_the_list_shows_it(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(0).await;
        let listed = app.get("/v1/saas/ereaders", &account.live).await.json();
        let heart = app.get("/v1/saas/ereaders/heart", &account.test).await;
        assert_eq!((heart.status.as_u16(), &heart.json()), (200, &listed["data"][0]));
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = accounts::browser(&app, "ada@example.com").await;
        let mut web = listed["data"][0].clone();
        web["favorite"] = json!(false);
        assert_eq!(ada.get(&app, "/v1/bff/ereaders/heart?environment=test").await.json(), web);
        let web_list = ada.get(&app, "/v1/bff/ereaders?engine=hibari&limit=1").await.json();
        assert_eq!(web_list["data"], json!([web]));
        assert_eq!(ada.get(&app, "/v1/bff/ereaders?engine=x").await.fields(), ["engine"]);
        assert_eq!(app.get("/v1/saas/ereaders/heart?x=1", &account.live).await.fields(), ["x"]);
        let mut heart = ereaders::find_by_slug(&app.base.store, "heart").await.unwrap().unwrap();
        heart.active = false;
        ereaders::put(&app.base.store, &heart, app.base.clock.now()).await.unwrap();
        for miss in ["nobody", "Alma", "%00", "%ff", "heart"] {
            let reply = app.get(&format!("/v1/saas/ereaders/{miss}"), &account.live).await;
            assert_eq!(reply.refusal(), "ereader_not_found", "{miss}");
        }
        app.finish().await;
    }
}
