//! Failures at startup, with messages that say what to do: the starting process and `doctor` name
//! the same file, setting and cause.

use std::{
    net::TcpListener,
    path::Path,
    process::{Output, Stdio},
};

use lectern_speech::engines::kokoro;
use serde_json::Value;

use crate::program;

fn lectern(folder: &Path, more: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = program::lectern(folder, arguments);
    // Nothing listens at this address, so lookups fail at once.
    command.env("LECTERN_OUTBOUND__RESOLVER", "127.0.0.1:1").envs(more.iter().copied()).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Asserts that no command that opens the store starts, and that each gives this reason.
fn assert_refused(folder: &Path, more: &[(&str, &str)], words: &[&str]) {
    for start in [
        &["serve", "--no-workers"][..],
        &["worker", "--kinds", "extract"],
        &["migrate"],
        &["admin", "voices", "list"],
    ] {
        let output = lectern(folder, more, start);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(78), "{start:?}: {said}");
        for word in words {
            assert!(said.contains(word), "{start:?}: {word} is missing in: {said}");
        }
    }
}

/// `doctor`'s finding on `what`. It prints nothing but its report.
fn finding(folder: &Path, more: &[(&str, &str)], what: &str) -> Value {
    let output = lectern(folder, more, &["doctor", "--json"]);
    assert_eq!(said(&output), "");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let found: Vec<_> = findings.iter().filter(|finding| finding["what"] == what).collect();
    assert_eq!(found.len(), 1, "{what}: {report}");
    found[0].clone()
}

fn assert_finding(finding: &Value, state: &str, words: &[&str]) {
    assert_eq!(finding["state"], state, "{finding}");
    for word in words {
        assert!(finding.to_string().contains(word), "{word} is missing in: {finding}");
    }
}

// Negative control: when `doctor` looks only at the file's metadata, as it once did, it accepts
// every one of these keys.
#[test]
fn doctor_reports_every_master_key_that_serve_refuses() {
    let dir = tempfile::tempdir().unwrap();
    let key = dir.path().join("master.key");
    assert_eq!(lectern(dir.path(), &[], &["migrate"]).status.code(), Some(0));
    let right = std::fs::read(&key).unwrap();
    for (content, reason) in [
        ("wrongkey\n".to_owned(), "it holds 8 characters"),
        (String::new(), "it holds nothing"),
        ("ab".repeat(31), "it holds 62 characters"),
        ("5a".repeat(32), "is not the master key that"),
    ] {
        std::fs::write(&key, &content).unwrap();
        assert_refused(dir.path(), &[], &["master.key", reason]);
        assert_finding(&finding(dir.path(), &[], "master key"), "wrong", &["master.key", reason, "back-up"]);
        assert_eq!(std::fs::read_to_string(&key).unwrap(), content);
    }
    // A file that cannot be read.
    std::fs::remove_file(&key).unwrap();
    std::fs::create_dir(&key).unwrap();
    assert_refused(dir.path(), &[], &["cannot read the master key", "master.key"]);
    assert_finding(
        &finding(dir.path(), &[], "master key"),
        "wrong",
        &["cannot read", "the account that owns"],
    );
    std::fs::remove_dir(&key).unwrap();
    std::fs::write(&key, right).unwrap();
    assert_eq!(lectern(dir.path(), &[], &["migrate"]).status.code(), Some(0));
}

// Negative control: when the key is created before the store is opened, as it once was, the first
// of these leaves a new key.
#[test]
fn a_lost_master_key_is_named_and_not_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let key = dir.path().join("master.key");
    assert_finding(&finding(dir.path(), &[], "master key"), "fine", &["the first start makes it"]);
    assert_eq!(lectern(dir.path(), &[], &["migrate"]).status.code(), Some(0));
    std::fs::remove_file(&key).unwrap();
    assert_refused(dir.path(), &[], &["master.key is missing", "restore it from the back-up"]);
    let words = ["master.key is missing", "restore it from the back-up"];
    assert_finding(&finding(dir.path(), &[], "master key"), "wrong", &words);
    assert!(!key.exists(), "a key was created");
}

#[test]
fn a_data_directory_that_is_a_file_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("data");
    std::fs::write(&file, "").unwrap();
    let settings = [("LECTERN_DATA_DIR", file.to_str().unwrap())];
    assert_refused(dir.path(), &settings, &["data_dir", "is a file, and must be a directory"]);
    assert_finding(
        &finding(dir.path(), &settings, "data directory"),
        "wrong",
        &["is a file", "another place"],
    );
}

#[test]
fn an_address_in_use_is_reported_with_its_setting() {
    let dir = tempfile::tempdir().unwrap();
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    let pack = program::voices().into_string().unwrap();
    for (setting, key) in
        [("LECTERN_HTTP__LISTEN", "http.listen"), ("LECTERN_MANAGEMENT__LISTEN", "management.listen")]
    {
        let settings = [(setting, address.as_str()), ("LECTERN_SPEECH__VOICES_DIR", pack.as_str())];
        let output = lectern(dir.path(), &settings, &["serve", "--no-workers"]);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(&format!("{key} {address}")) && said.contains("in use"), "{said}");
    }
}

