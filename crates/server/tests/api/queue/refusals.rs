//! NATS servers that answer but cannot be used: no process starts with them, and the error says
//! why.

use std::{ffi::OsStr, process::Output};

use lectern_testkit::{Authority, Nats};
use serde_json::Value;

use crate::program;

fn lectern(url: &str, more: &[(&str, &OsStr)], arguments: &[&str]) -> Output {
    let dir = tempfile::tempdir().unwrap();
    let mut command = program::lectern(dir.path(), arguments);
    // Nothing listens at this address, so lookups fail at once.
    command.env("LECTERN_OUTBOUND__RESOLVER", "127.0.0.1:1").envs(more.iter().copied());
    command.env("LECTERN_QUEUE__URL", url).output().unwrap()
}

/// `doctor`'s finding on the queue.
fn found(url: &str, more: &[(&str, &OsStr)]) -> Value {
    let output = lectern(url, more, &["doctor", "--json"]);
    let said = String::from_utf8(output.stderr).unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    let findings = report["findings"].as_array().unwrap();
    findings.iter().find(|finding| finding["what"] == "queue").unwrap().clone()
}

/// Asserts that no worker starts, and that the error has these words and no password.
fn assert_no_worker(url: &str, words: &[&str]) {
    assert_no_worker_with(url, &[], words);
}

fn assert_no_worker_with(url: &str, more: &[(&str, &OsStr)], words: &[&str]) {
    let output = lectern(url, more, &["worker", "--kinds", "extract"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(78), "{url}: {said}");
    for word in ["queue.url"].iter().chain(words) {
        assert!(said.contains(word), "{url}: {word} is missing in: {said}");
    }
    assert!(!said.contains("opensesame"), "the password is printed: {said}");
}

/// Like [`assert_no_worker`], and `doctor` says the same.
fn assert_refused(url: &str, words: &[&str]) {
    assert_no_worker(url, words);
    let finding = found(url, &[]);
    assert_eq!(finding["state"], "wrong", "{finding}");
    for word in words {
        assert!(finding["detail"].as_str().unwrap().contains(word), "{word} is missing in: {finding}");
    }
    assert!(!finding.to_string().contains("opensesame"), "the password is printed: {finding}");
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

/// Negative control: if every JetStream error 500 counts as temporary, the worker starts.
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
fn wrong_credentials_are_refused_and_not_printed() {
    let nats =
        Nats::start_with("jetstream { store_dir: STORE }\nauthorization { user: ada, password: other }");
    let url = nats.url().replace("nats://", "nats://ada:opensesame@");
    assert_refused(&url, &["refused the connection"]);
}

#[test]
fn a_user_without_permissions_is_refused_and_the_permission_named() {
    let nats = Nats::start_with(
        "jetstream { store_dir: STORE }\nauthorization { users: [ { user: ada, password: opensesame,
         permissions: { publish: [\"lectern.>\"], subscribe: [\"_INBOX.>\"] } } ] }",
    );
    let url = nats.url().replace("nats://", "nats://ada:opensesame@");
    assert_refused(&url, &["$JS.API"]);
}

#[test]
fn a_private_authoritys_certificate_is_trusted_only_when_configured() {
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
