//! Conversions that their owner cancels.

use lectern_store::jobs::JobKind;
use lectern_testkit::{Account, Reply, TestApp, on_both};
use lectern_types::ErrorCode;
use reqwest::Method;
use serde_json::{Value, json};

use super::PATH;

async fn cancel(app: &TestApp, account: &Account, id: &str) -> Reply {
    app.post(&format!("{PATH}/{id}/cancel"), &account.live, &json!({})).await
}

async fn convert(app: &TestApp, account: &Account, id: &str, fields: Value) -> Reply {
    let mut body = json!({ "ereader_id": app.ereader("heart").await });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    app.post(&format!("{PATH}/{id}/convert"), &account.live, &body).await
}

on_both! {
    // Negative control: without the release of the holds, the balance stays at 30.
    async fn what_waits_does_not_begin_and_is_not_paid(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.ready_material(&account.live, &["It was a d", "ay by the ", "sea, they."]).await;
        let with_field = app.post(&format!("{PATH}/{id}/cancel"), &account.live, &json!({ "a": 1 })).await;
        assert_eq!(with_field.fields(), ["a"]);
        let with_field = app.post(&format!("{PATH}/{id}/feed"), &account.live, &json!({ "a": 1 })).await;
        assert_eq!(with_field.fields(), ["a"]);
        let unchanged = cancel(&app, &account, &id).await;
        assert_eq!((unchanged.status.as_u16(), &unchanged.json()["status"]), (200, &json!("ready")));
        assert_eq!(convert(&app, &account, &id, json!({})).await.status, 202);
        assert_eq!(app.balance(&account).await, (1_000, 30));
        app.convert_chunk().await;
        assert_eq!(app.balance(&account).await, (990, 20));

        let cancelled = cancel(&app, &account, &id).await;
        assert_eq!(cancelled.status, 202);
        let material = cancelled.json();
        assert_eq!((&material["status"], &material["chunks_completed"]), (&json!("ready"), &json!(1)));
        assert_eq!(app.balance(&account).await, (990, 0));
        assert_eq!(app.claim_job(JobKind::ConvertChunk).await, None);
        let audio = format!("{PATH}/{id}/chunks/0/audio");
        assert_eq!(app.get(&audio, &account.live).await.status, 200, "what is done stays");
        assert_eq!(cancel(&app, &account, &id).await.status, 200, "twice");

        assert_eq!(convert(&app, &account, &id, json!({})).await.json()["chunks"], json!(2));
        app.convert_all_chunks().await;
        assert_eq!(app.balance(&account).await, (970, 0));
        assert_eq!(app.material(&account.live, &id).await["status"], json!("completed"));
        let other = app.account(0).await;
        assert_eq!(cancel(&app, &other, &id).await.refusal(), "material_not_found");
        app.finish().await;
    }

    // Negative control: when the route ignores the header, as it did, the repeated call is no replay.
    async fn a_repeated_cancellation_takes_back_nothing_that_was_queued_since(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.ready_material(&account.live, &["It was a d", "ay by the "]).await;
        let path = format!("{PATH}/{id}/cancel");
        let again = async |key: &str| {
            let request = app.request(Method::POST, &path).bearer_auth(&account.live);
            app.send(request.header("idempotency-key", key).json(&json!({}))).await
        };
        assert_eq!(convert(&app, &account, &id, json!({})).await.status, 202);
        let first = again("c-1").await;
        assert_eq!((first.status.as_u16(), first.header("idempotent-replayed")), (202, ""));
        assert_eq!(convert(&app, &account, &id, json!({})).await.status, 202);
        let second = again("c-1").await;
        assert_eq!((second.status.as_u16(), second.header("idempotent-replayed")), (202, "true"));
        assert_eq!(second.bytes, first.bytes);
        assert_eq!(app.balance(&account).await, (1_000, 20), "what was queued since goes on");
        let other = app.request(Method::POST, &path).bearer_auth(&account.live);
        let other = app.send(other.header("idempotency-key", "c-1").json(&json!({ "a": 1 }))).await;
        assert_eq!(other.refusal(), "idempotency_key_reuse");
        // Of many calls under one key, one cancels; a call that changes nothing is kept as well.
        let calls = futures_util::future::join_all((0..8).map(|_| again("c-2"))).await;
        assert!(calls.iter().all(|call| call.status == 202 && call.bytes == calls[0].bytes));
        assert_eq!(calls.iter().filter(|call| call.header("idempotent-replayed") == "true").count(), 7);
        assert_eq!(app.balance(&account).await, (1_000, 0));
        let unchanged = again("c-3").await;
        assert_eq!((unchanged.status.as_u16(), again("c-3").await.header("idempotent-replayed")), (200, "true"));
        app.finish().await;
    }

    async fn a_chunk_that_is_being_spoken_goes_on(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.ready_material(&account.live, &["It was a d", "ay by the "]).await;
        assert_eq!(convert(&app, &account, &id, json!({})).await.status, 202);
        let begun = app.start_chunk().await;
        let cancelled = cancel(&app, &account, &id).await;
        assert_eq!((cancelled.status.as_u16(), &cancelled.json()["status"]), (202, &json!("converting")));
        assert_eq!(app.balance(&account).await, (1_000, 10));
        app.complete_chunk(&begun).await;
        assert_eq!(app.balance(&account).await, (990, 0));
        assert_eq!(app.material(&account.live, &id).await["status"], json!("ready"));
        app.finish().await;
    }

    // Negative control: without `restore`, the material is ready and its audio stale.
    async fn a_chunk_that_was_to_be_spoken_again_has_its_audio_of_before(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.completed_material(&account.live, &["It was a d", "ay by the "]).await;
        let again = json!({ "chunks": [0, 1], "again": true });
        assert_eq!(convert(&app, &account, &id, again.clone()).await.status, 202);
        app.fail_job(JobKind::ConvertChunk, ErrorCode::TtsProviderError).await;
        let cancelled = cancel(&app, &account, &id).await;
        assert_eq!((cancelled.status.as_u16(), &cancelled.json()["status"]), (202, &json!("partially_failed")));
        let audio = app.get(&format!("{PATH}/{id}/chunks/1/audio"), &account.live).await;
        assert_eq!((audio.status.as_u16(), audio.header("lectern-stale")), (200, ""));
        assert_eq!(app.balance(&account).await, (980, 0));

        assert_eq!(convert(&app, &account, &id, json!({})).await.json()["chunks"], json!(1));
        app.convert_all_chunks().await;
        assert_eq!(convert(&app, &account, &id, again).await.status, 202);
        assert_eq!(cancel(&app, &account, &id).await.json()["status"], json!("completed"));
        assert_eq!(app.material(&account.live, &id).await["duration_ms"], json!(400));
        app.assemble(b"book").await;
        assert_eq!(app.balance(&account).await, (970, 0));
        app.finish().await;
    }
}
