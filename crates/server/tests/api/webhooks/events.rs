//! `GET /v1/saas/events`.

use lectern_testkit::on_both;
use serde_json::json;

use super::{id, register, set_up, try_out};

on_both! {
    async fn events_are_listed_newest_first_whether_or_not_they_were_delivered(setup: Setup) {
        let (app, account, receiver) = set_up(setup).await;
        let material = app.completed_material(&account.live, &["One. ", "Two."]).await;
        app.ready_material(&account.test, &["Sandbox."]).await;
        let webhook = id(&register(&app, &account.live, &receiver.url("/"), &["chunk.failed"]).await);
        let sent = try_out(&app, &account.live, &webhook).await;
        let listed = app.get("/v1/saas/events", &account.live).await;
        assert_eq!((listed.status.as_u16(), &listed.json()["next_cursor"]), (200, &json!(null)));
        let page = listed.json();
        let kinds: Vec<_> = page["data"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["webhook.test", "material.completed", "chunk.completed", "chunk.completed", "material.ready"]);
        let first = json!({
            "id": sent["event_id"], "type": "webhook.test", "timestamp": "2026-11-21T07:08:11.524Z",
            "data": { "webhook_id": webhook },
        });
        assert_eq!(page["data"][0], first);
        let (mut sequences, mut path) = (Vec::new(), "/v1/saas/events?type=chunk.completed&limit=1".to_owned());
        loop {
            let page = app.get(&path, &account.live).await.json();
            for event in page["data"].as_array().unwrap() {
                assert_eq!(event["data"]["material_id"], json!(material));
                sequences.push(event["data"]["sequence"].as_u64().unwrap());
            }
            let Some(cursor) = page["next_cursor"].as_str() else { break };
            path = format!("/v1/saas/events?type=chunk.completed&limit=1&cursor={cursor}");
        }
        assert_eq!(sequences, [3, 2]);
        assert_eq!(app.get("/v1/saas/events?type=chunk.done", &account.live).await.fields(), ["type"]);
        let sandbox = app.get("/v1/saas/events", &account.test).await.json();
        assert_eq!(sandbox["data"].as_array().unwrap().len(), 1);
        app.assemble(b"book").await;
        app.finish().await;
    }
}
