//! Ids of other accounts and of other environments.

use lectern_store::{Environment, Scopes, keys};
use lectern_testkit::{Account, TestApp, on_both};

use super::{
    key_with,
    routes::{ROUTES, Resource, Route},
};

/// The id of a resource of this account in the live environment, of the kind that the route names.
async fn live_id(app: &TestApp, account: &Account, route: &Route) -> String {
    match route.resource {
        Resource::Key => key_with(app, account, Scopes::ALL, None).await.0.id.to_string(),
        Resource::Material => {
            let id = app.completed_material(&account.live, &["Words."]).await;
            app.assemble(b"book").await;
            id
        }
        Resource::Lexicon => {
            let made = app.post("/v1/saas/lexicons", &account.live, &lexicon()).await;
            made.json()["id"].as_str().unwrap().to_owned()
        }
        Resource::Webhook | Resource::Delivery => {
            let body = serde_json::json!({ "url": "https://127.0.0.1:18443/", "events": ["chunk.failed"] });
            let made = app.post("/v1/saas/webhooks", &account.live, &body).await.json();
            let webhook = made["id"].as_str().unwrap().to_owned();
            if route.resource == Resource::Webhook {
                return webhook;
            }
            let path = format!("/v1/saas/webhooks/{webhook}/test");
            let sent = app.post(&path, &account.live, &serde_json::json!({})).await.json();
            format!("{webhook}/{}", sent["id"].as_str().unwrap())
        }
        Resource::Nothing | Resource::Shared(_) => panic!("{route:?} names no resource of an account"),
    }
}

fn lexicon() -> serde_json::Value {
    serde_json::json!({ "name": "Names", "language": "en", "entries": [] })
}

/// The error code for a resource that does not exist.
fn not_found(route: &Route) -> &'static str {
    match route.resource {
        Resource::Key | Resource::Webhook | Resource::Delivery => "not_found",
        Resource::Lexicon => "lexicon_not_found",
        Resource::Material => "material_not_found",
        Resource::Nothing | Resource::Shared(_) => panic!("{route:?} names no resource of an account"),
    }
}

/// What only the owner of a material learns: it is converted, being converted, or has no cover or feed.
const OF_THE_OWNER: &[&str] =
    &["material_chunks_already_converted", "ereader_locked", "chunk_in_progress", "not_found"];

/// A PNG of one pixel.
const PIXEL: &[u8] = include_bytes!("pixel.png");

on_both! {
    // Negative control: without `visible_from` in the store's queries, the test key revokes the
    // live key.
    async fn inaccessible_ids_are_answered_like_unknown_ones(setup: Setup) {
        let setup = setup.without_workers().without_deliveries().set("LECTERN_WEBHOOKS__ALLOWED_NETWORKS", "127.0.0.0/8");
        let app = setup.start().await;
        let (account, other) = (app.account(1_000).await, app.account(1_000).await);
        let is_owned = |route: &&Route| !matches!(route.resource, Resource::Nothing | Resource::Shared(_));
        let owned: Vec<_> = ROUTES.iter().filter(|route| route.is_keyed()).filter(is_owned).collect();
        // Errors in the body are reported before errors in the path.
        let body = serde_json::json!({ "ereader_id": app.ereader("heart").await });
        let quotes = serde_json::json!({ "quotes": [{ "chunk_index": 0, "start": 0, "speaker": null }] });
        let request = |route: &Route, id: &str| {
            let request = route.request_for(&app, id);
            match (route.method, route.resource) {
                ("POST", Resource::Material) if route.path.ends_with("/convert") => request.json(&body),
                ("PUT", Resource::Lexicon) => request.json(&lexicon()),
                ("PUT", Resource::Material) if route.path.ends_with("/cover") => request.body(PIXEL),
                ("PUT", Resource::Material) if route.path.ends_with("/text") => request.body("It was a day."),
                ("PUT", Resource::Material) => request.json(&serde_json::json!({ "speakers": [] })),
                ("PATCH", Resource::Material) if route.path.ends_with("/quotes") => request.json(&quotes),
                ("POST" | "PATCH", _) => request.json(&serde_json::json!({})),
                _ => request,
            }
        };
        assert!(!owned.is_empty());
        for route in owned {
            let foreign = live_id(&app, &other, route).await;
            let live = live_id(&app, &account, route).await;
            let prefix = live.split('_').next().unwrap();
            let unknown = format!("{prefix}_{}", "0".repeat(32));
            for (key, id) in [
                (&account.live, foreign.as_str()),
                (&account.test, foreign.as_str()),
                (&account.test, live.as_str()),
                (&account.live, unknown.as_str()),
                (&account.live, "nothing"),
                (&account.live, "%00"),
                (&account.live, "%2e%2e%2fme"),
                (&account.live, live.to_uppercase().as_str()),
            ] {
                let reply = app.send(request(route, id).bearer_auth(key)).await;
                assert_eq!(reply.refusal(), not_found(route), "{route:?} for {id}");
            }
            // The id remains valid for its owner.
            let reached = app.send(request(route, &live).bearer_auth(&account.live)).await;
            assert!(
                reached.status.is_success()
                    || OF_THE_OWNER.contains(&reached.refusal().as_str()),
                "{route:?}"
            );
        }
        let seen = keys::list(&app.base.store, other.id, Environment::Live, None, 100).await.unwrap();
        assert!(seen.iter().all(|key| key.revoked_at.is_none()), "another account's key was revoked");
        app.finish().await;
    }

    async fn shared_resources_are_the_same_for_all_accounts(setup: Setup) {
        let app = setup.start().await;
        let (one, other) = (app.account(0).await, app.account(0).await);
        let shared = |route: &&Route| matches!(route.resource, Resource::Shared(_)) && route.is_keyed();
        for route in ROUTES.iter().filter(shared) {
            let mut answers = Vec::new();
            for key in [&one.live, &one.test, &other.live, &other.test] {
                let reply = app.send(route.request(&app).bearer_auth(key)).await;
                let code = if reply.status.is_success() { String::new() } else { reply.refusal() };
                answers.push((reply.status, code));
            }
            answers.dedup();
            assert_eq!(answers.len(), 1, "{route:?}: {answers:?}");
        }
        app.finish().await;
    }
}
