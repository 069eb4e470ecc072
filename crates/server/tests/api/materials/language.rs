//! The language of materials. A conversion by an e-reader that does not speak it is refused before
//! credits are held, unless the owner overrides the language. Text that cannot be spoken is never
//! charged.

use lectern_testkit::{Account, Setup, TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};

use super::{PATH, field, file, upload};

const HEBREW: &str = "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג.";
const FRENCH: &str = "Chaque matin, la boulangère ouvrait ses volets avant le lever du jour, et l'odeur du pain chaud \
    descendait jusqu'au port. Les pêcheurs le savaient bien : quand ils rentraient, il restait toujours quelque chose.";
const ENGLISH: &str = "Every morning the baker opened her shutters before it was light, and the smell of warm bread went \
    all the way down to the harbour. The fishermen knew that there was always something left for them.";

async fn patch(app: &TestApp, key: &str, id: &str, body: &Value) -> lectern_testkit::Reply {
    let request = app.request(Method::PATCH, &format!("{PATH}/{id}")).bearer_auth(key).json(body);
    app.send(request).await
}

async fn convert(app: &TestApp, key: &str, id: &str, body: Value) -> lectern_testkit::Reply {
    app.post(&format!("{PATH}/{id}/convert"), key, &body).await
}

/// Waits until a material was extracted and returns it.
async fn read(app: &TestApp, account: &Account, id: &str) -> Value {
    app.until("the material is read", async || {
        app.material(&account.live, id).await["status"] != "processing"
    })
    .await;
    app.material(&account.live, id).await
}

fn language(material: &Value) -> (&Value, &Value) {
    (&material["language"], &material["language_source"])
}

