//! Accounts that have not accepted the published documents.

use lectern_http::router;
use lectern_store::consent::{self, AcceptedBy};
use lectern_testkit::{TestApp, on_both};
use lectern_types::DocumentKind;
use serde_json::{Value, json};

use super::routes::{self, Access};
use crate::accounts;

// Negative control: without the extension `x-consent-exempt` on `revoke_key`, this fails.
#[test]
fn the_document_says_where_consent_is_asked_for() {
    let api: Value = serde_json::from_str(&router::document()).unwrap();
    for route in routes::ROUTES {
        let mut refusal = &api["paths"][route.path][route.method.to_lowercase()]["responses"]["403"];
        if let Some(reference) = refusal["$ref"].as_str() {
            refusal = api.pointer(&reference[1..]).unwrap();
        }
        let is_listed = refusal["content"]["application/json"]["examples"].get("consent_required").is_some();
        assert_eq!(is_listed, matches!(route.access, Access::Key(_) | Access::Session), "{route:?}");
    }
}

async fn publish(app: &TestApp) {
    let (store, now) = (&app.base.store, app.clock.now());
    consent::publish(store, DocumentKind::Privacy, "2026-01-01", "Private.", now).await.unwrap();
    consent::publish(store, DocumentKind::Terms, "2026-02-02", "Fair.", now).await.unwrap();
}

on_both! {
    // Negative control: without `check_consent` in the extractor, no route refuses.
    async fn an_account_that_owes_consent_is_refused_until_it_accepts(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(100).await;
        publish(&app).await;
        for key in [&account.live, &account.test] {
            for (route, _) in routes::keyed() {
                let reply = app.send(route.request(&app).bearer_auth(key)).await;
                if matches!(route.access, Access::KeyOwingConsent(_)) {
                    assert_ne!(reply.refusal(), "consent_required", "{route:?}");
                    continue;
                }
                assert_eq!(reply.refusal(), "consent_required", "{route:?}");
                assert_eq!(
                    reply.json()["error"]["details"],
                    json!({
                        "owed": ["terms", "privacy"],
                        "terms_version": "2026-02-02",
                        "privacy_version": "2026-01-01",
                    })
                );
            }
        }
        let now = app.clock.now();
        consent::accept_current(&app.base.store, account.id, AcceptedBy::Operator, now).await.unwrap();
        for key in [&account.live, &account.test] {
            for (route, _) in routes::keyed() {
                let reply = app.send(route.request(&app).bearer_auth(key)).await;
                assert!(reply.status.is_success() || reply.refusal() != "consent_required", "{route:?}");
            }
        }
        let me = app.get("/v1/saas/me", &account.live).await;
        assert_eq!(me.json()["consent"]["terms_accepted_version"], "2026-02-02");
        app.finish().await;
    }

    async fn an_account_that_owes_consent_may_revoke_keys_register_and_sign_in(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(100).await;
        publish(&app).await;
        // The calling key itself. Only this request can find out its id.
        let keys =
            lectern_store::keys::list(&app.base.store, account.id, lectern_store::Environment::Test, None, 1);
        let test_key = keys.await.unwrap()[0].id;
        let request = app.request(reqwest::Method::DELETE, &format!("/v1/saas/keys/{test_key}"));
        let reply = app.send(request.bearer_auth(&account.live)).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["status"]), (200, &json!("revoked")));
        accounts::confirmed(&app, "owes@example.com").await;
        accounts::session(&app, "owes@example.com", accounts::PASSWORD).await;
        app.finish().await;
    }
}
