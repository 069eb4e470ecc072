//! Chunks that are spoken again: they are paid again, and their old audio stays until the new one is
//! stored.

use lectern_store::jobs::JobKind;
use lectern_testkit::{Account, Reply, Setup, TestApp, on_both};
use lectern_types::ErrorCode;
use reqwest::Method;
use serde_json::{Value, json};

use super::PATH;

async fn convert(app: &TestApp, account: &Account, id: &str, fields: Value) -> Reply {
    let mut body = json!({ "ereader_id": app.ereader("heart").await });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    app.post(&format!("{PATH}/{id}/convert"), &account.live, &body).await
}

async fn audio(app: &TestApp, account: &Account, id: &str, chunk: u32) -> Reply {
    app.get(&format!("{PATH}/{id}/chunks/{chunk}/audio"), &account.live).await
}

/// An account with a material of two completed chunks of ten characters each.
async fn completed(setup: Setup) -> (TestApp, Account, String) {
    let app = setup.without_workers().start().await;
    let account = app.account(1_000).await;
    let id = app.completed_material(&account.live, &["It was a d", "ay by the "]).await;
    assert_eq!(app.balance(&account).await, (980, 0));
    (app, account, id)
}

on_both! {
    // Negative control: without the number of times in the ledger's key, the second charge fails. Not seen to
    // fail yet: without the deletion of books, the whole book should be the one of before.
    async fn a_completed_chunk_is_spoken_and_paid_again(setup: Setup) {
        let (app, account, id) = completed(setup).await;
        app.assemble(b"book").await;
        let whole = format!("{PATH}/{id}/audio");
        assert_eq!(app.get(&whole, &account.live).await.bytes, b"book");
        let before = audio(&app, &account, &id, 1).await;
        assert_eq!((before.status.as_u16(), before.header("lectern-stale")), (200, ""));

        assert_eq!(
            convert(&app, &account, &id, json!({ "chunks": [1] })).await.refusal(),
            "material_chunks_already_converted"
        );
        assert_eq!(convert(&app, &account, &id, json!({ "again": true })).await.fields(), ["again"]);
        let reply = convert(&app, &account, &id, json!({ "chunks": [1], "again": true })).await;
        assert_eq!(reply.status, 202, "{}", reply.json());
        let queued = reply.json();
        assert_eq!((&queued["chunks"], &queued["credits_held"]), (&json!(1), &json!(10)));
        let material = &queued["material"];
        assert_eq!(
            (&material["status"], &material["chunks_completed"], &material["duration_ms"]),
            (&json!("converting"), &json!(1), &json!(null))
        );
        assert_eq!(app.balance(&account).await, (980, 10));
        assert_eq!(
            convert(&app, &account, &id, json!({ "chunks": [1], "again": true })).await.refusal(),
            "material_chunks_already_converted",
            "it is queued"
        );

        let old = audio(&app, &account, &id, 1).await;
        assert_eq!((old.status.as_u16(), old.header("lectern-stale")), (200, "true"));
        assert_eq!(old.bytes, before.bytes);
        let words = format!("{PATH}/{id}/chunks/1/timestamps");
        assert_eq!(app.get(&words, &account.live).await.header("lectern-stale"), "true");
        assert_eq!(audio(&app, &account, &id, 0).await.header("lectern-stale"), "");
        assert_eq!(app.get(&whole, &account.live).await.refusal(), "chunk_not_ready");

        app.convert_all_chunks().await;
        let material = app.material(&account.live, &id).await;
        assert_eq!(
            (&material["status"], &material["chunks_completed"], &material["duration_ms"]),
            (&json!("completed"), &json!(2), &json!(400))
        );
        assert_eq!(app.balance(&account).await, (970, 0));
        let new = audio(&app, &account, &id, 1).await;
        assert_eq!((new.status.as_u16(), new.header("lectern-stale")), (200, ""));
        app.assemble(b"new").await;
        assert_eq!(app.get(&whole, &account.live).await.bytes, b"new");
        let usage = app.get("/v1/saas/usage", &account.live).await.json();
        assert_eq!(usage["data"][0]["characters"], json!(30), "{usage}");

        // Once more, all of it.
        let reply = convert(&app, &account, &id, json!({ "chunks": [1, 0], "again": true })).await.json();
        assert_eq!((&reply["chunks"], &reply["credits_held"]), (&json!(2), &json!(20)));
        app.convert_all_chunks().await;
        assert_eq!(app.balance(&account).await, (950, 0));
        app.finish().await;
    }

    async fn a_chunk_that_fails_the_second_time_keeps_its_old_audio(setup: Setup) {
        let (app, account, id) = completed(setup).await;
        let before = audio(&app, &account, &id, 0).await.bytes;
        assert_eq!(convert(&app, &account, &id, json!({ "chunks": [0], "again": true })).await.status, 202);
        app.fail_job(JobKind::ConvertChunk, ErrorCode::TtsProviderError).await;
        assert_eq!(app.balance(&account).await, (980, 0));
        assert_eq!(app.material(&account.live, &id).await["status"], json!("partially_failed"));
        let old = audio(&app, &account, &id, 0).await;
        assert_eq!((&old.bytes, old.header("lectern-stale")), (&before, "true"));
        // It is not completed, so it needs no `again` any more.
        assert_eq!(convert(&app, &account, &id, json!({})).await.json()["chunks"], json!(1));
        app.convert_all_chunks().await;
        assert_eq!(app.balance(&account).await, (970, 0));
        assert_eq!(audio(&app, &account, &id, 0).await.header("lectern-stale"), "");
        app.finish().await;
    }

    async fn deleting_a_material_deletes_old_audio_too(setup: Setup) {
        let (app, account, id) = completed(setup).await;
        assert_eq!(convert(&app, &account, &id, json!({ "chunks": [0], "again": true })).await.status, 202);
        let path = format!("{PATH}/{id}");
        let deleted = app.send(app.request(Method::DELETE, &path).bearer_auth(&account.live)).await;
        assert_eq!(deleted.status, 200);
        assert_eq!(app.balance(&account).await, (980, 0));
        assert_eq!(app.database().count("chunk_old_audio").await, 0);
        app.finish().await;
    }
}