on_both! {
    // Negative control: when `materials::extracted` stores no scripts, there are no warnings.
    async fn a_material_tells_what_of_it_is_not_spoken_in_its_language(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(0).await;
        let text = format!("{ENGLISH} Πάντα ῥεῖ, москва, שלום, 你好. \u{E002}\u{E001}");
        let made = app.post(PATH, &account.live, &json!({ "text": text, "language": "en" })).await;
        assert_eq!(made.json()["warnings"], json!([]));
        let id = made.json()["id"].as_str().unwrap().to_owned();
        let warnings = read(&app, &account, &id).await["warnings"].clone();
        assert_eq!(
            warnings,
            json!([
                { "code": "unspoken_script", "message": "6 letters in Hebrew and Han are not spoken. Only Kokoro's voices speak Han.", "count": 6 },
                { "code": "unspoken_symbol", "message": "2 symbols are not spoken: they come from a private font, or were lost when the file was made.", "count": 2 },
            ])
        );
        let listed = app.get(PATH, &account.live).await.json();
        assert_eq!(listed["data"][0]["warnings"], warnings);
        let changed = patch(&app, &account.live, &id, &json!({ "language": "he" })).await.json();
        assert_eq!((&changed["warnings"][0]["count"], &changed["warnings"][1]["count"]), (&json!(2), &json!(2)));
        app.finish().await;
    }

    // Negative control: when extraction counts no marked languages, there is no warning.
    async fn a_passage_in_a_language_that_nothing_reads_is_told(setup: Setup) {
        let app = setup.set("LECTERN_SPEECH__ESPEAK", "/nowhere/espeak-ng").start().await;
        let account = app.account(0).await;
        let page = format!(
            "<html lang=en><body><p>{ENGLISH} She said <i lang=cy>hwyl fawr</i>, <i lang=fr>au revoir</i>.</p></body></html>"
        );
        let made = upload(&app, &account.live, &[file("x.html", page.as_bytes())]).await.json();
        let id = made["id"].as_str().unwrap().to_owned();
        let warnings = read(&app, &account, &id).await["warnings"].clone();
        assert_eq!(
            warnings,
            json!([{
                "code": "unspoken_script",
                "message": "8 letters are in a language that this server cannot read (cy); they are read like the words next to them.",
                "count": 8,
            }])
        );
        // In a Welsh text they are no exception.
        let changed = patch(&app, &account.live, &id, &json!({ "language": "cy-GB" })).await.json();
        assert_eq!(changed["warnings"], json!([]));
        app.finish().await;
    }

    async fn an_owner_may_say_in_which_language_a_material_is(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let other = app.account(0).await;
        let heart = app.ereader("heart").await;
        let id = app.ready_material(&account.live, &["Words."]).await;
        assert_eq!(language(&app.material(&account.live, &id).await), (&json!(null), &json!(null)));
        app.clock.advance_seconds(5);
        let changed = patch(&app, &account.live, &id, &json!({ "language": "fr-CA" })).await;
        assert_eq!(changed.status, 200, "{}", changed.json());
        assert_eq!(language(&changed.json()), (&json!("fr-CA"), &json!("given")));
        assert_eq!(changed.json(), app.material(&account.live, &id).await);
        assert_ne!(changed.json()["updated_at"], changed.json()["created_at"]);
        let refused = convert(&app, &account.live, &id, json!({ "ereader_id": heart })).await;
        assert_eq!(refused.refusal(), "language_not_supported");
        assert_eq!(refused.json()["error"]["details"]["language"], "fr-CA");
        assert_eq!(refused.json()["error"]["details"]["supported"][0], "en-US");
        assert_eq!(app.balance(&account).await, (1_000, 0));
        // An empty change changes nothing; null removes the language.
        assert_eq!(patch(&app, &account.live, &id, &json!({})).await.json(), changed.json());
        let none = patch(&app, &account.live, &id, &json!({ "language": null })).await;
        assert_eq!(language(&none.json()), (&json!(null), &json!(null)));
        for (body, field) in [
            (json!({ "language": "french!" }), "language"),
            (json!({ "language": 7 }), "language"),
            (json!({ "subtitle": "x" }), "subtitle"),
        ] {
            assert_eq!(patch(&app, &account.live, &id, &body).await.fields(), [field], "{body}");
        }
        for (key, id) in [(&other.live, id.as_str()), (&account.test, &id), (&account.live, "mat_x")] {
            let reply = patch(&app, key, id, &json!({ "language": "en" })).await;
            assert_eq!(reply.refusal(), "material_not_found");
        }
        assert_eq!(convert(&app, &account.live, &id, json!({ "ereader_id": heart })).await.status, 202);
        app.convert_all_chunks().await;
        app.finish().await;
    }

    // Negative control: without `unspeakable_chunks` in the conversion, all four chunks are queued
    // and paid.
    async fn a_chunk_in_another_script_fails_without_a_hold(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let heart = app.ereader("heart").await;
        let id = app.ready_material(&account.live, &["It was a day. ", "כל בני האדם. ", "By and by.", "12345 – 678"]).await;
        patch(&app, &account.live, &id, &json!({ "language": "he" })).await;
        let body = json!({ "ereader_id": heart, "language": "en-AU" });
        let queued = convert(&app, &account.live, &id, body.clone()).await;
        assert_eq!(queued.status, 202, "{}", queued.json());
        let queued = queued.json();
        assert_eq!(
            (&queued["chunks"], &queued["characters"], &queued["credits_held"], &queued["material"]["chunks_failed"]),
            (&json!(3), &json!(35), &json!(35), &json!(1))
        );
        assert_eq!(app.balance(&account).await, (1_000, 35));
        app.convert_all_chunks().await;
        let done = app.material(&account.live, &id).await;
        assert_eq!((&done["status"], &done["chunks_completed"]), (&json!("partially_failed"), &json!(3)));
        assert_eq!(app.balance(&account).await, (965, 0));
        let events = app.get("/v1/saas/events", &account.live).await.json();
        let failed: Vec<&Value> = events["data"].as_array().unwrap().iter().filter(|e| e["type"] == "chunk.failed").collect();
        assert_eq!(failed.len(), 1);
        assert_eq!((&failed[0]["data"]["chunk_index"], &failed[0]["data"]["error"]["code"]), (&json!(1), &json!("language_not_supported")));
        let sequences: std::collections::BTreeSet<u64> =
            events["data"].as_array().unwrap().iter().filter_map(|e| e["data"]["sequence"].as_u64()).collect();
        assert_eq!(sequences.len(), events["data"].as_array().unwrap().len(), "each event has its own number");

        // When the chunk is requested alone, it fails again at once, and the conversion is reported
        // as ended.
        let alone = convert(&app, &account.live, &id, json!({ "ereader_id": heart, "language": "en", "chunks": [1] })).await;
        assert_eq!((&alone.json()["chunks"], &alone.json()["credits_held"]), (&json!(0), &json!(0)));
        assert_eq!(alone.json()["material"]["status"], "partially_failed");
        assert_eq!(app.balance(&account).await, (965, 0));
        app.finish().await;
    }

    async fn a_book_without_script_counts_is_examined_when_it_is_converted(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let heart = app.ereader("heart").await;
        let french = app.ready_material(&account.live, &[FRENCH, "Tout le monde le savait."]).await;
        let mixed = app.ready_material(&account.live, &[ENGLISH, HEBREW]).await;
        app.database().run("UPDATE chunks SET scripts = NULL").await;
        for _ in 0..2 {
            let refused = convert(&app, &account.live, &french, json!({ "ereader_id": heart })).await;
            assert_eq!(refused.refusal(), "language_not_supported");
            assert_eq!(refused.json()["error"]["details"]["language"], "fr");
        }
        let material = app.material(&account.live, &french).await;
        assert_eq!(language(&material), (&json!("fr"), &json!("detected")));
        let queued = convert(&app, &account.live, &mixed, json!({ "ereader_id": heart, "language": "en" })).await;
        let queued = queued.json();
        assert_eq!((&queued["chunks"], &queued["material"]["chunks_failed"]), (&json!(1), &json!(1)));
        assert_eq!(app.database().number("SELECT COUNT(*) FROM chunks WHERE scripts IS NULL").await, Some(0));
        app.convert_all_chunks().await;
        app.finish().await;
    }

    async fn the_language_comes_after_the_lock_and_before_chunks_and_credits(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account_of(lectern_store::Tier::Premium, 12).await;
        let (heart, alma) = (app.ereader("heart").await, app.ereader("alma").await);
        let id = app.ready_material(&account.live, &["Some words. ", "And more of them."]).await;
        patch(&app, &account.live, &id, &json!({ "language": "fr" })).await;
        let ask = async |body: Value| convert(&app, &account.live, &id, body).await.refusal();
        assert_eq!(ask(json!({ "ereader_id": heart, "language": "e n" })).await, "validation_failed");
        assert_eq!(ask(json!({ "ereader_id": heart, "language": "fr", "chunks": [9] })).await, "validation_failed");
        assert_eq!(ask(json!({ "ereader_id": heart, "chunks": [9] })).await, "language_not_supported");
        assert_eq!(ask(json!({ "ereader_id": heart, "language": "en", "chunks": [9] })).await, "chunk_not_found");
        assert_eq!(ask(json!({ "ereader_id": heart, "language": "en" })).await, "insufficient_balance");
        let one = convert(&app, &account.live, &id, json!({ "ereader_id": heart, "language": "en", "chunks": [0] })).await;
        assert_eq!(one.status, 202);
        assert_eq!(ask(json!({ "ereader_id": alma, "language": "fr" })).await, "ereader_locked");
        app.convert_all_chunks().await;
        app.finish().await;
    }
}

