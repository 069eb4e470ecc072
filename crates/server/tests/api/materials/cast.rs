//! The cast of a material: who is found in its text, who speaks for whom, and what that costs.

use lectern_store::Tier;
use lectern_testkit::{Account, Reply, TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};

use super::PATH;

const NAMED: &str = "It was late.\n\n[speaker Ines]\nHello.\n\n[speaker Tom]\nAye.\n\n[speaker Ines]\nBye.";

const NOVEL: &str = "“Good evening,” said Ines. The door closed.\n\n“You are late,” said Tom.\n\n\
    “I know,” said Ines, and she sat down by the window of the old house.";

pub(super) async fn uploaded(app: &TestApp, account: &Account, text: &str) -> String {
    let body = json!({ "text": text, "language": "en" });
    let reply = app.post(PATH, &account.live, &body).await;
    assert_eq!(reply.status, 202, "{}", reply.json());
    let id = reply.json()["id"].as_str().unwrap().to_owned();
    until(app, account, &id, "ready").await;
    id
}

pub(super) async fn until(app: &TestApp, account: &Account, id: &str, status: &str) {
    app.until(status, async || app.material(&account.live, id).await["status"] == status).await;
}

pub(super) async fn cast(app: &TestApp, account: &Account, id: &str) -> Vec<Value> {
    let reply = app.get(&format!("{PATH}/{id}/cast"), &account.live).await;
    assert_eq!(reply.status, 200, "{}", reply.json());
    reply.json()["speakers"].as_array().unwrap().clone()
}

pub(super) async fn put(app: &TestApp, account: &Account, id: &str, speakers: Value) -> Reply {
    let request = app.request(Method::PUT, &format!("{PATH}/{id}/cast")).bearer_auth(&account.live);
    app.send(request.json(&json!({ "speakers": speakers }))).await
}

on_both! {
    // Negative control: priced at the narrator's price alone, 35 credits are held for 35 characters.
    async fn a_conversion_is_spoken_and_paid_by_voice(setup: Setup) {
        let app = setup.start().await;
        let account = app.account_of(Tier::Premium, 1_000).await;
        let (heart, alma) = (app.ereader("heart").await, app.ereader("alma").await);
        let id = uploaded(&app, &account, NAMED).await;
        assert_eq!(
            cast(&app, &account, &id).await,
            [
                json!({ "name": "Ines", "ereader_id": null, "quotes": 2, "confidence": 1.0 }),
                json!({ "name": "Tom", "ereader_id": null, "quotes": 1, "confidence": 1.0 }),
            ]
        );
        let changed = put(&app, &account, &id, json!([{ "name": "Tom", "ereader_id": alma }, { "name": "Nobody", "ereader_id": alma }])).await;
        assert_eq!(changed.status, 200, "{}", changed.json());
        // Who is left out is the narrator's again.
        let changed = put(&app, &account, &id, json!([{ "name": "Ines", "ereader_id": alma, "quotes": 2, "confidence": 0.5 }])).await.json();
        assert_eq!(
            (&changed["speakers"][0], &changed["speakers"][1]["ereader_id"]),
            (&json!({ "name": "Ines", "ereader_id": alma, "quotes": 2, "confidence": 1.0 }), &Value::Null)
        );
        let characters = app.material(&account.live, &id).await["characters"].as_i64().unwrap();
        let queued = app.post(&format!("{PATH}/{id}/convert"), &account.live, &json!({ "ereader_id": heart })).await.json();
        // "Hello." and "Bye." cost twice as much, with the ends of lines that stand in their stretches.
        let ines = i64::try_from("\nHello.\n\n".len() + "\nBye.".len()).unwrap();
        let held = queued["credits_held"].as_i64().unwrap();
        assert!((held - characters - ines).abs() <= 3, "{held} for {characters} characters, {ines} of them Ines's");
        until(&app, &account, &id, "completed").await;
        assert_eq!(app.balance(&account).await, (1_000 - held, 0));
        // The voices speak side by side; the order of their words is that of the text.
        let mut said: Vec<String> = app.engine.utterances().iter().map(|said| said.trim().to_owned()).collect();
        said.retain(|said| !said.is_empty());
        said.sort();
        assert_eq!(said, ["Aye.", "Bye.", "Hello.", "It was late."]);
        let words = app.get(&format!("{PATH}/{id}/chunks/0/timestamps"), &account.live).await.json();
        let words: Vec<&str> = words["timestamps"].as_array().unwrap().iter().map(|word| word["text"].as_str().unwrap()).collect();
        assert_eq!(words, ["It", "was", "late.", "Hello.", "Aye.", "Bye."]);
        let locked = put(&app, &account, &id, json!([])).await;
        assert_eq!(locked.refusal(), "ereader_locked");
        assert_eq!(locked.json()["error"]["details"]["locked_ereader_id"], json!(heart));
        app.finish().await;
    }
}

