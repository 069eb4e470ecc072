//! The library: found by words and tags, in an order, page by page.

use lectern_testkit::{TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};

use crate::accounts::{self, Browser, browser, unlimited};

/// A signed-in reader, and the ids of three books.
async fn reader(app: &TestApp, email: &str) -> (Browser, Vec<String>) {
    accounts::confirmed(app, email).await;
    let browser = browser(app, email).await;
    let body = json!({ "name": "Books", "scopes": ["read", "write"] });
    let made = browser.post(app, "/v1/bff/keys", &body).await.json();
    let key = made["key"].as_str().unwrap().to_owned();
    let mut books = Vec::new();
    for (title, author) in [("Volume 10", "Émile Zola"), ("A lamp", "emile zola"), ("Volume 2", "Ada")] {
        let book = app.ready_material(&key, &["It was a d"]).await;
        let path = format!("/v1/bff/materials/{book}");
        let changed = app
            .send(
                browser.request(app, Method::PATCH, &path).json(&json!({ "title": title, "author": author })),
            )
            .await;
        assert_eq!(changed.json()["title"], title);
        books.push(book);
    }
    (browser, books)
}

/// The titles on a page.
fn titles(page: &Value) -> Vec<&str> {
    page["data"].as_array().unwrap().iter().map(|book| book["material"]["title"].as_str().unwrap()).collect()
}

on_both! {
    async fn books_are_found_by_words_and_tags_in_an_order(setup: Setup) {
        let app = unlimited(setup).without_workers().start().await;
        let (ada, books) = reader(&app, "ada@example.com").await;
        let (ben, _) = reader(&app, "ben@example.com").await;
        let look = async |query: &str| ada.get(&app, &format!("/v1/bff/library{query}")).await.json();
        assert_eq!(titles(&look("").await), ["Volume 2", "A lamp", "Volume 10"]);
        assert_eq!(titles(&look("?limit=2").await), ["Volume 2", "A lamp"]);
        assert_eq!(titles(&look("?sort=title").await), ["A lamp", "Volume 2", "Volume 10"]);
        assert_eq!(titles(&look("?sort=author").await), ["Volume 2", "A lamp", "Volume 10"]);
        assert_eq!(titles(&look("?q=%C3%89mile%20volume").await), ["Volume 10"]);

        let path = format!("/v1/bff/materials/{}/tags", books[0]);
        let put = async |who: &Browser, tags: Value| {
            app.send(who.request(&app, Method::PUT, &path).json(&json!({ "tags": tags }))).await
        };
        assert_eq!(put(&ada, json!(["Night", " Course "])).await.json()["tags"], json!(["Course", "Night"]));
        let page = look("?tag=Night").await;
        assert_eq!(titles(&page), ["Volume 10"]);
        assert_eq!(page["data"][0]["tags"], json!(["Course", "Night"]));
        assert_eq!(page["tags"], json!([{ "tag": "Course", "materials": 1 }, { "tag": "Night", "materials": 1 }]));
        assert_eq!(titles(&look("?q=course").await), ["Volume 10"]);
        assert_eq!(put(&ada, json!(["Night"])).await.json()["tags"], json!(["Night"]));
        assert_eq!(look("?tag=Course").await["total"], 0);
        assert_eq!(ada.get(&app, &path).await.json()["tags"], json!(["Night"]));
        assert_eq!(ben.get(&app, &path).await.refusal(), "material_not_found");
        assert_eq!(put(&ada, json!(["a", "A"])).await.fields(), ["tags[1]"]);

        let place = json!({ "chunk_index": 0, "position_ms": 5, "progress": 0.5, "finished": false });
        app.send(ada.request(&app, Method::PUT, &format!("/v1/bff/materials/{}/place", books[2])).json(&place)).await;
        let begun = look("?show=begun").await;
        assert_eq!((titles(&begun), &begun["data"][0]["place"]["progress"]), (vec!["Volume 2"], &json!(0.5)));
        assert_eq!(titles(&look("?show=unheard&sort=title").await), ["A lamp", "Volume 10"]);

        // It is nobody else's.
        assert_eq!(put(&ben, json!([])).await.refusal(), "material_not_found");
        assert_eq!(ben.get(&app, "/v1/bff/library").await.json()["tags"], json!([]));
        assert_eq!(look("?environment=test").await["total"], 0);
        for (query, field) in [("?sort=size", "sort"), ("?show=none", "show"), ("?q=", "q"), ("?limit=101", "limit"), ("?cursor=1", "cursor")] {
            assert_eq!(ada.get(&app, &format!("/v1/bff/library{query}")).await.fields(), [field]);
        }
        app.send(ada.request(&app, Method::DELETE, &format!("/v1/bff/materials/{}", books[0]))).await;
        let left = look("").await;
        assert_eq!((&left["total"], &left["tags"]), (&json!(2), &json!([])));
        app.finish().await;
    }

    async fn pages_of_the_library_follow_one_another(setup: Setup) {
        let app = unlimited(setup).without_workers().start().await;
        let (ada, books) = reader(&app, "ada@example.com").await;
        let first = ada.get(&app, "/v1/bff/library?sort=title&limit=2").await.json();
        assert_eq!((titles(&first), &first["total"]), (vec!["A lamp", "Volume 2"], &json!(3)));
        let next = format!("/v1/bff/library?sort=title&limit=2&cursor={}", first["next_cursor"].as_str().unwrap());
        let second = ada.get(&app, &next).await.json();
        assert_eq!((titles(&second), &second["next_cursor"]), (vec!["Volume 10"], &Value::Null));
        // The last book of the page is gone meanwhile: nothing is left out.
        app.send(ada.request(&app, Method::DELETE, &format!("/v1/bff/materials/{}", books[2]))).await;
        assert_eq!(titles(&ada.get(&app, &next).await.json()), ["A lamp", "Volume 10"]);
        app.finish().await;
    }
}
