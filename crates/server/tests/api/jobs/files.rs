//! Files of a whole book other than one audio file: ZIP, EPUB, DAISY and podcast feeds, made by the workers.

use std::io::{Cursor, Read as _};

use lectern_testkit::{Reply, on_both};
use reqwest::Method;
use zip::ZipArchive;

use super::*;

/// The names in a ZIP, in order.
fn names(bytes: &[u8]) -> Vec<String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    (0..archive.len()).map(|at| archive.by_index(at).unwrap().name().unwrap().into_owned()).collect()
}

fn entry(bytes: &[u8], name: &str) -> Vec<u8> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut content = Vec::new();
    archive.by_name(name).unwrap().read_to_end(&mut content).unwrap();
    content
}

async fn file(app: &TestApp, account: &Account, id: &str, query: &str) -> Reply {
    app.get(&format!("/v1/saas/materials/{id}/audio?{query}"), &account.live).await
}

const COPYRIGHT: &str = "© 2026 Ann & Bo";

/// A completed book of three chapters, of which the second is left out.
async fn completed(app: &TestApp, account: &Account) -> String {
    let id = uploaded(app, &account.live, &book("Ann", 3, 2)).await;
    let path = format!("/v1/saas/materials/{id}/chapters/1");
    let body = json!({ "included": false });
    assert_eq!(
        app.send(app.request(Method::PATCH, &path).bearer_auth(&account.live).json(&body)).await.status,
        200
    );
    let path = format!("/v1/saas/materials/{id}");
    let body = json!({ "copyright": COPYRIGHT });
    assert_eq!(
        app.send(app.request(Method::PATCH, &path).bearer_auth(&account.live).json(&body)).await.status,
        200
    );
    assert_eq!(convert(app, &account.live, &id).await["chunks"], 2);
    until_status(app, &account.live, &id, "completed").await;
    until_idle(app).await;
    id
}

