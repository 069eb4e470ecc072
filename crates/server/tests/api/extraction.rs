//! The process that reads customers' files, as the service runs it: whatever a file does to it, there is an answer.

use std::{
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use lectern_documents::{Extracted, Kind, Reason};
use lectern_server::services::extraction::{Death, ExtractError, Extractor};

/// What the settings allow, unless a test is about it.
const MEMORY_BYTES: u64 = 1 << 30;
const TIME: Duration = Duration::from_mins(1);

fn lectern() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_lectern"))
}

/// A program that does what a broken or captured reader might do.
fn pretender(dir: &Path, script: &str) -> Extractor {
    let program = dir.join("pretender");
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    Extractor::with_program(program, TIME, MEMORY_BYTES).with_patience(Duration::from_secs(5))
}

async fn read(extractor: &Extractor, kind: Kind, bytes: &[u8]) -> Result<Extracted, ExtractError> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a file's name; with $(signs)");
    std::fs::write(&path, bytes).unwrap();
    extractor.run(kind, &path).await
}

fn death(outcome: &Result<Extracted, ExtractError>) -> Option<Death> {
    match outcome {
        Err(ExtractError::Died { death, .. }) => Some(*death),
        _ => None,
    }
}

#[tokio::test]
async fn a_document_comes_back_as_it_was_read() {
    let extractor = Extractor::with_program(lectern(), TIME, MEMORY_BYTES);
    let text = "CHAPTER I\n\nIt was a quiet evening.\n\nNobody came; the café was empty — quite “empty”.\n"
        .repeat(200);
    let extracted = read(&extractor, Kind::PlainText, text.as_bytes()).await.unwrap();
    let here =
        lectern_documents::read(Kind::PlainText, text.as_bytes(), &lectern_documents::Limits::default());
    assert_eq!(extracted.text, here.unwrap().text);
    let joined: String = extracted.chunks.iter().map(|chunk| &extracted.text[chunk.range.clone()]).collect();
    assert_eq!(joined, extracted.text);
    assert!(extracted.chunks.len() > 1, "it is longer than a chunk");
}

#[tokio::test]
async fn a_file_that_cannot_be_read_says_why() {
    let extractor = Extractor::with_program(lectern(), TIME, MEMORY_BYTES);
    for (kind, bytes, reason) in [
        (Kind::PlainText, &b""[..], Reason::Empty),
        (Kind::PlainText, b" \n\n \t ", Reason::NoText),
        (Kind::Epub, b"PK\x03\x04 and then nothing", Reason::Damaged),
        (Kind::Pdf, b"%PDF-1.7\n%%EOF", Reason::Damaged),
    ] {
        let error = read(&extractor, kind, bytes).await.unwrap_err();
        assert!(matches!(error, ExtractError::Unreadable(_)), "{kind}: {error:?}");
        let verdict = error.verdict().unwrap();
        assert_eq!(verdict.reason, reason, "{kind}: {verdict}");
    }
}

#[tokio::test]
async fn hostile_and_locked_files_are_answered_from_inside_of_the_limits() {
    let extractor = Extractor::with_program(lectern(), TIME, MEMORY_BYTES);
    let fixture = |name: &str| {
        std::fs::read(format!("{}/../documents/tests/fixtures/pdf/{name}", env!("CARGO_MANIFEST_DIR")))
            .unwrap()
    };
    let nested = format!("%PDF-1.7\n1 0 obj\n{}{}\nendobj\n", "[".repeat(10_000), "]".repeat(10_000));
    let tags = format!("<html><body>{}</body></html>", "<div><b><i>".repeat(340_000));
    for (kind, bytes, reason) in [
        (Kind::Pdf, fixture("password.pdf"), Reason::Encrypted),
        (Kind::Pdf, fixture("picture.pdf"), Reason::ImageOnly),
        (Kind::Pdf, nested.into_bytes(), Reason::Damaged),
        (Kind::Html, tags.into_bytes(), Reason::NoText),
    ] {
        let outcome = read(&extractor, kind, &bytes).await;
        assert!(matches!(outcome, Err(ExtractError::Unreadable(_))), "{kind}: {outcome:?}");
        assert_eq!(outcome.unwrap_err().verdict().unwrap().reason, reason, "{kind}");
    }
    let novel = read(&extractor, Kind::Pdf, &fixture("novel.pdf")).await.unwrap();
    assert_eq!(novel.chunks.iter().filter(|chunk| chunk.starts_chapter).count(), 3);
}

