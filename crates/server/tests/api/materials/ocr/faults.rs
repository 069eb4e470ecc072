//! Pages that cannot be read, and machines that cannot read them: scripts stand in for tesseract.

use std::{os::unix::fs::PermissionsExt as _, path::PathBuf, process::Command};

use lectern_testkit::{Setup, TestApp};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{file, files_left, in_order, joined, pictured, pictures, read, scan, typed, upload, zip};

/// A program in place of tesseract. It runs `$tesseract`, unless `script` does something else before; `$1` is the picture,
/// and `$2` the path of what is written without its ending.
struct Tesseract(TempDir);

impl Tesseract {
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let found = Command::new("sh").args(["-c", "command -v tesseract"]).output().unwrap();
        let real = String::from_utf8(found.stdout).unwrap();
        let path = folder.path().join("tesseract");
        let text = format!(
            "#!/bin/sh\ntesseract={}\nfolder={}\nif [ \"$1\" != --list-langs ]; then\n{script}\nfi\nexec $tesseract \"$@\"\n",
            real.trim(),
            folder.path().display()
        );
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        Self(folder)
    }

    fn setup(&self) -> Setup {
        let path: PathBuf = self.0.path().join("tesseract");
        Setup::default()
            .set("LECTERN_OCR__ENABLED", "true")
            .set("LECTERN_OCR__TESSERACT", path.to_str().unwrap())
    }

    /// How often the script has written a line to `$folder/calls`.
    fn calls(&self) -> usize {
        std::fs::read_to_string(self.0.path().join("calls")).unwrap_or_default().lines().count()
    }
}

/// Pages, pages that were read, and the pages of the warning.
fn counts(material: &Value) -> (u64, u64, u64) {
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let warnings = material["warnings"].as_array().unwrap();
    let unread = warnings.iter().find(|warning| warning["code"] == "unread_page");
    let ocr = &material["ocr"];
    (number(&ocr["pages"]), number(&ocr["pages_read"]), unread.map_or(0, |warning| number(&warning["count"])))
}

// Negative control: when a page's failure is the scan's, the job is retried for ever or the material fails.
#[tokio::test]
async fn with_the_real_tesseract_a_page_that_cannot_be_read_is_left_out() {
    let tesseract = Tesseract::new("case $2 in *00002) echo call >>$folder/calls; kill -SEGV $$;; esac");
    let app = tesseract.setup().start().await;
    let account = app.account(0).await;
    // A scan, the same pages as pictures, and a document with text of which they are a part.
    let [last, more, most] = ["This one, too.", "And another one.", "Nothing comes after it."].map(typed);
    let book = joined(&[typed("This page was typed."), pictured(), scan(), last, more, most]);
    let [first, second] = pictures();
    let pictures = zip(&[("1.png", &first), ("2.png", &second), ("3.png", b"no picture")]);
    for (name, content, expected, wanted) in [
        ("scan.pdf", scan(), (2, 1, 1), &["The harbour was quiet that morning"][..]),
        ("scan.zip", pictures, (3, 1, 2), &["The harbour was quiet that morning"]),
        (
            "book.pdf",
            book,
            (3, 2, 1),
            &["This page", "The harbour was quiet", "could have done it", "This one"],
        ),
    ] {
        let (material, text) = read(&app, &account, &[file(name, &content)]).await;
        assert_eq!(material["status"], "ready", "{material}");
        assert_eq!(counts(&material), expected, "{material}");
        in_order(&text, wanted);
    }
    let (material, _) = read(&app, &account, &[file("scan.pdf", &scan())]).await;
    assert_eq!(
        material["warnings"][0]["message"], "1 page that is a picture was not read and is left out.",
        "{material}"
    );
    // Each of the four documents has a page on which the program fails, and fails again.
    assert_eq!(tesseract.calls(), 4 * 2);
    assert_eq!(files_left(&app), 0);
    app.finish().await;
}

// Negative control: when a part is treated like a whole scan, the job is retried until the material fails.
#[tokio::test]
async fn with_the_real_poppler_a_document_is_read_without_its_pictures_if_none_can_be_read() {
    let tesseract = Tesseract::new("exit 1");
    let app = tesseract.setup().start().await;
    let account = app.account(0).await;
    let book = joined(&[typed("This page was typed before the storm."), pictured(), pictured()]);
    let (material, text) = read(&app, &account, &[file("book.pdf", &book)]).await;
    assert_eq!((&material["status"], counts(&material)), (&json!("ready"), (2, 0, 2)), "{material}");
    in_order(&text, &["This page was typed before the storm."]);
    app.finish().await;
}

// Negative control: without the sample, all 30 pages are recognized.
#[tokio::test]
async fn with_the_real_poppler_a_sample_of_illustrations_is_enough() {
    let tesseract = Tesseract::new(
        "echo call >>$folder/calls; printf '%%PDF-1.4\\n%%%%EOF\\n' >$2.pdf; echo >$2.tsv; exit 0",
    );
    let app = tesseract.setup().start().await;
    let account = app.account(0).await;
    // With fewer pages of text it would be a scan, and lines that are repeated would be running heads.
    let things = ["harbour", "storm", "lamp", "window", "street", "sailor"];
    let lines = things.iter().flat_map(|one| things.map(|other| format!("The {one} was near the {other}.")));
    let pages: Vec<_> = lines.map(|line| typed(&line)).chain(vec![pictured(); 30]).collect();
    let (material, _) = read(&app, &account, &[file("book.pdf", &joined(&pages))]).await;
    assert_eq!((&material["status"], counts(&material)), (&json!("ready"), (30, 20, 10)), "{material}");
    assert_eq!(tesseract.calls(), 20);
    app.finish().await;
}

/// Uploads a picture while a machine cannot read it, and again when it can.
async fn is_read_later(script: &str) {
    let once = format!("[ -e $folder/calls ] || {{ echo call >>$folder/calls; {script}; }}");
    let tesseract = Tesseract::new(&once);
    let app = tesseract.setup().start().await;
    let account = app.account(0).await;
    let made = upload(&app, &account.live, &[file("s.png", &pictures()[0])]).await.json();
    let id = made["id"].as_str().unwrap();
    app.until("it is read", async || {
        app.clock.advance_seconds(1);
        app.material(&account.live, id).await["status"] != "processing"
    })
    .await;
    let material = app.material(&account.live, id).await;
    assert_eq!((&material["status"], counts(&material)), (&json!("ready"), (1, 1, 0)), "{material}");
    // The machine's faults are no attempts of the job.
    assert_eq!(attempts(&app).await, 0);
    app.finish().await;
}

async fn attempts(app: &TestApp) -> i64 {
    app.database().number("SELECT COALESCE(MAX(attempts), 0) FROM jobs").await.unwrap_or(0)
}

// What tesseract 5.3 does when no block is free, as seen on a file system of 1 MB.
// Negative control: when incomplete files are taken for results, the material is `failed`.
#[tokio::test]
async fn with_the_real_tesseract_a_result_cut_off_by_a_full_disk_is_no_fault_of_the_picture() {
    is_read_later(": >$2.pdf; : >$2.tsv; exit 0").await;
    is_read_later("$tesseract \"$@\" && printf '5\\t1' >$2.tsv; exit 0").await;
}

// Negative control: when the disk is not tried, the material is `failed`: "the picture 1 cannot be read".
#[tokio::test]
async fn with_the_real_tesseract_a_disk_that_takes_no_file_is_no_fault_of_the_picture() {
    is_read_later("rm -r ${2%/*}; exit 1").await;
}
