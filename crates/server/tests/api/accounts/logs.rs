//! The binary's logs about people who sign in contain no personal data.

use lectern_testkit::until;
use std::path::Path;

use serde_json::{Value, json};

use super::{CONFIRM, FORGOT, LOGIN, LOGOUT, PASSWORD, REGISTER, RESET, link};
use crate::program::{self, Process};

const WRONG: &str = "wrong horse battery staple";
const NEW: &str = "another horse, another battery";

/// Starts `serve` with its most verbose log written to `log`.
fn serve(data: &Path, log: &Path) -> Process {
    Process::start(
        program::lectern(data, &["serve"])
            .env("LECTERN_SPEECH__VOICES_DIR", program::voices())
            .env("LECTERN_AUTH__OPEN_REGISTRATION", "true")
            .env("LECTERN_LOG__FILTER", "trace")
            .stderr(std::fs::File::create(log).unwrap()),
    )
}

/// The newest of `count` mails, once they exist.
async fn newest_mail(data: &Path, count: usize) -> String {
    let mut paths = Vec::new();
    until(&format!("mail {count}"), async || {
        let entries = std::fs::read_dir(data.join("outbox")).into_iter().flatten();
        paths = entries.map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "eml"));
        paths.len() == count
    })
    .await;
    paths.sort();
    std::fs::read_to_string(paths.pop().unwrap()).unwrap()
}

// Negative control: with the address added to the log line about a registration, this fails and
// names the address.
#[tokio::test]
async fn logs_hold_no_password_token_or_address() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let served = serve(dir.path(), &log);
    let url = served.url.clone();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let post = async |path: &str, body: Value| {
        let reply = client.post(format!("{url}{path}")).json(&body).send().await.unwrap();
        (reply.status().as_u16(), reply.json::<Value>().await.unwrap())
    };
    let email = "lovelace@example.com";
    assert_eq!(post(REGISTER, json!({ "email": email, "password": PASSWORD })).await.0, 201);
    assert_eq!(post(REGISTER, json!({ "email": email, "password": PASSWORD })).await.0, 409);
    assert_eq!(post(LOGIN, json!({ "email": email, "password": WRONG })).await.0, 401);
    let confirm = link(&newest_mail(dir.path(), 1).await, "confirm");
    let page = client.get(format!("{url}/confirm?token={confirm}")).send().await.unwrap();
    assert_eq!(page.status(), 200);
    assert_eq!(post(CONFIRM, json!({ "token": confirm })).await.0, 200);
    let (status, session) = post(LOGIN, json!({ "email": email, "password": PASSWORD })).await;
    assert_eq!(status, 200);
    let session = session["session_token"].as_str().unwrap();
    assert_eq!(post(FORGOT, json!({ "email": email })).await.0, 200);
    let reset = link(&newest_mail(dir.path(), 2).await, "reset");
    assert_eq!(post(RESET, json!({ "token": reset, "password": NEW })).await.0, 200);
    let out = client.post(format!("{url}{LOGOUT}")).bearer_auth(session).send().await.unwrap();
    assert_eq!(out.status(), 401, "the reset ended the session");
    drop(served);

    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("an account was registered") && log.contains("a mail was delivered"), "{log}");
    for secret in [PASSWORD, WRONG, NEW, &confirm, &reset, session, "lovelace", "$argon2id$"] {
        let line = log.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "{secret} was logged");
    }
}
