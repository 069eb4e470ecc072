//! Secrets and texts must not leak. The test uses marked keys, passwords, tokens, addresses and
//! texts everywhere, drives the real binary through success and failure with its most verbose log,
//! and searches every output for the markers.

mod harness;

use std::{collections::BTreeSet, fs, path::Path, time::Duration};

use lectern_testkit::Connection;
use reqwest::{Client, Method};
use serde_json::{Value, json};

use self::harness::{Driver, Search, command, start, stop};

const EMAIL: &str = "quillfeather@marker-example.com";
const PASSWORD: &str = "Gnarled-Zeppelin-47-Umbra";
const WRONG_PASSWORD: &str = "Crimson-Nautilus-93-Vesper";
const WEAK_PASSWORD: &str = "quillfeather-1";
const TEXT: &str = "Seventeen velvet ibises whisper.";
const MASTER_KEY: &str = "master-key-marker-of-this-very-test-0123456789";
const SERVICE_PASSWORD: &str = "hollyhock-service-password";

/// Registers and signs in, with all mails, failing in every way before succeeding; returns the
/// session's token.
async fn sign_in(driver: &mut Driver<'_>, data: &Path, invited: &Value) -> String {
    let invite = invited["invite_token"].as_str().unwrap();
    let (register, login) = ("/v1/saas/auth/register", "/v1/saas/auth/login");
    // Register and sign in, failing in every way before succeeding.
    for (email, password, token) in [
        (EMAIL, WEAK_PASSWORD, invite),
        (EMAIL, PASSWORD, "no-such-invitation-marker"),
        (EMAIL, PASSWORD, invite),
        (EMAIL, PASSWORD, invite),
    ] {
        driver
            .post_without_key(
                register,
                json!({ "email": email, "password": password, "invite_token": token }),
            )
            .await;
    }
    driver.post_without_key(register, json!({ "email": EMAIL, "password": PASSWORD })).await;
    driver
        .post_without_key(
            register,
            json!({ "email": [EMAIL], "password": { "p": PASSWORD }, "invite_token": 1 }),
        )
        .await;
    assert_eq!(driver.post_without_key(login, json!({ "email": EMAIL, "password": PASSWORD })).await, 403);
    for (path, tokens) in [("/v1/bff/auth/confirm", mailed(data)), ("/v1/bff/auth/reset", vec![])] {
        for token in tokens.iter().map(String::as_str).chain(["no-such-token-marker", PASSWORD]) {
            driver.search.plant(token);
            driver.post_without_key(path, json!({ "token": token, "password": WRONG_PASSWORD })).await;
            driver.post_without_key(path, json!({ "token": token })).await;
        }
    }
    driver.post_without_key(login, json!({ "email": EMAIL, "password": WRONG_PASSWORD })).await;
    let request = driver.request(Method::POST, login).json(&json!({ "email": EMAIL, "password": PASSWORD }));
    let session = driver.send(request).await.json()["session_token"].as_str().unwrap().to_owned();
    driver.search.plant(&session);
    driver.post_without_key("/v1/bff/auth/forgot", json!({ "email": EMAIL })).await;
    for token in mailed(data) {
        driver.search.plant(&token);
        driver
            .post_without_key("/v1/bff/auth/reset", json!({ "token": token, "password": WEAK_PASSWORD }))
            .await;
    }
    // Unreadable bodies, with secrets at the position of the error.
    for body in [
        format!("{{\"email\": \"{EMAIL}\", \"password\": \"{PASSWORD}\", \"password\": \"{PASSWORD}\"}}"),
        format!("{{\"email\": {EMAIL}, \"password\": {PASSWORD}}}"),
        format!("email={EMAIL}&password={PASSWORD}"),
        format!("{{\"email\": \"{EMAIL}\", \"password\": \"{PASSWORD}"),
    ] {
        let request =
            driver.request(Method::POST, login).header("content-type", "application/json").body(body);
        driver.send(request).await;
    }
    session
}

