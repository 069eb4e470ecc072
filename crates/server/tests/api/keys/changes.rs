//! Renaming and rolling keys.

use lectern_testkit::{Reply, TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};

use super::{PATH, id_of, make, revoke, set_up};

async fn rename(app: &TestApp, key: &str, id: &str, body: &Value) -> Reply {
    app.send(app.request(Method::PATCH, &format!("{PATH}/{id}")).bearer_auth(key).json(body)).await
}

async fn roll(app: &TestApp, key: &str, id: &str, seconds: u32) -> Reply {
    app.post(&format!("{PATH}/{id}/roll"), key, &json!({ "previous_ends_in_seconds": seconds })).await
}

on_both! {
    async fn a_key_is_renamed_and_goes_on_working(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let made = make(&app, &account.live, json!({ "name": "old", "scopes": ["read"] })).await;
        let id = made["id"].as_str().unwrap();
        let renamed = rename(&app, &account.live, id, &json!({ "name": "neu" })).await;
        assert_eq!((renamed.status.as_u16(), &renamed.json()["name"]), (200, &json!("neu")));
        assert_eq!(app.get(PATH, &account.live).await.json()["data"][0]["name"], "neu");
        let me = app.get("/v1/saas/me", made["key"].as_str().unwrap()).await.json();
        assert_eq!(me["key"]["name"], "neu");
        assert_eq!(rename(&app, &account.live, id, &json!({})).await.json()["name"], "neu");
        for (body, field) in [(json!({ "name": " " }), "name"), (json!({ "scopes": ["write"] }), "scopes")] {
            assert_eq!(rename(&app, &account.live, id, &body).await.fields(), [field]);
        }
        // A test key does not see it. Negative control: without the condition on the environment in
        // `keys::find`, it is renamed.
        assert_eq!(rename(&app, &account.test, id, &json!({ "name": "x" })).await.refusal(), "not_found");
        assert_eq!(revoke(&app, &account.live, id).await.status, 200);
        assert_eq!(rename(&app, &account.live, id, &json!({ "name": "gone" })).await.status, 200);
        app.finish().await;
    }

    async fn a_rolled_key_works_until_its_end_and_the_new_one_takes_its_place(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let body = json!({ "name": "nightly", "scopes": ["read"], "environment": "test" });
        let old = make(&app, &account.live, body).await;
        let (old_id, old_key) = (old["id"].as_str().unwrap(), old["key"].as_str().unwrap());
        let rolled = roll(&app, &account.live, old_id, 3_600).await;
        assert_eq!((rolled.status.as_u16(), rolled.header("cache-control")), (201, "no-store"));
        let rolled = rolled.json();
        let new_key = rolled["key"].as_str().unwrap();
        assert!(new_key.starts_with("svc_test_") && new_key != old_key);
        assert_eq!(rolled["key_hint"], new_key[new_key.len() - 4..]);
        for same in ["name", "scopes", "environment"] {
            assert_eq!(rolled[same], old[same], "{same}");
        }
        assert_eq!(rolled["expires_at"], Value::Null);
        let previous = &rolled["previous"];
        assert_eq!((&previous["id"], &previous["status"]), (&old["id"], &json!("active")));
        assert_eq!(previous["expires_at"], "2026-11-21T08:08:11.524Z");
        assert_eq!(previous["key"], Value::Null);
        for key in [old_key, new_key] {
            assert_eq!(app.get("/v1/saas/me", key).await.status, 200);
        }
        app.clock.advance_seconds(3_600);
        assert_eq!(app.get("/v1/saas/me", old_key).await.refusal(), "api_key_expired");
        assert_eq!(app.get("/v1/saas/me", new_key).await.status, 200);
        app.finish().await;
    }

    // Negative control: with the old key's `revoked_at` left out of the update, it goes on working.
    async fn a_key_rolled_without_delay_is_revoked_at_once(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let id = id_of(&app, &account.test).await;
        let rolled = app.post(&format!("{PATH}/{id}/roll"), &account.test, &json!({})).await.json();
        assert_eq!(rolled["previous"]["status"], "revoked");
        assert_eq!(app.get("/v1/saas/me", &account.test).await.refusal(), "api_key_revoked");
        let key = rolled["key"].as_str().unwrap();
        assert_eq!(roll(&app, key, &id, 0).await.refusal(), "api_key_already_revoked");
        assert_eq!(app.get("/v1/saas/me", key).await.status, 200);
        app.finish().await;
    }

    async fn a_new_key_lasts_as_long_as_the_old_one_was_made_to_last(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let body = json!({ "name": "hour", "scopes": ["admin"], "expires_at": "2026-11-21T08:08:11.524Z" });
        let old = make(&app, &account.live, body).await;
        let id = old["id"].as_str().unwrap();
        app.clock.advance_seconds(600);
        let rolled = roll(&app, &account.live, id, 604_800).await.json();
        assert_eq!(rolled["expires_at"], "2026-11-21T08:18:11.524Z");
        // A roll never lengthens the old key's life.
        assert_eq!(rolled["previous"]["expires_at"], old["expires_at"]);
        // No key outlives the one that rolls it. Negative control: without the comparison with the
        // caller's end in `roll::expires_at`, it does.
        for end in [Value::Null, json!("2026-11-22T08:08:11.524Z")] {
            let mut body = json!({ "name": "longer", "scopes": ["admin"] });
            if !end.is_null() {
                body["expires_at"] = end;
            }
            let longer = make(&app, &account.live, body).await;
            let by_old = roll(&app, old["key"].as_str().unwrap(), longer["id"].as_str().unwrap(), 60).await;
            assert_eq!(by_old.json()["expires_at"], old["expires_at"]);
        }
        app.finish().await;
    }

    // Negative control: with the life counted from the end that the first roll set, the second key ends.
    async fn a_key_that_is_rolled_twice_is_followed_twice_by_keys_of_the_same_life(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let day = json!({ "name": "day", "scopes": ["read"], "expires_at": "2026-11-22T07:08:11.524Z" });
        let last = json!({ "name": "last", "scopes": ["read"], "expires_at": "9999-12-31T23:59:59Z" });
        let ever = json!({ "name": "ever", "scopes": ["read"] });
        let ends = [
            (ever, [Value::Null, Value::Null]),
            (day, [json!("2026-11-22T07:08:21.524Z"), json!("2026-11-22T07:08:31.524Z")]),
            // Later than this is no time that RFC 3339 can write.
            (last, [json!("9999-12-31T23:59:59.999Z"), json!("9999-12-31T23:59:59.999Z")]),
        ];
        for (body, expected) in ends {
            let id = make(&app, &account.live, body).await["id"].as_str().unwrap().to_owned();
            for end in expected {
                app.clock.advance_seconds(10);
                assert_eq!(roll(&app, &account.live, &id, 60).await.json()["expires_at"], end);
            }
        }
        app.finish().await;
    }

    // Negative control: without `check_escalation` in `keys::roll`, the first roll gives the caller a
    // key with more than it has.
    async fn a_key_with_more_permissions_or_of_another_environment_is_not_rolled(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let admin = make(&app, &account.live, json!({ "name": "a", "scopes": ["admin"] })).await;
        let writer = make(&app, &account.live, json!({ "name": "w", "scopes": ["write"] })).await;
        let id = writer["id"].as_str().unwrap();
        let reply = roll(&app, admin["key"].as_str().unwrap(), id, 0).await;
        assert_eq!(reply.refusal(), "scope_escalation");
        assert_eq!(roll(&app, &account.test, id, 0).await.refusal(), "not_found");
        assert_eq!(app.get("/v1/saas/me", writer["key"].as_str().unwrap()).await.status, 200);
        let path = format!("{PATH}/{id}/roll");
        for seconds in [json!(604_801), json!(-1), json!(1.5), json!("60")] {
            let reply = app.post(&path, &account.live, &json!({ "previous_ends_in_seconds": seconds })).await;
            assert_eq!(reply.fields(), ["previous_ends_in_seconds"]);
        }
        app.finish().await;
    }

    // Negative control: without the row of the `Idempotency-Key` in `keys::roll`, the second call
    // makes another key.
    async fn a_roll_that_is_repeated_returns_the_same_key(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let made = make(&app, &account.live, json!({ "name": "n", "scopes": ["admin"] })).await;
        let path = format!("{PATH}/{}/roll", made["id"].as_str().unwrap());
        let under = async |key: &str| {
            let body = json!({ "previous_ends_in_seconds": 60 });
            let request = app.request(Method::POST, &path).bearer_auth(key).json(&body);
            app.send(request.header("idempotency-key", "roll-0001")).await
        };
        let (first, again) = (under(&account.live).await, under(&account.live).await);
        assert_eq!((first.status.as_u16(), again.header("idempotent-replayed")), (201, "true"));
        assert_eq!(first.bytes, again.bytes);
        // Nobody else gets the secret.
        assert_eq!(under(made["key"].as_str().unwrap()).await.refusal(), "idempotency_key_reuse");
        assert_eq!(app.get(PATH, &account.live).await.json()["data"].as_array().unwrap().len(), 4);
        app.finish().await;
    }

    /// A roll that revokes the old key at once changes what its duplicates find.
    // Negative control: without `idempotency::recorded` in `keys::roll`, some of the calls answer
    // `api_key_already_revoked`.
    async fn simultaneous_identical_rolls_all_return_the_one_new_key(setup: Setup) {
        let (app, account) = set_up(setup).await;
        let made = make(&app, &account.live, json!({ "name": "n", "scopes": ["read"] })).await;
        let path = format!("{PATH}/{}/roll", made["id"].as_str().unwrap());
        let calls: Vec<_> = (0..50)
            .map(|_| {
                let request = app.request(Method::POST, &path).bearer_auth(&account.live);
                let request = request.json(&json!({})).header("idempotency-key", "storm");
                tokio::spawn(async move { Reply::read(request.send().await.unwrap()).await })
            })
            .collect();
        let mut bodies = Vec::new();
        for call in calls {
            let reply = call.await.unwrap();
            assert_eq!(reply.status, 201, "{}", reply.json());
            bodies.push(reply.bytes);
        }
        bodies.dedup();
        assert_eq!(bodies.len(), 1);
        assert_eq!(roll(&app, &account.live, made["id"].as_str().unwrap(), 0).await.refusal(), "api_key_already_revoked");
        assert_eq!(app.get(PATH, &account.live).await.json()["data"].as_array().unwrap().len(), 4);
        app.finish().await;
    }
}
