//! Attempts: the schedule, the receiver's requests, forced retries, and receivers that do not
//! answer.

use std::time::{Duration, Instant};

use lectern_service::outbound::Timeouts;
use lectern_store::Edge;
use lectern_testkit::{Script, on_both};
use lectern_types::Timestamp;
use serde_json::{Value, json};

use super::{PATH, attempted, bare, deliveries, delivery, id, patch, register, set_up, try_out};

/// Seconds from the clock's time to a delivery's next attempt.
fn rest(now: Timestamp, delivery: &Value) -> f64 {
    let next: Timestamp = delivery["next_attempt_at"].as_str().unwrap().parse().unwrap();
    (next.0 - now.0) as f64 / 1e6
}

on_both! {
    /// When a claim is committed and the answer to the commit is lost, the claimed deliveries are
    /// attempted at once, not when their lease expires.
    // Negative control: without `release_unknown`, nothing arrives before the lease expires, which
    // never happens on this clock.
    async fn a_claim_whose_commit_answer_was_lost_does_not_wait_for_its_lease(setup: Setup) {
        let (app, account, receiver) = set_up(setup.with_faults()).await;
        let webhook = id(&register(&app, &account.live, &receiver.url("/"), &["chunk.failed"]).await);
        let sent = id(&try_out(&app, &account.live, &webhook).await);
        attempted(&app, &account.live, &webhook, &sent, 1).await;
        let claims = format!("SELECT claim_epoch FROM webhook_deliveries WHERE id = '{sent}'");
        let again = format!("UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = 0 WHERE id = '{sent}'");
        let mut claimed = app.database().number(&claims).await.unwrap();
        let mut hit = false;
        for attempt in 2..=8 {
            // The test makes the delivery due, so that the claim is the next transaction that this
            // process commits, except for an occasional sweep.
            app.faults.cut_next(Edge::Committed);
            assert_eq!(app.database().run(&again).await, 1);
            attempted(&app, &account.live, &webhook, &sent, attempt).await;
            assert!(app.faults.has_fired());
            let before = std::mem::replace(&mut claimed, app.database().number(&claims).await.unwrap());
            assert_eq!(receiver.count() as u64, attempt);
            hit = claimed == before + 2;
            if hit {
                break;
            }
        }
        assert!(hit, "no claim's answer was lost: the test tests nothing");
        app.finish().await;
    }

    async fn a_delivery_is_listed_with_its_attempts(setup: Setup) {
        let (app, account, receiver) = set_up(setup).await;
        let webhook = id(&register(&app, &account.live, &receiver.url("/"), &["chunk.failed"]).await);
        let body = [b"caf\xc3\xa9 \xff\0".as_slice(), &vec![b'x'; 5_000]].concat();
        receiver.script(Script::Answer { status: 202, headers: vec![], body });
        let sent = try_out(&app, &account.live, &webhook).await;
        assert_eq!(
            sent,
            json!({
                "id": sent["id"], "event_id": sent["event_id"], "event_type": "webhook.test", "status": "pending",
                "attempt_count": 0, "last_status_code": null, "last_error": null,
                "next_attempt_at": "2026-11-21T07:08:11.524Z", "created_at": "2026-11-21T07:08:11.524Z",
            })
        );
        let done = attempted(&app, &account.live, &webhook, &id(&sent), 1).await;
        let attempt = &done["attempts"][0];
        let response = format!("café \u{fffd}\0{}", "x".repeat(1_024 - 8));
        assert_eq!(
            done,
            json!({
                "id": sent["id"], "event_id": sent["event_id"], "event_type": "webhook.test", "status": "succeeded",
                "attempt_count": 1, "last_status_code": 202, "last_error": null, "next_attempt_at": null,
                "created_at": "2026-11-21T07:08:11.524Z", "request_body": done["request_body"],
                "attempts": [{
                    "number": 1, "started_at": "2026-11-21T07:08:11.524Z", "duration_ms": attempt["duration_ms"],
                    "status_code": 202, "error": null, "response_body": response,
                    "request_headers": attempt["request_headers"],
                }],
            })
        );
        // What is shown is what arrived, byte for byte; the signature is not kept.
        let request = &receiver.received()[0];
        assert_eq!(done["request_body"].as_str().unwrap().as_bytes(), &request.body[..]);
        let shown = attempt["request_headers"].as_object().unwrap();
        let names: Vec<&str> = shown.keys().map(String::as_str).collect();
        assert_eq!(names, ["content-type", "user-agent", "webhook-id", "webhook-timestamp"]);
        for (name, value) in shown {
            assert_eq!(request.header(name), value.as_str().unwrap(), "{name}");
        }
        assert_eq!(request.header("webhook-id"), sent["event_id"].as_str().unwrap());
        assert_eq!(request.json()["data"], json!({ "webhook_id": webhook }));
        let listed = |status: &str| {
            let path = format!("{PATH}/{webhook}/deliveries?status={status}");
            let (app, key) = (&app, &account.live);
            async move { app.get(&path, key).await.json()["data"].as_array().unwrap().len() }
        };
        assert_eq!((listed("succeeded").await, listed("failed").await), (1, 0));
        let wrong = app.get(&format!("{PATH}/{webhook}/deliveries?status=retrying"), &account.live).await;
        assert_eq!(wrong.fields(), ["status"]);
        // Negative control: with the type left out of the query, both lists have the delivery.
        for (kind, count) in [("webhook.test", 1), ("chunk.failed", 0)] {
            let path = format!("{PATH}/{webhook}/deliveries?event_type={kind}");
            let listed = app.get(&path, &account.live).await.json();
            assert_eq!(listed["data"].as_array().unwrap().len(), count, "{kind}");
        }
        let wrong = app.get(&format!("{PATH}/{webhook}/deliveries?event_type=chunk"), &account.live).await;
        assert_eq!(wrong.fields(), ["event_type"]);
        // A succeeded delivery cannot be retried.
        let again = bare(&app, &account.live, &format!("{PATH}/{webhook}/deliveries/{}/retry", id(&sent))).await;
        assert_eq!(again.refusal(), "already_delivered");
        app.finish().await;
    }

    // Negative control: with the first interval for every attempt, the second interval is 5 s, and
    // this fails.
    async fn a_delivery_is_attempted_eight_times_at_growing_intervals(setup: Setup) {
        let (app, account, receiver) = set_up(setup).await;
        let webhook = id(&register(&app, &account.live, &receiver.url("/"), &["chunk.failed"]).await);
        receiver.script(Script::status(500));
        let sent = id(&try_out(&app, &account.live, &webhook).await);
        for (at, seconds) in [5.0, 300.0, 1_800.0, 7_200.0, 18_000.0, 36_000.0, 36_000.0].iter().enumerate() {
            let failed = attempted(&app, &account.live, &webhook, &sent, at as u64 + 1).await;
            assert_eq!((&failed["status"], &failed["last_status_code"]), (&json!("failed"), &json!(500)));
            let rest = rest(app.clock.now(), &failed);
            assert!((0.9 * seconds - 0.01..=1.1 * seconds + 0.01).contains(&rest), "{rest} s after {}", at + 1);
            // Nothing may happen before the delay has passed.
            app.clock.advance_seconds(rest as i64 - 1);
            tokio::time::sleep(Duration::from_millis(300)).await;
            assert_eq!(receiver.count(), at + 1);
            app.clock.advance_seconds(2);
        }
        let failed = attempted(&app, &account.live, &webhook, &sent, 8).await;
        assert_eq!((&failed["status"], &failed["next_attempt_at"]), (&json!("failed"), &Value::Null));
        let ids: Vec<_> = receiver.received().iter().map(|request| request.header("webhook-id").to_owned()).collect();
        assert_eq!((ids.len(), ids.iter().collect::<std::collections::HashSet<_>>().len()), (8, 1));
        let bodies: std::collections::HashSet<_> = receiver.received().into_iter().map(|request| request.body).collect();
        assert_eq!(bodies.len(), 1);

        // A forced retry is still possible; no further attempt follows it.
        let path = format!("{PATH}/{webhook}/deliveries/{sent}/retry");
        let reply = bare(&app, &account.live, &path).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["status"]), (202, &json!("pending")));
        let failed = attempted(&app, &account.live, &webhook, &sent, 9).await;
        assert_eq!(failed["next_attempt_at"], Value::Null);
        receiver.script(Script::status(204));
        assert_eq!(bare(&app, &account.live, &path).await.status, 202);
        assert_eq!(attempted(&app, &account.live, &webhook, &sent, 10).await["status"], "succeeded");
        app.finish().await;
    }

    async fn redirects_are_failures_and_retry_after_is_waited_for(setup: Setup) {
        let (app, account, receiver) = set_up(setup).await;
        let webhook = id(&register(&app, &account.live, &receiver.url("/"), &["chunk.failed"]).await);
        let answer = |status, name, value: &str| Script::Answer { status, headers: vec![(name, value.to_owned())], body: vec![] };
        receiver.script_path("/", vec![
            answer(307, "Location", &receiver.url("/elsewhere")),
            answer(503, "Retry-After", "1000"),
            Script::status(200),
        ]);
        let sent = id(&try_out(&app, &account.live, &webhook).await);
        let failed = attempted(&app, &account.live, &webhook, &sent, 1).await;
        assert_eq!((&failed["status"], &failed["last_status_code"]), (&json!("failed"), &json!(307)));
        app.clock.advance_seconds(6);
        let failed = attempted(&app, &account.live, &webhook, &sent, 2).await;
        assert!((rest(app.clock.now(), &failed) - 1_000.0).abs() < 0.01, "{failed}");
        app.clock.advance_seconds(1_000);
        assert_eq!(attempted(&app, &account.live, &webhook, &sent, 3).await["status"], "succeeded");
        assert!(receiver.received().iter().all(|request| request.path == "/"), "a redirect was followed");
        app.finish().await;
    }

    // Negative control: without `status IN ('pending', 'failed')` in the store's `retry`, only a
    // check of the database refuses the retry, with a 500, and this fails.
    async fn a_delivery_in_progress_is_not_posted_again(setup: Setup) {
        let (app, account, receiver) = set_up(setup).await;
        let webhook = id(&register(&app, &account.live, &receiver.url("/"), &["chunk.failed"]).await);
        receiver.script(Script::Held(Box::new(Script::status(500))));
        let sent = id(&try_out(&app, &account.live, &webhook).await);
        receiver.wait_for(1).await;
        assert_eq!(delivery(&app, &account.live, &webhook, &sent).await["status"], "in_flight");
        let path = format!("{PATH}/{webhook}/deliveries/{sent}/retry");
        assert_eq!(bare(&app, &account.live, &path).await.refusal(), "already_in_flight");
        receiver.release();
        let failed = attempted(&app, &account.live, &webhook, &sent, 1).await;
        assert!(rest(app.clock.now(), &failed) > 4.0);
        // The retry is due now and counts as an attempt, and the schedule continues after it.
        let retried = bare(&app, &account.live, &path).await;
        assert_eq!((retried.status.as_u16(), &retried.json()["next_attempt_at"]), (202, &json!("2026-11-21T07:08:11.524Z")));
        let failed = attempted(&app, &account.live, &webhook, &sent, 2).await;
        assert!(rest(app.clock.now(), &failed) > 269.0);
        // Repeated under the same Idempotency-Key, the retry happens once.
        let keyed = || app.request(reqwest::Method::POST, &path).bearer_auth(&account.live).header("idempotency-key", "again-1");
        let (one, two) = (app.send(keyed()).await, app.send(keyed()).await);
        assert_eq!((one.status.as_u16(), two.status.as_u16(), two.header("idempotent-replayed")), (202, 202, "true"));
        assert_eq!(one.bytes, two.bytes);
        attempted(&app, &account.live, &webhook, &sent, 3).await;
        assert_eq!(receiver.count(), 3);
        app.finish().await;
    }

    async fn a_receiver_that_hangs_holds_up_no_other(setup: Setup) {
        // Long enough for 200 deliveries on a machine with other work, in which nothing waits.
        let timeouts = Timeouts { total: Duration::from_secs(10), ..Timeouts::default() };
        let (app, account, receiver) = set_up(setup.outbound_timeouts(timeouts)).await;
        receiver.script_path("/hangs", vec![Script::Hang]);
        let mut hanging = Vec::new();
        for _ in 0..19 {
            hanging.push(id(&register(&app, &account.live, &receiver.url("/hangs"), &["material.ready"]).await));
        }
        let healthy = id(&register(&app, &account.live, &receiver.url("/well"), &["material.ready"]).await);
        let began = Instant::now();
        for _ in 0..10 {
            app.ready_material(&account.live, &["One."]).await;
        }
        app.until("all deliveries to the healthy one", async || {
            deliveries(&app, &account.live, &healthy).await.iter().filter(|one| one["status"] == "succeeded").count() == 10
        })
        .await;
        assert!(began.elapsed() < timeouts.total, "it waited for the receivers that hang");
        let first = id(deliveries(&app, &account.live, &hanging[0]).await.last().unwrap());
        let failed = attempted(&app, &account.live, &hanging[0], &first, 1).await;
        assert_eq!((&failed["last_error"], &failed["last_status_code"]), (&json!("no answer came in time"), &Value::Null));
        assert_eq!(failed["attempts"][0]["error"], "no answer came in time");
        for webhook in &hanging {
            patch(&app, &account.live, webhook, &json!({ "status": "disabled" })).await;
        }
        app.finish().await;
    }
}

