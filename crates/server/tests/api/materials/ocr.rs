//! Scans, with the real tesseract and poppler-utils.

use std::path::Path;

use lectern_testkit::{Setup, on_both};
use serde_json::json;

use super::{PATH, file, upload};

/// Two pages of pictures without text.
fn scan() -> Vec<u8> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    std::fs::read(fixtures.join("scan.pdf")).unwrap()
}

on_both! {
    // Negative control: with `ocr.enabled` false it fails as below.
    async fn with_the_real_tesseract_a_scan_is_read_page_by_page(setup: Setup) {
        let app = setup.set("LECTERN_OCR__ENABLED", "true").start().await;
        let account = app.account(0).await;
        let made = upload(&app, &account.live, &[file("scan.pdf", &scan())]).await.json();
        assert!(made.get("ocr").is_none());
        let id = made["id"].as_str().unwrap();
        app.until("it is read", async || app.material(&account.live, id).await["status"] != "processing").await;
        let read = app.material(&account.live, id).await;
        assert_eq!((&read["status"], &read["failure"]), (&json!("ready"), &json!(null)));
        assert_eq!((&read["ocr"]["pages"], &read["ocr"]["pages_read"]), (&json!(2), &json!(2)));
        let confidence = read["ocr"]["confidence"].as_u64().unwrap();
        assert!((80..=100).contains(&confidence), "{confidence}");
        let text = app.get(&format!("{PATH}/{id}/chunks/0/text"), &account.live).await.json();
        let text = text["text"].as_str().unwrap();
        // A word is divided at the end of a line, and the sentence goes on from one page to the next.
        for wanted in ["The harbour was quiet that morning", "storm, lay side by side"] {
            assert!(text.contains(wanted), "{text}");
        }
        assert_eq!(files_left(&app), 0);
        app.finish().await;
    }

    async fn without_text_recognition_a_scan_says_what_it_is(setup: Setup) {
        let app = setup.start().await;
        let account = app.account(0).await;
        let made = upload(&app, &account.live, &[file("scan.pdf", &scan())]).await.json();
        let id = made["id"].as_str().unwrap();
        app.until("it is refused", async || app.material(&account.live, id).await["status"] == "failed").await;
        let message = app.material(&account.live, id).await["failure"]["message"].clone();
        assert!(message.as_str().unwrap().contains("(a scan)"), "{message}");
        app.finish().await;
    }
}

#[tokio::test]
async fn with_the_real_tesseract_limits_and_missing_packs_are_named() {
    for (key, value, wanted) in [
        ("LECTERN_OCR__PAGES", "1", "The scan has 2 pages; at most 1 are read"),
        ("LECTERN_OCR__LANGUAGES", "tlh", "cannot recognize text in its language"),
        ("LECTERN_OCR__TESSERACT", "/bin/false", ""),
    ] {
        let app = Setup::default().set("LECTERN_OCR__ENABLED", "true").set(key, value).start().await;
        let account = app.account(0).await;
        let made = upload(&app, &account.live, &[file("scan.pdf", &scan())]).await.json();
        let id = made["id"].as_str().unwrap();
        if wanted.is_empty() {
            // The program is at fault, so the job is tried again.
            app.until("it was tried", async || {
                app.database().number("SELECT MAX(attempts) FROM jobs").await > Some(0)
            })
            .await;
        } else {
            app.until("it is refused", async || app.material(&account.live, id).await["status"] == "failed")
                .await;
            let message = app.material(&account.live, id).await["failure"]["message"].clone();
            assert!(message.as_str().unwrap().contains(wanted), "{message}");
        }
        app.finish().await;
    }
}

/// Temporary files of the process.
fn files_left(app: &lectern_testkit::TestApp) -> usize {
    let files = super::files(&app.data().join("tmp"));
    files.iter().filter(|name| !name.ends_with("/lock")).count()
}
