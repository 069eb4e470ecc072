//! Endpoints that are disabled or deleted by their owner, or disabled by the service.

use std::time::{Duration, Instant};

use lectern_testkit::{Script, on_both};
use serde_json::{Value, json};

use super::{PATH, attempted, bare, delete, deliveries, id, patch, register, set_up, try_out};

on_both! {
    // Negative control: without `deliveries::stop` in the store's `update` and `delete`, the next
    // attempt stays scheduled.
    async fn a_disabled_or_deleted_endpoint_receives_nothing_more(setup: Setup) {
        let (app, account, receiver) = set_up(setup).await;
        for how in ["disabled", "deleted"] {
            receiver.script(Script::status(500));
            let webhook = id(&register(&app, &account.live, &receiver.url(&format!("/{how}")), &["chunk.failed"]).await);
            let sent = id(&try_out(&app, &account.live, &webhook).await);
            attempted(&app, &account.live, &webhook, &sent, 1).await;
            let count = receiver.count();
            if how == "disabled" {
                patch(&app, &account.live, &webhook, &json!({ "status": "disabled" })).await;
                let stopped = attempted(&app, &account.live, &webhook, &sent, 1).await;
                assert_eq!((&stopped["status"], &stopped["next_attempt_at"]), (&json!("failed"), &Value::Null));
                let path = format!("{PATH}/{webhook}/deliveries/{sent}/retry");
                assert_eq!(bare(&app, &account.live, &path).await.refusal(), "not_found");
                let test = format!("{PATH}/{webhook}/test");
                assert_eq!(bare(&app, &account.live, &test).await.refusal(), "not_found");
            } else {
                assert_eq!(delete(&app, &account.live, &webhook).await.status, 200);
            }
            app.clock.advance_seconds(36_000);
            // Nothing may happen during this pause.
            tokio::time::sleep(Duration::from_millis(600)).await;
            assert_eq!(receiver.count(), count, "{how}: it was posted to");
        }
        assert_eq!(app.database().count("webhook_deliveries WHERE next_attempt_at IS NOT NULL").await, 0);
        app.finish().await;
    }

    async fn an_attempt_in_progress_ends_and_no_other_follows(setup: Setup) {
        let (app, account, receiver) = set_up(setup).await;
        let webhook = id(&register(&app, &account.live, &receiver.url("/"), &["chunk.failed"]).await);
        receiver.script(Script::Held(Box::new(Script::status(500))));
        let sent = id(&try_out(&app, &account.live, &webhook).await);
        receiver.wait_for(1).await;
        patch(&app, &account.live, &webhook, &json!({ "status": "disabled" })).await;
        receiver.release();
        let failed = attempted(&app, &account.live, &webhook, &sent, 1).await;
        assert_eq!((&failed["status"], &failed["next_attempt_at"]), (&json!("failed"), &Value::Null));
        // Events that occur while the endpoint is disabled are not delivered; later events are.
        app.ready_material(&account.live, &["One."]).await;
        let change = json!({ "status": "active", "events": ["material.ready"] });
        assert_eq!(patch(&app, &account.live, &webhook, &change).await.json()["status"], "active");
        app.ready_material(&account.live, &["Two."]).await;
        receiver.wait_for(2).await;
        assert_eq!(deliveries(&app, &account.live, &webhook).await.len(), 2);
        app.finish().await;
    }

    async fn a_receiver_that_says_it_is_gone_is_disabled(setup: Setup) {
        let (app, account, receiver) = set_up(setup).await;
        let webhook = id(&register(&app, &account.live, &receiver.url("/"), &["material.ready"]).await);
        receiver.script_path("/", vec![Script::status(500), Script::status(410)]);
        let first = id(&try_out(&app, &account.live, &webhook).await);
        attempted(&app, &account.live, &webhook, &first, 1).await;
        let second = id(&try_out(&app, &account.live, &webhook).await);
        let gone = attempted(&app, &account.live, &webhook, &second, 1).await;
        assert_eq!((&gone["status"], &gone["last_status_code"], &gone["next_attempt_at"]), (&json!("failed"), &json!(410), &Value::Null));
        let shown = app.get(&format!("{PATH}/{webhook}"), &account.live).await.json();
        assert_eq!((&shown["status"], &shown["disabled_reason"]), (&json!("disabled"), &json!("gone")));
        let waiting = attempted(&app, &account.live, &webhook, &first, 1).await;
        assert_eq!(waiting["next_attempt_at"], Value::Null, "a pending delivery is still scheduled");
        let enabled = patch(&app, &account.live, &webhook, &json!({ "status": "active" })).await.json();
        assert_eq!((&enabled["status"], &enabled["disabled_reason"]), (&json!("active"), &Value::Null));
        app.finish().await;
    }

    // Negative control: without the `None` that a success writes to `failing_since`, the second
    // half fails.
    async fn five_days_of_nothing_but_failures_disable_an_endpoint(setup: Setup) {
        let (app, account, receiver) = set_up(setup).await;
        let webhook = id(&register(&app, &account.live, &receiver.url("/"), &["material.ready"]).await);
        let status = async || app.get(&format!("{PATH}/{webhook}"), &account.live).await.json();
        let day = 24 * 60 * 60;
        let once = async |code: u16| {
            receiver.script(Script::status(code));
            let sent = id(&try_out(&app, &account.live, &webhook).await);
            attempted(&app, &account.live, &webhook, &sent, 1).await;
            // The rest of the schedule does not matter here.
            app.database().run("UPDATE webhook_deliveries SET next_attempt_at = NULL WHERE status = 'failed'").await;
        };
        once(500).await;
        app.clock.advance_seconds(4 * day);
        once(500).await;
        once(200).await;
        once(500).await;
        app.clock.advance_seconds(5 * day - 10);
        once(500).await;
        assert_eq!(status().await["status"], "active", "a success in between does not count");
        app.clock.advance_seconds(11);
        once(500).await;
        let shown = status().await;
        assert_eq!((&shown["status"], &shown["disabled_reason"]), (&json!("disabled"), &json!("failing")));
        // Once enabled again, the endpoint has another five days.
        patch(&app, &account.live, &webhook, &json!({ "status": "active" })).await;
        once(500).await;
        assert_eq!(status().await["status"], "active");
        app.finish().await;
    }

    async fn an_event_reaches_its_receiver_soon_after_its_commit(setup: Setup) {
        let (app, account, receiver) = set_up(setup).await;
        register(&app, &account.live, &receiver.url("/"), &["material.ready"]).await;
        let mut soonest = Duration::MAX;
        for at in 1..=5 {
            app.upload(&account.live, "One.").await;
            let began = Instant::now();
            app.extract(&["One."]).await;
            let received = receiver.wait_for(at).await;
            soonest = soonest.min(received[at - 1].at.saturating_duration_since(began));
        }
        // This is a debug build among other tests; `bench/webhooks` measures the latency.
        assert!(soonest < Duration::from_millis(200), "{soonest:?}: nobody was woken");
        app.finish().await;
    }
}
