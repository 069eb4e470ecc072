//! From an upload to an audiobook, without failures.

use lectern_testkit::on_both;
use reqwest::Method;

use super::*;

on_both! {
    async fn an_upload_becomes_chunks_with_audio_and_one_file(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(1_000).await;
        let text = book("Ann", 3, 2);
        let id = uploaded(&app, &account.live, &text).await;
        assert_eq!(material(&app, &account.live, &id).await["chunk_count"], 3);
        let asked = convert(&app, &account.live, &id).await;
        assert_eq!((&asked["chunks"], &asked["credits_held"]), (&3.into(), &asked["characters"]));
        until_status(&app, &account.live, &id, "completed").await;
        until_idle(&app).await;
        let price = asked["characters"].as_i64().unwrap();
        assert_converted_once(&app, &account, 3, 1_000 - price).await;

        // The objects: the source; a lossless file, an MP3, an AAC file and the word times for each chunk; the
        // whole book.
        let kept = stored(&app, &format!("materials/{id}"));
        assert_eq!(kept.len(), 1 + 3 * 4 + 1, "{kept:#?}");
        assert_eq!(count(&app, "object_deletions").await, 0, "an object is still reserved");
        let mut sum = 0;
        for index in 0..3 {
            let path = format!("/v1/saas/materials/{id}/chunks/{index}/audio");
            let audio = app.get(&path, &account.live).await;
            assert_eq!((audio.status.as_u16(), audio.header("content-type")), (200, "audio/mpeg"));
        }
        let chunks = app.get(&format!("/v1/saas/materials/{id}/chunks"), &account.live).await.json();
        for chunk in chunks["data"].as_array().unwrap() {
            assert_eq!(chunk["status"], "completed");
            sum += chunk["duration_ms"].as_u64().unwrap();
        }
        let book = app.get(&format!("/v1/saas/materials/{id}/audio?format=mp3"), &account.live).await;
        assert_eq!((book.status.as_u16(), book.header("content-type")), (200, "audio/mpeg"));
        assert_eq!(material(&app, &account.live, &id).await["duration_ms"], sum);
        // The book in the other format is assembled on request.
        let book = app.get(&format!("/v1/saas/materials/{id}/audio?format=m4b"), &account.live).await;
        assert_eq!((book.status.as_u16(), book.header("content-type")), (200, "audio/mp4"));
        let kept = count(&app, "material_books").await;
        assert_eq!(kept, 2);
        app.finish().await;
    }

    async fn a_sandbox_conversion_costs_nothing(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(10).await;
        let id = uploaded(&app, &account.test, &book("Bea", 2, 1)).await;
        assert_eq!(convert(&app, &account.test, &id).await["credits_held"], 0);
        until_status(&app, &account.test, &id, "completed").await;
        assert_eq!(app.balance(&account).await, (10, 0));
        assert_eq!(count(&app, "ledger_transactions WHERE kind IN ('charge', 'hold')").await, 0);
        until_idle(&app).await;
        app.finish().await;
    }

    async fn a_file_that_cannot_be_read_is_a_failed_material_with_the_reason(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(10).await;
        // The file begins like a PDF, but is not one.
        let body = "--cut\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\n%PDF-1.4 nothing more\r\n--cut--\r\n";
        let request = app.request(Method::POST, "/v1/saas/materials").bearer_auth(&account.live);
        let made = app.send(request.header("content-type", "multipart/form-data; boundary=cut").body(body)).await;
        assert_eq!(made.status, 202, "{}", made.json());
        let id = made.json()["id"].as_str().unwrap().to_owned();
        until_status(&app, &account.live, &id, "failed").await;
        let failed = material(&app, &account.live, &id).await;
        assert_eq!(failed["failure"]["code"], "material_unreadable", "{failed}");
        assert!(failed["failure"]["message"].as_str().unwrap().len() > 10, "{failed}");
        // A failure that is the file's fault is final and not retried.
        assert_eq!(count(&app, "jobs WHERE status = 'dead' AND attempts = 1").await, 1);
        assert_eq!(app.database().number("SELECT COUNT(*) FROM events WHERE kind = 'material.failed'").await, Some(1));
        app.finish().await;
    }
}
