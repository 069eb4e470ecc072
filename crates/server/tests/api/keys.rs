//! `/v1/saas/keys`: creating, listing, renaming, rolling and revoking keys.

mod changes;

use lectern_testkit::{Account, Reply, Setup, TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};

const PATH: &str = "/v1/saas/keys";

async fn make(app: &TestApp, key: &str, body: Value) -> Value {
    let reply = app.post(PATH, key, &body).await;
    assert_eq!(reply.status, 201, "{}", reply.json());
    reply.json()
}

async fn revoke(app: &TestApp, key: &str, id: &str) -> Reply {
    app.send(app.request(Method::DELETE, &format!("{PATH}/{id}")).bearer_auth(key)).await
}

/// The id of the key itself.
async fn id_of(app: &TestApp, key: &str) -> String {
    app.get("/v1/saas/me", key).await.json()["key"]["id"].as_str().unwrap().to_owned()
}

async fn set_up(setup: Setup) -> (TestApp, Account) {
    let app = setup.start().await;
    let account = app.account(100).await;
    (app, account)
}

on_both! {
    async fn a_key_is_made_shown_once_used_listed_and_revoked(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let body = json!({ "name": "Büro", "scopes": ["write", "read"] });
        let made = make(&app, &account.live, body).await;
        let secret = made["key"].as_str().unwrap();
        assert!(secret.starts_with("svc_live_") && secret.len() == 58);
        let mut about = made.clone();
        about.as_object_mut().unwrap().remove("key");
        assert_eq!(
            about,
            json!({
                "id": made["id"],
                "name": "Büro",
                "scopes": ["read", "write"],
                "environment": "live",
                "status": "active",
                "key_hint": secret[secret.len() - 4..],
                "created_at": "2026-11-21T07:08:11.524Z",
                "expires_at": null,
                "last_used_at": null,
                "revoked_at": null,
            })
        );
        let me = app.get("/v1/saas/me", secret).await.json();
        assert_eq!((&me["key"]["id"], &me["key"]["scopes"]), (&made["id"], &json!(["read", "write"])));
        app.until("the note of the first use", async || {
            app.get(PATH, &account.live).await.json()["data"][0]["last_used_at"] != Value::Null
        })
        .await;
        about["last_used_at"] = json!("2026-11-21T07:08:11.524Z");
        let listed = app.get(PATH, &account.live).await.json();
        assert_eq!(listed["data"][0], about);
        assert_eq!(listed["data"].as_array().unwrap().len(), 3, "not the first two keys and the new one");

        app.clock.advance_seconds(5);
        let id = made["id"].as_str().unwrap();
        let revoked = revoke(&app, &account.live, id).await;
        about["status"] = json!("revoked");
        about["revoked_at"] = json!("2026-11-21T07:08:16.524Z");
        assert_eq!((revoked.status.as_u16(), revoked.json()), (200, about.clone()));
        assert_eq!(app.get("/v1/saas/me", secret).await.refusal(), "api_key_revoked");
        assert_eq!(revoke(&app, &account.live, id).await.refusal(), "api_key_already_revoked");
        assert_eq!(app.get(PATH, &account.live).await.json()["data"][0], about);
        app.finish().await;
    }

    async fn the_list_is_paged_newest_first(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let mut names = Vec::new();
        for at in 0..5 {
            let name = format!("n{at}");
            make(&app, &account.live, json!({ "name": name, "scopes": ["read"] })).await;
            names.insert(0, name);
        }
        let mut listed = Vec::new();
        let mut path = format!("{PATH}?limit=2");
        loop {
            let page = app.get(&path, &account.live).await.json();
            let data = page["data"].as_array().unwrap();
            listed.extend(data.iter().map(|key| key["name"].as_str().unwrap().to_owned()));
            let Some(cursor) = page["next_cursor"].as_str() else { break };
            path = format!("{PATH}?limit=2&cursor={cursor}");
        }
        assert_eq!((&listed[..5], listed.len()), (&names[..], 7));
        app.finish().await;
    }

    // Negative control: without `check_escalation` in `keys::create`, the keys are created.
    async fn a_key_cannot_grant_more_than_it_has(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let admin = make(&app, &account.live, json!({ "name": "a", "scopes": ["admin"] })).await;
        let admin = admin["key"].as_str().unwrap();
        let reply = app.post(PATH, admin, &json!({ "name": "b", "scopes": ["write", "admin"] })).await;
        assert_eq!(reply.refusal(), "scope_escalation");
        assert_eq!(
            reply.json()["error"]["details"],
            json!({ "requested": ["write", "admin"], "held": ["admin"] })
        );
        make(&app, admin, json!({ "name": "c", "scopes": ["admin"] })).await;
        // Errors in the body are reported first.
        let reply = app.post(PATH, admin, &json!({ "name": "", "scopes": ["write"] })).await;
        assert_eq!(reply.fields(), ["name"]);
        app.finish().await;
    }

    async fn a_test_key_creates_sees_and_revokes_only_test_keys(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let live = make(&app, &account.live, json!({ "name": "live", "scopes": ["read"] })).await;
        let body = json!({ "name": "x", "scopes": ["read"], "environment": "live" });
        let reply = app.post(PATH, &account.test, &body).await;
        assert_eq!(reply.refusal(), "scope_escalation");
        let details = json!({
            "requested": ["read"], "held": ["read", "write", "admin"], "environment": "live",
        });
        assert_eq!(reply.json()["error"]["details"], details);
        let own = make(&app, &account.test, json!({ "name": "own", "scopes": ["read"] })).await;
        assert!(own["key"].as_str().unwrap().starts_with("svc_test_") && own["environment"] == "test");
        let seen = app.get(PATH, &account.test).await.json();
        let environments: Vec<_> = seen["data"].as_array().unwrap().iter().map(|k| &k["environment"]).collect();
        assert_eq!(environments, ["test", "test"]);
        assert_eq!(revoke(&app, &account.test, live["id"].as_str().unwrap()).await.refusal(), "not_found");
        // A live key sees, creates and revokes both kinds.
        let other =
            make(&app, &account.live, json!({ "name": "y", "scopes": ["read"], "environment": "test" })).await;
        assert!(other["key"].as_str().unwrap().starts_with("svc_test_"));
        assert_eq!(app.get(PATH, &account.live).await.json()["data"].as_array().unwrap().len(), 5);
        assert_eq!(revoke(&app, &account.live, own["id"].as_str().unwrap()).await.status, 200);
        app.finish().await;
    }

    async fn a_keys_expiry_must_be_in_the_future_and_not_after_its_creators(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let with = |end: &str| json!({ "name": "n", "scopes": ["admin"], "expires_at": end });
        for bad in ["2026-11-21T07:08:11.524Z", "2020-01-01T00:00:00Z", "2026-11-22", "tomorrow", "", "9999-12-31T23:59:59-01:00"] {
            assert_eq!(app.post(PATH, &account.live, &with(bad)).await.fields(), ["expires_at"], "{bad}");
        }
        // One millisecond after 07:08:11.524, written with another offset.
        assert_eq!(
            app.post(PATH, &account.live, &with("2026-11-21T09:38:11.524+02:30")).await.fields(),
            ["expires_at"]
        );
        let ending = make(&app, &account.live, with("2026-11-21T09:38:11.525+02:30")).await;
        assert_eq!(ending["expires_at"], "2026-11-21T07:08:11.525Z");
        let last = make(&app, &account.live, with("9999-12-31T23:59:59Z")).await;
        assert_eq!(last["expires_at"], "9999-12-31T23:59:59.000Z");
        let key = last["key"].as_str().unwrap();
        assert_eq!(app.get("/v1/saas/me", key).await.status, 200);
        let listed = app.get(PATH, &account.live).await.json();
        assert_eq!(listed["data"][0]["expires_at"], "9999-12-31T23:59:59.000Z");
        app.finish().await;
    }

    async fn no_key_outlives_the_one_that_made_it(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let with = |end: &str| json!({ "name": "n", "scopes": ["admin"], "expires_at": end });
        let ending = make(&app, &account.live, with("2026-11-21T09:08:12+01:00")).await;
        assert_eq!(ending["expires_at"], "2026-11-21T08:08:12.000Z");
        let caller = ending["key"].as_str().unwrap();
        assert_eq!(app.post(PATH, caller, &with("2026-11-21T08:08:12.001Z")).await.fields(), ["expires_at"]);
        let same = make(&app, caller, with("2026-11-21T08:08:12Z")).await;
        assert_eq!(same["expires_at"], "2026-11-21T08:08:12.000Z");
        let unsaid = make(&app, caller, json!({ "name": "n", "scopes": ["admin"] })).await;
        assert_eq!(unsaid["expires_at"], "2026-11-21T08:08:12.000Z", "the key never expires");

        app.clock.advance_seconds(3_601);
        assert_eq!(app.get("/v1/saas/me", caller).await.refusal(), "api_key_expired");
        assert_eq!(app.get(PATH, &account.live).await.json()["data"][0]["status"], "expired");
        // An expired key can still be revoked.
        let id = ending["id"].as_str().unwrap();
        assert_eq!(revoke(&app, &account.live, id).await.json()["status"], "revoked");
        assert_eq!(app.get("/v1/saas/me", caller).await.refusal(), "api_key_revoked");
        assert_eq!(revoke(&app, &account.live, id).await.refusal(), "api_key_already_revoked");
        app.finish().await;
    }

    async fn the_last_active_admin_key_cannot_be_revoked_and_others_can_revoke_themselves(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let (live, test) = (id_of(&app, &account.live).await, id_of(&app, &account.test).await);
        let body = json!({ "name": "ends", "scopes": ["admin"], "expires_at": "2026-11-21T08:00:00Z" });
        make(&app, &account.live, body).await;
        make(&app, &account.live, json!({ "name": "reads", "scopes": ["read"] })).await;
        app.clock.advance_seconds(3_600);
        // The live key revokes itself; then the test key is the only admin key that is neither
        // expired nor revoked.
        assert_eq!(revoke(&app, &account.live, &live).await.status, 200);
        assert_eq!(app.get("/v1/saas/me", &account.live).await.refusal(), "api_key_revoked");
        assert_eq!(revoke(&app, &account.test, &test).await.refusal(), "cannot_revoke_last_admin_key");
        assert_eq!(app.get("/v1/saas/me", &account.test).await.status, 200);
        app.finish().await;
    }

    async fn of_two_revocations_of_the_last_two_admin_keys_one_succeeds(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let ids = [id_of(&app, &account.live).await, id_of(&app, &account.test).await];
        let (one, two) = tokio::join!(revoke(&app, &account.live, &ids[1]), revoke(&app, &account.live, &ids[0]));
        let mut outcomes =
            [one, two].map(|reply| if reply.status == 200 { String::new() } else { reply.refusal() });
        outcomes.sort();
        // The request that revokes the calling key may be first, before the other request is
        // authenticated.
        assert_eq!(outcomes[0], "");
        assert!(
            ["cannot_revoke_last_admin_key", "api_key_revoked"].contains(&outcomes[1].as_str()),
            "{outcomes:?}"
        );
        app.finish().await;
    }

    async fn ids_that_are_malformed_unknown_or_anothers_are_all_not_found(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let other = app.account(0).await;
        let foreign = id_of(&app, &other.live).await;
        let unknown: lectern_types::KeyId = app.base.ids.make();
        for id in [&foreign, &unknown.to_string(), "key_", "x", "%00", "..%2f..%2fme", &foreign.to_uppercase()] {
            assert_eq!(revoke(&app, &account.live, id).await.refusal(), "not_found", "{id}");
        }
        let own = id_of(&app, &account.test).await;
        let asked = app.request(Method::DELETE, &format!("{PATH}/{own}?force=1")).bearer_auth(&account.live);
        assert_eq!(app.send(asked).await.fields(), ["force"]);
        app.finish().await;
    }
}

