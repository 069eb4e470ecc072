//! Balance and ledger.

use lectern_testkit::{TestApp, on_both};
use serde_json::{Value, json};

on_both! {
    async fn one_synthesis_is_a_hold_a_release_and_a_charge(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(100).await;
        let synthesis = app.synthesize(&account.live, "Hello.").await.json()["id"].clone();
        let page = app.get("/v1/saas/credits/transactions", &account.live).await.json();
        let rows: Vec<Value> = page["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| json!([row["kind"], row["credits"], row["balance_after"], row["reference"] == synthesis]))
            .collect();
        assert_eq!(
            json!(rows),
            json!([
                ["charge", -6, 94, true],
                ["release", 6, 100, true],
                ["hold", -6, 100, true],
                ["purchase", 100, 100, false],
            ])
        );
        assert_eq!(page["next_cursor"], Value::Null);
        let balance = app.get("/v1/saas/credits/balance", &account.live).await.json();
        assert_eq!(balance, json!({ "balance": 94, "held": 0, "available": 94, "has_purchased_credits": true }));
        app.finish().await;
    }

    async fn the_ledger_is_paged_without_gaps_or_repeats(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(100).await;
        let other = app.account(100).await;
        for _ in 0..3 {
            app.synthesize(&account.live, "Hello.").await;
            app.clock.advance_seconds(1);
        }
        let mut ids = Vec::new();
        let mut path = "/v1/saas/credits/transactions?limit=4".to_owned();
        loop {
            let page = app.get(&path, &account.live).await.json();
            ids.extend(page["data"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()));
            let Some(cursor) = page["next_cursor"].as_str() else { break };
            let foreign = app.get(&format!("/v1/saas/credits/transactions?cursor={cursor}"), &other.live).await;
            assert_eq!(foreign.fields(), ["cursor"], "another account's cursor was accepted");
            path = format!("/v1/saas/credits/transactions?limit=4&cursor={cursor}");
        }
        assert_eq!(ids.len(), 10);
        assert!(ids.is_sorted_by(|a, b| a > b), "not newest first");
        app.finish().await;
    }
}

#[tokio::test]
async fn bad_page_parameters_are_named() {
    let app = TestApp::start().await;
    let account = app.account(0).await;
    for (query, field) in [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=-1", "limit"),
        ("limit=a", "limit"),
        ("limit=1&limit=2", "limit"),
        ("cursor=", "cursor"),
        ("cursor=00", "cursor"),
        ("cursor=%00", "cursor"),
        ("curser=1", "curser"),
    ] {
        for path in ["/v1/saas/credits/transactions", "/v1/saas/ereaders"] {
            assert_eq!(
                app.get(&format!("{path}?{query}"), &account.live).await.fields(),
                [field],
                "{path}?{query}"
            );
        }
    }
    app.finish().await;
}
