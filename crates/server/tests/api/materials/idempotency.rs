//! `Idempotency-Key` on uploads.

use lectern_testkit::{Reply, TestApp, on_both};
use serde_json::json;

use super::{PATH, Part, field, file, reservations, stored, uploading};

async fn send(app: &TestApp, key: &str, parts: &[Part<'_>]) -> Reply {
    app.send(uploading(app, key, parts).header("idempotency-key", "k")).await
}

on_both! {
    // Negative control: with a fingerprint of the file only, the request with another title is a
    // replay.
    async fn the_same_file_and_fields_are_a_replay_and_anything_else_is_refused(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(0).await;
        let (book, title) = (file("a.txt", b"Words."), field("title", "A"));
        let first = send(&app, &account.live, &[book, title]).await;
        assert_eq!((first.status.as_u16(), first.header("idempotent-replayed")), (202, ""));
        app.clock.advance_seconds(60);
        let renamed = file("b.txt", b"Words.");
        for parts in [[book, title], [title, book], [title, renamed]] {
            let again = send(&app, &account.live, &parts).await;
            assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (202, "true"));
            assert_eq!(again.bytes, first.bytes);
            assert_ne!(again.header("x-request-id"), first.header("x-request-id"));
        }
        for parts in [
            vec![book],
            vec![book, field("title", "B")],
            vec![file("a.txt", b"Words!"), title],
            vec![book, title, field("x", "")],
            vec![file("a.png", b"\x89PNG\r\n\x1a\n"), title],
        ] {
            assert_eq!(send(&app, &account.live, &parts).await.refusal(), "idempotency_key_reuse");
        }
        let text = app.request(reqwest::Method::POST, PATH).bearer_auth(&account.live);
        let text = text.header("idempotency-key", "k").json(&json!({ "text": "Words." }));
        assert_eq!(app.send(text).await.refusal(), "idempotency_key_reuse");
        // The files of refused and replayed uploads are deleted.
        assert_eq!((stored(&app).len(), reservations(&app).await), (1, Some(0)));
        assert_eq!(app.get(PATH, &account.live).await.json()["data"].as_array().unwrap().len(), 1);
        app.finish().await;
    }

    async fn a_failed_upload_leaves_its_key_free(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(0).await;
        assert_eq!(send(&app, &account.live, &[file("a", b"")]).await.refusal(), "material_unreadable");
        assert_eq!(send(&app, &account.live, &[field("title", "A")]).await.fields(), ["file"]);
        let good = send(&app, &account.live, &[file("a", b"Words.")]).await;
        assert_eq!((good.status.as_u16(), good.header("idempotent-replayed")), (202, ""));
        app.finish().await;
    }

    async fn of_many_identical_simultaneous_uploads_one_creates_the_material(setup: Setup) {
        let app = setup.without_workers().start().await;
        let account = app.account(0).await;
        let calls: Vec<_> = (0..12)
            .map(|_| {
                let call = uploading(&app, &account.live, &[file("a.txt", b"Words.")])
                    .header("idempotency-key", "k");
                tokio::spawn(async move { Reply::read(call.send().await.unwrap()).await })
            })
            .collect();
        let mut replies = Vec::new();
        for call in calls {
            replies.push(call.await.unwrap());
        }
        assert!(replies.iter().all(|reply| reply.status == 202 && reply.bytes == replies[0].bytes));
        let replayed = replies.iter().filter(|reply| reply.header("idempotent-replayed") == "true").count();
        assert_eq!(replayed, 11);
        app.until("one file", async || stored(&app).len() == 1 && reservations(&app).await == Some(0)).await;
        assert_eq!(app.get(PATH, &account.live).await.json()["data"].as_array().unwrap().len(), 1);
        app.finish().await;
    }
}
