//! Ids of other accounts and of other environments.

use lectern_store::{Environment, Scopes, keys};
use lectern_testkit::{Account, TestApp, on_both};

use super::{
    key_with,
    routes::{Names, ROUTES, Route},
};

/// The id of something that the route names, of this account in the live environment.
async fn live_id(app: &TestApp, account: &Account, route: &Route) -> String {
    match route.names {
        Names::Key => key_with(app, account, Scopes::ALL, None).await.0.id.to_string(),
        Names::Material => {
            let id = app.completed(&account.live, &["Words."]).await;
            app.assemble(b"book").await;
            id
        }
        Names::Webhook | Names::Delivery => {
            let body = serde_json::json!({ "url": "https://127.0.0.1:18443/", "events": ["chunk.failed"] });
            let made = app.post("/v1/saas/webhooks", &account.live, &body).await.json();
            let webhook = made["id"].as_str().unwrap().to_owned();
            if route.names == Names::Webhook {
                return webhook;
            }
            let path = format!("/v1/saas/webhooks/{webhook}/test");
            let sent = app.post(&path, &account.live, &serde_json::json!({})).await.json();
            format!("{webhook}/{}", sent["id"].as_str().unwrap())
        }
        Names::Nothing | Names::Shared(_) => panic!("{route:?} names nothing that is an account's"),
    }
}

/// The code of a thing that is not there.
fn not_found(route: &Route) -> &'static str {
    match route.names {
        Names::Key | Names::Webhook | Names::Delivery => "not_found",
        Names::Material => "material_not_found",
        Names::Nothing | Names::Shared(_) => panic!("{route:?} names nothing that is an account's"),
    }
}

on_both! {
    // Negative control: with `visible_from` taken out of the store's queries the test key revokes the live one.
    async fn ids_out_of_reach_are_as_unknown_ones(setup: Setup) {
        let setup = setup.by_hand().undelivered().set("LECTERN_WEBHOOKS__ALLOWED_NETWORKS", "127.0.0.0/8");
        let app = setup.start().await;
        let (account, other) = (app.account(1_000).await, app.account(1_000).await);
        let is_owned = |route: &&Route| !matches!(route.names, Names::Nothing | Names::Shared(_));
        let owned: Vec<_> = ROUTES.iter().filter(|route| route.is_keyed()).filter(is_owned).collect();
        // What is wrong with a body comes before what the path names.
        let body = serde_json::json!({ "ereader_id": app.ereader("heart").await });
        let request = |route: &Route, id: &str| {
            let request = route.request_for(&app, id);
            match (route.method, route.names) {
                ("POST", Names::Material) => request.json(&body),
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
            // The id is a good one all the while.
            let reached = app.send(request(route, &live).bearer_auth(&account.live)).await;
            assert!(
                reached.status.is_success() || reached.refusal() == "material_chunks_already_converted",
                "{route:?}"
            );
        }
        let seen = keys::list(&app.app.store, other.id, Environment::Live, None, 100).await.unwrap();
        assert!(seen.iter().all(|key| key.revoked_at.is_none()), "another account's key was revoked");
        app.finish().await;
    }

    async fn what_all_accounts_share_is_the_same_to_all(setup: Setup) {
        let app = setup.start().await;
        let (one, other) = (app.account(0).await, app.account(0).await);
        let shared = |route: &&Route| matches!(route.names, Names::Shared(_)) && route.is_keyed();
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
