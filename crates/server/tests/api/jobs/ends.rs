//! Interrupted work: its claim is lost, its material is deleted, or its process stops.

use lectern_testkit::{Behavior, Setup, holds_within, on_both};
use reqwest::Method;

use super::*;

on_both! {
    async fn an_attempt_that_lost_its_lease_stops_and_leaves_nothing(setup: Setup) {
        let app = setup.set("LECTERN_JOBS__LEASE_SECONDS", "1").speech(4, 64).start().await;
        let account = app.account(1_000).await;
        let id = uploaded(&app, &account.live, &book("Gil", 1, 3)).await;
        app.engine.set_for("Gil 1 says 1", Behavior::Block);
        let price = convert(&app, &account.live, &id).await["credits_held"].as_i64().unwrap();
        app.until("the first attempt", async || app.engine.utterances().iter().any(|said| said.contains("says 1"))).await;
        app.until("the second attempt", async || {
            // By the clock, the lease is over, however often it is renewed.
            app.clock.advance_seconds(60);
            app.engine.utterances().iter().filter(|said| said.contains("says 1")).count() > 1
        })
        .await;
        assert_eq!(count(&app, "jobs WHERE lost_leases > 0 AND attempts = 0 AND claim_epoch > 1").await, 1);
        // All attempts but the last learn that they lost their leases.
        app.until("the end of the lost attempts", async || {
            let lost = app.database().number("SELECT claim_epoch - 1 FROM jobs WHERE kind = 'convert_chunk'").await;
            let metrics = app.send(app.request(Method::GET, &format!("{}/metrics", app.management))).await;
            let line = format!(r#"lectern_jobs_total{{kind="convert_chunk",outcome="lost"}} {}"#, lost.unwrap());
            String::from_utf8(metrics.bytes).unwrap().lines().any(|told| told == line)
        })
        .await;
        app.engine.set_for("Gil 1 says 1", Behavior::Speak);
        until_status(&app, &account.live, &id, "completed").await;
        until_idle(&app).await;
        assert_converted_once(&app, &account, 1, 1_000 - price).await;
        app.until("the last of the lost attempt", async || stored(&app, &format!("materials/{id}")).len() == 6).await;
        app.finish().await;
    }

    async fn a_material_deleted_while_it_is_converted_leaves_nothing_behind(setup: Setup) {
        // One at a time, so that the second chunk does not reach the engine before the first.
        let setup = setup.set("LECTERN_JOBS__CONCURRENCY", "1");
        let app = setup.set("LECTERN_JOBS__LEASE_SECONDS", "1").start().await;
        let account = app.account(10_000).await;
        let id = uploaded(&app, &account.live, &book("Hal", 6, 2)).await;
        app.engine.set_for("Hal 2", Behavior::Block);
        convert(&app, &account.live, &id).await;
        app.until("the first chunk", async || count(&app, "chunks WHERE status = 'completed'").await >= 1).await;
        let charged = count(&app, "ledger_transactions WHERE kind = 'charge'").await;
        let path = format!("/v1/saas/materials/{id}");
        let deleted = app.send(app.request(Method::DELETE, &path).bearer_auth(&account.live)).await;
        assert_eq!((deleted.status.as_u16(), &deleted.json()["status"]), (200, &"deleted".into()));
        assert_eq!(app.balance(&account).await.1, 0);
        assert_eq!(count(&app, "jobs").await, 0);
        app.engine.set_for("Hal 2", Behavior::Speak);
        app.until("the end of its objects", async || {
            // Reserved objects that were never written are removed hours later.
            app.clock.advance_seconds(3600);
            lectern_service::workers::sweep::round(&app.base).await.unwrap();
            stored(&app, "materials").is_empty() && count(&app, "object_deletions").await == 0
        })
        .await;
        assert!(count(&app, "ledger_transactions WHERE kind = 'charge'").await <= charged + 1);
        let charges = app.database().number("SELECT CAST(SUM(credits) AS BIGINT) FROM ledger_transactions WHERE kind = 'charge'");
        let spent = charges.await.unwrap();
        assert_eq!(app.balance(&account).await, (10_000 + spent, 0));
        app.finish().await;
    }

    // Negative control: without `release`, one job is not released.
    async fn a_graceful_shutdown_releases_jobs_at_once(setup: Setup) {
        let first = setup.set("LECTERN_HTTP__SHUTDOWN_SECONDS", "1").start().await;
        let second = Setup::sharing(&first).without_workers().start().await;
        let account = second.account(1_000).await;
        let id = uploaded(&second, &account.live, &book("Ida", 2, 1)).await;
        first.engine.set(Behavior::Block);
        let price = convert(&second, &account.live, &id).await["credits_held"].as_i64().unwrap();
        first.until("the first attempt", async || first.engine.call_count() > 0).await;
        let engine = first.engine.clone();
        let letting_go = async {
            // The test must not panic while the engine's thread is blocked, because nothing would
            // unblock the thread.
            let released = async || count(&second, "jobs WHERE status = 'queued'").await == 2;
            holds_within(std::time::Duration::from_secs(5), released).await;
            // The engine's thread itself cannot be interrupted.
            engine.set(Behavior::Speak);
        };
        tokio::join!(first.end(), letting_go);
        assert_eq!(count(&second, "jobs WHERE status = 'queued' AND attempts = 0 AND lost_leases = 0").await, 2);
        assert_eq!(count(&second, "chunks WHERE status = 'queued'").await, 2);
        let third = Setup::sharing(&second).start().await;
        until_status(&second, &account.live, &id, "completed").await;
        until_idle(&second).await;
        assert_converted_once(&second, &account, 2, 1_000 - price).await;
        third.finish().await;
        second.finish().await;
    }
}