async fn make_under(app: &TestApp, key: &str, idempotency_key: &str, body: &Value) -> Reply {
    let request = app.request(Method::POST, PATH).bearer_auth(key).json(body);
    app.send(request.header("idempotency-key", idempotency_key)).await
}

// Negative control: with `ReplayStorage::Plain` for the route, the other API key gets the secret.
#[tokio::test]
async fn a_replay_shows_the_secret_again_only_to_the_key_that_asked() {
    let (app, account) = set_up(Setup::default()).await;
    let body = json!({ "name": "n", "scopes": ["admin"] });
    let first = make_under(&app, &account.live, "only-once-0001", &body).await;
    assert_eq!((first.status.as_u16(), first.header("idempotent-replayed")), (201, ""));
    assert_eq!(first.header("cache-control"), "no-store");
    app.clock.advance_seconds(60);
    let again = make_under(&app, &account.live, "only-once-0001", &body).await;
    assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (201, "true"));
    assert_eq!(again.header("cache-control"), "no-store");
    assert_eq!(first.bytes, again.bytes);
    let other_body = json!({ "name": "m", "scopes": ["admin"] });
    let reused = make_under(&app, &account.live, "only-once-0001", &other_body).await;
    assert_eq!(reused.refusal(), "idempotency_key_reuse");
    let secret = first.json()["key"].as_str().unwrap().to_owned();
    assert_eq!(make_under(&app, &secret, "only-once-0001", &body).await.refusal(), "idempotency_key_reuse");
    assert_eq!(app.get(PATH, &account.live).await.json()["data"].as_array().unwrap().len(), 3);
    // The database's files contain neither the secret nor the key that seals it.
    for entry in std::fs::read_dir(&app.base.config.data_dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            for marker in [secret.as_str(), "only-once-0001", &account.live] {
                let found = bytes.windows(marker.len()).any(|window| window == marker.as_bytes());
                assert!(!found, "{marker} is in {}", path.display());
            }
        }
    }
    app.finish().await;
}