on_both! {
    // The schedule lasts longer than an hour. It ends after 27 h 35 min: events from the first days
    // of a three-day outage are delivered on request.
    async fn events_missed_in_an_hour_or_three_days_are_delivered(setup: Setup) {
        let (app, account, receiver) = set_up(setup).await;
        receiver.script(Script::Close);
        let webhook = id(&register(&app, &account.live, &receiver.url("/"), &["material.ready"]).await);
        let has = async |status: &str| {
            let path = format!("{PATH}/{webhook}/deliveries?limit=100&status={status}");
            let page = app.get(&path, &account.live).await.json();
            page["data"].as_array().unwrap().clone()
        };
        // Delivers the pending events during an hour, in steps of a minute.
        app.ready_material(&account.live, &["An hour."]).await;
        for _ in 0..60 {
            app.clock.advance_seconds(60);
        }
        receiver.script(Script::status(200));
        app.until("the delivery after an hour", async || {
            app.clock.advance_seconds(600);
            has("succeeded").await.len() == 1
        })
        .await;

        receiver.script(Script::Close);
        let mut made = 1;
        for hour in 0..72 {
            if hour % 12 == 0 {
                app.ready_material(&account.live, &["Three days."]).await;
                made += 1;
            }
            app.clock.advance_seconds(3_600);
            app.until("no attempt under way or due", async || {
                let now = app.clock.now().0;
                let due = "SELECT CAST(COUNT(*) AS BIGINT) FROM webhook_deliveries WHERE status = 'in_flight' OR next_attempt_at";
                app.database().number(&format!("{due} <= {now}")).await == Some(0)
            })
            .await;
        }
        receiver.script(Script::status(200));
        let failed = has("failed").await;
        let ended: Vec<_> = failed.iter().filter(|one| one["next_attempt_at"].is_null()).collect();
        assert!(!ended.is_empty() && ended.len() < failed.len(), "{} of {}", ended.len(), failed.len());
        for one in ended {
            let path = format!("{PATH}/{webhook}/deliveries/{}/retry", id(one));
            assert_eq!(bare(&app, &account.live, &path).await.status, 202);
        }
        app.until("all deliveries", async || {
            app.clock.advance_seconds(3_600);
            has("succeeded").await.len() == made
        })
        .await;
        app.finish().await;
    }
}
