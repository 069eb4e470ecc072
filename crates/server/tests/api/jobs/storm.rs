//! A store that fails at every step: its answers are lost before and after the commit while a book
//! is converted.

use std::time::Duration;

use lectern_store::Edge;
use lectern_testkit::{Behavior, holds_within, on_both, until_within};

use super::*;

on_both! {
    async fn every_chunk_is_charged_once_when_commit_answers_are_lost(setup: Setup) {
        let app = setup.with_faults().set("LECTERN_JOBS__LEASE_SECONDS", "2").running_clock().start().await;
        let account = app.account(100_000).await;
        let id = uploaded(&app, &account.live, &book("Mia", 48, 2)).await;
        let price = convert(&app, &account.live, &id).await["credits_held"].as_i64().unwrap();
        let mut cuts = 0;
        for edge in [Edge::Committed, Edge::Commit, Edge::Begin].into_iter().cycle() {
            if material_by_sql(&app, "completed").await || cuts == 10 {
                break;
            }
            app.faults.cut_next(edge);
            let fired = holds_within(Duration::from_millis(300), async || app.faults.has_fired()).await;
            cuts += u32::from(fired);
            // Without this, the fault would hit the first transaction after each pause, which is
            // always a claim.
            app.faults.disarm();
            // The time between two faults, during which transactions succeed.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert!(cuts > 5, "only {cuts} transactions were cut off");
        assert_all_converted(&app, &account, &id, 48, 100_000 - price).await;
        app.finish().await;
    }

    // Negative controls, in `commit::settled`: when a commit whose answer was lost counts as a
    // failure, or a failure counts as a commit, the test exceeds its time limit: the book is not
    // assembled, or a chunk waits for its lease to expire.
    async fn a_completion_whose_answer_is_lost_stands_and_one_that_failed_is_repeated_at_once(setup: Setup) {
        let setup = setup.with_faults().set("LECTERN_JOBS__LEASE_SECONDS", "600").set("LECTERN_JOBS__CONCURRENCY", "1");
        let app = setup.running_clock().start().await;
        let account = app.account(100_000).await;
        let id = uploaded(&app, &account.live, &book("Una", 6, 1)).await;
        app.engine.set_for("Una 1 says", Behavior::Block);
        let price = convert(&app, &account.live, &id).await["credits_held"].as_i64().unwrap();
        for (chunk, edge) in (1..=6).zip([Edge::Committed, Edge::Commit].into_iter().cycle()) {
            let words = format!("Una {chunk} says");
            app.until(&words, async || app.engine.utterances().iter().any(|said| said.contains(&words))).await;
            // The chunk's objects were reserved when it started, so the next transaction is its
            // completion.
            app.faults.cut_after(0, edge);
            app.engine.set_for(&format!("Una {} says", chunk + 1), Behavior::Block);
            app.until(&format!("the cut at {words}"), async || app.faults.has_fired()).await;
        }
        assert_all_converted(&app, &account, &id, 6, 100_000 - price).await;
        app.finish().await;
    }
}

/// Queries the database without the store, whose transactions are being cut off.
async fn material_by_sql(app: &TestApp, status: &str) -> bool {
    count(app, &format!("materials WHERE status = '{status}'")).await == 1
}

/// Waits until the material is converted, and asserts that every chunk has audio and was charged
/// once.
async fn assert_all_converted(app: &TestApp, account: &Account, id: &str, chunks: i64, credits: i64) {
    until_long(app, "completed").await;
    app.until("the end of all jobs", async || count(app, "jobs").await == 0).await;
    assert_converted_once(app, account, chunks, credits).await;
    for index in 0..chunks {
        let audio = app.get(&format!("/v1/saas/materials/{id}/chunks/{index}/audio"), &account.live).await;
        assert_eq!(audio.status, 200, "the audio of chunk {index}");
    }
}

async fn until_long(app: &TestApp, status: &str) {
    let what = format!("the status {status}");
    until_within(Duration::from_mins(1), &what, async || material_by_sql(app, status).await).await;
}
