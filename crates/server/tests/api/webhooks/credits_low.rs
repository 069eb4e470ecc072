//! `credits.low`: sent once each time the balance falls below the account's threshold.

use lectern_store::{jobs::JobKind, ledger};
use lectern_testkit::{Account, TestApp, on_both};
use lectern_types::{Credits, ErrorCode};
use serde_json::{Value, json};

use super::{register, set_up};

async fn threshold(app: &TestApp, account: &Account, credits: Option<i64>) {
    let set = ledger::set_low_threshold(&app.base.store, account.id, credits.map(Credits)).await;
    assert!(set.unwrap());
}

async fn low_events(app: &TestApp, key: &str) -> Vec<Value> {
    let page = app.get("/v1/saas/events?type=credits.low", key).await.json();
    page["data"].as_array().unwrap().iter().rev().map(|event| event["data"].clone()).collect()
}

on_both! {
    // Negative control: without the comparison with the previous balance, each further text sends
    // the event again.
    async fn credits_low_is_sent_once_for_each_fall_below_the_threshold(setup: Setup) {
        let (app, account, receiver) = set_up(setup).await;
        register(&app, &account.live, &receiver.url("/"), &["credits.low"]).await;
        register(&app, &account.test, &receiver.url("/sandbox"), &["credits.low"]).await;
        // The account starts with 10,000.
        let spend = async |key: &str, characters: usize| {
            assert_eq!(app.synthesize(key, &"x ".repeat(characters / 2)).await.status, 200);
        };
        spend(&account.live, 1_000).await;
        threshold(&app, &account, Some(8_000)).await;
        spend(&account.live, 1_000).await;
        assert_eq!(low_events(&app, &account.live).await, Vec::<Value>::new(), "8,000 is not below 8,000");
        spend(&account.test, 1_000).await;
        spend(&account.live, 100).await;
        let first = json!({ "available": 7_900, "threshold": 8_000 });
        assert_eq!(low_events(&app, &account.live).await, std::slice::from_ref(&first));
        spend(&account.live, 100).await;
        assert_eq!(low_events(&app, &account.live).await.len(), 1, "the event is sent again");
        let request = &receiver.wait_for(1).await[0];
        assert_eq!((&request.json()["type"], &request.json()["data"]), (&json!("credits.low"), &first));

        // The balance rises and falls again: a conversion holds its whole price at once and
        // releases the price of failed chunks.
        let ids = || app.base.transaction_id();
        let booking = ledger::Booking { now: app.clock.now(), ids: &ids };
        let grant = ledger::Addition::Grant;
        ledger::add(&app.base.store, account.id, grant, Credits(300), None, booking).await.unwrap();
        let material = app.ready_material(&account.live, &[&"x ".repeat(100), &"y ".repeat(100)]).await;
        let body = json!({ "ereader_id": app.ereader("heart").await });
        let path = format!("/v1/saas/materials/{material}/convert");
        assert_eq!(app.post(&path, &account.live, &body).await.status, 202);
        let second = json!({ "available": 7_700, "threshold": 8_000 });
        assert_eq!(low_events(&app, &account.live).await, [first.clone(), second.clone()]);
        app.fail_job(JobKind::ConvertChunk, ErrorCode::TtsProviderError).await;
        app.fail_job(JobKind::ConvertChunk, ErrorCode::TtsProviderError).await;
        assert_eq!(app.balance(&account).await, (8_100, 0));
        assert_eq!(app.post(&path, &account.live, &body).await.status, 202);
        assert_eq!(low_events(&app, &account.live).await, [first, second.clone(), second]);
        app.fail_job(JobKind::ConvertChunk, ErrorCode::TtsProviderError).await;
        app.fail_job(JobKind::ConvertChunk, ErrorCode::TtsProviderError).await;

        threshold(&app, &account, None).await;
        spend(&account.live, 200).await;
        assert_eq!(low_events(&app, &account.live).await.len(), 3, "the event is sent without a threshold");
        assert_eq!(low_events(&app, &account.test).await, Vec::<Value>::new());
        receiver.wait_for(3).await;
        assert!(receiver.received().iter().all(|request| request.path == "/"), "the event was sent in the sandbox");
        app.finish().await;
    }
}
