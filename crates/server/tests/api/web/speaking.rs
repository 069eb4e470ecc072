//! Trying a voice, and seeing the price.

use lectern_testkit::on_both;
use serde_json::json;

use crate::accounts::{self, browser, unlimited};

on_both! {
    async fn trying_a_voice_is_charged_and_shown_in_the_overview(setup: Setup) {
        let app = unlimited(setup).start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let account = ada.get(&app, "/v1/bff/me").await.json()["account"]["id"].as_str().unwrap().parse().unwrap();
        let ids = || app.base.transaction_id();
        let booking = lectern_store::ledger::Booking { now: app.clock.now(), ids: &ids };
        let (kind, credits) = (lectern_store::ledger::Addition::Purchase, lectern_types::Credits(1_000));
        lectern_store::ledger::add(&app.base.store, account, kind, credits, None, booking).await.unwrap();
        let heart = app.ereader("heart").await;
        let body = json!({ "text": "Hello there.", "ereader_id": heart, "timestamps": "word" });
        let said = ada.post(&app, "/v1/bff/tts:synthesize", &body).await.json();
        assert_eq!((&said["credits_charged"], said["timestamps"].is_array()), (&json!(12), true));
        let overview = ada.get(&app, "/v1/bff/overview").await.json();
        assert_eq!(overview["balance"]["balance"], 988);
        let day = json!({ "day": "2026-11-21", "ereader_id": heart, "characters": 12, "credits": 12 });
        assert_eq!(overview["usage"], json!([day]));
        let recent = &overview["recent"][0];
        assert_eq!((&recent["id"], &recent["requests"], &recent["title"]), (&said["id"], &json!(1), &json!(null)));
        let other = ada.get(&app, "/v1/bff/overview?environment=test").await.json();
        assert_eq!((&other["usage"], &other["recent"]), (&json!([]), &json!([])));
        assert_eq!(other["balance"]["balance"], 988, "the balance is the account's");
        app.finish().await;
    }
}
