//! Scans, with the real tesseract and poppler-utils.

mod faults;

use std::{
    fmt::Write as _,
    io::{Cursor, Write as _},
    path::Path,
    process::Command,
};

use lectern_testkit::{Account, Setup, TestApp, on_both};
use serde_json::{Value, json};

use super::{PATH, Part, field, file, upload};

/// Two pages of pictures without text.
fn scan() -> Vec<u8> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    std::fs::read(fixtures.join("scan.pdf")).unwrap()
}

/// The pages of [`scan`] as PNG files, drawn by poppler-utils.
fn pictures() -> [Vec<u8>; 2] {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scan.pdf");
    std::fs::write(&path, scan()).unwrap();
    let mut draw = Command::new("pdftoppm");
    draw.args(["-r", "150", "-gray", "-png"]).arg(&path).arg(folder.path().join("p"));
    assert!(draw.status().unwrap().success());
    [1, 2].map(|page| std::fs::read(folder.path().join(format!("p-{page}.png"))).unwrap())
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A PDF of one page with this line.
fn typed(line: &str) -> Vec<u8> {
    let contents = format!("BT /F 14 Tf 72 700 Td ({line}) Tj ET");
    pdf(&contents, "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>", "null")
}

/// A PDF of one page that is a white picture.
fn pictured() -> Vec<u8> {
    let picture = "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 \
                   /Length 1 >>\nstream\n~\nendstream";
    pdf("q 612 0 0 792 0 0 cm /P Do Q", "/XObject << /P 5 0 R >>", picture)
}

/// A PDF of one page with these contents; `object` is number 5.
fn pdf(contents: &str, resources: &str, object: &str) -> Vec<u8> {
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << {resources} >> >>"
        ),
        format!("<< /Length {} >>\nstream\n{contents}\nendstream", contents.len()),
        object.to_owned(),
    ];
    let (mut pdf, mut places) = ("%PDF-1.4\n".to_owned(), Vec::new());
    for (index, object) in objects.iter().enumerate() {
        places.push(pdf.len());
        write!(pdf, "{} 0 obj\n{object}\nendobj\n", index + 1).unwrap();
    }
    let table = pdf.len();
    pdf += "xref\n0 6\n0000000000 65535 f \n";
    pdf.extend(places.iter().map(|place| format!("{place:010} 00000 n \n")));
    write!(pdf, "trailer << /Size 6 /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n").unwrap();
    pdf.into_bytes()
}

/// A PDF with the pages of all, joined by poppler-utils.
fn joined(pdfs: &[Vec<u8>]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: String| folder.path().join(name);
    let mut join = Command::new("pdfunite");
    for (index, pdf) in pdfs.iter().enumerate() {
        std::fs::write(path(format!("{index}.pdf")), pdf).unwrap();
        join.arg(path(format!("{index}.pdf")));
    }
    assert!(join.arg(path("all.pdf".to_owned())).status().unwrap().success());
    std::fs::read(path("all.pdf".to_owned())).unwrap()
}

/// The material that an upload becomes, and the text of its first chunk.
async fn read(app: &TestApp, account: &Account, parts: &[Part<'_>]) -> (Value, String) {
    let made = upload(app, &account.live, parts).await;
    assert_eq!(made.status, 202, "{}", made.json());
    let id = made.json()["id"].as_str().unwrap().to_owned();
    app.until("it is read", async || app.material(&account.live, &id).await["status"] != "processing").await;
    let text = app.get(&format!("{PATH}/{id}/chunks/0/text"), &account.live).await.json();
    (app.material(&account.live, &id).await, text["text"].as_str().unwrap_or_default().to_owned())
}

fn in_order(text: &str, wanted: &[&str]) {
    let places: Vec<_> = wanted.iter().map(|part| text.find(part)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}: {text}");
}

on_both! {
    async fn with_the_real_tesseract_pictures_are_read_like_pages(setup: Setup) {
        let app = setup.set("LECTERN_OCR__ENABLED", "true").start().await;
        let account = app.account(0).await;
        let [first, second] = pictures();
        let pages = ["The harbour was quiet that morning", "storm, lay", "could have done it"];
        let tiff = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/scan.tif");
        let zipped = zip(&[("a/page 10.png", &second), ("a/page 2.png", &first), ("a/ComicInfo.xml", b"<x/>")]);
        for (name, content, count) in [("s.zip", zipped, 2), ("s.tif", std::fs::read(tiff).unwrap(), 2)] {
            let (material, text) = read(&app, &account, &[file(name, &content)]).await;
            assert_eq!((&material["status"], &material["ocr"]["pages_read"]), (&json!("ready"), &json!(count)), "{material}");
            in_order(&text, &pages);
            assert_eq!(text.matches("The harbour was quiet").count(), 1, "{text}");
        }
        let (material, text) = read(&app, &account, &[file("s.png", &first)]).await;
        assert_eq!((&material["source"]["media_type"], &material["title"]), (&json!("image/png"), &json!("s")));
        in_order(&text, &pages[..2]);
        assert_eq!(files_left(&app), 0);
        app.finish().await;
    }

    async fn with_the_real_tesseract_pages_that_are_pictures_are_read_among_others(setup: Setup) {
        let app = setup.set("LECTERN_OCR__ENABLED", "true").start().await;
        let account = app.account(0).await;
        let book = joined(&[typed("This page was typed before the storm came."), scan(), typed("This one was typed after it.")]);
        let (material, text) = read(&app, &account, &[file("book.pdf", &book)]).await;
        assert_eq!(material["ocr"]["pages"], json!(2), "{material}");
        in_order(&text, &["typed before the storm", "The harbour was quiet", "could have done it", "typed after it"]);
        assert_eq!(files_left(&app), 0);
        app.finish().await;
    }

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
        for (name, content) in [("s.png", pictures()[0].clone()), ("s.zip", zip(&[("1.png", b"x")]))] {
            let refused = upload(&app, &account.live, &[file(name, &content)]).await;
            assert_eq!((refused.status.as_u16(), refused.refusal()), (422, "material_unreadable".to_owned()));
        }
        app.finish().await;
    }
}

#[tokio::test]
async fn with_the_real_tesseract_limits_and_missing_packs_are_named() {
    // What this machine surely lacks.
    let app = Setup::default()
        .set("LECTERN_OCR__ENABLED", "true")
        .set("LECTERN_OCR__LANGUAGES", "tlh")
        .start()
        .await;
    let account = app.account(0).await;
    let (material, _) = read(&app, &account, &[file("scan.pdf", &scan())]).await;
    let message = material["failure"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("Debian: tesseract-ocr-tlh"), "{message}");
    // A text in place of a picture, which tesseract would take for a list of files.
    let zipped = zip(&[("1.png", b"/etc/hostname\n")]);
    let (material, _) = read(&app, &account, &[field("language", "en"), file("s.zip", &zipped)]).await;
    assert!(material["failure"]["message"].as_str().unwrap().contains("File 1 of the archive"), "{material}");
    app.finish().await;

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