#[tokio::test]
async fn dialogue_is_proposed_and_not_applied_unasked() {
    let app = TestApp::start().await;
    let account = app.account_of(Tier::Premium, 10_000).await;
    let (heart, alma) = (app.ereader("heart").await, app.ereader("alma").await);
    let convert = async |id: &str| {
        let body = json!({ "ereader_id": heart });
        let queued = app.post(&format!("{PATH}/{id}/convert"), &account.live, &body).await.json();
        until(&app, &account, id, "completed").await;
        queued["credits_held"].as_i64().unwrap()
    };
    let unasked = uploaded(&app, &account, NOVEL).await;
    let proposed = cast(&app, &account, &unasked).await;
    let names: Vec<(&str, i64)> =
        proposed.iter().map(|one| (one["name"].as_str().unwrap(), one["quotes"].as_i64().unwrap())).collect();
    assert_eq!(names, [("Ines", 2), ("Tom", 1)]);
    assert!(proposed.iter().all(|one| one["confidence"].as_f64().unwrap() >= 0.9), "{proposed:?}");
    let characters = i64::try_from(NOVEL.chars().count()).unwrap();
    let held = convert(&unasked).await;
    assert!((held - characters).abs() <= 1, "{held}");

    let asked = uploaded(&app, &account, NOVEL).await;
    assert_eq!(put(&app, &account, &asked, json!([{ "name": "Tom", "ereader_id": alma }])).await.status, 200);
    let with_tom = convert(&asked).await;
    let tom = i64::try_from("“You are late,”".chars().count()).unwrap();
    assert!((with_tom - held - tom).abs() <= 1, "{with_tom} and {held}");
    assert!(
        app.engine.utterances().iter().any(|said| said.trim() == "“You are late,”"),
        "{:?}",
        app.engine.utterances()
    );
    app.finish().await;
}

#[tokio::test]
async fn a_wrong_cast_is_refused() {
    let app = TestApp::start().await;
    let account = app.account(1_000).await;
    let id = uploaded(&app, &account, NAMED).await;
    let (alma, unknown) = (app.ereader("alma").await, format!("erd_{}", "0".repeat(32)));
    for (speakers, code) in [
        (json!([{ "name": "Ines", "ereader_id": alma }]), "ereader_tier_not_available"),
        (json!([{ "name": "Ines", "ereader_id": unknown }]), "ereader_not_found"),
        (json!([{ "name": "Ines", "ereader_id": "alma" }]), "ereader_not_found"),
    ] {
        assert_eq!(put(&app, &account, &id, speakers).await.refusal(), code);
    }
    for (speakers, field) in [
        (json!({}), "speakers"),
        (json!([{ "ereader_id": alma }]), "speakers[0]"),
        (json!([{ "name": " " }]), "speakers[0]"),
        (json!([{ "name": "a".repeat(101) }]), "speakers[0]"),
        (json!([{ "name": "Ines", "voice": "alma" }]), "speakers[0]"),
        (json!([{ "name": "Ines", "ereader_id": 1 }]), "speakers[0]"),
        (json!([{ "name": "Ines" }, { "name": "Ines" }]), "speakers[1]"),
        (Value::Array(vec![json!({ "name": "Ines" }); 501]), "speakers"),
    ] {
        assert_eq!(put(&app, &account, &id, speakers).await.fields(), [field]);
    }
    app.finish().await;
}
