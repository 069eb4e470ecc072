//! The payloads, and which endpoints receive them.

use lectern_service::services::webhooks::signature::{WebhookSecret, sign};
use lectern_store::jobs::JobKind;
use lectern_testkit::{Received, on_both};
use lectern_types::ErrorCode;
use serde_json::{Value, json};

use super::{deliveries, id, register, set_up};

const MATERIALS: &[&str] =
    &["chunk.completed", "chunk.failed", "material.completed", "material.failed", "material.ready"];

on_both! {
    async fn a_books_webhooks_are_in_order_signed_and_without_its_text(setup: Setup) {
        let (app, account, receiver) = set_up(setup).await;
        let all = register(&app, &account.live, &receiver.url("/all"), MATERIALS).await;
        let some = register(&app, &account.live, &receiver.url("/some"), &["chunk.completed"]).await;
        register(&app, &account.test, &receiver.url("/sandbox"), MATERIALS).await;
        let material = app.completed_material(&account.live, &["It was late. ", "It rained."]).await;
        let received = receiver.wait_for(4 + 2).await;
        app.until("the end of all deliveries", async || {
            deliveries(&app, &account.live, &id(&all)).await.iter().all(|one| one["status"] == "succeeded")
        })
        .await;
        assert_eq!(receiver.count(), 6, "another endpoint received events, too");

        let mut bodies: Vec<Value> = Vec::new();
        for request in received.iter().filter(|request| request.path == "/all") {
            let body = request.json();
            assert_eq!(body.as_object().unwrap().keys().collect::<Vec<_>>(), ["data", "timestamp", "type"]);
            assert_eq!(body["timestamp"], "2026-11-21T07:08:11.524Z");
            assert_eq!(request.header("content-type"), "application/json");
            assert_eq!(request.header("user-agent"), "Lectern-Webhooks/1");
            assert!(request.header("webhook-id").starts_with("evt_"));
            let seconds: i64 = request.header("webhook-timestamp").parse().unwrap();
            assert_eq!(seconds, app.clock.now().unix_seconds());
            let secret = WebhookSecret::parse(all["secret"].as_str().unwrap()).unwrap();
            let signature = sign([&secret], request.header("webhook-id"), seconds, &request.body);
            assert_eq!(request.header("webhook-signature"), signature);
            assert!(!String::from_utf8_lossy(&request.body).contains("rained"), "it contains the text");
            bodies.push(body);
        }
        bodies.sort_by_key(|body| body["data"]["sequence"].as_u64());
        let chunk = |index: u64, characters: u64| json!({
            "material_id": material, "sequence": index + 2, "chunk_index": index, "ereader_id": bodies[1]["data"]["ereader_id"],
            "characters": characters, "duration_ms": characters * 20, "format": "mp3",
        });
        let whole = |status: &str, sequence: u64, completed: u64, duration: Value| json!({
            "material_id": material, "status": status, "sequence": sequence, "chunk_count": 2,
            "chunks_completed": completed, "chunks_failed": 0, "duration_ms": duration,
        });
        for (body, (kind, data)) in bodies.iter().zip([
            ("material.ready", whole("ready", 1, 0, Value::Null)),
            ("chunk.completed", chunk(0, 13)),
            ("chunk.completed", chunk(1, 10)),
            ("material.completed", whole("completed", 4, 2, json!(460))),
        ]) {
            assert_eq!((&body["type"], &body["data"]), (&json!(kind), &data));
        }
        // The same event has the same id for both endpoints.
        let ids = |path: &str, kind: &str| {
            let of = received.iter().filter(|request| request.path == path && request.json()["type"] == kind);
            let mut ids: Vec<String> = of.map(|request| request.header("webhook-id").to_owned()).collect();
            ids.sort();
            ids
        };
        assert_eq!(ids("/all", "chunk.completed"), ids("/some", "chunk.completed"));
        assert_eq!(deliveries(&app, &account.live, &id(&some)).await.len(), 2);
        assert!(app.claim_job(JobKind::Assemble).await.is_some());
        app.finish().await;
    }

    async fn failures_are_sent_with_their_reasons(setup: Setup) {
        let (app, account, receiver) = set_up(setup).await;
        register(&app, &account.live, &receiver.url("/"), &["chunk.failed", "material.failed"]).await;
        app.upload(&account.live, "Nobody will read this.").await;
        app.fail_job(JobKind::Extract, ErrorCode::MaterialUnreadable).await;
        let body = receiver.wait_for(1).await[0].json();
        assert_eq!((&body["type"], &body["data"]["status"]), (&json!("material.failed"), &json!("failed")));
        assert_eq!((&body["data"]["chunk_count"], &body["data"]["sequence"]), (&Value::Null, &json!(1)));

        let material = app.ready_material(&account.live, &["One."]).await;
        let ereader = app.ereader("heart").await;
        let path = format!("/v1/saas/materials/{material}/convert");
        assert_eq!(app.post(&path, &account.live, &json!({ "ereader_id": ereader })).await.status, 202);
        app.fail_job(JobKind::ConvertChunk, ErrorCode::TtsProviderError).await;
        let mut bodies: Vec<Value> = receiver.wait_for(3).await[1..].iter().map(Received::json).collect();
        bodies.sort_by_key(|body| body["data"]["sequence"].as_u64());
        let error = json!({ "code": "tts_provider_error", "message": "It was not to be." });
        let data = json!({
            "material_id": material, "sequence": 2, "chunk_index": 0, "ereader_id": ereader, "characters": 4,
            "duration_ms": null, "format": "mp3", "error": error,
        });
        assert_eq!(bodies[0], json!({ "type": "chunk.failed", "timestamp": "2026-11-21T07:08:11.524Z", "data": data }));
        assert_eq!((&bodies[1]["type"], &bodies[1]["data"]["status"]), (&json!("material.failed"), &json!("partially_failed")));
        app.finish().await;
    }
}
