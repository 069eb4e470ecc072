//! Failing work: retried, or failed for good with its hold released.

use lectern_testkit::{Behavior, on_both};

use super::*;

on_both! {
    async fn a_chunk_that_fails_once_succeeds_on_retry(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let id = uploaded(&app, &account.live, &book("Cay", 3, 2)).await;
        app.engine.set_for("Cay 2 says 1", Behavior::Fail);
        let price = convert(&app, &account.live, &id).await["credits_held"].as_i64().unwrap();
        app.until("the failed attempt", async || {
            count(&app, "jobs WHERE attempts = 1 AND status = 'queued' AND last_error LIKE '%told to fail%'").await == 1
        })
        .await;
        app.until("the other chunks", async || material(&app, &account.live, &id).await["chunks_completed"] == 2).await;
        // The delay after the first failure is at most 2.4 s.
        app.engine.set_for("Cay 2 says 1", Behavior::Speak);
        let asked = app.engine.call_count();
        app.clock.advance_seconds(3);
        until_status(&app, &account.live, &id, "completed").await;
        until_idle(&app).await;
        let again = app.engine.utterances().split_off(asked);
        assert!(!again.iter().any(|said| said.contains("Cay 1") || said.contains("Cay 3")), "{again:?}");
        assert_converted_once(&app, &account, 3, 1_000 - price).await;
        app.finish().await;
    }

    // Negative control: without the limit on attempts in `supervision::end`, the chunk stays
    // queued.
    async fn a_chunk_that_always_fails_is_given_up_and_its_hold_released(setup: Setup) {
        let app = setup.set("LECTERN_JOBS__ATTEMPTS", "3").start().await;
        let account = app.account(1_000).await;
        let id = uploaded(&app, &account.live, &book("Dan", 2, 1)).await;
        app.engine.set_for("Dan 2", Behavior::Fail);
        convert(&app, &account.live, &id).await;
        app.until("the end of the attempts", async || {
            let_time_pass(&app).await;
            count(&app, "jobs WHERE status = 'dead'").await == 1
        })
        .await;
        assert_eq!(app.engine.utterances().iter().filter(|said| said.contains("Dan 2 says")).count(), 3);
        let failed = material(&app, &account.live, &id).await;
        assert_eq!((&failed["status"], &failed["chunks_failed"]), (&"partially_failed".into(), &1.into()));
        let events = "SELECT COUNT(*) FROM events WHERE kind = 'chunk.failed' AND data LIKE '%tts_provider_error%'";
        assert_eq!(app.database().number(events).await, Some(1));
        assert_eq!(app.balance(&account).await.1, 0, "the hold of the failed chunk was not released");
        assert_eq!(count(&app, "ledger_transactions WHERE kind = 'charge'").await, 1);
        // Dead jobs say nothing about the service's health.
        let ready = app.send(app.request(reqwest::Method::GET, &format!("{}/readyz", app.management))).await;
        assert_eq!(ready.status, 200);

        // The customer may convert the material again; the finished chunk is not spoken again.
        app.engine.set_for("Dan 2", Behavior::Speak);
        assert_eq!(convert(&app, &account.live, &id).await["chunks"], 1);
        until_status(&app, &account.live, &id, "completed").await;
        assert_eq!(app.engine.utterances().iter().filter(|said| said.contains("Dan 1 says")).count(), 1);
        until_idle(&app).await;
        app.finish().await;
    }

    async fn a_panic_of_the_engine_is_a_failed_attempt(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let id = uploaded(&app, &account.live, &book("Eve", 1, 2)).await;
        app.engine.set_for("Eve 1 says 2", Behavior::Panic);
        convert(&app, &account.live, &id).await;
        app.until("the failed attempt", async || count(&app, "jobs WHERE attempts = 1").await == 1).await;
        app.engine.set_for("Eve 1 says 2", Behavior::Speak);
        app.clock.advance_seconds(3);
        until_status(&app, &account.live, &id, "completed").await;
        until_idle(&app).await;
        app.finish().await;
    }

    // Jobs of an older program name no engine, so any worker claims them, once. Negative controls:
    // without the check for the engine in `convert_chunk`, the chunks use up their attempts and their
    // jobs are dead; without `needs_engine` they stay without an engine and are claimed for ever; when
    // `ereaders::put` leaves the jobs alone they wait for an engine that nobody has.
    async fn chunks_wait_for_a_process_that_has_their_engine(setup: Setup) {
        let app = setup.set("LECTERN_JOBS__ATTEMPTS", "1").start().await;
        let account = app.account(1_000).await;
        let id = uploaded(&app, &account.live, &book("Gil", 2, 1)).await;
        app.database().run("UPDATE ereaders SET engine = 'elsewhere' WHERE slug = 'heart'").await;
        convert(&app, &account.live, &id).await;
        app.database().run("UPDATE jobs SET engine = ''").await;
        app.until("the postponement", async || {
            let_time_pass(&app).await;
            count(&app, "jobs WHERE status = 'queued' AND last_error LIKE '%without the engine%'").await > 0
        })
        .await;
        assert_eq!(count(&app, "jobs WHERE attempts > 0").await, 0);
        app.until("all of them naming their engine", async || {
            let_time_pass(&app).await;
            count(&app, "jobs WHERE status = 'queued' AND engine = 'elsewhere'").await == 2
        })
        .await;
        let mut heart = ereaders::find_by_slug(&app.base.store, "heart").await.unwrap().unwrap();
        "hibari".clone_into(&mut heart.engine);
        ereaders::put(&app.base.store, &heart, app.base.clock.now()).await.unwrap();
        app.clock.advance_seconds(7);
        until_status(&app, &account.live, &id, "completed").await;
        until_idle(&app).await;
        app.finish().await;
    }

    // Negative control: when `supervision::end` does not check whether the storage answers, the job
    // stays queued forever.
    async fn a_chunk_whose_own_files_cannot_be_stored_is_given_up(setup: Setup) {
        // S3 has no directories that a file could block, and S3's own failures count only after
        // very many of them.
        let app = setup.on_files().set("LECTERN_JOBS__ATTEMPTS", "2").start().await;
        let account = app.account(1_000).await;
        let id = uploaded(&app, &account.live, &book("Hal", 1, 1)).await;
        // A file blocks the chunks' directory.
        std::fs::write(app.data().join(format!("objects/materials/{id}/chunks")), "in the way").unwrap();
        convert(&app, &account.live, &id).await;
        app.until("the end of the attempts", async || {
            let_time_pass(&app).await;
            count(&app, "jobs WHERE status = 'dead' AND attempts = 2").await == 1
        })
        .await;
        assert_eq!(material(&app, &account.live, &id).await["chunks_failed"], 1);
        assert_eq!(app.balance(&account).await.1, 0, "its hold was not released");
        app.finish().await;
    }

    async fn without_storage_nothing_is_spoken_and_no_attempt_counts(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let id = uploaded(&app, &account.live, &book("Fay", 2, 1)).await;
        let (here, away) = (app.data().join("objects"), app.data().join("elsewhere"));
        std::fs::rename(&here, &away).unwrap();
        if app.s3().is_some() {
            // For two seconds after a response, S3 counts as available without a probe. A monotonic
            // clock, which no test can move, measures that time.
            tokio::time::sleep(std::time::Duration::from_millis(2_500)).await;
        }
        convert(&app, &account.live, &id).await;
        app.database().run("UPDATE jobs SET engine = ''").await;
        app.until("the postponement", async || {
            let_time_pass(&app).await;
            count(&app, "jobs WHERE status = 'queued' AND last_error LIKE '%object storage%'").await > 0
        })
        .await;
        assert_eq!(app.engine.call_count(), 0);
        assert_eq!(count(&app, "jobs WHERE attempts > 0").await, 0);
        std::fs::rename(&away, &here).unwrap();
        app.until("the conversion", async || {
            let_time_pass(&app).await;
            material(&app, &account.live, &id).await["status"] == "completed"
        })
        .await;
        until_idle(&app).await;
        app.finish().await;
    }
}
