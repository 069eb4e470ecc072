//! What owners change of a book: its texts, its cover, and what its files say of it.

use lectern_testkit::{Account, Reply, TestApp, on_both};
use reqwest::Method;
use serde_json::{Value, json};

use super::PATH;

async fn put(app: &TestApp, key: &str, path: &str, body: impl Into<reqwest::Body>) -> Reply {
    app.send(app.request(Method::PUT, path).bearer_auth(key).header("content-type", "text/plain").body(body))
        .await
}

async fn edit(app: &TestApp, account: &Account, id: &str, chunk: &str, text: &str) -> Reply {
    put(app, &account.live, &format!("{PATH}/{id}/chunks/{chunk}/text"), text.to_owned()).await
}

async fn convert(app: &TestApp, account: &Account, id: &str, fields: Value) -> Reply {
    let mut body = json!({ "ereader_id": app.ereader("heart").await });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    app.post(&format!("{PATH}/{id}/convert"), &account.live, &body).await
}

/// A picture of one colour.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::DynamicImage::new_rgb8(width, height).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

on_both! {
    // Negative control: without `outdated`, the cancelled chunk has its old audio back.
    async fn an_edited_chunk_is_spoken_and_paid_again(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.completed_material(&account.live, &["It was a d", "ay by the "]).await;
        app.assemble(b"book").await;
        let audio = format!("{PATH}/{id}/chunks/0/audio");
        let before = app.get(&audio, &account.live).await.bytes;

        let same = edit(&app, &account, &id, "0", "It was a d").await;
        assert_eq!((same.status.as_u16(), &same.json()["text"]), (200, &json!("It was a d")));
        assert_eq!(app.material(&account.live, &id).await["status"], json!("completed"), "nothing changed");

        let edited = edit(&app, &account, &id, "0", "It was a day in [pause 1s]June.").await;
        assert_eq!(edited.json(), json!({ "index": 0, "text": "It was a day in [pause 1s]June." }));
        let material = app.material(&account.live, &id).await;
        assert_eq!(
            (&material["status"], &material["chunks_completed"], &material["characters"], &material["duration_ms"]),
            (&json!("ready"), &json!(1), &json!(31), &json!(null))
        );
        let old = app.get(&audio, &account.live).await;
        assert_eq!((&old.bytes, old.header("lectern-stale")), (&before, "true"));
        let words = app.get(&format!("{PATH}/{id}/chunks/0/timestamps"), &account.live).await;
        assert_eq!(words.header("lectern-stale"), "true");
        assert_eq!(app.get(&format!("{PATH}/{id}/audio"), &account.live).await.refusal(), "chunk_not_ready");
        assert_eq!(app.get(&format!("{PATH}/{id}/captions"), &account.live).await.refusal(), "chunk_not_ready");

        // What is cancelled has not the audio of another text.
        assert_eq!(convert(&app, &account, &id, json!({})).await.json()["credits_held"], json!(21));
        assert_eq!(edit(&app, &account, &id, "0", "No.").await.refusal(), "chunk_in_progress");
        app.post(&format!("{PATH}/{id}/cancel"), &account.live, &json!({})).await;
        assert_eq!(app.get(&audio, &account.live).await.header("lectern-stale"), "true");
        assert_eq!(app.balance(&account).await, (980, 0));

        assert_eq!(convert(&app, &account, &id, json!({})).await.json()["chunks"], json!(1));
        app.convert_all_chunks().await;
        assert_eq!(app.balance(&account).await, (959, 0));
        assert_eq!(app.get(&audio, &account.live).await.header("lectern-stale"), "");
        app.assemble(b"new").await;
        assert_eq!(app.get(&format!("{PATH}/{id}/audio"), &account.live).await.bytes, b"new");
        assert_eq!(convert(&app, &account, &id, json!({ "notes": "end" })).await.refusal(), "notes_locked");
        app.finish().await;
    }

    async fn texts_that_cannot_be_spoken_are_refused(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.ready_material(&account.live, &["It was a d"]).await;
        for (chunk, text, refusal) in [
            ("0", " \n", "text_empty"),
            ("0", "[pause 1s]", "text_empty"),
            ("0", &"a".repeat(5_001), "text_too_long"),
            ("0", &"[pause 10s] a ".repeat(40), "validation_failed"),
            ("0", "a\0b", "validation_failed"),
            ("1", "Good.", "chunk_not_found"),
            ("x", "Good.", "chunk_not_found"),
            ("1", "", "text_empty"),
        ] {
            assert_eq!(edit(&app, &account, &id, chunk, text).await.refusal(), refusal, "{chunk} {text:.20}");
        }
        let path = format!("{PATH}/{id}/chunks/0/text");
        assert_eq!(put(&app, &account.live, &path, vec![0xff, 0xfe]).await.fields(), ["body"]);
        let json = app.request(Method::PUT, &path).bearer_auth(&account.live).json(&json!({ "text": "Good." }));
        assert_eq!(app.send(json).await.fields(), ["body"]);
        let processing = app.upload(&account.live, "Wait.").await;
        assert_eq!(edit(&app, &account, &processing, "0", "Good.").await.refusal(), "material_not_ready");
        let other = app.account(0).await;
        assert_eq!(edit(&app, &other, &id, "0", "Good.").await.refusal(), "material_not_found");
        assert_eq!(edit(&app, &account, &id, "0", &"é".repeat(5_000)).await.status, 200);
        app.finish().await;
    }

    async fn what_files_say_of_a_book_is_changed_and_makes_them_anew(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.completed_material(&account.live, &["It was a d"]).await;
        app.assemble(b"book").await;
        let path = format!("{PATH}/{id}");
        let patch = async |body: Value| {
            app.send(app.request(Method::PATCH, &path).bearer_auth(&account.live).json(&body)).await
        };
        let about = json!({
            "title": "The Harbour", "author": "Ada Lind", "narrator": "Heart", "publisher": "Quay Press", "year": 1901,
            "language": "en-GB", "description": "A lamp.\n\nA boat.", "series": "The Coast", "series_index": 2.5,
            "isbn": "978-0-306-40615-7", "copyright": "© 1901 Ada Lind",
        });
        let changed = patch(about.clone()).await;
        assert_eq!(changed.status, 200, "{}", changed.json());
        let material = changed.json();
        for (name, value) in about.as_object().unwrap() {
            let value = if name == "isbn" { &json!("9780306406157") } else { value };
            assert_eq!(&material[name], value, "{name}");
        }
        let again = app.get(&path, &account.live).await.json();
        assert_eq!(again, material);
        assert_eq!(material["status"], json!("completed"));
        assert_eq!(app.database().count("material_books").await, 0, "the file has the old title");
        let cleared = patch(json!({ "series": null, "year": null, "copyright": null })).await.json();
        assert_eq!((&cleared["series"], &cleared["copyright"]), (&json!(null), &json!(null)));
        for (field, value) in [
            ("title", json!(null)), ("title", json!("")), ("author", json!(7)), ("year", json!(0)), ("year", json!("1901")),
            ("year", json!(1901.5)), ("isbn", json!("978-0-306-40615-8")), ("series_index", json!(-1)),
            ("description", json!("a".repeat(4_001))), ("publisher", json!("a\u{0}b")), ("cover", json!("x")),
            ("copyright", json!("a\nb")), ("copyright", json!("a".repeat(501))),
        ] {
            assert_eq!(patch(json!({ field: value })).await.fields(), [field]);
        }
        app.finish().await;
    }

    async fn a_cover_is_given_shown_and_taken_away(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(1_000).await;
        let id = app.completed_material(&account.live, &["It was a d"]).await;
        app.assemble(b"book").await;
        let path = format!("{PATH}/{id}/cover");
        let get = async || app.get(&path, &account.live).await;
        assert_eq!(get().await.refusal(), "not_found");
        let small = png(40, 60);
        let given = put(&app, &account.live, &path, small.clone()).await;
        assert_eq!((given.status.as_u16(), &given.json()["has_cover"]), (200, &json!(true)));
        assert_eq!(app.database().count("material_books").await, 0);
        let shown = get().await;
        assert_eq!((&shown.bytes, shown.header("content-type")), (&small, "image/png"));
        // A large one is scaled down.
        assert_eq!(put(&app, &account.live, &path, png(3_000, 1_500)).await.status, 200);
        let shown = get().await;
        let picture = image::load_from_memory(&shown.bytes).unwrap();
        assert_eq!((picture.width(), picture.height(), shown.header("content-type")), (1_400, 700, "image/jpeg"));
        for bad in [b"GIF89a".to_vec(), Vec::new(), small[..40].to_vec(), bomb()] {
            assert_eq!(put(&app, &account.live, &path, bad).await.fields(), ["cover"]);
        }
        let other = app.account(0).await;
        assert_eq!(put(&app, &other.live, &path, small).await.refusal(), "material_not_found");
        let delete = async || app.send(app.request(Method::DELETE, &path).bearer_auth(&account.live)).await;
        assert_eq!(delete().await.json()["has_cover"], json!(false));
        assert_eq!(delete().await.json()["has_cover"], json!(false), "twice");
        assert_eq!(get().await.refusal(), "not_found");
        app.finish().await;
    }
}

/// A PNG whose header declares 60,000 pixels on each side.
fn bomb() -> Vec<u8> {
    let mut bytes = png(1, 1);
    bytes[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    bytes
}
