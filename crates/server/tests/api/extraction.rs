//! The extraction child as the service runs it: whatever a file does to the child, the service gets
//! an answer.

use lectern_testkit::until;
use std::{
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use lectern_documents::{Extracted, Kind, Reason};
use lectern_service::services::materials::document_reader::{Death, ExtractError, Extractor};

/// The default limits, for tests that do not test them.
const MEMORY_BYTES: u64 = 1 << 30;
const TIME: Duration = Duration::from_mins(1);

fn lectern() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_lectern"))
}

/// A program that imitates a broken or compromised child.
fn imitation(dir: &Path, script: &str) -> Extractor {
    let program = dir.join("imitation");
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
    assert!(extracted.chunks.len() > 1, "the text is longer than a chunk");
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
async fn hostile_and_locked_files_are_rejected_within_the_limits() {
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
async fn too_little_memory_ends_the_extraction_child_and_not_the_service() {
    // The limit is added to the program's own memory. Together they hold this file once, but not
    // twice.
    let starved = Extractor::with_program(lectern(), TIME, 0);
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().set_len(280 << 20).unwrap();
    let outcome = starved.run(Kind::PlainText, file.path()).await;
    assert_eq!(death(&outcome), Some(Death::Memory), "{outcome:?}");
    assert_eq!(outcome.unwrap_err().verdict().unwrap().reason, Reason::TooLarge);
    // A file that does not fit into memory even once.
    file.as_file().set_len(4 << 30).unwrap();
    let outcome = starved.run(Kind::PlainText, file.path()).await;
    assert_eq!(outcome.unwrap_err().verdict().unwrap().reason, Reason::TooLarge);
}

/// The limit on processor time, which the child sets on itself. If the soft and the hard limit were
/// equal, the kernel would send SIGKILL, which anybody could have sent, and the file would be
/// retried.
#[tokio::test]
async fn an_extraction_over_its_processor_time_is_the_files_fault() {
    let dir = tempfile::tempdir().unwrap();
    // A program that sets the given limits and then works forever.
    let script = "while [ \"$1\" != --processor-seconds ]; do shift; done; ulimit -S -t $2; \
                  ulimit -H -t $(($2 + 5)); while :; do :; done";
    imitation(dir.path(), script);
    let program = dir.path().join("imitation");
    let hurried = Extractor::with_program(program, Duration::from_millis(20), MEMORY_BYTES);
    let outcome = read(&hurried, Kind::Pdf, b"%PDF").await;
    assert_eq!(death(&outcome), Some(Death::Time), "{outcome:?}");
    assert_eq!(outcome.unwrap_err().verdict().unwrap().reason, Reason::TooLarge);
    // The real child, with more than a second of work on any machine.
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
        assert!(outcome.is_ok() || death == Some(Death::Time), "none is retried: {death:?}");
    }
}

#[tokio::test]
async fn a_crashed_or_lying_extraction_child_means_a_damaged_file() {
    let dir = tempfile::tempdir().unwrap();
    let lie = r#"{"title":null,"author":null,"language":null,"cover":null,"text":"abc","chunks":[{"range":{"start":0,"end":99},"characters":3,"title":null,"starts_chapter":true,"pauses":[],"pause_after_ms":0,"chapter":0}],"chapters":[{"title":null,"level":1,"role":"body"}]}"#;
    for script in [
        "kill -SEGV $$".to_owned(),
        "kill -ABRT $$".to_owned(),
        "echo 'thread panicked' >&2; exit 101".to_owned(),
        "echo garbage".to_owned(),
        "echo garbage; exit 3".to_owned(),
        ":".to_owned(),
        format!("printf '%s' '{lie}'"),
    ] {
        let outcome = read(&imitation(dir.path(), &script), Kind::Pdf, b"%PDF").await;
        assert_eq!(death(&outcome), Some(Death::Crash), "{script}: {outcome:?}");
        assert_eq!(outcome.unwrap_err().verdict().unwrap().reason, Reason::Damaged);
    }
    let honest = lie.replace("99", "3");
    let outcome = read(&imitation(dir.path(), &format!("printf '%s' '{honest}'")), Kind::Pdf, b"%PDF").await;
    assert_eq!(outcome.unwrap().text, "abc", "only the chunk's end was false");
}

#[tokio::test]
async fn endless_output_and_endless_silence_hit_their_limits() {
    let dir = tempfile::tempdir().unwrap();
    let flood = imitation(dir.path(), "exec cat /dev/zero");
    let outcome = read(&flood, Kind::Pdf, b"%PDF").await;
    assert_eq!(death(&outcome), Some(Death::Memory), "{outcome:?}");
    let complaining = imitation(dir.path(), "cat /dev/zero >&2; echo garbage");
    let outcome = read(&complaining, Kind::Pdf, b"%PDF").await;
    let timed_out_idle =
        |outcome: &Result<Extracted, ExtractError>| matches!(outcome, Err(ExtractError::Unavailable { .. }));
    assert!(death(&outcome) == Some(Death::Crash) || timed_out_idle(&outcome), "{outcome:?}");
    let began = Instant::now();
    let outcome = read(&imitation(dir.path(), "exec sleep 600"), Kind::Pdf, b"%PDF").await;
    // The child did no work: the machine may be busy, so a retry may succeed.
    assert!(timed_out_idle(&outcome), "{outcome:?}");
    assert_eq!(outcome.unwrap_err().verdict(), None);
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn failures_that_are_not_the_files_fault_are_retried() {
    let dir = tempfile::tempdir().unwrap();
    let missing = Extractor::with_program(dir.path().join("nothing"), TIME, MEMORY_BYTES);
    let killed = imitation(dir.path(), "kill -KILL $$");
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
async fn the_extraction_child_inherits_nothing_and_ends_with_its_parent() {
    let dir = tempfile::tempdir().unwrap();
    let (environment, id) = (dir.path().join("environment"), dir.path().join("id"));
    let script = format!(
        "(env; pwd; ls -l /proc/$$/fd/0) > {}; echo $$ > {}; exec sleep 600",
        environment.display(),
        id.display()
    );
    let extractor = imitation(dir.path(), &script);
    let waiting = tokio::spawn(async move { read(&extractor, Kind::Pdf, b"%PDF").await });
    let mut process = String::new();
    until("the child's start", async || {
        process = std::fs::read_to_string(&id).unwrap_or_default().trim().to_owned();
        !process.is_empty()
    })
    .await;
    let environment = std::fs::read_to_string(&environment).unwrap();
    assert!(
        !environment.contains("HOME=") && !environment.contains("LECTERN_") && !environment.contains("CARGO"),
        "{environment}"
    );
    assert!(environment.contains("\n/\n") && environment.contains("/dev/null"), "{environment}");
    waiting.abort();
    assert!(waiting.await.unwrap_err().is_cancelled());
    let alive =
        || std::fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z"));
    until("the end of the child", async || !alive()).await;
}
