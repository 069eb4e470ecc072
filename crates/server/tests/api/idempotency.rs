//! `Idempotency-Key` on synthesis.

use lectern_testkit::{Account, Behavior, Reply, Setup, TestApp, on_both};
use reqwest::Method;
use serde_json::json;

async fn send(app: &TestApp, key: &str, idempotency_key: &str, body: &str) -> Reply {
    let request = app.request(Method::POST, "/v1/saas/tts:synthesize").bearer_auth(key);
    let request =
        request.header("idempotency-key", idempotency_key).header("content-type", "application/json");
    app.send(request.body(body.to_owned())).await
}

async fn set_up(setup: Setup) -> (TestApp, Account, String) {
    let app = setup.start().await;
    let account = app.account(1_000).await;
    let ereader = app.ereader("heart").await;
    (app, account, ereader)
}

on_both! {
    // Negative control: when the handler ignores the header, the second call is charged and the
    // engine speaks again.
    async fn a_repeated_call_is_replayed_byte_for_byte_and_charged_once(setup: Setup) {
        let (app, account, ereader) = set_up(setup).await;
        let body = json!({ "text": "Once only.", "ereader_id": ereader, "speed": 1 }).to_string();
        let first = send(&app, &account.live, "k-1", &body).await;
        assert_eq!((first.status.as_u16(), first.header("idempotent-replayed")), (200, ""));
        app.clock.advance_seconds(60);
        // The same body, formatted differently.
        let spelt =
            format!("{{ \"speed\": 1.0, \"ereader_id\": \"{ereader}\",\n \"text\": \"Once \\u006fnly.\" }}");
        let again = send(&app, &account.live, "k-1", &spelt).await;
        assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (200, "true"));
        assert_eq!(first.bytes, again.bytes);
        assert_ne!(first.header("x-request-id"), again.header("x-request-id"));
        assert_eq!((app.engine.call_count(), app.balance(&account).await), (1, (990, 0)));
        app.finish().await;
    }

    async fn another_body_under_the_same_key_is_refused_even_when_it_is_not_valid(setup: Setup) {
        let (app, account, ereader) = set_up(setup).await;
        let body = json!({ "text": "One.", "ereader_id": ereader }).to_string();
        assert_eq!(send(&app, &account.live, "k", &body).await.status, 200);
        for other in [json!({ "text": "Two.", "ereader_id": ereader }), json!({ "text": "" })] {
            assert_eq!(
                send(&app, &account.live, "k", &other.to_string()).await.refusal(),
                "idempotency_key_reuse"
            );
        }
        app.finish().await;
    }

    async fn idempotency_keys_are_separate_for_environments_and_accounts_and_last_a_day(setup: Setup) {
        let (app, account, ereader) = set_up(setup).await;
        let other = app.account(1_000).await;
        let body = json!({ "text": "Mine.", "ereader_id": ereader }).to_string();
        for key in [&account.live, &account.test, &other.live] {
            assert_eq!(send(&app, key, "k", &body).await.header("idempotent-replayed"), "");
        }
        app.clock.advance_seconds(24 * 3600 - 1);
        assert_eq!(send(&app, &account.live, "k", &body).await.header("idempotent-replayed"), "true");
        app.clock.advance_seconds(2);
        assert_eq!(send(&app, &account.live, "k", &body).await.header("idempotent-replayed"), "");
        app.finish().await;
    }

    async fn a_failed_call_leaves_no_trace(setup: Setup) {
        let (app, account, ereader) = set_up(setup).await;
        let body = json!({ "text": "Try again.", "ereader_id": ereader }).to_string();
        app.engine.set(Behavior::Fail);
        assert_eq!(send(&app, &account.live, "k", &body).await.refusal(), "tts_provider_error");
        assert_eq!(send(&app, &account.live, "k", "{\"text\": \"\"}").await.refusal(), "text_empty");
        app.engine.set(Behavior::Speak);
        let second = send(&app, &account.live, "k", &body).await;
        assert_eq!((second.status.as_u16(), second.header("idempotent-replayed")), (200, ""));
        app.finish().await;
    }

    async fn a_malformed_idempotency_key_is_refused_on_every_route_with_a_key(setup: Setup) {
        let (app, account, _) = set_up(setup).await;
        let long = "k".repeat(129);
        for (method, path) in [
            (Method::GET, "/v1/saas/me"),
            (Method::GET, "/v1/saas/ereaders"),
            (Method::POST, "/v1/saas/tts:synthesize"),
        ] {
            for bad in ["", "a b", "ä", long.as_str()] {
                let request = app.request(method.clone(), path).bearer_auth(&account.live);
                let reply = app.send(request.header("idempotency-key", bad.as_bytes())).await;
                assert_eq!(reply.refusal(), "invalid_idempotency_key", "{bad:?} on {path}");
            }
            let twice = app.request(method, path).bearer_auth(&account.live);
            let twice = twice.header("idempotency-key", "a").header("idempotency-key", "a");
            assert_eq!(app.send(twice).await.refusal(), "invalid_idempotency_key");
        }
        app.finish().await;
    }
}
