//! Notes of a book: left out, after their sentences, or in a chapter of their own; and what an owner decided of the
//! chapters meanwhile.

use lectern_testkit::{Reply, on_both};
use reqwest::Method;

use super::*;

const PAGE: &str = r##"<html lang="en"><head><title>Weather</title></head><body>
<h1>One</h1><p>It rained<a role="doc-noteref" id="r1" href="#n1">1</a> all day. Then it stopped.</p>
<h1>Two</h1><p>The sea was calm<a role="doc-noteref" id="r2" href="#n2">2</a>.</p>
<aside role="doc-footnote" id="n1"><p>In the north.</p></aside>
<aside role="doc-footnote" id="n2"><p>For once.</p></aside>
</body></html>"##;

/// The texts of the chunks, joined.
async fn text(app: &TestApp, account: &Account, id: &str) -> String {
    let count = material(app, &account.live, id).await["chunk_count"].as_u64().unwrap();
    let mut text = String::new();
    for index in 0..count {
        let path = format!("/v1/saas/materials/{id}/chunks/{index}/text");
        text.push_str(app.get(&path, &account.live).await.json()["text"].as_str().unwrap());
    }
    text
}

async fn chapters(app: &TestApp, account: &Account, id: &str) -> Vec<(Value, Value, Value)> {
    let reply = app.get(&format!("/v1/saas/materials/{id}/chapters"), &account.live).await.json();
    let chapters = reply["data"].as_array().unwrap().clone();
    chapters
        .into_iter()
        .map(|chapter| (chapter["title"].clone(), chapter["role"].clone(), chapter["included"].clone()))
        .collect()
}

async fn convert_with(app: &TestApp, account: &Account, id: &str, fields: Value) -> Reply {
    let mut body = json!({ "ereader_id": app.ereader("heart").await });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    app.post(&format!("/v1/saas/materials/{id}/convert"), &account.live, &body).await
}

/// The words of a text, without signs.
fn words(text: &str) -> Vec<String> {
    let word = |word: &str| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_owned();
    text.split_whitespace().map(word).filter(|word| !word.is_empty()).collect()
}

/// The words of captions.
async fn captions(app: &TestApp, account: &Account, id: &str) -> Vec<String> {
    let reply = app.get(&format!("/v1/saas/materials/{id}/captions"), &account.live).await;
    let captions = String::from_utf8(reply.bytes).unwrap();
    let spoken = captions.lines().skip(1).filter(|line| !line.contains("-->"));
    words(&spoken.collect::<Vec<_>>().join(" "))
}

on_both! {
    // Negative controls: without `is_locked`, the notes move a second time; without `decided`, the second chapter has its old
    // title.
    async fn notes_move_until_the_book_is_converted(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(10_000).await;
        let id = uploaded_file(&app, &account, "weather.html", PAGE.as_bytes()).await;
        let plain = text(&app, &account, &id).await;
        assert!(!plain.contains("north") && !plain.contains("once"), "{plain}");
        let path = format!("/v1/saas/materials/{id}/chapters/1");
        let body = json!({ "title": "The Sea", "included": false });
        assert_eq!(app.send(app.request(Method::PATCH, &path).bearer_auth(&account.live).json(&body)).await.status, 200);

        assert_eq!(
            convert_with(&app, &account, &id, json!({ "notes": "inline", "chunks": [0] })).await.fields(), ["notes"]
        );
        assert_eq!(convert_with(&app, &account, &id, json!({ "notes": "all" })).await.fields(), ["notes"]);
        let queued = convert_with(&app, &account, &id, json!({ "notes": "inline" })).await;
        assert_eq!(queued.status, 202, "{}", queued.json());
        let queued = queued.json();
        assert_eq!((&queued["material"]["notes"], &queued["chunks"]), (&json!("inline"), &json!(1)));
        let with_notes = text(&app, &account, &id).await;
        assert!(with_notes.contains("It rained all day. Note: In the north. Then it stopped."), "{with_notes}");
        assert_eq!(queued["material"]["characters"], with_notes.chars().count());
        let (body, yes, no) = (json!("body"), json!(true), json!(false));
        assert_eq!(
            chapters(&app, &account, &id).await,
            [(json!("One"), body.clone(), yes.clone()), (json!("The Sea"), body, no)],
            "what was decided stays"
        );
        until_status(&app, &account.live, &id, "completed").await;
        let heard = captions(&app, &account, &id).await;
        let (first, _) = with_notes.split_once("Two").unwrap();
        assert_eq!(heard, words(first), "no word is lost or doubled");
        assert_eq!(convert_with(&app, &account, &id, json!({ "notes": "end" })).await.refusal(), "notes_locked");
        assert_eq!(
            convert_with(&app, &account, &id, json!({ "notes": "inline" })).await.refusal(),
            "material_chunks_already_converted",
            "it is no change"
        );
        until_idle(&app).await;
        app.finish().await;
    }

    async fn notes_at_the_end_are_a_chapter(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(10_000).await;
        let id = uploaded_file(&app, &account, "weather.html", PAGE.as_bytes()).await;
        let plain = words(&text(&app, &account, &id).await);
        let queued = convert_with(&app, &account, &id, json!({ "notes": "end" })).await;
        assert_eq!(queued.status, 202, "{}", queued.json());
        let found = chapters(&app, &account, &id).await;
        assert_eq!(found.last(), Some(&(json!("Notes"), json!("notes"), json!(true))));
        assert_eq!(found.len(), 3);
        until_status(&app, &account.live, &id, "completed").await;
        let heard = captions(&app, &account, &id).await;
        assert_eq!(heard[..plain.len()], plain);
        assert_eq!(heard, words(&text(&app, &account, &id).await));
        until_idle(&app).await;
        app.finish().await;
    }

    async fn an_epub_keeps_its_own_pages(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(10_000).await;
        let book = include_bytes!("../../../../../docs/examples/the-lantern-keeper.epub");
        let id = uploaded_file(&app, &account, "lantern.epub", book).await;
        assert_eq!(convert_with(&app, &account, &id, json!({})).await.status, 202);
        until_status(&app, &account.live, &id, "completed").await;
        let path = format!("/v1/saas/materials/{id}/audio?format=epub&granularity=word");
        let made = app.get(&path, &account.live).await.bytes;
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(made)).unwrap();
        let mut page = String::new();
        std::io::Read::read_to_string(&mut archive.by_name("book/chapter-1.xhtml").unwrap(), &mut page).unwrap();
        assert!(page.contains("<span id="), "{page}");
        assert!(archive.by_name("book/spoken/c0001.smil").is_ok());
        let mut package = String::new();
        std::io::Read::read_to_string(&mut archive.by_name("book/package.opf").unwrap(), &mut package).unwrap();
        assert!(package.contains("media-overlay=") && package.contains("media:narrator"), "{package}");
        until_idle(&app).await;
        app.finish().await;
    }
}
