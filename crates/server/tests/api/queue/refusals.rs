//! NATS servers that answer and cannot be used: no process starts on them, and it says why.

use std::{ffi::OsStr, process::Output};

use lectern_testkit::{Authority, Nats};
use serde_json::Value;

use crate::program;

fn lectern(url: &str, more: &[(&str, &OsStr)], arguments: &[&str]) -> Output {
    let dir = tempfile::tempdir().unwrap();
    let mut command = program::lectern(dir.path(), arguments);
    // Nobody answers there, at once.
    command.env("LECTERN_OUTBOUND__RESOLVER", "127.0.0.1:1").envs(more.iter().copied());
    command.env("LECTERN_QUEUE__URL", url).output().unwrap()
}

/// What `doctor` finds of the queue.
fn found(url: &str, more: &[(&str, &OsStr)]) -> Value {
    let output = lectern(url, more, &["doctor", "--json"]);
    let said = String::from_utf8(output.stderr).unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    let findings = report["findings"].as_array().unwrap();
    findings.iter().find(|finding| finding["what"] == "queue").unwrap().clone()
}

/// No worker starts, and it says these words; what it said. It tells no password.
fn assert_no_worker(url: &str, words: &[&str]) {
    assert_no_worker_with(url, &[], words);
}

fn assert_no_worker_with(url: &str, more: &[(&str, &OsStr)], words: &[&str]) {
    let output = lectern(url, more, &["worker", "--kinds", "extract"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(78), "{url}: {said}");
    for word in ["queue.url"].iter().chain(words) {
        assert!(said.contains(word), "{url}: nothing of {word} in: {said}");
    }
    assert!(!said.contains("opensesame"), "the password is told: {said}");
}

/// As [`assert_no_worker`], and `doctor` says the same.
fn assert_refused(url: &str, words: &[&str]) {
    assert_no_worker(url, words);
    let finding = found(url, &[]);
    assert_eq!(finding["state"], "wrong", "{finding}");
    for word in words {
        assert!(finding["detail"].as_str().unwrap().contains(word), "nothing of {word} in: {finding}");
    }
    assert!(!finding.to_string().contains("opensesame"), "the password is told: {finding}");
}

#[test]
fn a_bad_address_is_refused() {
    assert_no_worker("natz://127.0.0.1:4222", &["nats://USER:PASSWORD@HOST:PORT"]);
    assert_no_worker("nats://", &["nats://USER:PASSWORD@HOST:PORT"]);
}

#[test]
fn a_server_without_jetstream_is_refused() {
    let nats = Nats::start_with("");
    assert_refused(&nats.url(), &["JetStream", "--jetstream"]);
}

/// Negative control: with all that JetStream answers with 500 taken for a matter of a moment, the worker starts.
#[test]
fn replicas_that_a_single_server_cannot_keep_are_refused() {
    let nats = Nats::start();
    assert_no_worker_with(
        &nats.url(),
        &[("LECTERN_QUEUE__REPLICAS", OsStr::new("3"))],
        &["a stream cannot be made", "replicas"],
    );
}

#[test]
fn wrong_credentials_are_refused_and_not_told() {
    let nats =
        Nats::start_with("jetstream { store_dir: STORE }\nauthorization { user: ada, password: other }");
    let url = nats.url().replace("nats://", "nats://ada:opensesame@");
    assert_refused(&url, &["refused the connection"]);
}

#[test]
fn a_user_without_rights_is_refused_with_the_right_that_lacks() {
    let nats = Nats::start_with(
        "jetstream { store_dir: STORE }\nauthorization { users: [ { user: ada, password: opensesame,
         permissions: { publish: [\"lectern.>\"], subscribe: [\"_INBOX.>\"] } } ] }",
    );
    let url = nats.url().replace("nats://", "nats://ada:opensesame@");
    assert_refused(&url, &["$JS.API"]);
}

#[test]
fn a_certificate_of_an_authority_of_ones_own_is_trusted_when_it_is_named_and_else_refused() {
    let authority = Authority::new();
    let (certificate, key) = authority.files(&["127.0.0.1"]);
    let nats = Nats::start_with(&format!(
        "jetstream {{ store_dir: STORE }}\ntls {{ cert_file: \"{}\", key_file: \"{}\" }}",
        certificate.display(),
        key.display()
    ));
    let url = nats.url().replace("nats://", "tls://");
    assert_refused(&url, &["refused the connection", "certificate"]);
    let finding = found(&url, &[("SSL_CERT_FILE", authority.file().as_os_str())]);
    assert_eq!(finding["state"], "fine", "{finding}");
}
