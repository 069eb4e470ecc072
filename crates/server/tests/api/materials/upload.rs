//! Accepted and refused uploads.

use lectern_testkit::{Setup, on_both};
use reqwest::Method;
use serde_json::json;

use super::{PATH, Part, field, file, reservations, stored, upload};

on_both! {
    async fn an_uploaded_file_becomes_a_processing_material(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(0).await;
        let text = "Chapter 1\n\nIt was raining in the harbour.\n".repeat(5_000);
        let reply = upload(&app, &account.live, &[file("../The Harbour.txt", text.as_bytes())]).await;
        assert_eq!(reply.status, 202, "{}", reply.json());
        let material = reply.json();
        let id = material["id"].as_str().unwrap();
        assert_eq!(
            material,
            json!({
                "id": id,
                "title": "The Harbour",
                "status": "processing",
                "language": null,
                "language_source": null,
                "source": { "filename": "The Harbour.txt", "media_type": "text/plain", "bytes": text.len() },
                "characters": null,
                "chunk_count": null,
                "chunks_completed": 0,
                "chunks_failed": 0,
                "duration_ms": null,
                "notes": "skip",
                "author": null,
                "narrator": null,
                "publisher": null,
                "year": null,
                "description": null,
                "series": null,
                "series_index": null,
                "isbn": null,
                "copyright": null,
                "has_cover": false,
                "ereader_id": null,
                "failure": null,
                "warnings": [],
                "created_at": "2026-11-21T07:08:11.524Z",
                "updated_at": "2026-11-21T07:08:11.524Z",
            })
        );
        assert_eq!(app.get(&format!("{PATH}/{id}"), &account.live).await.json(), material);
        // The storage holds the file as sent, and nothing else.
        let objects = stored(&app);
        assert_eq!(objects.len(), 1, "{objects:?}");
        assert!(std::fs::read(&objects[0]).unwrap() == text.as_bytes());
        assert_eq!(reservations(&app).await, Some(0));
        let jobs = app.database().number("SELECT COUNT(*) FROM jobs WHERE kind = 'extract'").await;
        assert_eq!(jobs, Some(1));
        app.finish().await;
    }

    async fn a_document_says_who_wrote_it_and_who_owns_it(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(0).await;
        let page = "<html lang=en><head><title>The Harbour</title><meta name=author content='Ada Lind'>\
                    <meta name=copyright content='© 1901 Ada Lind'></head><body><p>It was raining.</p></body></html>";
        let material = upload(&app, &account.live, &[file("x.html", page.as_bytes())]).await.json();
        let id = material["id"].as_str().unwrap();
        app.until("it is read", async || app.material(&account.live, id).await["status"] == "ready").await;
        let read = app.material(&account.live, id).await;
        assert_eq!((&read["author"], &read["copyright"]), (&json!("Ada Lind"), &json!("© 1901 Ada Lind")));
        app.finish().await;
    }

    async fn given_titles_take_precedence_over_file_names(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(0).await;
        let parts = [field("language", "en-GB"), file("x.txt", b"Words."), field("title", " Über allem ")];
        let material = upload(&app, &account.live, &parts).await.json();
        assert_eq!((&material["title"], &material["language"]), (&json!(" Über allem "), &json!("en-GB")));
        let nameless = upload(&app, &account.live, &[Part { filename: None, ..file("", b"Words.") }]).await;
        assert_eq!(nameless.json()["title"], "Untitled");
        assert_eq!(nameless.json()["source"]["filename"], json!(null));
        app.finish().await;
    }

    async fn a_text_in_json_is_handled_like_a_file(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(0).await;
        let body = json!({ "text": "# One\n\nA *word*.\n\n# Two\n\nAnother.\n", "title": "Words", "language": "en" });
        let reply = app.post(PATH, &account.live, &body).await;
        assert_eq!(reply.status, 202);
        let material = reply.json();
        assert_eq!((&material["title"], &material["status"]), (&json!("Words"), &json!("processing")));
        assert_eq!(material["source"]["filename"], json!(null));
        assert_eq!(material["source"]["bytes"], body["text"].as_str().unwrap().len());
        let objects = stored(&app);
        assert_eq!(std::fs::read(&objects[0]).unwrap(), body["text"].as_str().unwrap().as_bytes());
        let untitled = app.post(PATH, &account.live, &json!({ "text": "Plain words." })).await.json();
        assert_eq!(
            (&untitled["title"], &untitled["source"]["media_type"]),
            (&json!("Untitled"), &json!("text/plain"))
        );
        app.finish().await;
    }
}

