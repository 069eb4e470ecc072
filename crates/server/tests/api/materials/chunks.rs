//! The chunks of a material: lists, texts, and the responses before there are any chunks.

use lectern_store::jobs::JobKind;
use lectern_testkit::{TestApp, on_both};
use lectern_types::ErrorCode;
use serde_json::{Value, json};

use super::PATH;

async fn refusals(app: &TestApp, key: &str, id: &str, index: &str) -> Vec<String> {
    let mut codes = Vec::new();
    for what in ["text", "audio", "timestamps"] {
        codes.push(app.get(&format!("{PATH}/{id}/chunks/{index}/{what}"), key).await.refusal());
    }
    codes
}

on_both! {
    async fn a_processing_material_has_no_chunks(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(0).await;
        let id = app.upload(&account.live, "Words.").await;
        let list = app.get(&format!("{PATH}/{id}/chunks"), &account.live).await.json();
        assert_eq!(list, json!({ "data": [], "next_cursor": null }));
        for index in ["0", "7", "4294967295"] {
            assert_eq!(refusals(&app, &account.live, &id, index).await, ["chunk_not_ready"; 3], "{index}");
        }
        for index in ["-1", "+0", "00", "x", "1.0", "4294967296", "%00"] {
            assert_eq!(refusals(&app, &account.live, &id, index).await, ["chunk_not_found"; 3], "{index}");
        }
        for query in ["audio", "captions"] {
            let reply = app.get(&format!("{PATH}/{id}/{query}"), &account.live).await;
            assert_eq!(reply.refusal(), "chunk_not_ready");
            assert_eq!(reply.json()["error"]["details"], json!({ "indexes": [], "count": 0 }));
        }
        app.finish().await;
    }

    async fn a_material_that_could_not_be_read_says_why_and_has_no_chunks(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(0).await;
        let id = app.upload(&account.live, "Words.").await;
        app.clock.advance_seconds(5);
        app.fail_job(JobKind::Extract, ErrorCode::MaterialUnreadable).await;
        let material = app.material(&account.live, &id).await;
        assert_eq!(material["status"], "failed");
        assert_eq!(
            material["failure"],
            json!({ "code": "material_unreadable", "message": "It was not to be." })
        );
        assert_eq!(material["updated_at"], "2026-11-21T07:08:16.524Z");
        assert_eq!(refusals(&app, &account.live, &id, "0").await, ["chunk_not_found"; 3]);
        let body = json!({ "ereader_id": app.ereader("heart").await });
        let reply = app.post(&format!("{PATH}/{id}/convert"), &account.live, &body).await;
        assert_eq!(reply.refusal(), "material_not_ready");
        assert_eq!(reply.json()["error"]["details"], json!({ "status": "failed" }));
        app.finish().await;
    }

    async fn a_ready_material_lists_its_chunks_by_index_and_their_texts_join_to_its_own(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(0).await;
        let texts = ["# One\n\nIt was ", "raining. 🚀\n\n", "# Two\n\nÜber allem.\n"];
        let id = app.ready_material(&account.live, &texts).await;
        let material = app.material(&account.live, &id).await;
        let characters: usize = texts.iter().map(|text| text.chars().count()).sum();
        assert_eq!(
            (
                &material["status"],
                &material["characters"],
                &material["chunk_count"],
                &material["duration_ms"]
            ),
            (&json!("ready"), &json!(characters), &json!(3), &json!(null))
        );
        let path = format!("{PATH}/{id}/chunks");
        let chunk = |index: usize, title: &str| {
            json!({
                "index": index, "status": "pending", "title": title, "characters": texts[index].chars().count(),
                "duration_ms": null,
            })
        };
        let all = json!({ "data": [chunk(0, "One"), chunk(1, "One"), chunk(2, "Two")], "next_cursor": null });
        assert_eq!(app.get(&path, &account.live).await.json(), all);
        let mut joined = String::new();
        for index in 0..texts.len() {
            let text = app.get(&format!("{path}/{index}/text"), &account.live).await.json();
            assert_eq!(text["index"], index);
            joined.push_str(text["text"].as_str().unwrap());
        }
        assert_eq!(joined, texts.concat());
        assert_eq!(refusals(&app, &account.live, &id, "3").await, ["chunk_not_found"; 3]);
        assert_eq!(app.get(&format!("{path}/0/audio"), &account.live).await.refusal(), "chunk_not_ready");
        assert_eq!(
            app.get(&format!("{path}/0/timestamps"), &account.live).await.refusal(),
            "chunk_not_ready"
        );
        app.finish().await;
    }

    async fn pages_of_chunks_have_up_to_a_thousand_and_continue_where_they_ended(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(0).await;
        let texts: Vec<String> = (0..1_001).map(|number| format!("Number {number}. ")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let id = app.ready_material(&account.live, &texts).await;
        let other = app.ready_material(&account.live, &["One.", "Two."]).await;
        let path = format!("{PATH}/{id}/chunks");
        let indexes = |page: &Value| -> Vec<u64> {
            page["data"].as_array().unwrap().iter().map(|chunk| chunk["index"].as_u64().unwrap()).collect()
        };
        let first = app.get(&path, &account.live).await.json();
        assert_eq!(indexes(&first), (0..1_000).collect::<Vec<_>>());
        let cursor = first["next_cursor"].as_str().unwrap();
        let last = app.get(&format!("{path}?cursor={cursor}"), &account.live).await.json();
        assert_eq!((indexes(&last), &last["next_cursor"]), (vec![1_000], &json!(null)));
        let few = app.get(&format!("{path}?limit=3"), &account.live).await.json();
        assert_eq!(indexes(&few), [0, 1, 2]);
        // A cursor is valid for one list only.
        for path in [
            format!("{PATH}/{other}/chunks?cursor={cursor}"),
            format!("{PATH}?cursor={cursor}"),
            format!("{path}?limit=0"),
            format!("{path}?limit=1001"),
            format!("{path}?cursor=0"),
            format!("{path}?offset=1"),
        ] {
            assert_eq!(app.get(&path, &account.live).await.refusal(), "validation_failed", "{path}");
        }
        app.finish().await;
    }
}