#[tokio::test]
async fn too_little_memory_ends_the_reader_and_not_the_service() {
    // What the program itself takes is added to what is allowed, and holds this file once, but not twice.
    let starved = Extractor::with_program(lectern(), TIME, 0);
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().set_len(280 << 20).unwrap();
    let outcome = starved.run(Kind::PlainText, file.path()).await;
    assert_eq!(death(&outcome), Some(Death::Memory), "{outcome:?}");
    assert_eq!(outcome.unwrap_err().verdict().unwrap().reason, Reason::TooLarge);
    // One that it does not hold even once.
    file.as_file().set_len(4 << 30).unwrap();
    let outcome = starved.run(Kind::PlainText, file.path()).await;
    assert_eq!(outcome.unwrap_err().verdict().unwrap().reason, Reason::TooLarge);
}

/// The limit on processor time, as the reader sets it on itself: with both of its limits the same the system kills it
/// with the signal that anybody may have sent, and the file is tried again.
#[tokio::test]
async fn a_reader_that_works_too_long_is_the_files_fault() {
    let dir = tempfile::tempdir().unwrap();
    // One that sets the limits as it is told to, and then works without end.
    let script = "while [ \"$1\" != --processor-seconds ]; do shift; done; ulimit -S -t $2; \
                  ulimit -H -t $(($2 + 5)); while :; do :; done";
    pretender(dir.path(), script);
    let program = dir.path().join("pretender");
    let hurried = Extractor::with_program(program, Duration::from_millis(20), MEMORY_BYTES);
    let outcome = read(&hurried, Kind::Pdf, b"%PDF").await;
    assert_eq!(death(&outcome), Some(Death::Time), "{outcome:?}");
    assert_eq!(outcome.unwrap_err().verdict().unwrap().reason, Reason::TooLarge);
    // The real one: more than a second's work, whatever the machine.
    let text = "A sentence, said again and again; is it not? ".repeat(370_000);
    let page = format!("<p>{}", "<b>x</b> ".repeat(4_000_000));
    let hurried = Extractor::with_program(lectern(), Duration::from_millis(20), MEMORY_BYTES);
    let outcomes = [
        read(&hurried, Kind::PlainText, text.as_bytes()).await,
        read(&hurried, Kind::Html, page.as_bytes()).await,
    ];
    let deaths = outcomes.each_ref().map(death);
    assert!(deaths.contains(&Some(Death::Time)), "{deaths:?}");
    for (outcome, death) in outcomes.iter().zip(deaths) {
        assert!(outcome.is_ok() || death == Some(Death::Time), "none is tried again: {death:?}");
    }
}

#[tokio::test]
async fn a_reader_that_crashes_or_lies_is_a_damaged_file() {
    let dir = tempfile::tempdir().unwrap();
    let lie = r#"{"title":null,"author":null,"language":null,"cover":null,"text":"abc","chunks":[{"range":{"start":0,"end":99},"characters":3,"title":null,"starts_chapter":true,"breaks":[],"pause_after_ms":0}]}"#;
    for script in [
        "kill -SEGV $$".to_owned(),
        "kill -ABRT $$".to_owned(),
        "echo 'thread panicked' >&2; exit 101".to_owned(),
        "echo garbage".to_owned(),
        "echo garbage; exit 3".to_owned(),
        ":".to_owned(),
        format!("printf '%s' '{lie}'"),
    ] {
        let outcome = read(&pretender(dir.path(), &script), Kind::Pdf, b"%PDF").await;
        assert_eq!(death(&outcome), Some(Death::Crash), "{script}: {outcome:?}");
        assert_eq!(outcome.unwrap_err().verdict().unwrap().reason, Reason::Damaged);
    }
    let honest = lie.replace("99", "3");
    let outcome = read(&pretender(dir.path(), &format!("printf '%s' '{honest}'")), Kind::Pdf, b"%PDF").await;
    assert_eq!(outcome.unwrap().text, "abc", "the lie was in the place of its end alone");
}

