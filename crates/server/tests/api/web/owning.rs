//! Keys, and the environment that a page shows.

use lectern_testkit::on_both;
use reqwest::Method;
use serde_json::json;

use crate::accounts::{self, browser, unlimited};

on_both! {
    // Negative control: without `origin = 'api'` in the store's lists, the pages' own key is shown
    // and can be revoked.
    async fn the_pages_own_key_is_neither_listed_nor_revocable(setup: Setup) {
        let app = unlimited(setup).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let heart = app.ereader("heart").await;
        let body = json!({ "text": "Hello.", "ereader_id": heart });
        let said = ada.post(&app, "/v1/bff/tts:synthesize?environment=test", &body).await;
        assert_eq!((said.status.as_u16(), &said.json()["credits_charged"]), (200, &json!(0)));
        let usage = ada.get(&app, "/v1/bff/usage?environment=test&group_by=key").await.json();
        let own = usage["data"][0]["key"].as_str().unwrap();
        for environment in ["test", "live"] {
            let keys = ada.get(&app, &format!("/v1/bff/keys?environment={environment}")).await.json();
            assert_eq!(keys["data"].as_array().unwrap().len(), 1, "{keys}");
            let path = format!("/v1/bff/keys/{own}?environment={environment}");
            assert_eq!(app.send(ada.request(&app, Method::DELETE, &path)).await.refusal(), "not_found");
        }
        app.finish().await;
    }

    async fn each_environment_has_its_own_keys_and_materials(setup: Setup) {
        let app = unlimited(setup).without_workers().start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let body = json!({ "name": "reports", "scopes": ["read"] });
        let made = ada.post(&app, "/v1/bff/keys?environment=test", &body).await.json();
        assert!(made["key"].as_str().unwrap().starts_with("svc_test_"));
        assert_eq!(made["environment"], "test");
        let text = json!({ "text": "A few words.", "title": "=1+1 <b>x</b>" });
        let material = ada.post(&app, "/v1/bff/materials?environment=test", &text).await;
        assert_eq!(material.status, 202);
        let id = material.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(ada.get(&app, &format!("/v1/bff/materials/{id}")).await.refusal(), "material_not_found");
        let found = ada.get(&app, &format!("/v1/bff/materials/{id}?environment=test")).await.json();
        assert_eq!(found["title"], "=1+1 <b>x</b>");
        assert_eq!(ada.get(&app, "/v1/bff/materials").await.json()["data"], json!([]));
        for bad in ["environment=prod", "environment=test&environment=live", "envronment=test"] {
            let reply = ada.get(&app, &format!("/v1/bff/materials?{bad}")).await;
            assert_eq!(reply.refusal(), "validation_failed", "{bad}");
        }
        app.finish().await;
    }

    async fn the_last_admin_key_cannot_be_revoked_here_either(setup: Setup) {
        let app = unlimited(setup).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let mut refusals = Vec::new();
        for environment in ["test", "live"] {
            let keys = ada.get(&app, &format!("/v1/bff/keys?environment={environment}")).await.json();
            let id = keys["data"][0]["id"].as_str().unwrap();
            let path = format!("/v1/bff/keys/{id}?environment={environment}");
            let reply = app.send(ada.request(&app, Method::DELETE, &path)).await;
            refusals.push(if reply.status == 200 { String::new() } else { reply.refusal() });
        }
        assert_eq!(refusals, ["", "cannot_revoke_last_admin_key"]);
        app.finish().await;
    }
}
