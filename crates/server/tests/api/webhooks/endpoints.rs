//! Changing, listing and deleting endpoints.

use lectern_testkit::on_both;
use serde_json::json;

use super::{PATH, bare, delete, id, patch, register, set_up};

const URL: &str = "https://127.0.0.1:18443/hook";

on_both! {
    async fn a_patch_changes_only_the_given_fields(setup: Setup) {
        let (app, account, _receiver) = set_up(setup).await;
        let mut shown = register(&app, &account.live, URL, &["chunk.completed"]).await;
        shown.as_object_mut().unwrap().remove("secret");
        let id = id(&shown);
        for (change, field, value) in [
            (json!({}), "status", json!("active")),
            (json!({ "description": "Büro" }), "description", json!("Büro")),
            (json!({ "events": ["credits.low", "chunk.failed"] }), "events", json!(["credits.low", "chunk.failed"])),
            (json!({ "url": "https://127.0.0.1:18444/" }), "url", json!("https://127.0.0.1:18444/")),
            (json!({ "status": "disabled" }), "status", json!("disabled")),
            (json!({ "status": "active", "description": null }), "description", json!(null)),
        ] {
            shown[field] = value;
            if change["status"] == "active" {
                shown["status"] = json!("active");
            }
            let reply = patch(&app, &account.live, &id, &change).await;
            assert_eq!((reply.status.as_u16(), reply.json()), (200, shown.clone()), "{change}");
            assert_eq!(app.get(&format!("{PATH}/{id}"), &account.live).await.json(), shown);
        }
        for (change, expected) in [
            (json!({ "url": "http://127.0.0.1:18443/" }), "url_must_be_https"),
            (json!({ "url": "https://10.0.0.1/" }), "url_host_not_allowed"),
            (json!({ "events": [] }), "events_required"),
            (json!({ "events": ["*"] }), "invalid_event_type"),
            (json!({ "status": "deleted" }), "validation_failed"),
            (json!({ "id": id }), "validation_failed"),
        ] {
            assert_eq!(patch(&app, &account.live, &id, &change).await.refusal(), expected, "{change}");
            // Errors in the body are reported before an unknown id.
            assert_eq!(patch(&app, &account.live, "nothing", &change).await.refusal(), expected, "{change}");
        }
        assert_eq!(patch(&app, &account.live, "nothing", &json!({})).await.refusal(), "not_found");
        assert_eq!(app.get(&format!("{PATH}/{id}"), &account.live).await.json(), shown);
        app.finish().await;
    }

    async fn a_deleted_endpoint_is_returned_once_and_then_not_found(setup: Setup) {
        let (app, account, _receiver) = set_up(setup).await;
        let made = register(&app, &account.live, URL, &["chunk.completed"]).await;
        let id = id(&made);
        let reply = delete(&app, &account.live, &id).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["status"]), (200, &json!("deleted")));
        assert_eq!((&reply.json()["id"], reply.json().get("secret")), (&made["id"], None));
        assert_eq!(delete(&app, &account.live, &id).await.refusal(), "not_found");
        assert_eq!(app.get(&format!("{PATH}/{id}"), &account.live).await.refusal(), "not_found");
        assert_eq!(app.get(&format!("{PATH}/{id}/deliveries"), &account.live).await.refusal(), "not_found");
        assert_eq!(patch(&app, &account.live, &id, &json!({ "status": "active" })).await.refusal(), "not_found");
        for what in ["test", "rotate-secret"] {
            assert_eq!(bare(&app, &account.live, &format!("{PATH}/{id}/{what}")).await.refusal(), "not_found");
        }
        assert_eq!(app.get(PATH, &account.live).await.json()["data"], json!([]));
        app.finish().await;
    }

    async fn the_list_is_paged_newest_first(setup: Setup) {
        let (app, account, _receiver) = set_up(setup).await;
        let mut made = Vec::new();
        for _ in 0..5 {
            made.insert(0, id(&register(&app, &account.live, URL, &["chunk.completed"]).await));
        }
        let (mut listed, mut path) = (Vec::new(), format!("{PATH}?limit=2"));
        loop {
            let page = app.get(&path, &account.live).await.json();
            listed.extend(page["data"].as_array().unwrap().iter().map(id));
            let Some(cursor) = page["next_cursor"].as_str() else { break };
            path = format!("{PATH}?limit=2&cursor={cursor}");
        }
        assert_eq!(listed, made);
        app.finish().await;
    }
}
