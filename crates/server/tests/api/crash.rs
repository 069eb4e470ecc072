//! A process that dies in the middle of a synthesis, driven through the binary on the real voice.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use lectern_speech::pack::Pack;
use reqwest::Client;
use serde_json::{Value, json};

struct Service {
    process: Child,
    url: String,
}

impl Service {
    fn start(data: &Path) -> Self {
        let mut process = command(data, &["serve"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let bound: Value = serde_json::from_str(&line).unwrap();
        let url = format!("http://{}", bound["listening"].as_str().unwrap());
        Self { process, url }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[expect(clippy::disallowed_methods, reason = "where the tests are told that the pack is")]
fn command(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lectern"));
    let voices = std::env::var_os("LECTERN_SPEECH__VOICES_DIR")
        .map_or_else(|| Pack::user_voices_dir().unwrap(), Into::into);
    command
        .args(arguments)
        .current_dir(data)
        .env_clear()
        .env("LECTERN_SPEECH__VOICES_DIR", voices)
        .env("LECTERN_DATA_DIR", data.join("data"))
        .env("LECTERN_HTTP__LISTEN", "127.0.0.1:0")
        .env("LECTERN_MANAGEMENT__LISTEN", "127.0.0.1:0")
        .env("LECTERN_JOBS__LEASE_SECONDS", "3")
        .stderr(Stdio::null());
    command
}

fn admin(data: &Path, arguments: &[&str]) -> Value {
    let output = command(data, arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
    serde_json::from_slice(&output.stdout).unwrap()
}

// What it guards against was met by hand before there was this test: with a fresh id instead of the claim's for the row,
// `ledger verify` exited 1 after the retry.
#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "a test's own client")]
async fn a_kill_between_hold_and_capture_costs_one_charge_and_leaves_the_books_right() {
    let dir = tempfile::tempdir().unwrap();
    let invite = ["admin", "invite", "create", "--email", "a@example.com", "--credits", "9000", "--json"];
    let key = admin(dir.path(), &invite)["live_key"].as_str().unwrap().to_owned();
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::new();
    let first = Service::start(dir.path());
    let get = async |url: String| -> Value {
        let response = client.get(url).bearer_auth(&key).send().await.unwrap();
        response.json().await.unwrap()
    };
    let ereaders = get(format!("{}/v1/saas/ereaders", first.url)).await;
    let free = ereaders["data"].as_array().unwrap().iter().find(|e| e["tier"] == "free").unwrap();
    let text = "The lamp was lit before the storm came over the hill. ".repeat(80);
    let characters = i64::try_from(text.chars().count()).unwrap();
    let body = json!({ "ereader_id": free["id"], "text": text }).to_string();
    let post = |url: &str| {
        let request = client.post(format!("{url}/v1/saas/tts:synthesize")).bearer_auth(&key);
        let request = request.header("content-type", "application/json").header("idempotency-key", "crash-1");
        request.body(body.clone()).send()
    };
    let cut_off = tokio::spawn(post(&first.url));
    let started = Instant::now();
    while get(format!("{}/v1/saas/credits/balance", first.url)).await["held"] != characters {
        assert!(started.elapsed() < Duration::from_secs(30), "the hold never came");
        tokio::task::yield_now().await;
    }
    drop(first);
    assert!(cut_off.await.unwrap().is_err(), "the answer came before the kill");

    let second = Service::start(dir.path());
    let reply = post(&second.url).await.unwrap();
    assert_eq!(reply.status(), 200);
    let synthesis: Value = reply.json().await.unwrap();
    assert_eq!(synthesis["credits_charged"], characters);
    let balance = get(format!("{}/v1/saas/credits/balance", second.url)).await;
    assert_eq!((&balance["balance"], &balance["held"]), (&json!(9000 - characters), &json!(0)));
    let replayed = post(&second.url).await.unwrap();
    assert_eq!(replayed.headers()["idempotent-replayed"], "true");
    let verified = admin(dir.path(), &["admin", "ledger", "verify", "--json"]);
    assert_eq!(verified["ok"], true, "{verified}");
}
