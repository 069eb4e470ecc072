//! Books whose authors give pronunciations.

use lectern_testkit::TestApp;
use serde_json::json;

use super::{PATH, field, file, upload};

// Negative control: without `with_pronunciations` in the job, the words are said as they are written.
#[tokio::test]
async fn a_book_is_said_as_its_author_pronounces_it() {
    let app = TestApp::start().await;
    let account = app.account(1_000).await;
    let page = "<html><body><p>Say <span ssml:ph=\"ziːl\">Xyl</span> and <span ssml:alphabet=\"x-sampa\" \
        ssml:ph=\"t@meIt@U\">tomato</span> and <span ssml:ph=\"☂\">rain</span> in the old house.</p></body></html>";
    let parts = [file("page.html", page.as_bytes()), field("language", "en")];
    let made = upload(&app, &account.live, &parts).await;
    assert_eq!(made.status, 202, "{}", made.json());
    let id = made.json()["id"].as_str().unwrap().to_owned();
    app.until("ready", async || app.material(&account.live, &id).await["status"] == "ready").await;
    let characters = app.material(&account.live, &id).await["characters"].as_i64().unwrap();
    let body = json!({ "ereader_id": app.ereader("heart").await });
    let queued = app.post(&format!("{PATH}/{id}/convert"), &account.live, &body).await.json();
    assert_eq!(queued["credits_held"], json!(characters), "a pronunciation costs nothing");
    app.until("completed", async || app.material(&account.live, &id).await["status"] == "completed").await;
    let said = app.engine.utterances().concat();
    assert!(said.contains("[Xyl](/ziːl/) and [tomato](/"), "{said}");
    assert!(said.contains("and rain in"), "{said}");
    let words = app.get(&format!("{PATH}/{id}/chunks/0/timestamps"), &account.live).await.json();
    let words = words["timestamps"].as_array().unwrap();
    let xyl = words.iter().find(|word| word["text"] == "Xyl").unwrap();
    assert_eq!((&xyl["start_char"], &xyl["end_char"]), (&json!(4), &json!(7)));
    app.finish().await;
}
