//! Chapters: lists, changes, conversions of some of them, and when a book is completed.

use lectern_testkit::{Account, Reply, Setup, TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};

use super::PATH;

async fn patch(app: &TestApp, key: &str, id: &str, chapter: &str, body: &Value) -> Reply {
    let path = format!("{PATH}/{id}/chapters/{chapter}");
    app.send(app.request(Method::PATCH, &path).bearer_auth(key).json(body)).await
}

async fn list(app: &TestApp, key: &str, id: &str) -> Vec<Value> {
    let reply = app.get(&format!("{PATH}/{id}/chapters"), key).await;
    assert_eq!(reply.status, 200);
    reply.json()["data"].as_array().unwrap().clone()
}

async fn convert(app: &TestApp, account: &Account, id: &str, fields: Value) -> Reply {
    let mut body = json!({ "ereader_id": app.ereader("heart").await });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    app.post(&format!("{PATH}/{id}/convert"), &account.live, &body).await
}

/// An account with a material of three chapters, the second of two chunks; ten characters each.
async fn ready(setup: Setup) -> (TestApp, Account, String) {
    let app = setup.without_workers().start().await;
    let account = app.account(1_000).await;
    let chunks = ["# One\nabcd", "# Two\nabcd", "and so on.", "# Three\nab"];
    let id = app.ready_material(&account.live, &chunks).await;
    (app, account, id)
}

async fn status(app: &TestApp, account: &Account, id: &str) -> Value {
    app.material(&account.live, id).await["status"].clone()
}

