//! A store that fails at every turn: answers lost before and after the commit, while a book is converted.

use std::time::Duration;

use lectern_store::Edge;
use lectern_testkit::{Mood, on_both};

use super::*;

on_both! {
    async fn every_chunk_is_charged_once_though_the_stores_answers_are_lost(setup: Setup) {
        let app = setup.faulty().set("LECTERN_JOBS__LEASE_SECONDS", "2").running_clock().start().await;
        let account = app.account(100_000).await;
        let id = uploaded(&app, &account.live, &book("Mia", 48, 2)).await;
        let price = convert(&app, &account.live, &id).await["credits_held"].as_i64().unwrap();
        let mut cuts = 0;
        for edge in [Edge::Committed, Edge::Commit, Edge::Begin].into_iter().cycle() {
            if material_by_sql(&app, "completed").await || cuts == 10 {
                break;
            }
            app.faults.cut_next(edge);
            for _ in 0..60 {
                tokio::time::sleep(Duration::from_millis(5)).await;
                if app.faults.is_spent() {
                    cuts += 1;
                    break;
                }
            }
            // Else every transaction after a rest would be cut off, which would always be a claim.
            app.faults.spare();
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert!(cuts > 5, "only {cuts} transactions were cut off");
        until_long(&app, "completed").await;
        app.until("the end of all jobs", async || count(&app, "jobs").await == 0).await;
        assert_converted_once(&app, &account, 48, 100_000 - price).await;
        for index in 0..48 {
            let audio = app.get(&format!("/v1/saas/materials/{id}/chunks/{index}/audio"), &account.live).await;
            assert_eq!(audio.status, 200, "the audio of chunk {index}");
        }
        app.finish().await;
    }

    // Negative controls, in `commit::settled`: with a commit whose answer was lost taken for one that failed, and with one that
    // failed taken for one that came through, the test ended by its patience: the book is not made, a chunk waits for its lease.
    async fn a_completion_whose_answer_is_lost_stands_and_one_that_failed_is_repeated_at_once(setup: Setup) {
        let setup = setup.faulty().set("LECTERN_JOBS__LEASE_SECONDS", "600").set("LECTERN_JOBS__CONCURRENCY", "1");
        let app = setup.running_clock().start().await;
        let account = app.account(100_000).await;
        let id = uploaded(&app, &account.live, &book("Una", 6, 1)).await;
        app.engine.set_for("Una 1 says", Mood::Waiting);
        let price = convert(&app, &account.live, &id).await["credits_held"].as_i64().unwrap();
        for (chunk, edge) in (1..=6).zip([Edge::Committed, Edge::Commit].into_iter().cycle()) {
            let words = format!("Una {chunk} says");
            app.until(&words, async || app.engine.said().iter().any(|said| said.contains(&words))).await;
            // What it is about to put was announced when it was begun: what comes is its completion.
            app.faults.cut_after(0, edge);
            app.engine.set_for(&format!("Una {} says", chunk + 1), Mood::Waiting);
            app.until(&format!("the cut at {words}"), async || app.faults.is_spent()).await;
        }
        until_long(&app, "completed").await;
        app.until("the end of all jobs", async || count(&app, "jobs").await == 0).await;
        assert_converted_once(&app, &account, 6, 100_000 - price).await;
        for index in 0..6 {
            let audio = app.get(&format!("/v1/saas/materials/{id}/chunks/{index}/audio"), &account.live).await;
            assert_eq!(audio.status, 200, "the audio of chunk {index}");
        }
        app.finish().await;
    }
}

/// Past the store, whose transactions are being cut off.
async fn material_by_sql(app: &lectern_testkit::TestApp, status: &str) -> bool {
    count(app, &format!("materials WHERE status = '{status}'")).await == 1
}

async fn until_long(app: &lectern_testkit::TestApp, status: &str) {
    for _ in 0..4 {
        for _ in 0..300 {
            if material_by_sql(app, status).await {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    panic!("the status {status} did not come about");
}
