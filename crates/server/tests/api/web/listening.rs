//! Where a listener is in each book, and the bookmarks.

use lectern_testkit::{TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};

use crate::accounts::{self, Browser, browser, unlimited};

/// A signed-in listener with a book of three chunks: the browser, the book's id and a key.
async fn listener(app: &TestApp, email: &str) -> (Browser, String, String) {
    accounts::confirmed(app, email).await;
    let browser = browser(app, email).await;
    let body = json!({ "name": "Books", "scopes": ["read", "write"] });
    let made = browser.post(app, "/v1/bff/keys", &body).await.json();
    let key = made["key"].as_str().unwrap().to_owned();
    let book = app.ready_material(&key, &["It was a d", "ay by the ", "sea, they."]).await;
    (browser, book, key)
}

fn place(chunk_index: u32, updated_at: Option<&str>) -> Value {
    let mut place =
        json!({ "chunk_index": chunk_index, "position_ms": 1_500, "progress": 0.5, "finished": false });
    if let Some(at) = updated_at {
        place["updated_at"] = json!(at);
    }
    place
}

on_both! {
    async fn the_newest_place_stands_whatever_comes_last(setup: Setup) {
        let app = unlimited(setup).without_workers().start().await;
        let (ada, book, key) = listener(&app, "ada@example.com").await;
        let (ben, ..) = listener(&app, "ben@example.com").await;
        let path = format!("/v1/bff/materials/{book}/place");
        let put = async |body: &Value| app.send(ada.request(&app, Method::PUT, &path).json(body)).await;
        assert_eq!(ada.get(&app, &path).await.refusal(), "not_found");

        let kept = put(&place(1, Some("2026-01-02T00:00:00Z"))).await.json();
        assert_eq!(
            kept,
            json!({
                "material_id": book, "chunk_index": 1, "position_ms": 1_500, "progress": 0.5, "finished": false,
                "updated_at": "2026-01-02T00:00:00.000Z",
            })
        );
        // A device that was offline sends what is older.
        assert_eq!(put(&place(0, Some("2026-01-01T00:00:00Z"))).await.json(), kept);
        assert_eq!(ada.get(&app, &path).await.json(), kept);
        // A clock that is years ahead counts as now, so that the next place stands again.
        let ahead = put(&place(2, Some("2099-01-01T00:00:00Z"))).await.json();
        assert!(ahead["updated_at"].as_str().unwrap() < "2099", "{ahead}");
        assert_eq!(put(&place(0, None)).await.json()["chunk_index"], 0);
        let second = app.ready_material(&key, &["Another bo"]).await;
        let other = format!("/v1/bff/materials/{second}/place");
        app.send(ada.request(&app, Method::PUT, &other).json(&place(0, None))).await;
        let all = ada.get(&app, "/v1/bff/places").await.json();
        let ids: Vec<&Value> = all["data"].as_array().unwrap().iter().map(|place| &place["material_id"]).collect();
        assert_eq!(ids, [&json!(second), &json!(book)]);
        assert_eq!(ada.get(&app, "/v1/bff/places?limit=1").await.json()["data"].as_array().unwrap().len(), 1);
        assert_eq!(ada.get(&app, "/v1/bff/places?environment=test").await.json()["data"], json!([]));
        assert_eq!(ada.get(&app, "/v1/bff/places?limit=1001").await.fields(), ["limit"]);

        // It is nobody else's.
        assert_eq!(ben.get(&app, &path).await.refusal(), "material_not_found");
        assert_eq!(ben.get(&app, "/v1/bff/places").await.json()["data"], json!([]));
        let theirs = app.send(ben.request(&app, Method::PUT, &path).json(&place(2, None))).await;
        assert_eq!(theirs.refusal(), "material_not_found");
        assert_eq!(put(&place(3, None)).await.fields(), ["chunk_index"]);
        assert_eq!(put(&json!({ "chunk_index": 0 })).await.fields(), ["finished", "position_ms", "progress"]);

        let forgotten = app.send(ada.request(&app, Method::DELETE, &path)).await;
        assert_eq!((forgotten.status.as_u16(), &forgotten.json()["chunk_index"]), (200, &json!(0)));
        assert_eq!(app.send(ada.request(&app, Method::DELETE, &path)).await.refusal(), "not_found");
        app.finish().await;
    }

    async fn bookmarks_are_in_the_order_of_the_book_and_once_each(setup: Setup) {
        let app = unlimited(setup).without_workers().start().await;
        let (ada, book, key) = listener(&app, "ada@example.com").await;
        let (ben, ..) = listener(&app, "ben@example.com").await;
        let path = format!("/v1/bff/materials/{book}/bookmarks");
        let add = async |chunk_index: u32, position_ms: u32, note: &str| {
            let body = json!({ "chunk_index": chunk_index, "position_ms": position_ms, "note": note });
            ada.post(&app, &path, &body).await
        };
        let later = add(2, 10, "The end").await;
        assert_eq!(later.status, 201);
        let first = add(0, 500, "").await.json();
        assert!(first["id"].as_str().unwrap().starts_with("bmk_"));
        // A mark that is sent again, as after a lost answer, is the same mark.
        assert_eq!(add(0, 500, "other words").await.json(), first);
        let notes = async || {
            let all = ada.get(&app, &path).await.json();
            let notes = all["data"].as_array().unwrap().iter().map(|mark| mark["note"].as_str().unwrap().to_owned());
            notes.collect::<Vec<_>>()
        };
        assert_eq!(notes().await, ["", "The end"]);
        let one = format!("{path}/{}", first["id"].as_str().unwrap());
        let changed = app.send(ada.request(&app, Method::PATCH, &one).json(&json!({ "note": "A lamp" }))).await;
        assert_eq!((changed.status.as_u16(), &changed.json()["note"]), (200, &json!("A lamp")));
        for (body, field) in [
            (json!({ "chunk_index": 3, "position_ms": 0 }), "chunk_index"),
            (json!({ "chunk_index": 0, "position_ms": -1 }), "position_ms"),
            (json!({ "chunk_index": 0, "position_ms": 0, "note": "x".repeat(1_001) }), "note"),
        ] {
            assert_eq!(ada.post(&app, &path, &body).await.fields(), [field]);
        }

        assert_eq!(ben.get(&app, &path).await.refusal(), "material_not_found");
        for (method, body) in [(Method::PATCH, Some(json!({ "note": "mine" }))), (Method::DELETE, None)] {
            let request = ben.request(&app, method, &one);
            let request = match &body {
                Some(body) => request.json(body),
                None => request,
            };
            assert_eq!(app.send(request).await.refusal(), "material_not_found");
        }
        let second = app.ready_material(&key, &["Another bo"]).await;
        let wrong_book = one.replace(&book, &second);
        assert_eq!(app.send(ada.request(&app, Method::DELETE, &wrong_book)).await.refusal(), "not_found");
        assert_eq!(app.send(ada.request(&app, Method::DELETE, &one)).await.json()["note"], "A lamp");
        assert_eq!(app.send(ada.request(&app, Method::DELETE, &one)).await.refusal(), "not_found");
        assert_eq!(notes().await, ["The end"]);

        // They go with the book.
        let book_path = format!("/v1/bff/materials/{book}");
        assert_eq!(app.send(ada.request(&app, Method::DELETE, &book_path)).await.status, 200);
        assert_eq!(ada.get(&app, &path).await.refusal(), "material_not_found");
        app.finish().await;
    }
}