/// Sends keys in the right place, in wrong places, and malformed; and texts that are spoken and
/// refused.
async fn speak(driver: &mut Driver<'_>, invited: &Value, session: &str) {
    let (live, test) = (invited["live_key"].as_str().unwrap(), invited["test_key"].as_str().unwrap());
    let mangled = format!("{}x", &live[..live.len() - 1]);
    for key in [live, test, &mangled, session, PASSWORD] {
        for path in ["/v1/saas/me", "/v1/saas/credits/balance", "/v1/bff/auth/logout", "/v1/bff/nothing"] {
            let request = driver.request(Method::GET, path).bearer_auth(key);
            driver.send(request).await;
        }
    }
    for path in [
        format!("/v1/saas/me?api_key={live}"),
        format!("/v1/saas/keys/{live}"),
        format!("/v1/saas/ereaders/{live}/sample"),
        format!("/media/{live}"),
        format!("/{live}"),
    ] {
        let request = driver.request(Method::GET, &path).basic_auth(EMAIL, Some(PASSWORD));
        driver.send(request).await;
        let request = driver.request(Method::DELETE, &path).bearer_auth(live);
        driver.send(request).await;
    }
    let made = driver.post("/v1/saas/keys", live, json!({ "name": "Another key", "scopes": ["read"] })).await;
    let made = made.json();
    let made = made["key"].as_str().unwrap().to_owned();
    driver.search.plant(&made);
    // Synthesize, successfully and not.
    let ereaders = driver.request(Method::GET, "/v1/saas/ereaders").bearer_auth(live);
    let ereaders = driver.send(ereaders).await.json();
    for ereader in ereaders["data"].as_array().unwrap() {
        for (key, extra) in [
            (test, json!({})),
            (live, json!({ "format": "wav" })),
            (&made, json!({})),
            (test, json!({ "format": "aac", "language": "tlh", "speed": 9 })),
        ] {
            let mut body = json!({ "text": TEXT, "ereader_id": ereader["id"] });
            for (name, value) in extra.as_object().unwrap() {
                body[name] = value.clone();
            }
            driver.post("/v1/saas/tts:synthesize", key, body).await;
        }
    }
    // Use one idempotency key for two texts, until the credits are spent.
    let heart =
        ereaders["data"].as_array().unwrap().iter().find(|ereader| ereader["slug"] == "heart").unwrap();
    for text in [TEXT.to_owned(), TEXT.to_lowercase(), TEXT.repeat(3)] {
        let body = json!({ "text": text, "ereader_id": heart["id"] });
        driver.post("/v1/saas/tts:synthesize", live, body.clone()).await;
        let request = driver.request(Method::POST, "/v1/saas/tts:synthesize").bearer_auth(test).json(&body);
        driver.send(request.header("idempotency-key", "one-for-all")).await;
    }
    let long = TEXT.repeat(400);
    for body in [
        json!({ "text": long, "ereader_id": "x" }),
        json!({ "text": [TEXT], "ereader_id": TEXT, "format": TEXT, "language": TEXT, "timestamps": TEXT }),
        json!({ "text": TEXT, "ereader_id": EMAIL }),
    ] {
        driver.post("/v1/saas/tts:synthesize", test, body).await;
    }
}

/// Sends malformed and endless requests, and disconnects early.
async fn break_off(driver: &mut Driver<'_>, live: &str) {
    let long = TEXT.repeat(1_600);
    driver.raw(format!("{TEXT} {live}\r\n\r\n")).await;
    driver
        .raw(format!(
            "GET /{live} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {live}\r\nBad {PASSWORD}: x\r\n\r\n"
        ))
        .await;
    driver
        .raw(format!("GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {live}\r\nX: {long}\r\n\r\n"))
        .await;
    driver
        .raw(format!("GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {live}\r\nX-Half: {PASSWORD}"))
        .await;
    let head =
        format!("POST /v1/saas/tts:synthesize HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {live}\r\n");
    let mut leaving = Connection::open(&driver.service.url).await;
    leaving.send(format!("{head}Content-Length: 5000\r\n\r\n{{\"text\": \"{TEXT}")).await;
    assert!(leaving.is_silent_for(Duration::from_millis(50)).await);
    drop(leaving);
    driver.management().await;
}

/// The tokens in the links of the mails so far.
fn mailed(data: &Path) -> Vec<String> {
    let Ok(folder) = fs::read_dir(data.join("outbox")) else { return Vec::new() };
    let texts = folder.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let tokens = texts.filter_map(|text| {
        let (_, rest) = text.split_once("token=")?;
        let end =
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').unwrap_or(rest.len());
        Some(rest[..end].to_owned())
    });
    tokens.collect()
}

