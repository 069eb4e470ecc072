//! A revocation, an expiry, a publication or an acceptance applies to the next request on the
//! process that made it, and within a second on every other process, whether a service or a command
//! made it.

use std::time::Duration;

use lectern_store::{Environment, consent, keys as stored};
use lectern_testkit::{Account, Setup, TestApp, on_both, until_within};
use lectern_types::{DocumentKind, KeyId};
use serde_json::json;

use crate::program;

/// The result of a request with a key: `ok` or the error's code.
async fn answered(app: &TestApp, key: &str) -> String {
    let reply = app.get("/v1/saas/me", key).await;
    if reply.status == 200 { "ok".to_owned() } else { reply.refusal() }
}

/// Asserts that another process gives this result within a second.
async fn within_a_second(app: &TestApp, key: &str, expected: &str) {
    let what = format!("the answer {expected}");
    until_within(Duration::from_secs(1), &what, async || answered(app, key).await == expected).await;
}

/// Runs an operator command while the service runs.
async fn admin(app: &TestApp, arguments: &[&str]) {
    let output = program::beside(program::lectern(app.data(), arguments), app.database()).await;
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

async fn key_id(app: &TestApp, key: &str) -> KeyId {
    let me = app.get("/v1/saas/me", key).await.json();
    me["key"]["id"].as_str().unwrap().parse().unwrap()
}

/// Creates another live key, which expires after this many seconds.
async fn key_for(app: &TestApp, account: &Account, seconds: i64) -> String {
    let expires_at = app.clock.now().plus_seconds(seconds);
    let body = json!({ "name": "short", "scopes": ["read"], "expires_at": expires_at });
    let made = app.post("/v1/saas/keys", &account.live, &body).await;
    made.json()["key"].as_str().unwrap().to_owned()
}

on_both! {
    async fn a_revocation_applies_at_once_here_and_within_a_second_elsewhere(setup: Setup) {
        let app = setup.start().await;
        let other = Setup::sharing(&app).start().await;
        let account = app.account(10).await;
        let key = key_for(&app, &account, 3_600).await;
        for process in [&app, &other] {
            assert_eq!(answered(process, &key).await, "ok");
        }
        let id = key_id(&app, &key).await;
        let path = format!("/v1/saas/keys/{id}");
        let revoked = app.send(app.request(reqwest::Method::DELETE, &path).bearer_auth(&account.live)).await;
        assert_eq!(revoked.status, 200);
        assert_eq!(answered(&app, &key).await, "api_key_revoked");
        within_a_second(&other, &key, "api_key_revoked").await;
        other.finish().await;
        app.finish().await;
    }

    async fn an_expiry_applies_at_its_instant(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(10).await;
        let key = key_for(&app, &account, 60).await;
        app.clock.advance_seconds(59);
        assert_eq!(answered(&app, &key).await, "ok");
        app.clock.advance_seconds(1);
        assert_eq!(answered(&app, &key).await, "api_key_expired");
        app.finish().await;
    }

    async fn a_command_takes_effect_on_running_services_within_a_second(setup: Setup) {
        let app = setup.start().await;
        let other = Setup::sharing(&app).start().await;
        let account = app.account(10).await;
        std::fs::write(app.data().join("terms.md"), "Be kind.").unwrap();
        for process in [&app, &other] {
            assert_eq!(answered(process, &account.live).await, "ok");
        }
        for version in ["v1", "v2"] {
            admin(&app, &["admin", "terms", "publish", "--kind", "terms", "--version", version, "--file", "terms.md"]).await;
            for process in [&app, &other] {
                within_a_second(process, &account.live, "consent_required").await;
            }
            admin(&app, &["admin", "consent", "accept", "--account", &account.email]).await;
            for process in [&app, &other] {
                within_a_second(process, &account.live, "ok").await;
            }
        }
        admin(&app, &["admin", "account", "set-tier", "--account", &account.email, "--tier", "premium"]).await;
        assert_eq!(app.get("/v1/saas/me", &account.live).await.json()["tier"], "premium");
        other.finish().await;
        app.finish().await;
    }

    async fn a_key_created_after_it_was_refused_is_accepted(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(10).await;
        let plain = lectern_service::services::keys::generate(true);
        let plain = secrecy::ExposeSecret::expose_secret(&plain).to_owned();
        assert_eq!(answered(&app, &plain).await, "invalid_api_key");
        let hash = lectern_service::services::keys::hash(&app.base.secrets.pepper, &plain);
        let new = stored::NewKey {
            id: app.base.ids.make(),
            hash: &hash,
            hint: "wxyz",
            name: "late",
            scopes: lectern_store::Scopes::ALL,
            environment: Environment::Live,
            expires_at: None,
        };
        let store = &app.base.store;
        stored::create(store, account.id, Environment::Live, &new, None, app.clock.now()).await.unwrap();
        assert_eq!(answered(&app, &plain).await, "ok", "a refusal was cached");
        let published = consent::publish(store, DocumentKind::Privacy, "p1", "…", app.clock.now()).await;
        published.unwrap();
        assert_eq!(answered(&app, &plain).await, "consent_required");
        app.finish().await;
    }
}
