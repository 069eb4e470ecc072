//! NATS servers that answer and cannot be used: no process starts on them, and it says why.

use std::process::{Command, Output};

use lectern_testkit::Nats;

fn worker(url: &str) -> Output {
    let dir = tempfile::tempdir().unwrap();
    Command::new(env!("CARGO_BIN_EXE_lectern"))
        .args(["worker", "--kinds", "extract"])
        .current_dir(dir.path())
        .env_clear()
        .env("LECTERN_DATA_DIR", dir.path())
        .env("LECTERN_MANAGEMENT__LISTEN", "127.0.0.1:0")
        .env("LECTERN_QUEUE__URL", url)
        .output()
        .unwrap()
}

fn assert_refused(url: &str, words: &[&str]) {
    let output = worker(url);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(78), "{url}: {said}");
    for word in ["queue.url"].iter().chain(words) {
        assert!(said.contains(word), "{url}: nothing of {word} in: {said}");
    }
    assert!(!said.contains("opensesame"), "the password is told: {said}");
}

#[test]
fn a_bad_address_is_refused() {
    assert_refused("natz://127.0.0.1:4222", &["nats://USER:PASSWORD@HOST:PORT"]);
    assert_refused("nats://", &["nats://USER:PASSWORD@HOST:PORT"]);
}

#[test]
fn a_server_without_jetstream_is_refused() {
    let nats = Nats::start_with("");
    assert_refused(&nats.url(), &["JetStream", "--jetstream"]);
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