on_both! {
    async fn two_hundred_identical_simultaneous_calls_create_one_key(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let body = json!({ "name": "one", "scopes": ["read"] });
        let calls: Vec<_> = (0..200)
            .map(|_| {
                let request = app.request(Method::POST, PATH).bearer_auth(&account.live).json(&body);
                let request = request.header("idempotency-key", "storm");
                tokio::spawn(async move { Reply::read(request.send().await.unwrap()).await })
            })
            .collect();
        let mut bodies = Vec::new();
        let mut fresh = 0;
        for call in calls {
            let reply = call.await.unwrap();
            assert_eq!(reply.status, 201, "{}", reply.json());
            fresh += usize::from(reply.header("idempotent-replayed").is_empty());
            bodies.push(reply.bytes);
        }
        bodies.dedup();
        assert_eq!((bodies.len(), fresh), (1, 1));
        let listed = app.get(PATH, &account.live).await.json();
        assert_eq!(listed["data"].as_array().unwrap().len(), 3);
        app.finish().await;
    }

    async fn a_refused_call_leaves_its_idempotency_key_free(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let wrong = json!({ "name": "", "scopes": ["read"] });
        assert_eq!(make_under(&app, &account.live, "k", &wrong).await.fields(), ["name"]);
        let body = json!({ "name": "n", "scopes": ["read"] });
        assert_eq!(make_under(&app, &account.live, "k", &body).await.header("idempotent-replayed"), "");
        // Environments have separate idempotency keys.
        assert_eq!(make_under(&app, &account.test, "k", &body).await.header("idempotent-replayed"), "");
        app.finish().await;
    }
}
