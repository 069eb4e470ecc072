//! The texts that an account had spoken.

use lectern_testkit::on_both;
use reqwest::Method;
use serde_json::{Value, json};

use crate::accounts::{self, browser, unlimited};

on_both! {
    async fn what_was_spoken_is_found_again_by_its_owner_alone(setup: Setup) {
        let app = unlimited(setup).start().await;
        for email in ["ada@example.com", "ben@example.com"] {
            accounts::confirmed(&app, email).await;
        }
        let (ada, ben) = (browser(&app, "ada@example.com").await, browser(&app, "ben@example.com").await);
        let heart = app.ereader("heart").await;
        let made = ada.post(&app, "/v1/bff/keys?environment=test", &json!({ "name": "CI", "scopes": ["write"] })).await.json();
        let key = made["key"].as_str().unwrap();
        let body = |text: &str| json!({ "text": text, "ereader_id": heart });
        let first = ada.post(&app, "/v1/bff/tts:synthesize?environment=test", &body("It is 100 % Sure.")).await.json();
        assert_eq!(app.post("/v1/saas/tts:stream", key, &body("A lantern was lit.")).await.status, 200);
        let mut marked = body("<speak>A <break time=\"1s\"/> pause.</speak>");
        marked["text_type"] = json!("ssml");
        assert_eq!(app.post("/v1/saas/tts:synthesize", key, &marked).await.status, 200);
        // A text that failed was not spoken.
        assert_eq!(app.post("/v1/saas/tts:synthesize", key, &body("")).await.refusal(), "text_empty");

        let list = async |query: &str| {
            let path = format!("/v1/bff/history?environment=test{query}");
            ada.get(&app, &path).await.json()["data"].as_array().unwrap().clone()
        };
        let all = list("").await;
        let texts: Vec<&Value> = all.iter().map(|entry| &entry["text"]).collect();
        assert_eq!(texts, ["<speak>A <break time=\"1s\"/> pause.</speak>", "A lantern was lit.", "It is 100 % Sure."]);
        assert_eq!((&all[0]["text_type"], &all[1]["text_type"]), (&json!("ssml"), &json!("text")));
        assert_eq!((&all[2]["id"], &all[2]["ereader_id"]), (&first["id"], &json!(heart)));
        assert_eq!(all[1]["key_id"], made["id"]);
        // A stream's audio is not kept; the other can be heard again.
        assert_eq!(all[1]["audio_url"], Value::Null);
        let signed = all[2]["audio_url"].as_str().unwrap();
        assert_eq!(app.send(app.request(Method::GET, signed)).await.status, 200);

        let found = |entries: Vec<Value>| entries.iter().map(|entry| entry["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
        assert_eq!(found(list("&q=LANTERN").await), ["A lantern was lit."]);
        assert_eq!(found(list("&q=100%20%25").await), ["It is 100 % Sure."]);
        assert_eq!(list("&q=100%25%20Sure").await, Vec::<Value>::new(), "a wildcard is a character like others");
        let page = ada.get(&app, "/v1/bff/history?environment=test&limit=2").await.json();
        let cursor = page["next_cursor"].as_str().unwrap();
        assert_eq!(found(list(&format!("&limit=2&cursor={cursor}")).await), ["It is 100 % Sure."]);
        assert_eq!(ada.get(&app, "/v1/bff/history?q=").await.fields(), ["q"]);

        assert_eq!(ada.get(&app, "/v1/bff/history").await.json()["data"], json!([]));
        assert_eq!(ben.get(&app, "/v1/bff/history?environment=test").await.json()["data"], json!([]));
        let one = format!("/v1/bff/history/{}?environment=test", all[1]["id"].as_str().unwrap());
        assert_eq!(app.send(ben.request(&app, Method::DELETE, &one)).await.refusal(), "not_found");
        let forgotten = app.send(ada.request(&app, Method::DELETE, &one)).await.json();
        assert_eq!((&forgotten["id"], &forgotten["text"]), (&all[1]["id"], &Value::Null));
        assert_eq!(list("").await[1]["text"], Value::Null);
        assert_eq!(list("&q=lantern").await, Vec::<Value>::new());
        app.finish().await;
    }

    // Negative control: with a text that is kept whatever the setting says, the first entry has one.
    async fn texts_are_kept_as_long_as_the_setting_says(setup: Setup) {
        let app = unlimited(setup).set("LECTERN_HISTORY__TEXT_DAYS", "0").start().await;
        accounts::confirmed(&app, "ada@example.com").await;
        let ada = browser(&app, "ada@example.com").await;
        let body = json!({ "text": "Nobody keeps this.", "ereader_id": app.ereader("heart").await });
        assert_eq!(ada.post(&app, "/v1/bff/tts:synthesize?environment=test", &body).await.status, 200);
        let all = ada.get(&app, "/v1/bff/history?environment=test").await.json();
        assert_eq!((&all["data"][0]["characters"], &all["data"][0]["text"]), (&json!(18), &Value::Null));
        app.finish().await;
    }
}
