//! Fair scheduling, measured in utterances of one engine thread.

use lectern_testkit::{Behavior, on_both};

use super::*;

on_both! {
    async fn a_short_text_does_not_wait_for_another_accounts_book(setup: Setup) {
        let app = setup.speech(1, 64).set("LECTERN_JOBS__CONCURRENCY", "2").start().await;
        let (amy, ben) = (app.account(100_000).await, app.account(100_000).await);
        let long = uploaded(&app, &amy.live, &book("Amy", 40, 2)).await;
        let short = uploaded(&app, &ben.live, &book("Ben", 2, 2)).await;
        app.engine.set(Behavior::Block);
        convert(&app, &amy.live, &long).await;
        app.until("the book's first utterance", async || app.engine.call_count() > 0).await;
        convert(&app, &ben.live, &short).await;
        app.engine.set(Behavior::Speak);
        until_status(&app, &ben.live, &short, "completed").await;
        until_status(&app, &amy.live, &long, "completed").await;
        let said = app.engine.utterances();
        let last = said.iter().rposition(|said| said.contains("Ben")).unwrap();
        let before = said[..last].iter().filter(|said| said.contains("Amy")).count();
        // Two of Amy's chunks were running, and each of the short text's chunks waits for at most
        // one more; her book has 120 utterances.
        assert!(before <= 18, "{before} of the book's utterances came before the short text's last: {said:#?}");
        until_idle(&app).await;
        app.finish().await;
    }

    // Negative control: with conversions at the priority of syntheses, the greeting waits for its
    // turn.
    async fn a_synthesis_does_not_wait_for_a_book(setup: Setup) {
        let app = setup.speech(1, 64).set("LECTERN_JOBS__CONCURRENCY", "5").start().await;
        let ben = app.account(100_000).await;
        app.engine.set(Behavior::Block);
        let mut books = Vec::new();
        for name in ["Amy", "Cay", "Dee", "Eli", "Fay"] {
            let owner = app.account(100_000).await;
            let id = uploaded(&app, &owner.live, &book(name, 2, 4)).await;
            convert(&app, &owner.live, &id).await;
            books.push((owner, id));
        }
        // One chunk is being spoken, and four wait for the only model thread.
        app.until("the books' chunks", async || app.engine.call_count() > 0 && app.app.speech.speaker.requests() == 5).await;
        let before = app.engine.call_count();
        let greeting = async { app.synthesize(&ben.live, "Hello there. How are you?").await };
        let letting_go = async {
            app.until("the greeting in the queue", async || app.app.speech.speaker.requests() == 6).await;
            app.engine.set(Behavior::Speak);
        };
        let (greeted, ()) = tokio::join!(greeting, letting_go);
        assert_eq!(greeted.status, 200);
        let said = app.engine.utterances();
        let first = said.iter().position(|said| said.contains("Hello")).unwrap();
        let last = said.iter().position(|said| said.contains("How are")).unwrap();
        assert!(first <= before + 1 && last <= first + 2, "{said:#?}");
        for (owner, id) in &books {
            until_status(&app, &owner.live, id, "completed").await;
        }
        until_idle(&app).await;
        app.finish().await;
    }

    async fn an_upload_is_extracted_while_all_conversion_slots_are_busy(setup: Setup) {
        let app = setup.set("LECTERN_JOBS__CONCURRENCY", "1").start().await;
        let account = app.account(1_000).await;
        let first = uploaded(&app, &account.live, &book("Kim", 3, 1)).await;
        app.engine.set(Behavior::Block);
        convert(&app, &account.live, &first).await;
        app.until("the conversion", async || app.engine.call_count() > 0).await;
        // The material becomes ready although no conversion makes progress.
        uploaded(&app, &account.live, &book("Lee", 1, 1)).await;
        app.engine.set(Behavior::Speak);
        until_status(&app, &account.live, &first, "completed").await;
        until_idle(&app).await;
        app.finish().await;
    }
}
