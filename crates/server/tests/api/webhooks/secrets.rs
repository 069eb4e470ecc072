//! Secrets: shown once, replayed only to the same caller, valid for a day after their rotation, and
//! stored nowhere in plain text.

use lectern_service::services::webhooks::signature::{WebhookSecret, sign};
use lectern_testkit::{Received, Reply, Setup, TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};

use super::{PATH, attempted, bare, id, register, set_up, try_out};

/// The signature of a request by a secret.
fn signature(secret: &Value, request: &Received) -> String {
    let secret = WebhookSecret::parse(secret.as_str().unwrap()).unwrap();
    let seconds = request.header("webhook-timestamp").parse().unwrap();
    sign([&secret], request.header("webhook-id"), seconds, &request.body)
}

async fn under(app: &TestApp, key: &str, path: &str, idempotency_key: &str, body: &Value) -> Reply {
    let request = app.request(Method::POST, path).bearer_auth(key).json(body);
    app.send(request.header("idempotency-key", idempotency_key)).await
}

on_both! {
    async fn for_a_day_after_a_rotation_both_secrets_sign(setup: Setup) {
        let (app, account, receiver) = set_up(setup).await;
        let made = register(&app, &account.live, &receiver.url("/"), &["chunk.failed"]).await;
        let webhook = id(&made);
        let rotated = bare(&app, &account.live, &format!("{PATH}/{webhook}/rotate-secret")).await;
        assert_eq!((rotated.status.as_u16(), rotated.header("cache-control")), (200, "no-store"));
        let rotated = rotated.json();
        assert_eq!(rotated["previous_secret_expires_at"], "2026-11-22T07:08:11.524Z");
        assert_ne!(rotated["secret"], made["secret"]);
        let mut wanted = made.clone();
        wanted["secret"] = rotated["secret"].clone();
        wanted["previous_secret_expires_at"] = rotated["previous_secret_expires_at"].clone();
        assert_eq!(rotated, wanted);
        for (seconds, both) in [(0, true), (24 * 60 * 60 - 1, true), (1, false)] {
            app.clock.advance_seconds(seconds);
            let sent = id(&try_out(&app, &account.live, &webhook).await);
            attempted(&app, &account.live, &webhook, &sent, 1).await;
            let request = receiver.received().pop().unwrap();
            let mut wanted = signature(&rotated["secret"], &request);
            if both {
                wanted = format!("{wanted} {}", signature(&made["secret"], &request));
            }
            assert_eq!(request.header("webhook-signature"), wanted);
        }
        app.finish().await;
    }

    // Negative control: with `ReplayStorage::Plain` for the two routes, this fails, first at
    // `Cache-Control`.
    async fn a_replay_shows_the_secret_again_only_to_the_key_that_asked(setup: Setup) {
        let (app, account, receiver) = set_up(setup).await;
        let body = json!({ "name": "n", "scopes": ["admin"] });
        let other = app.post("/v1/saas/keys", &account.live, &body).await.json()["key"].as_str().unwrap().to_owned();
        let body = json!({ "url": receiver.url("/"), "events": ["chunk.failed"] });
        let first = under(&app, &account.live, PATH, "hook-0001", &body).await;
        let again = under(&app, &account.live, PATH, "hook-0001", &body).await;
        assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (201, "true"));
        assert_eq!((first.bytes.as_slice(), again.header("cache-control")), (again.bytes.as_slice(), "no-store"));
        assert_eq!(under(&app, &other, PATH, "hook-0001", &body).await.refusal(), "idempotency_key_reuse");
        assert_eq!(app.get(PATH, &account.live).await.json()["data"].as_array().unwrap().len(), 1);

        let path = format!("{PATH}/{}/rotate-secret", id(&first.json()));
        let first = under(&app, &account.live, &path, "rotate-0001", &json!({})).await;
        let again = under(&app, &account.live, &path, "rotate-0001", &json!({})).await;
        assert_eq!((first.status.as_u16(), again.header("idempotent-replayed")), (200, "true"));
        assert_eq!(first.bytes, again.bytes);
        assert_eq!(under(&app, &other, &path, "rotate-0001", &json!({})).await.refusal(), "idempotency_key_reuse");
        assert_eq!(under(&app, &account.live, &path, "rotate-0002", &json!({ "x": 1 })).await.fields(), ["x"]);
        app.finish().await;
    }

    async fn of_many_simultaneous_rotations_under_one_key_one_is_made(setup: Setup) {
        let (app, account, receiver) = set_up(setup).await;
        let made = register(&app, &account.live, &receiver.url("/"), &["chunk.failed"]).await;
        let path = format!("{PATH}/{}/rotate-secret", id(&made));
        let body = json!({});
        let replies =
            futures_util::future::join_all((0..20).map(|_| under(&app, &account.live, &path, "rotate-1", &body))).await;
        let secrets: std::collections::HashSet<_> =
            replies.iter().map(|reply| reply.json()["secret"].as_str().unwrap().to_owned()).collect();
        assert_eq!(secrets.len(), 1);
        app.finish().await;
    }
}

#[tokio::test]
async fn no_secret_is_in_the_databases_files() {
    let (app, account, receiver) = set_up(Setup::default()).await;
    let body = json!({ "url": receiver.url("/"), "events": ["chunk.failed"] });
    let secret = under(&app, &account.live, PATH, "hook-0001", &body).await.json()["secret"]
        .as_str()
        .unwrap()
        .to_owned();
    let mut files = 0;
    for entry in std::fs::read_dir(&app.base.config.data_dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            files += 1;
            for marker in [secret.as_str(), &secret[6..], "hook-0001"] {
                let found = bytes.windows(marker.len()).any(|window| window == marker.as_bytes());
                assert!(!found, "{marker} is in {}", path.display());
            }
        }
    }
    assert!(files > 1);
    app.finish().await;
}