on_both! {
    // Negative control: without `insert_beside`, the EPUB's chapters are encoded a second time for the ZIP.
    async fn a_book_becomes_an_epub_a_daisy_book_and_a_zip(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let id = completed(&app, &account).await;
        let epub = file(&app, &account, &id, "format=epub").await;
        assert_eq!((epub.status.as_u16(), epub.header("content-type")), (200, "application/epub+zip"));
        assert_eq!(epub.header("content-disposition"), "attachment; filename=\"A book.epub\"");
        assert_eq!(names(&epub.bytes)[0], "mimetype");
        let overlays = names(&epub.bytes).into_iter().filter(|name| name.rsplit('.').next() == Some("smil")).count();
        assert_eq!(overlays, 2);
        let package = String::from_utf8(entry(&epub.bytes, "EPUB/package.opf")).unwrap();
        assert!(package.contains("<dc:rights>© 2026 Ann &amp; Bo</dc:rights>"), "{package}");
        let made = "material_books WHERE format = 'zip'";
        assert_eq!(count(&app, made).await, 1, "it was made on the way");

        let zip = file(&app, &account, &id, "format=zip").await;
        assert_eq!((zip.status.as_u16(), zip.header("content-type")), (200, "application/zip"));
        assert_eq!(names(&zip.bytes), ["playlist.m3u8", "001 - CHAPTER 1.mp3", "002 - CHAPTER 3.mp3"]);
        let mp3 = entry(&zip.bytes, "002 - CHAPTER 3.mp3");
        assert!(mp3.starts_with(b"ID3"));
        let tagged: Vec<u8> = COPYRIGHT.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(mp3.windows(tagged.len()).any(|bytes| bytes == tagged), "its tag has no statement of copyright");
        let daisy = file(&app, &account, &id, "format=daisy").await;
        assert_eq!(daisy.header("content-type"), "application/zip");
        let center = String::from_utf8(entry(&daisy.bytes, "ncc.html")).unwrap();
        assert!(center.contains("<meta name=\"dc:rights\" content=\"© 2026 Ann &amp; Bo\""), "{center}");

        let words = file(&app, &account, &id, "format=epub&granularity=word").await;
        assert!(words.bytes.len() > epub.bytes.len(), "it marks more");
        let acx = file(&app, &account, &id, "format=zip&loudness=acx").await;
        let acx = entry(&acx.bytes, "001 - CHAPTER 1.mp3");
        assert!(acx.len() > 2 * entry(&zip.bytes, "001 - CHAPTER 1.mp3").len(), "192 kbit/s and room tone");
        until_idle(&app).await;
        assert_eq!(count(&app, "material_books").await, 6, "mp3, zip, epub twice, daisy, zip for ACX");
        assert_eq!(count(&app, "object_deletions").await, 0, "an object is still reserved");
        for (query, field) in [
            ("format=epub&granularity=letter", "granularity"),
            ("format=zip&loudness=loud", "loudness"), ("format=wav", "format"),
        ] {
            assert_eq!(file(&app, &account, &id, query).await.fields(), [field]);
        }
        app.finish().await;
    }

    // Negative control: when the route ignores the header, as it did, the repeated call is no replay.
    async fn a_feed_is_made_once_for_each_idempotency_key(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(0).await;
        let id = app.ready_material(&account.live, &["It was a d"]).await;
        let path = format!("/v1/saas/materials/{id}/feed");
        let make = async |key: &str| {
            let request = app.request(Method::POST, &path).bearer_auth(key);
            app.send(request.header("idempotency-key", "feed-0001").json(&json!({}))).await
        };
        let first = make(&account.live).await;
        assert_eq!((first.status.as_u16(), first.header("cache-control")), (200, "no-store"));
        assert_eq!(app.send(app.request(Method::DELETE, &path).bearer_auth(&account.live)).await.status, 200);
        let again = make(&account.live).await;
        assert_eq!((again.header("idempotent-replayed"), &again.bytes), ("true", &first.bytes));
        assert_eq!(app.get(&path, &account.live).await.refusal(), "not_found", "it stays revoked");
        let body = json!({ "name": "n", "scopes": ["write"] });
        let other = app.post("/v1/saas/keys", &account.live, &body).await.json()["key"].as_str().unwrap().to_owned();
        assert_eq!(make(&other).await.refusal(), "idempotency_key_reuse");
        let bad = app.request(Method::DELETE, &path).bearer_auth(&account.live).header("idempotency-key", "a b");
        assert_eq!(app.send(bad).await.refusal(), "invalid_idempotency_key");
        app.finish().await;
    }

    // Negative controls: without the length of the chunks before, Dusk begins within the first; when a new text
    // keeps the headings, the edited book has chapters.
    async fn the_headings_inside_a_chapter_are_the_chapters_of_its_episode(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(100_000).await;
        let long = "Ships lay in the harbor, and nobody saw them. ".repeat(80);
        let text = format!(
            "<h1>One</h1><p>It began.</p><h4>Dawn</h4><p>{long}</p><p>{long}</p>\
             <h4>Dusk &amp; night</h4><p>They went away.</p><h1>Two</h1><p>Nobody saw them again.</p>"
        );
        let id = uploaded_file(&app, &account, "ships.html", text.as_bytes()).await;
        let spoken = async || {
            convert(&app, &account.live, &id).await;
            until_status(&app, &account.live, &id, "completed").await;
        };
        spoken().await;
        let path = format!("/v1/saas/materials/{id}");
        let made = app.post(&format!("{path}/feed"), &account.live, &json!({})).await;
        let url = made.json()["url"].as_str().unwrap().to_owned();
        let open = async |file: &str| app.send(app.request(Method::GET, &url.replace("feed.xml", file))).await;
        let links = async || -> Vec<String> {
            let xml = String::from_utf8(open("feed.xml").await.bytes).unwrap();
            xml.lines().filter(|line| line.starts_with("<podcast:chapters")).map(str::to_owned).collect()
        };
        let link = url.replace("feed.xml", "0.json");
        let link = format!("<podcast:chapters url=\"{link}\" type=\"application/json+chapters\"/>");
        assert_eq!(links().await, [link]);

        let chapters = open("0.json").await;
        let status = chapters.status.as_u16();
        assert_eq!((status, chapters.header("content-type")), (200, "application/json+chapters"));
        let found = chapters.json();
        let marks: Vec<(&str, f64)> = found["chapters"].as_array().unwrap().iter()
            .map(|one| (one["title"].as_str().unwrap(), one["startTime"].as_f64().unwrap()))
            .collect();
        let chunks = app.get(&format!("{path}/chunks"), &account.live).await.json()["data"].as_array().unwrap().clone();
        // The chunk with a word, and when the word is said in the chapter, in seconds.
        let said = async |word: &str| {
            let mut before_ms = 0;
            for (at, chunk) in chunks.iter().enumerate() {
                let words = app.get(&format!("{path}/chunks/{at}/timestamps"), &account.live).await.json();
                let all = words["timestamps"].as_array().unwrap();
                if let Some(found) = all.iter().find(|one| one["text"] == word) {
                    return (at, (before_ms + found["start_ms"].as_u64().unwrap()) as f64 / 1_000.0);
                }
                before_ms += chunk["duration_ms"].as_u64().unwrap();
            }
            panic!("{word} is not said");
        };
        let (dawn, dusk) = (said("Dawn").await, said("Dusk").await);
        assert!(dawn.0 < dusk.0, "in different chunks");
        assert_eq!(marks, [("One", 0.0), ("Dawn", dawn.1), ("Dusk & night", dusk.1)]);
        // Without headings, without such an episode, and without a number.
        for wrong in ["1.json", "9.json", "x.json"] {
            assert_eq!(open(wrong).await.refusal(), "not_found", "{wrong}");
        }

        // The headings of a text that its owner writes anew are not known, even where others take their places.
        for (chunk, old, new) in [(dawn.0, "Dawn", "Noon"), (dusk.0, "Dusk", "Dust")] {
            let path = format!("{path}/chunks/{chunk}/text");
            let text = app.get(&path, &account.live).await.json()["text"].as_str().unwrap().replace(old, new);
            let request = app.request(Method::PUT, &path).bearer_auth(&account.live);
            let changed = app.send(request.header("content-type", "text/plain").body(text)).await;
            assert_eq!(changed.status, 200, "{}", changed.json());
        }
        spoken().await;
        assert_eq!((links().await, open("0.json").await.refusal()), (Vec::new(), "not_found".to_owned()));
        app.finish().await;
    }

    // Negative control: with the token compared to nothing, the guessed URL is answered.
    async fn a_feed_has_the_chapters_until_it_is_revoked(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let id = completed(&app, &account).await;
        let path = format!("/v1/saas/materials/{id}/feed");
        assert_eq!(app.get(&path, &account.live).await.refusal(), "not_found");
        let made = app.post(&path, &account.live, &json!({})).await;
        assert_eq!(made.status, 200, "{}", made.json());
        let url = made.json()["url"].as_str().unwrap().to_owned();
        assert_eq!(app.get(&path, &account.live).await.json(), made.json());
        assert_eq!(app.post(&path, &account.live, &json!({})).await.json(), made.json(), "there is one");

        let open = async |url: &str| app.send(app.request(Method::GET, url)).await;
        let feed = open(&url).await;
        assert_eq!((feed.status.as_u16(), feed.header("content-type")), (200, "application/rss+xml; charset=utf-8"));
        let xml = String::from_utf8(feed.bytes).unwrap();
        assert_eq!(xml.matches("<item>").count(), 2, "{xml}");
        assert!(xml.contains("<copyright>© 2026 Ann &amp; Bo</copyright>"), "{xml}");
        let episode = url.replace("feed.xml", "2.mp3");
        assert!(xml.contains(&episode), "{xml}");
        let zip = file(&app, &account, &id, "format=zip").await;
        let mp3 = entry(&zip.bytes, "002 - CHAPTER 3.mp3");
        let heard = open(&episode).await;
        assert_eq!((heard.header("content-type"), heard.header("accept-ranges")), ("audio/mpeg", "bytes"));
        assert!(heard.bytes == mp3);
        let part = app.send(app.request(Method::GET, &episode).header("range", "bytes=5-9")).await;
        assert_eq!((part.status.as_u16(), part.bytes.as_slice()), (206, &mp3[5..10]));
        assert_eq!(part.header("content-range"), format!("bytes 5-9/{}", mp3.len()));

        // Chapters that are left out, files that are none, and what was guessed.
        let (start, _) = url.rsplit_once('/').unwrap();
        let guessed = format!("{}/{}/feed.xml", start.rsplit_once('/').unwrap().0, "A".repeat(32));
        for wrong in ["1.mp3", "9.mp3", "cover", "x", "0.wav"].map(|file| format!("{start}/{file}")).iter().chain([&guessed]) {
            assert_eq!(open(wrong).await.refusal(), "not_found", "{wrong}");
        }
        let stranger = app.account(0).await;
        assert_eq!(app.get(&path, &stranger.live).await.refusal(), "material_not_found");

        // A book that is not completed has no episodes.
        let chapter = format!("/v1/saas/materials/{id}/chapters/1");
        let body = json!({ "included": true });
        app.send(app.request(Method::PATCH, &chapter).bearer_auth(&account.live).json(&body)).await;
        let empty = open(&url).await;
        assert_eq!((empty.status.as_u16(), String::from_utf8(empty.bytes).unwrap().matches("<item>").count()), (200, 0));
        assert_eq!(open(&episode).await.refusal(), "not_found");

        let revoke = async || app.send(app.request(Method::DELETE, &path).bearer_auth(&account.live)).await;
        assert_eq!(revoke().await.status, 200);
        assert_eq!(revoke().await.refusal(), "not_found");
        assert_eq!(open(&url).await.refusal(), "not_found");
        assert_eq!(open(&episode).await.refusal(), "not_found");
        let again = app.post(&path, &account.live, &json!({})).await.json();
        assert_ne!(again["url"], url, "a new secret");
        app.finish().await;
    }
}