#[tokio::test]
async fn a_files_format_is_detected_from_its_content() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(0).await;
    let text = upload(&app, &account.live, &[file("book.pdf", b"Just a few words.\n")]).await;
    assert_eq!(text.json()["source"]["media_type"], "text/plain");
    let html = b"<!DOCTYPE html><html><body><p>Words.</p></body></html>";
    let html = upload(&app, &account.live, &[file("book.txt", html)]).await;
    assert_eq!(html.json()["source"]["media_type"], "text/html");
    let pdf =
        upload(&app, &account.live, &[file("book.epub", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n")]).await;
    assert_eq!(pdf.json()["source"]["media_type"], "application/pdf");
    app.finish().await;
}

// Negative control: if `Intake::finish` only drops a refused file instead of aborting it, the
// reservation stays.
#[tokio::test]
async fn unreadable_uploads_are_refused_at_once_and_leave_nothing() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(0).await;
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0";
    let large = [png.as_slice(), &vec![0; 1 << 20]].concat();
    for (content, reason) in [
        (b"".as_slice(), "empty"),
        (png.as_slice(), "unknown_kind"),
        (large.as_slice(), "unknown_kind"),
        (b"ID3\x04\0\0\0\0\0\0\xff\xfb\x90\x64\0\0\0\0", "unknown_kind"),
    ] {
        let reply = upload(&app, &account.live, &[file("book.epub", content)]).await;
        assert_eq!(reply.refusal(), "material_unreadable");
        assert_eq!(reply.json()["error"]["details"]["reason"], reason, "{}", reply.json());
    }
    assert_eq!((stored(&app), reservations(&app).await), (Vec::new(), Some(0)));
    assert_eq!(app.get(PATH, &account.live).await.json()["data"], json!([]));
    app.finish().await;
}

#[tokio::test]
async fn an_empty_text_is_reported_before_other_fields() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(0).await;
    for text in ["", " \n\t", "\u{a0}\u{2003}"] {
        let body = json!({ "text": text, "title": "", "x": 1 });
        assert_eq!(app.post(PATH, &account.live, &body).await.refusal(), "text_empty", "{text:?}");
    }
    for (body, fields) in [
        (json!({}), vec!["text"]),
        (json!({ "text": 1, "title": 1, "language": 1, "x": 1 }), vec!["language", "text", "title", "x"]),
        (json!({ "text": "a", "title": "" }), vec!["title"]),
        (json!({ "text": "a", "title": "é".repeat(501) }), vec!["title"]),
        (json!({ "text": "a", "title": "a\u{0}b" }), vec!["title"]),
        (json!({ "text": "a", "title": null }), vec!["title"]),
        (json!({ "text": "a", "language": "english!" }), vec!["language"]),
        (json!({ "text": "a", "language": "" }), vec!["language"]),
        (json!({ "text": "a", "filename": "x" }), vec!["filename"]),
    ] {
        assert_eq!(app.post(PATH, &account.live, &body).await.fields(), fields, "{body}");
    }
    assert_eq!(
        app.post(&format!("{PATH}?x=1"), &account.live, &json!({ "text": "a" })).await.fields(),
        ["x"]
    );
    for (media_type, body) in [("text/plain", "{}"), ("application/json", "[]"), ("application/json", "{")] {
        let request = app.request(Method::POST, PATH).bearer_auth(&account.live).body(body);
        assert_eq!(app.send(request.header("content-type", media_type)).await.fields(), ["body"]);
    }
    assert_eq!((stored(&app), reservations(&app).await), (Vec::new(), Some(0)));
    app.finish().await;
}

#[tokio::test]
async fn a_text_is_never_taken_for_another_format() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(0).await;
    for text in
        ["Well. \u{87}r\u{19}\u{90}7", "%PDF-1.7 is how they begin.", "PK\u{3}\u{4} and so on", "GIF89a"]
    {
        let reply = app.post(PATH, &account.live, &json!({ "text": text })).await;
        assert_eq!(reply.status, 202, "{}", reply.json());
        assert_eq!(reply.json()["source"]["media_type"], "text/plain", "{text:?}");
    }
    app.finish().await;
}

#[tokio::test]
async fn a_text_with_every_character_there_is_arrives_as_it_was_sent() {
    let app = Setup::default().without_workers().start().await;
    let account = app.account(0).await;
    let text: String = (1..=0xFFFF_u32).filter_map(char::from_u32).collect::<String>() + "🚀 and some words";
    let material = app.post(PATH, &account.live, &json!({ "text": text })).await;
    assert_eq!(material.status, 202, "{}", material.json());
    assert!(std::fs::read(&stored(&app)[0]).unwrap() == text.as_bytes());
    app.finish().await;
}
