//! Terms and privacy policy: owed, read and accepted, after which the keys work again.

use lectern_store::consent::{self, AcceptedBy};
use lectern_testkit::on_both;
use lectern_types::DocumentKind;
use serde_json::json;

use crate::accounts::{self, browser, unlimited};

on_both! {
    async fn the_same_key_is_refused_and_comes_back_when_its_owner_agrees(setup: Setup) {
        let app = unlimited(setup).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let body = json!({ "name": "mine", "scopes": ["read"] });
        let key = ada.post(&app, "/v1/bff/keys", &body).await.json()["key"].as_str().unwrap().to_owned();
        assert_eq!(app.get("/v1/saas/me", &key).await.status, 200);

        let publish = async |document, version, text: &str| {
            consent::publish(&app.base.store, document, version, text, app.clock.now()).await.unwrap();
        };
        publish(DocumentKind::Terms, "1", "One.\n\nTwo.").await;
        publish(DocumentKind::Privacy, "1", "Private.").await;
        assert_eq!(app.get("/v1/saas/me", &key).await.refusal(), "consent_required");
        assert_eq!(ada.get(&app, "/v1/bff/overview").await.refusal(), "consent_required");
        assert_eq!(ada.get(&app, "/v1/bff/me").await.json()["owed"], json!(["terms", "privacy"]));

        let accept = async |body| ada.post(&app, "/v1/bff/consent", &body).await;
        assert_eq!(accept(json!({})).await.fields(), ["terms_version"]);
        assert_eq!(accept(json!({ "terms_version": "0" })).await.fields(), ["terms_version"]);
        let half = accept(json!({ "terms_version": "1" })).await.json();
        assert_eq!(half["owed"], json!(["privacy"]));
        assert_eq!(app.get("/v1/saas/me", &key).await.refusal(), "consent_required");
        assert_eq!(accept(json!({ "privacy_version": "1" })).await.json()["owed"], json!([]));
        assert_eq!(app.get("/v1/saas/me", &key).await.status, 200);

        publish(DocumentKind::Terms, "2", "One.\n\nThree.").await;
        let documents = ada.get(&app, "/v1/bff/consent").await.json();
        let terms = &documents["data"][0];
        assert_eq!(
            (&terms["version"], &terms["owed"], &terms["accepted_version"], &terms["accepted_text"]),
            (&json!("2"), &json!(true), &json!("1"), &json!("One.\n\nTwo."))
        );
        assert_eq!(documents["data"][1]["accepted_text"], json!(null));
        // If a version was replaced while its owner read it, accepting the old version is refused.
        assert_eq!(accept(json!({ "terms_version": "1" })).await.fields(), ["terms_version"]);
        assert_eq!(accept(json!({ "terms_version": "2" })).await.status, 200);
        assert_eq!(app.get("/v1/saas/me", &key).await.status, 200);

        let account = ada.get(&app, "/v1/bff/me").await.json()["account"]["id"].as_str().unwrap().parse().unwrap();
        let noted = consent::acceptance(&app.base.store, account, DocumentKind::Terms, "2").await.unwrap().unwrap();
        assert_eq!((noted.by, noted.ip.as_deref()), (AcceptedBy::Owner, Some("127.0.0.1")));
        app.finish().await;
    }
}