on_both! {
    async fn chapters_are_listed_with_their_chunks(setup: Setup) {
        let (app, account, id) = ready(setup).await;
        let chapters = list(&app, &account.live, &id).await;
        let titles: Vec<_> = chapters.iter().map(|chapter| chapter["title"].clone()).collect();
        assert_eq!(titles, [json!("One"), json!("Two"), json!("Three")]);
        assert_eq!(
            chapters[1],
            json!({
                "index": 1, "title": "Two", "level": 1, "role": "body", "included": true, "characters": 20,
                "chunk_indexes": [1, 2], "duration_ms": null, "status": "pending",
            })
        );
        let processing = app.upload(&account.live, "Wait.").await;
        assert_eq!(list(&app, &account.live, &processing).await, [] as [Value; 0]);
        let other = app.account(0).await;
        assert_eq!(app.get(&format!("{PATH}/{id}/chapters"), &other.live).await.refusal(), "material_not_found");
        app.finish().await;
    }

    // Negative controls: with all chunks asked for in `Which::Book`, four are queued; without the join on `included` in
    // `rest`, the material is never completed.
    async fn a_chapter_that_is_left_out_is_no_part_of_the_book(setup: Setup) {
        let (app, account, id) = ready(setup).await;
        let left_out = patch(&app, &account.live, &id, "1", &json!({ "included": false })).await;
        assert_eq!((left_out.status.as_u16(), &left_out.json()["included"]), (200, &json!(false)));
        let queued = convert(&app, &account, &id, json!({})).await.json();
        assert_eq!((&queued["chunks"], &queued["credits_held"]), (&json!(2), &json!(20)));
        app.convert_all_chunks().await;
        let material = app.material(&account.live, &id).await;
        assert_eq!(
            (&material["status"], &material["chunk_count"], &material["chunks_completed"], &material["duration_ms"]),
            (&json!("completed"), &json!(4), &json!(2), &json!(400))
        );
        app.assemble(b"without").await;
        let whole = format!("{PATH}/{id}/audio");
        assert_eq!(app.get(&whole, &account.live).await.bytes, b"without");
        let captions = app.get(&format!("{PATH}/{id}/captions"), &account.live).await;
        let captions = String::from_utf8(captions.bytes).unwrap();
        assert!(captions.contains("Three") && !captions.contains("Two"), "{captions}");

        // Including it makes the book incomplete; what is missing is named.
        assert_eq!(patch(&app, &account.live, &id, "1", &json!({ "included": true })).await.status, 200);
        assert_eq!(status(&app, &account, &id).await, json!("ready"));
        let missing = app.get(&whole, &account.live).await;
        assert_eq!(missing.refusal(), "chunk_not_ready");
        let details = &missing.json()["error"]["details"];
        assert_eq!((&details["count"], &details["indexes"]), (&json!(2), &json!([1, 2])));

        // Leaving it out again completes the book, and says so.
        assert_eq!(patch(&app, &account.live, &id, "1", &json!({ "included": false })).await.status, 200);
        assert_eq!(status(&app, &account, &id).await, json!("completed"));
        app.assemble(b"again").await;
        assert_eq!(app.get(&whole, &account.live).await.bytes, b"again");
        app.finish().await;
    }

    async fn chapters_are_converted_by_their_indexes(setup: Setup) {
        let (app, account, id) = ready(setup).await;
        for (fields, field) in [
            (json!({ "chapters": [0], "chunks": [0] }), "chapters"),
            (json!({ "chapters": [] }), "chapters"),
            (json!({ "chapters": [0, 0] }), "chapters[1]"),
            (json!({ "chapters": "0" }), "chapters"),
            (json!({ "chapters": [0], "again": true }), "again"),
        ] {
            assert_eq!(convert(&app, &account, &id, fields).await.fields(), [field]);
        }
        assert_eq!(convert(&app, &account, &id, json!({ "chapters": [1, 3] })).await.refusal(), "chapter_not_found");
        assert_eq!(app.balance(&account).await, (1_000, 0));
        let queued = convert(&app, &account, &id, json!({ "chapters": [1] })).await.json();
        assert_eq!((&queued["chunks"], &queued["characters"]), (&json!(2), &json!(20)));
        assert_eq!(list(&app, &account.live, &id).await[1]["status"], json!("queued"));
        app.convert_all_chunks().await;
        let chapters = list(&app, &account.live, &id).await;
        assert_eq!((&chapters[1]["status"], &chapters[1]["duration_ms"]), (&json!("completed"), &json!(400)));
        assert_eq!(status(&app, &account, &id).await, json!("ready"));
        assert_eq!(
            convert(&app, &account, &id, json!({ "chapters": [1] })).await.refusal(),
            "material_chunks_already_converted"
        );
        // One that is left out can be converted all the same.
        assert_eq!(patch(&app, &account.live, &id, "2", &json!({ "included": false })).await.status, 200);
        assert_eq!(convert(&app, &account, &id, json!({ "chapters": [2] })).await.json()["chunks"], json!(1));
        app.convert_all_chunks().await;
        assert_eq!(status(&app, &account, &id).await, json!("ready"));
        app.finish().await;
    }

    async fn a_book_without_chapters_is_refused_before_it_costs_anything(setup: Setup) {
        let (app, account, id) = ready(setup).await;
        for chapter in ["0", "1", "2"] {
            assert_eq!(patch(&app, &account.live, &id, chapter, &json!({ "included": false })).await.status, 200);
        }
        assert_eq!(status(&app, &account, &id).await, json!("ready"));
        assert_eq!(convert(&app, &account, &id, json!({})).await.fields(), ["chapters"]);
        let empty = convert(&app, &account, &id, json!({ "chapters": [] })).await.json();
        assert_eq!(
            empty["error"]["details"]["fields"]["chapters"],
            json!("must be a list of at least one chapter's index")
        );
        assert_eq!(app.balance(&account).await, (1_000, 0));
        let audio = app.get(&format!("{PATH}/{id}/audio"), &account.live).await;
        assert_eq!(audio.refusal(), "chunk_not_ready");
        let message = audio.json()["error"]["message"].as_str().unwrap().to_owned();
        assert_eq!(message, "No chapter of the material is included, so there is nothing to hear.");
        app.finish().await;
    }

    async fn titles_of_chapters_change_with_their_chunks(setup: Setup) {
        let (app, account, id) = ready(setup).await;
        let renamed = patch(&app, &account.live, &id, "1", &json!({ "title": "The Lamp" })).await.json();
        assert_eq!((&renamed["title"], &renamed["included"]), (&json!("The Lamp"), &json!(true)));
        let chunks = app.get(&format!("{PATH}/{id}/chunks"), &account.live).await.json();
        let titles: Vec<_> = chunks["data"].as_array().unwrap().iter().map(|chunk| chunk["title"].clone()).collect();
        assert_eq!(titles, [json!("One"), json!("The Lamp"), json!("The Lamp"), json!("Three")]);
        assert_eq!(patch(&app, &account.live, &id, "1", &json!({ "title": null })).await.json()["title"], json!(null));
        for (chapter, body, refusal) in [
            ("3", json!({}), "chapter_not_found"),
            ("01", json!({}), "chapter_not_found"),
            ("x", json!({}), "chapter_not_found"),
            ("0", json!({ "title": "" }), "validation_failed"),
            ("0", json!({ "title": "a".repeat(501) }), "validation_failed"),
            ("0", json!({ "included": "yes" }), "validation_failed"),
            ("0", json!({ "role": "body" }), "validation_failed"),
        ] {
            assert_eq!(patch(&app, &account.live, &id, chapter, &body).await.refusal(), refusal, "{body}");
        }
        app.finish().await;
    }

    // A program of before 0019 stores no chapters.
    async fn materials_of_before_have_chapters_too(setup: Setup) {
        let (app, account, id) = ready(setup).await;
        let before = list(&app, &account.live, &id).await;
        app.database().run("DELETE FROM material_chapters").await;
        app.database().run("UPDATE chunks SET chapter = NULL").await;
        assert_eq!(list(&app, &account.live, &id).await, before);
        let left_out = patch(&app, &account.live, &id, "1", &json!({ "included": false })).await;
        assert_eq!(left_out.json()["chunk_indexes"], json!([1, 2]));
        assert_eq!(convert(&app, &account, &id, json!({})).await.json()["chunks"], json!(2));
        app.convert_all_chunks().await;
        assert_eq!(status(&app, &account, &id).await, json!("completed"));
        app.finish().await;
    }
}
