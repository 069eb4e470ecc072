//! A commit whose answer is lost: whether or not the commit succeeded, paid work is delivered, and
//! failed work costs nothing.

use lectern_store::Edge;
use lectern_testkit::{Behavior, Reply, Setup, TestApp, on_both};
use reqwest::{Method, RequestBuilder};
use serde_json::json;

/// A request for speech under an idempotency key.
async fn asked(app: &TestApp, route: &str, key: &str) -> RequestBuilder {
    let body = json!({ "text": "Ten words.", "ereader_id": app.ereader("heart").await });
    let request = app.request(Method::POST, &format!("/v1/saas/tts:{route}")).bearer_auth(key);
    request.header("idempotency-key", "doubt").json(&body)
}

/// Sends the request and cuts off the final commit of its work at `edge`.
async fn cut_off(app: &TestApp, route: &str, key: &str, edge: Edge) -> reqwest::Result<Reply> {
    app.engine.set(Behavior::Block);
    let (before, request) = (app.engine.call_count(), asked(app, route, key).await);
    let call = tokio::spawn(async move {
        let response = request.send().await?;
        let (status, headers) = (response.status(), response.headers().clone());
        Ok(Reply { status, headers, bytes: response.bytes().await?.to_vec() })
    });
    app.until("the engine being asked", async || app.engine.call_count() > before).await;
    app.faults.cut_next(edge);
    app.engine.set(Behavior::Speak);
    let reply = call.await.unwrap();
    assert!(app.faults.has_fired(), "nothing was cut off");
    reply
}

on_both! {
    // Negative control: without the query of the store in `finish`, the first response here is a
    // 503, and the stream of the next test breaks off.
    async fn a_synthesis_whose_commit_answer_was_lost_is_answered_with_its_audio(setup: Setup) {
        let app = setup.with_faults().start().await;
        let account = app.account(100).await;
        let first = cut_off(&app, "synthesize", &account.live, Edge::Committed).await.unwrap();
        assert_eq!(first.status, 200, "{}", String::from_utf8_lossy(&first.bytes));
        assert_eq!(app.balance(&account).await, (90, 0));
        let again = app.send(asked(&app, "synthesize", &account.live).await).await;
        assert_eq!((again.header("idempotent-replayed"), &again.bytes), ("true", &first.bytes));
        let url = first.json()["audio_url"].as_str().unwrap().to_owned();
        assert_eq!(app.send(app.request(Method::GET, &url)).await.status, 200);
        app.finish().await;
    }

    async fn a_stream_whose_commit_answer_was_lost_is_replayed_whole(setup: Setup) {
        let app = setup.with_faults().start().await;
        let account = app.account(100).await;
        let first = cut_off(&app, "stream", &account.live, Edge::Committed).await.unwrap();
        assert_eq!((first.status.as_u16(), app.balance(&account).await), (200, (90, 0)));
        let again = app.send(asked(&app, "stream", &account.live).await).await;
        assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (200, "true"));
        assert_eq!(again.bytes, first.bytes);
        app.finish().await;
    }

    async fn a_synthesis_whose_commit_failed_costs_nothing_and_leaves_no_audio(setup: Setup) {
        let app = setup.with_faults().start().await;
        let account = app.account(100).await;
        for key in [&account.live, &account.test] {
            let first = cut_off(&app, "synthesize", key, Edge::Commit).await.unwrap();
            assert_eq!(first.refusal(), "service_unavailable");
            assert_eq!(app.balance(&account).await, (100, 0));
        }
        // Storage removes an empty directory with its last object.
        let kept = std::fs::read_dir(app.data().join("objects/syntheses")).map_or(0, Iterator::count);
        assert_eq!(kept, 0, "orphaned audio is left");
        assert_eq!(app.send(asked(&app, "synthesize", &account.live).await).await.status, 200);
        app.finish().await;
    }

    // Negative control: with one object name for all attempts, the URL in the response is 404 in
    // the end.
    async fn an_attempt_that_was_taken_over_cannot_delete_the_audio_of_the_next(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(100).await;
        app.engine.set(Behavior::Block);
        let request = asked(&app, "synthesize", &account.live).await;
        let stalled = tokio::spawn(async move { Reply::read(request.send().await.unwrap()).await });
        app.until("the engine being asked", async || app.engine.call_count() > 0).await;
        // Started before the lease ends: a sweep after that would release the hold, and the next
        // attempt would get another id.
        let other = Setup::sharing(&app).start().await;
        assert_eq!(other.get("/v1/saas/me", &account.live).await.status, 200);
        app.clock.advance_seconds(31);
        let next = other.send(asked(&other, "synthesize", &account.live).await).await;
        assert_eq!(next.status, 200, "{}", String::from_utf8_lossy(&next.bytes));
        app.engine.set(Behavior::Speak);
        assert_eq!(stalled.await.unwrap().refusal(), "service_unavailable");
        let url = next.json()["audio_url"].as_str().unwrap().to_owned();
        assert_eq!(other.send(other.request(Method::GET, &url)).await.status, 200);
        assert_eq!(app.balance(&account).await, (90, 0));
        other.finish().await;
        app.finish().await;
    }
}