#[tokio::test]
async fn each_conversion_is_read_in_its_own_language() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(1_000).await;
    let mut polyglot =
        lectern_store::ereaders::find_by_slug(&app.base.store, "heart").await.unwrap().unwrap();
    polyglot.languages = ["en-US", "es-ES", "fr"].map(str::to_owned).into();
    lectern_store::ereaders::put(&app.base.store, &polyglot, app.base.clock.now()).await.unwrap();
    let id = app.ready_material(&account.live, &["Uno.", "Dos.", "Tres."]).await;
    patch(&app, &account.live, &id, &json!({ "language": "es-MX" })).await;
    for (chunk, asked, read_in) in [(0, None, "es-ES"), (1, Some("fr-CA"), "fr"), (2, Some("EN"), "en-US")] {
        let mut body = json!({ "ereader_id": polyglot.id, "chunks": [chunk] });
        if let Some(asked) = asked {
            body["language"] = json!(asked);
        }
        assert_eq!(convert(&app, &account.live, &id, body).await.status, 202);
        let same =
            format!("SELECT COUNT(*) FROM chunks WHERE idx = {chunk} AND speech_language = '{read_in}'");
        assert_eq!(app.database().number(&same).await, Some(1), "{chunk}");
    }
    app.convert_all_chunks().await;
    app.finish().await;
}