// Negative control: when each pack that is there must be whole, the service does not start.
#[test]
fn a_damaged_pack_of_more_voices_takes_no_other_voice_down() {
    let dir = tempfile::tempdir().unwrap();
    let voices = dir.path().join("voices");
    let first = &kokoro::PACK.manifest().unwrap().files[0].name;
    let damaged = voices.join("kokoro").join(first);
    std::fs::create_dir_all(damaged.parent().unwrap()).unwrap();
    std::fs::write(&damaged, "damaged").unwrap();
    std::os::unix::fs::symlink(Path::new(&program::voices()).join("hibari"), voices.join("hibari")).unwrap();
    let settings = [("LECTERN_SPEECH__VOICES_DIR", voices.to_str().unwrap())];
    let service = program::Process::start(
        program::lectern(dir.path(), &["serve", "--no-workers"]).envs(settings).stderr(Stdio::null()),
    );
    assert!(!service.url.is_empty());
    drop(service);
    assert_finding(
        &finding(dir.path(), &settings, "more voices"),
        "wrong",
        &[first, "lectern voices fetch kokoro"],
    );
    // Whoever asks for the engine by name is told.
    let named = [settings[0], ("LECTERN_SPEECH__ENGINES", "hibari,kokoro")];
    let refused = lectern(dir.path(), &named, &["serve", "--no-workers"]);
    assert_eq!(refused.status.code(), Some(78));
    assert!(said(&refused).contains(first.as_str()), "{}", said(&refused));
}

#[test]
fn a_database_file_with_other_content_must_be_restored() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("lectern.db");
    std::fs::write(
        &file,
        "no database, but more than enough to be one's header and its first page".repeat(200),
    )
    .unwrap();
    let output = lectern(dir.path(), &[], &["migrate"]);
    let said = said(&output);
    assert!(said.contains("lectern.db is not a database, or a damaged one"), "{said}");
    assert_finding(
        &finding(dir.path(), &[], "database"),
        "wrong",
        &["lectern.db is not a database", "from the back-up"],
    );
    assert!(!dir.path().join("master.key").exists(), "a key was created for it");
}

#[test]
fn doctor_prints_its_report_and_no_log() {
    let dir = tempfile::tempdir().unwrap();
    let settings = [("LECTERN_RATE_LIMIT__REDIS_URL", "redis://127.0.0.1:1")];
    assert_finding(&finding(dir.path(), &settings, "velocity limits"), "wrong", &["Redis does not answer"]);
}

#[test]
fn an_engine_that_does_not_exist_ends_the_start() {
    let dir = tempfile::tempdir().unwrap();
    let engines = |names| [("LECTERN_SPEECH__ENGINES", names)];
    for (settings, arguments, words) in [
        (&engines("hibari,kazoo")[..], &["serve", "--no-workers"][..], "engine that does not exist"),
        (&[], &["worker", "--engines", "kazoo"], "(set by --engines)"),
        (&engines("upstream"), &["worker"], "needs upstream.base_url"),
    ] {
        let output = lectern(dir.path(), settings, arguments);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(78), "{arguments:?}: {said}");
        assert!(said.contains("speech.engines") && said.contains(words), "{arguments:?}: {said}");
    }
}

#[test]
fn a_negative_number_is_reported_as_such() {
    let dir = tempfile::tempdir().unwrap();
    for (arguments, words) in [
        (&["admin", "credits", "grant", "--account", "a@b.c", "--credits", "-5"][..], "must be positive"),
        (&["admin", "credits", "threshold", "--account", "a@b.c", "--credits", "-5"], "must be positive"),
        (&["admin", "invite", "create", "--email", "a@b.c", "--credits", "-5"], "must not be negative"),
        (&["admin", "jobs", "list", "--limit", "-5"], "must be positive"),
        (&["worker", "--concurrency", "-5"], "must be positive"),
        (&["speak", "Hi.", "-o", "x", "--speed", "-5"], "must be from 0.5 to 2.0"),
        (&["speak", "Hi.", "-o", "x", "--seed", "-5"], "must not be negative"),
        (&["read", "x.txt", "-o", "x", "--threads", "-5"], "must be positive"),
    ] {
        let output = lectern(dir.path(), &[], arguments);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("invalid value '-5'") && said.contains(words), "{arguments:?}: {said}");
    }
}

#[test]
fn a_seed_is_that_of_the_api() {
    let dir = tempfile::tempdir().unwrap();
    for command in ["speak", "read"] {
        let output = lectern(dir.path(), &[], &[command, "x.txt", "-o", "x.mp3", "--seed", "4294967296"]);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("from 0 to 4294967295"), "{said}");
    }
}
