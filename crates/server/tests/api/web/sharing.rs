//! Links under which people without an account listen.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat};
use lectern_testkit::{TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};

use crate::accounts::{self, Browser, browser, unlimited};

/// A signed-in owner of a book in two chapters, of which the second is left out, with credits for it.
async fn owner(app: &TestApp, email: &str) -> (Browser, String) {
    accounts::confirmed(app, email).await;
    let browser = browser(app, email).await;
    let body = json!({ "name": "Books", "scopes": ["read", "write"], "environment": "test" });
    let made = browser.post(app, "/v1/bff/keys?environment=test", &body).await.json();
    let key = made["key"].as_str().unwrap();
    let book = app.completed_material(key, &["# One\nIt was a d", "ay by the ", "# Two\nsea, they."]).await;
    let left_out = app
        .send(
            browser
                .request(app, Method::PATCH, &format!("/v1/bff/materials/{book}/chapters/1?environment=test"))
                .json(&json!({ "included": false })),
        )
        .await;
    assert_eq!(left_out.status, 200);
    (browser, book)
}

async fn open(app: &TestApp, body: &Value) -> lectern_testkit::Reply {
    app.send(app.request(Method::POST, "/v1/bff/shares/open").json(body)).await
}

/// The token of a link that was made.
fn token_of(share: &Value) -> Value {
    share["url"].as_str().unwrap().rsplit_once("/listen/").unwrap().1.into()
}

on_both! {
    async fn whoever_has_a_link_hears_the_book_until_it_is_revoked(setup: Setup) {
        let app = unlimited(setup).without_workers().start().await;
        let (ada, book) = owner(&app, "ada@example.com").await;
        let (ben, _) = owner(&app, "ben@example.com").await;
        let path = format!("/v1/bff/materials/{book}/shares?environment=test");
        let mut picture = Vec::new();
        DynamicImage::new_rgb8(4, 6).write_to(&mut Cursor::new(&mut picture), ImageFormat::Png).unwrap();
        let cover = ada.request(&app, Method::PUT, &format!("/v1/bff/materials/{book}/cover?environment=test"));
        assert_eq!(app.send(cover.header("content-type", "image/png").body(picture)).await.status, 200);

        let made = ada.post(&app, &path, &json!({})).await;
        assert_eq!(made.status, 201);
        let share = made.json();
        assert!(share["url"].as_str().unwrap().starts_with(&format!("{}/listen/", app.url)), "{share}");
        assert_eq!((&share["has_password"], &share["expires_at"]), (&json!(false), &Value::Null));
        assert_eq!(ada.get(&app, &path).await.json()["data"], json!([share]));

        let heard = open(&app, &json!({ "token": token_of(&share) })).await.json();
        // That of a link without an end is renewed every hour, so that a revoked link is soon silent.
        let an_hour = app.clock.now().plus_seconds(60 * 60).to_string();
        assert_eq!(heard["urls_expire_at"].as_str().unwrap()[..19], an_hour[..19]);
        assert_eq!((&heard["title"], &heard["chapters"][0]["title"]), (&json!("The Harbour"), &json!("One")));
        let chapters = heard["chapters"].as_array().unwrap();
        assert_eq!(chapters.len(), 1, "a chapter that is left out is not shared: {heard}");
        let parts = chapters[0]["parts"].as_array().unwrap();
        let indexes: Vec<_> = parts.iter().map(|part| part["chunk_index"].as_u64().unwrap()).collect();
        assert_eq!(indexes, [0, 1]);
        assert_eq!(heard["duration_ms"], chapters[0]["duration_ms"]);
        for (url, media_type) in [(&parts[0]["audio_url"], "audio/mpeg"), (&heard["cover_url"], "image/png")] {
            let signed = url.as_str().unwrap();
            let answer = app.send(app.request(Method::GET, signed)).await;
            assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, media_type));
        }

        // It is nobody else's.
        assert_eq!(ben.get(&app, &path).await.refusal(), "material_not_found");
        assert_eq!(ben.post(&app, &path, &json!({})).await.refusal(), "material_not_found");
        let id = share["id"].as_str().unwrap();
        let one = format!("/v1/bff/materials/{book}/shares/{id}?environment=test");
        assert_eq!(app.send(ben.request(&app, Method::DELETE, &one)).await.refusal(), "material_not_found");
        assert_eq!(app.send(ada.request(&app, Method::DELETE, &one)).await.json(), share);
        assert_eq!(app.send(ada.request(&app, Method::DELETE, &one)).await.refusal(), "not_found");
        assert_eq!(open(&app, &json!({ "token": token_of(&share) })).await.refusal(), "not_found");
        app.finish().await;
    }

    async fn links_end_and_have_passwords(setup: Setup) {
        let app = unlimited(setup).without_workers().start().await;
        let (ada, book) = owner(&app, "ada@example.com").await;
        let path = format!("/v1/bff/materials/{book}/shares?environment=test");
        let make = async |body: Value| ada.post(&app, &path, &body).await;
        let end = app.clock.now().plus_seconds(60).to_string();
        let locked = make(json!({ "password": "seven lanterns", "expires_at": end })).await.json();
        assert_eq!((&locked["has_password"], &locked["expires_at"]), (&json!(true), &json!(end)));
        let token = token_of(&locked);
        assert_eq!(open(&app, &json!({ "token": token })).await.refusal(), "invalid_credentials");
        assert_eq!(open(&app, &json!({ "token": token, "password": "seven" })).await.refusal(), "invalid_credentials");
        let right = json!({ "token": token, "password": "seven lanterns" });
        // The audio is reachable no longer than the link.
        let heard = open(&app, &right).await.json();
        assert_eq!(heard["expires_at"], json!(end));
        assert_eq!(heard["urls_expire_at"].as_str().unwrap()[..19], end[..19]);
        // A changed token is no link's, and neither is anything else.
        let mut guessed = token.as_str().unwrap().to_owned();
        let last = if guessed.pop() == Some('A') { 'E' } else { 'A' };
        guessed.push(last);
        for wrong in [guessed.as_str(), "", "mat_0", &"A".repeat(46)] {
            assert_eq!(open(&app, &json!({ "token": wrong })).await.refusal(), "not_found", "{wrong}");
        }
        app.clock.advance_seconds(61);
        assert_eq!(open(&app, &right).await.refusal(), "not_found");

        assert_eq!(make(json!({ "password": "short", "expires_at": end })).await.fields(), ["expires_at", "password"]);
        // One that has ended makes room.
        for _ in 0..50 {
            assert_eq!(make(json!({})).await.status, 201);
        }
        assert_eq!(make(json!({})).await.fields(), ["id"]);
        assert_eq!(ada.get(&app, &path).await.json()["data"].as_array().unwrap().len(), 50);
        // With the material its links are gone.
        let kept = ada.get(&app, &path).await.json()["data"][0].clone();
        app.send(ada.request(&app, Method::DELETE, &format!("/v1/bff/materials/{book}?environment=test"))).await;
        assert_eq!(open(&app, &json!({ "token": token_of(&kept) })).await.refusal(), "not_found");
        app.finish().await;
    }

    async fn opening_links_is_limited_by_client(setup: Setup) {
        let app = setup.without_workers().start().await;
        let mut last = String::new();
        for _ in 0..61 {
            last = open(&app, &json!({ "token": "guess" })).await.refusal();
        }
        assert_eq!(last, "rate_limited");
        app.finish().await;
    }
}