#[tokio::test]
async fn uploads_in_another_language_are_refused_and_english_ones_are_not() {
    let app = TestApp::start().await;
    let account = app.account(100_000).await;
    let heart = app.ereader("heart").await;
    let html =
        |declared: &str, text: &str| format!("<html{declared}><body><h1>1</h1><p>{text}</p></body></html>");
    for (what, document, tag, source) in [
        ("declared", html(" lang=\"fr-CA\"", FRENCH), "fr-CA", "declared"),
        ("silent", html("", FRENCH), "fr", "detected"),
        ("undetermined", html(" lang=\"und\"", FRENCH), "fr", "detected"),
        ("contradicted", html(" lang=\"en\"", HEBREW), "he", "detected"),
        ("English", html("", ENGLISH), "en", "detected"),
        ("English, declared", html(" lang=\"en-GB\"", ENGLISH), "en-GB", "declared"),
    ] {
        let made = upload(&app, &account.live, &[file("x.html", document.as_bytes())]).await.json();
        let material = read(&app, &account, made["id"].as_str().unwrap()).await;
        assert_eq!(language(&material), (&json!(tag), &json!(source)), "{what}");
        let id = material["id"].as_str().unwrap();
        let reply = convert(&app, &account.live, id, json!({ "ereader_id": heart })).await;
        if tag.starts_with("en") {
            assert_eq!(reply.status, 202, "{what}");
        } else {
            assert_eq!(reply.refusal(), "language_not_supported", "{what}");
            assert_eq!(reply.json()["error"]["details"]["language"], tag);
        }
    }
    // The given language takes precedence over the document's declaration and its text.
    let document = html(" lang=\"en\"", ENGLISH);
    let parts = [field("language", "nb"), file("x.html", document.as_bytes())];
    let made = upload(&app, &account.live, &parts).await.json();
    assert_eq!(language(&made), (&json!("nb"), &json!("given")));
    let material = read(&app, &account, made["id"].as_str().unwrap()).await;
    assert_eq!(language(&material), (&json!("nb"), &json!("given")));
    // A whole book in another script, deliberately read as English: every chunk fails and nothing
    // is charged.
    let made = app.post(PATH, &account.live, &json!({ "text": HEBREW })).await.json();
    let id = made["id"].as_str().unwrap();
    read(&app, &account, id).await;
    app.until("the English ones are spoken", async || app.balance(&account).await.1 == 0).await;
    let before = app.balance(&account).await;
    let reply = convert(&app, &account.live, id, json!({ "ereader_id": heart, "language": "en" })).await;
    assert_eq!((reply.status.as_u16(), &reply.json()["credits_held"]), (202, &json!(0)));
    let chunks = app.get(&format!("{PATH}/{id}/chunks"), &account.live).await.json();
    assert_eq!(chunks["data"][0]["status"], "failed");
    assert_eq!(app.balance(&account).await, before);
    // The e-reader has spoken no chunk of the material, so another one may still be chosen.
    let material = app.get(&format!("{PATH}/{id}"), &account.live).await.json();
    assert_eq!(material["ereader_id"], Value::Null);
    app.finish().await;
}
