//! Jobs are left to processes that have their engine.

use lectern_testkit::{Behavior, Nats, Setup, on_both};

use super::*;

/// Processes with one engine each: the first has none of the voice's.
async fn converted_by_the_one_that_can(setup: Setup, more: &[(&str, &str)]) {
    let with = |setup: Setup| more.iter().fold(setup, |setup, (key, value)| setup.set(key, value));
    let app = with(setup).engines(&[("light", 0.001)]).start().await;
    app.database().run("UPDATE ereaders SET engine = 'heavy' WHERE slug = 'heart'").await;
    let account = app.account(10_000).await;
    let heavy = uploaded(&app, &account.live, &book("Ann", 3, 1)).await;
    convert(&app, &account.live, &heavy).await;
    app.database().run("UPDATE ereaders SET engine = 'light' WHERE slug = 'heart'").await;
    // Queued after the other, and done although nobody can do the other.
    let light = uploaded(&app, &account.live, &book("Ben", 3, 1)).await;
    convert(&app, &account.live, &light).await;
    until_status(&app, &account.live, &light, "completed").await;
    assert_eq!(count(&app, "jobs WHERE engine = 'heavy' AND claim_epoch = 0").await, 3, "one was claimed");
    // The e-reader's engine is read when a chunk begins.
    app.database().run("UPDATE ereaders SET engine = 'heavy' WHERE slug = 'heart'").await;
    let other = with(Setup::sharing(&app)).engines(&[("heavy", 0.05)]).start().await;
    until_status(&app, &account.live, &heavy, "completed").await;
    assert!(!app.engine.utterances().iter().any(|said| said.contains("Ann")));
    assert!(!other.engine.utterances().iter().any(|said| said.contains("Ben")));
    until_idle(&app).await;
    other.end().await;
    app.finish().await;
}

on_both! {
    async fn jobs_are_claimed_only_where_their_engine_is(setup: Setup) {
        converted_by_the_one_that_can(setup, &[]).await;
    }

    async fn jobs_of_each_engine_have_a_work_queue(setup: Setup) {
        let nats = Nats::start();
        let more = [("LECTERN_QUEUE__URL", &*nats.url()), ("LECTERN_JOBS__LEASE_SECONDS", "10")];
        converted_by_the_one_that_can(setup, &more).await;
    }

    async fn a_heavy_book_takes_no_slot_of_another_engine(setup: Setup) {
        let app = setup
            .set("LECTERN_JOBS__CONCURRENCY", "1")
            .engines(&[("light", 0.001), ("heavy", 0.05)])
            .start()
            .await;
        app.engine.set_for("Cal", Behavior::Block);
        app.database().run("UPDATE ereaders SET engine = 'heavy' WHERE slug = 'heart'").await;
        let account = app.account(10_000).await;
        let heavy = uploaded(&app, &account.live, &book("Cal", 2, 1)).await;
        let light = uploaded(&app, &account.live, &book("Dot", 2, 1)).await;
        convert(&app, &account.live, &heavy).await;
        app.until("the heavy book at the engine", async || {
            app.engine.utterances().iter().any(|said| said.contains("Cal"))
        })
        .await;
        app.database().run("UPDATE ereaders SET engine = 'light' WHERE slug = 'heart'").await;
        convert(&app, &account.live, &light).await;
        until_status(&app, &account.live, &light, "completed").await;
        app.engine.set_for("Cal", Behavior::Speak);
        until_idle(&app).await;
        app.finish().await;
    }
}
