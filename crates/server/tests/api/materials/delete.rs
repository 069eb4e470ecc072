//! Deletion: removed data, kept data, and work in progress.

use lectern_store::jobs::{self, JobKind, Outcome};
use lectern_testkit::{Reply, TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};

use super::PATH;

async fn delete(app: &TestApp, key: &str, id: &str) -> Reply {
    app.send(app.request(Method::DELETE, &format!("{PATH}/{id}")).bearer_auth(key)).await
}

on_both! {
    async fn a_deleted_material_is_returned_once_and_then_not_found(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.completed_material(&account.live, &["One. ", "Two."]).await;
        app.assemble(b"book").await;
        let mut before = app.material(&account.live, &id).await;
        app.clock.advance_seconds(5);
        let reply = delete(&app, &account.live, &id).await;
        before["status"] = json!("deleted");
        before["updated_at"] = json!("2026-11-21T07:08:16.524Z");
        let mut after = reply.json();
        // Both chunks were completed; the total duration is not computed for a deleted material.
        after["duration_ms"] = before["duration_ms"].clone();
        assert_eq!((reply.status.as_u16(), after), (200, before));
        assert_eq!(delete(&app, &account.live, &id).await.refusal(), "material_not_found");
        for path in [
            "",
            "/chunks",
            "/chunks/0/text",
            "/chunks/0/audio",
            "/chunks/x/audio",
            "/chunks/0/timestamps",
            "/audio",
            "/captions",
            "/events",
        ] {
            let reply = app.get(&format!("{PATH}/{id}{path}"), &account.live).await;
            assert_eq!(reply.refusal(), "material_not_found", "{path}");
        }
        let body = json!({ "ereader_id": app.ereader("heart").await });
        assert_eq!(
            app.post(&format!("{PATH}/{id}/convert"), &account.live, &body).await.refusal(),
            "material_not_found"
        );
        assert_eq!(app.get(PATH, &account.live).await.json()["data"], json!([]));
        // Charges are not refunded.
        assert_eq!(app.balance(&account).await, (991, 0));
        app.finish().await;
    }

    // Negative control: without the deletion of jobs in `materials::delete`, the work continues and
    // is charged.
    async fn deletion_stops_work_in_progress_and_releases_its_holds(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.ready_material(&account.live, &["One. ", "Two. ", "Three."]).await;
        let body = json!({ "ereader_id": app.ereader("heart").await });
        assert_eq!(app.post(&format!("{PATH}/{id}/convert"), &account.live, &body).await.status, 202);
        app.convert_chunk().await;
        let claim = app.start_chunk().await;
        assert_eq!(app.balance(&account).await, (995, 11));
        assert_eq!(delete(&app, &account.live, &id).await.json()["status"], "deleted");
        assert_eq!(app.balance(&account).await, (995, 0));
        // The worker can neither renew its claim nor complete the chunk.
        let until = app.clock.now().plus_seconds(60);
        assert!(!jobs::renew(&app.base.store, &claim, until).await.unwrap());
        assert_eq!(app.complete_chunk(&claim).await, Outcome::Lost);
        assert_eq!(app.claim_job(JobKind::ConvertChunk).await, None);
        assert_eq!(app.balance(&account).await, (995, 0));
        app.finish().await;
    }

    async fn a_processing_material_can_be_deleted(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(0).await;
        let id = app.upload(&account.live, "Words.").await;
        assert_eq!(delete(&app, &account.live, &id).await.json()["status"], Value::from("deleted"));
        assert_eq!(app.claim_job(JobKind::Extract).await, None);
        app.finish().await;
    }
}
