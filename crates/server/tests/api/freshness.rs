//! A revocation, an expiry, a publication and an acceptance are obeyed by the next request on the process that did it,
//! and within a second by every other, whether a service or a command did it.

use std::time::{Duration, Instant};

use lectern_store::{Environment, consent, keys as stored};
use lectern_testkit::{Account, Setup, TestApp, on_both};
use lectern_types::KeyId;
use serde_json::json;

use crate::program;

/// What a key is answered with now: `ok` or the refusal's code.
async fn answered(app: &TestApp, key: &str) -> String {
    let reply = app.get("/v1/saas/me", key).await;
    if reply.status == 200 { "ok".to_owned() } else { reply.refusal() }
}

/// Asserts that another process answers so within a second, having answered otherwise before.
async fn within_a_second(app: &TestApp, key: &str, expected: &str) {
    let started = Instant::now();
    loop {
        let answer = answered(app, key).await;
        if answer == expected {
            return;
        }
        assert!(started.elapsed() < Duration::from_secs(1), "still {answer}, not {expected}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Runs an operator's command beside the service.
fn admin(app: &TestApp, arguments: &[&str]) {
    let mut command = program::lectern(app.data(), arguments);
    let output = command.envs(app.database().settings()).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

async fn key_id(app: &TestApp, key: &str) -> KeyId {
    let me = app.get("/v1/saas/me", key).await.json();
    me["key"]["id"].as_str().unwrap().parse().unwrap()
}

/// A further live key that ends after so many seconds.
async fn key_for(app: &TestApp, account: &Account, seconds: i64) -> String {
    let expires_at = app.clock.now().plus_seconds(seconds);
    let body = json!({ "name": "short", "scopes": ["read"], "expires_at": expires_at });
    let made = app.post("/v1/saas/keys", &account.live, &body).await;
    made.json()["key"].as_str().unwrap().to_owned()
}

on_both! {
    async fn a_revocation_is_obeyed_at_once_here_and_within_a_second_elsewhere(setup: Setup) {
        let app = setup.start().await;
        let other = Setup::beside(&app).start().await;
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

    async fn an_expiry_is_obeyed_at_its_instant(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(10).await;
        let key = key_for(&app, &account, 60).await;
        app.clock.advance_seconds(59);
        assert_eq!(answered(&app, &key).await, "ok");
        app.clock.advance_seconds(1);
        assert_eq!(answered(&app, &key).await, "api_key_expired");
        app.finish().await;
    }

    async fn a_command_beside_running_services_is_obeyed_within_a_second(setup: Setup) {
        let app = setup.start().await;
        let other = Setup::beside(&app).start().await;
        let account = app.account(10).await;
        std::fs::write(app.data().join("terms.md"), "Be kind.").unwrap();
        for process in [&app, &other] {
            assert_eq!(answered(process, &account.live).await, "ok");
        }
        for version in ["v1", "v2"] {
            admin(&app, &["admin", "terms", "publish", "--kind", "terms", "--version", version, "--file", "terms.md"]);
            for process in [&app, &other] {
                within_a_second(process, &account.live, "consent_required").await;
            }
            admin(&app, &["admin", "consent", "accept", "--account", &account.email]);
            for process in [&app, &other] {
                within_a_second(process, &account.live, "ok").await;
            }
        }
        admin(&app, &["admin", "account", "set-tier", "--account", &account.email, "--tier", "premium"]);
        assert_eq!(app.get("/v1/saas/me", &account.live).await.json()["tier"], "premium");
        other.finish().await;
        app.finish().await;
    }

    async fn a_key_made_after_it_was_refused_is_taken(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(10).await;
        let plain = lectern_server::services::keys::mint(true);
        let plain = secrecy::ExposeSecret::expose_secret(&plain).to_owned();
        assert_eq!(answered(&app, &plain).await, "invalid_api_key");
        let hash = lectern_server::services::keys::hash(&app.app.secrets.pepper, &plain);
        let new = stored::NewKey {
            id: app.app.ids.make(),
            hash: &hash,
            hint: "wxyz",
            name: "late",
            scopes: lectern_store::Scopes::ALL,
            environment: Environment::Live,
            expires_at: None,
        };
        let store = &app.app.store;
        stored::create(store, account.id, Environment::Live, &new, None, app.clock.now()).await.unwrap();
        assert_eq!(answered(&app, &plain).await, "ok", "a refusal was remembered");
        let published = consent::publish(store, consent::Document::Privacy, "p1", "…", app.clock.now()).await;
        published.unwrap();
        assert_eq!(answered(&app, &plain).await, "consent_required");
        app.finish().await;
    }
}
