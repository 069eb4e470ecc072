//! Samples: made when they are first asked for, once, and without a charge.

use lectern_service::services::speech::samples;
use lectern_store::ereaders::{self, sample_requests};
use lectern_testkit::{Behavior, Reply, Setup, TestApp, on_both};
use reqwest::Method;
use serde_json::json;

const PATH: &str = "/v1/saas/ereaders/heart/sample";

/// How often the engine began a sample.
fn begun(app: &TestApp) -> usize {
    app.engine.utterances().iter().filter(|text| text.starts_with("Hello.")).count()
}

/// Asks for the sample of `heart` without waiting for it.
fn ask(app: &TestApp, key: &str) -> tokio::task::JoinHandle<Reply> {
    let request = app.request(Method::GET, PATH).bearer_auth(key);
    tokio::spawn(async move { Reply::read(request.send().await.unwrap()).await })
}

on_both! {
    async fn a_sample_is_audio_with_tag_and_ranges_and_every_miss_is_the_same(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let listed = app.get("/v1/saas/ereaders", &account.live).await.json();
        assert_eq!(listed["data"][0]["sample_langs"], json!(["en-US"]));
        assert_eq!(begun(&app), 0, "a list makes no samples");
        let whole = app.get(PATH, &account.live).await;
        assert_eq!((whole.status.as_u16(), whole.header("content-type")), (200, "audio/mpeg"));
        let named = app.get(&format!("{PATH}?lang=EN-gb"), &account.test).await;
        assert_eq!((named.status.as_u16(), named.header("etag")), (200, whole.header("etag")));
        let part = app.request(Method::GET, PATH).bearer_auth(&account.live).header("range", "bytes=0-9");
        let part = app.send(part).await;
        assert_eq!((part.status.as_u16(), part.bytes.as_slice()), (206, &whole.bytes[..10]));
        let same = app.request(Method::GET, PATH).bearer_auth(&account.live);
        assert_eq!(app.send(same.header("if-none-match", whole.header("etag"))).await.status, 304);
        assert_eq!(begun(&app), 1, "it is made once");
        assert_eq!(app.balance(&account).await, (1_000, 0), "it costs nothing");
        let listed = app.get("/v1/saas/ereaders", &account.live).await.json();
        assert_eq!(listed["data"][0]["sample_langs"], json!(["en-US"]));

        for miss in [
            "heart/sample?lang=fr",
            "heart/sample?lang=",
            "nobody/sample",
            "%00/sample",
            "%ff/sample",
            "..%2f/sample",
        ] {
            let reply = app.get(&format!("/v1/saas/ereaders/{miss}"), &account.live).await;
            assert_eq!(reply.refusal(), "sample_not_available", "{miss}");
        }
        let mut heart = ereaders::find_by_slug(&app.base.store, "heart").await.unwrap().unwrap();
        heart.active = false;
        ereaders::put(&app.base.store, &heart, app.base.clock.now()).await.unwrap();
        assert_eq!(app.get(PATH, &account.live).await.refusal(), "sample_not_available");
        app.finish().await;
    }

    // Negative control: without the claim in `try_to_make` both processes speak it.
    async fn requests_and_processes_that_ask_at_once_make_one_sample(setup: Setup) {
        let one = setup.start().await;
        let other = Setup::sharing(&one).start().await;
        let account = one.account(0).await;
        one.engine.set(Behavior::Block);
        other.engine.set(Behavior::Block);
        let mut waiting: Vec<_> = (0..4).map(|_| ask(&one, &account.live)).collect();
        waiting.extend((0..4).map(|_| ask(&other, &account.live)));
        one.until("both processes to wait for it", async || {
            let flights = [&one, &other].map(|app| app.app.samples.in_progress());
            flights == [1, 1] && begun(&one) + begun(&other) > 0
        })
        .await;
        one.engine.set(Behavior::Speak);
        other.engine.set(Behavior::Speak);
        for reply in waiting {
            assert_eq!(reply.await.unwrap().status, 200);
        }
        assert_eq!(begun(&one) + begun(&other), 1);
        other.finish().await;
        one.finish().await;
    }

    async fn a_process_without_the_engine_has_it_made_by_one_that_has_it(setup: Setup) {
        let mute = setup.speaking_for(&[]).start().await;
        let account = mute.account(0).await;
        let refused = mute.get(PATH, &account.live).await;
        assert_eq!(refused.refusal(), "service_unavailable");
        let speaking = Setup::sharing(&mute).start().await;
        mute.until("the sample", async || mute.get(PATH, &account.live).await.status == 200).await;
        assert_eq!(begun(&speaking), 1);
        speaking.finish().await;
        mute.finish().await;
    }

    // Negative control: without the pause the second request has the engine try again.
    async fn after_a_failure_nobody_tries_again_for_a_while(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(0).await;
        app.engine.set(Behavior::Fail);
        assert_eq!(app.get(PATH, &account.live).await.refusal(), "tts_provider_error");
        app.engine.set(Behavior::Speak);
        let refused = app.get(PATH, &account.live).await;
        assert_eq!((refused.refusal().as_str(), refused.header("retry-after")), ("service_unavailable", "30"));
        assert_eq!(begun(&app), 1);
        app.clock.advance_seconds(31);
        assert_eq!(app.get(PATH, &account.live).await.status, 200);
        app.engine.set(Behavior::Silent);
        assert_eq!(app.get("/v1/saas/ereaders/alma/sample", &account.live).await.refusal(), "tts_provider_error");
        app.finish().await;
    }

    // Negative control: without the deletion in `ereaders::put` the sample of the first voice stays.
    async fn another_voice_gets_another_sample(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(0).await;
        assert_eq!(app.get(PATH, &account.live).await.status, 200);
        let mut heart = ereaders::find_by_slug(&app.base.store, "heart").await.unwrap().unwrap();
        "Love".clone_into(&mut heart.name);
        ereaders::put(&app.base.store, &heart, app.base.clock.now()).await.unwrap();
        assert_eq!(app.get(PATH, &account.live).await.status, 200);
        assert_eq!(begun(&app), 1);
        "alma".clone_into(&mut heart.voice);
        ereaders::put(&app.base.store, &heart, app.base.clock.now()).await.unwrap();
        assert_eq!(app.get(PATH, &account.live).await.status, 200);
        assert_eq!(begun(&app), 2);
        app.finish().await;
    }

    async fn a_claim_that_was_lost_stores_nothing(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(0).await;
        app.engine.set(Behavior::Block);
        let asking = ask(&app, &account.live);
        app.until("the engine to speak it", async || begun(&app) == 1).await;
        let mut heart = ereaders::find_by_slug(&app.base.store, "heart").await.unwrap().unwrap();
        "alma".clone_into(&mut heart.voice);
        ereaders::put(&app.base.store, &heart, app.base.clock.now()).await.unwrap();
        app.engine.set(Behavior::Speak);
        assert_eq!(asking.await.unwrap().status, 200);
        assert_eq!(begun(&app), 2, "the first was of the voice before");
        let key = sample_requests::SampleKey { ereader: heart.id, language: "en-US".to_owned() };
        assert_eq!(sample_requests::state(&app.base.store, &key).await.unwrap(), None);
        app.finish().await;
    }
}

#[tokio::test]
async fn the_operator_can_make_samples_ahead() {
    let app = TestApp::start().await;
    let account = app.account(0).await;
    let heart = ereaders::find_by_slug(&app.base.store, "heart").await.unwrap().unwrap();
    let made = samples::make(&app.base, &app.app.speech.speaker, &heart).await.unwrap();
    assert_eq!(made.iter().map(|sample| sample.language.as_str()).collect::<Vec<_>>(), ["en-US"]);
    assert_eq!(app.get(PATH, &account.live).await.header("etag"), made[0].etag);
    assert_eq!(begun(&app), 1);
    app.finish().await;
}