// Negative control: seen to fail, in both log formats, with a `tracing::trace!` of the address in
// the login handler.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_and_no_spoken_text_leaks() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder().no_proxy().timeout(Duration::from_mins(1)).build().unwrap();
    let mut search = Search::default();
    for marker in [EMAIL, PASSWORD, WRONG_PASSWORD, WEAK_PASSWORD, TEXT, MASTER_KEY, SERVICE_PASSWORD] {
        search.plant(marker);
    }
    search.plant("no-such-invitation-marker");
    let smtp = format!("smtp://postman:{SERVICE_PASSWORD}@127.0.0.1:1");
    let redis = format!("redis://:{SERVICE_PASSWORD}@127.0.0.1:1");
    let runs: [(&str, &[(&str, &str)]); 2] = [
        ("the JSON log", &[("LECTERN_LOG__FORMAT", "json")]),
        ("the text log", &[("LECTERN_LOG__FORMAT", "text")]),
    ];
    for (name, settings) in runs {
        let data = tempfile::tempdir().unwrap();
        let data = data.path();
        let mut admin = |arguments: &[&str]| {
            let output = command(data, arguments, settings).output().unwrap();
            let logged = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.success(), "{arguments:?}: {logged}");
            // A command's output is for the operator; its log is not.
            search.record("a command's log", logged);
            serde_json::from_slice::<Value>(&output.stdout).unwrap()
        };
        let invited = admin(&["admin", "invite", "create", "--email", EMAIL, "--credits", "100", "--json"]);
        let upstream = ["--engine", "upstream", "--voice", "alloy", "--tier", "free", "--price", "1"];
        let add = ["admin", "voices", "add", "--slug", "far", "--name", "Far", "--language", "en", "--json"];
        admin(&[&add[..], &upstream[..]].concat());
        for secret in ["invite_token", "live_key", "test_key"] {
            search.plant(invited[secret].as_str().unwrap());
        }
        let service = start(data, settings).await;
        let mut driver = Driver { client: client.clone(), service: &service, search: &mut search };
        let session = sign_in(&mut driver, data, &invited).await;
        speak(&mut driver, &invited, &session).await;
        break_off(&mut driver, invited["live_key"].as_str().unwrap()).await;
        stop(service, data, name, &mut search).await;

        // The same again, with an unreachable mail server and Redis.
        let broken = [settings, &[("LECTERN_MAIL__URL", smtp.as_str())]].concat();
        let service = start(data, &broken).await;
        let mut driver = Driver { client: client.clone(), service: &service, search: &mut search };
        driver.post_without_key("/v1/bff/auth/forgot", json!({ "email": EMAIL })).await;
        driver.management().await;
        stop(service, data, &format!("{name} without a mail server"), &mut search).await;
        let broken = [settings, &[("LECTERN_RATE_LIMIT__REDIS_URL", redis.as_str())]].concat();
        let service = start(data, &broken).await;
        let mut driver = Driver { client: client.clone(), service: &service, search: &mut search };
        let login = json!({ "email": EMAIL, "password": PASSWORD });
        assert_eq!(driver.post_without_key("/v1/saas/auth/login", login).await, 503);
        driver.management().await;
        stop(service, data, &format!("{name} without Redis"), &mut search).await;

        // Settings that are refused.
        let database = format!("postgres://lectern:{SERVICE_PASSWORD}@127.0.0.1:1/lectern");
        for (key, value) in [
            ("LECTERN_MAIL__URL", smtp.replace("smtp", "snail")),
            ("LECTERN_MAIL__URL", format!("{smtp}x")),
            ("LECTERN_RATE_LIMIT__REDIS_URL", redis.replace("redis", "rediss")),
            ("LECTERN_DATABASE__URL", database),
            ("LECTERN_SECRETS__MASTER_KEY", format!("another-{MASTER_KEY}")),
        ] {
            let output =
                command(data, &["serve"], &[settings, &[(key, value.as_str())]].concat()).output().unwrap();
            assert!(!output.status.success(), "{key}");
            let said = [output.stdout, output.stderr].concat();
            search.record(&format!("the refusal of {key}"), String::from_utf8(said).unwrap());
        }
    }
    let logged: usize = search.heard.iter().map(|(_, text)| text.len()).sum();
    assert!(logged > 50_000, "only {logged} bytes were recorded: the log is not at its most verbose");
    let met = BTreeSet::from([200, 201, 400, 401, 402, 403, 404, 405, 408, 409, 422, 431, 502, 503]);
    assert!(search.statuses.is_superset(&met), "only these occurred: {:?}", search.statuses);
    let found = search.find();
    assert!(found.is_empty(), "{} leaked:\n{}", found.len(), found.join("\n"));
}