#[tokio::test]
async fn endless_output_and_endless_silence_are_cut_short() {
    let dir = tempfile::tempdir().unwrap();
    let flood = pretender(dir.path(), "exec cat /dev/zero");
    let outcome = read(&flood, Kind::Pdf, b"%PDF").await;
    assert_eq!(death(&outcome), Some(Death::Memory), "{outcome:?}");
    let complaining = pretender(dir.path(), "cat /dev/zero >&2; echo garbage");
    let outcome = read(&complaining, Kind::Pdf, b"%PDF").await;
    let waited_in_vain =
        |outcome: &Result<Extracted, ExtractError>| matches!(outcome, Err(ExtractError::Unavailable { .. }));
    assert!(death(&outcome) == Some(Death::Crash) || waited_in_vain(&outcome), "{outcome:?}");
    let began = Instant::now();
    let outcome = read(&pretender(dir.path(), "exec sleep 600"), Kind::Pdf, b"%PDF").await;
    // It did no work: the machine may be busy, and the next attempt may be luckier.
    assert!(waited_in_vain(&outcome), "{outcome:?}");
    assert_eq!(outcome.unwrap_err().verdict(), None);
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn what_is_not_the_files_fault_is_tried_again() {
    let dir = tempfile::tempdir().unwrap();
    let missing = Extractor::with_program(dir.path().join("nothing"), TIME, MEMORY_BYTES);
    let killed = pretender(dir.path(), "kill -KILL $$");
    for extractor in [missing, killed] {
        let outcome = read(&extractor, Kind::Pdf, b"%PDF").await;
        assert!(matches!(outcome, Err(ExtractError::Unavailable { .. })), "{outcome:?}");
        assert_eq!(outcome.unwrap_err().verdict(), None);
    }
    let gone = Extractor::with_program(lectern(), TIME, MEMORY_BYTES);
    let outcome = gone.run(Kind::Pdf, &dir.path().join("no such file")).await;
    assert!(matches!(outcome, Err(ExtractError::Unavailable { .. })), "{outcome:?}");
}

#[tokio::test]
async fn the_reader_knows_nothing_of_the_service_and_ends_with_whoever_waits_for_it() {
    let dir = tempfile::tempdir().unwrap();
    let (told, id) = (dir.path().join("told"), dir.path().join("id"));
    let script = format!(
        "(env; pwd; ls -l /proc/$$/fd/0) > {}; echo $$ > {}; exec sleep 600",
        told.display(),
        id.display()
    );
    let extractor = pretender(dir.path(), &script);
    let waiting = tokio::spawn(async move { read(&extractor, Kind::Pdf, b"%PDF").await });
    let mut process = String::new();
    while process.is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
        process = std::fs::read_to_string(&id).unwrap_or_default().trim().to_owned();
    }
    let told = std::fs::read_to_string(&told).unwrap();
    assert!(!told.contains("HOME=") && !told.contains("LECTERN_") && !told.contains("CARGO"), "{told}");
    assert!(told.contains("\n/\n") && told.contains("/dev/null"), "{told}");
    waiting.abort();
    assert!(waiting.await.unwrap_err().is_cancelled());
    let alive =
        || std::fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z"));
    for _ in 0..200 {
        if !alive() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("the process outlived the one who waited for it");
}
