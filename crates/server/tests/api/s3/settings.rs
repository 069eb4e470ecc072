//! Storages that cannot be used: the error names the setting, the failed operation and the server's
//! response.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    path::Path,
    process::Output,
};

use lectern_testkit::{Rules, S3Server};
use serde_json::Value;

use crate::program;

type Settings = Vec<(String, String)>;

fn lectern(settings: &[(String, String)], arguments: &[&str]) -> Output {
    let home = tempfile::tempdir().unwrap();
    program::lectern(home.path(), arguments)
        // Nothing listens at this address, so lookups fail at once.
        .env("LECTERN_OUTBOUND__RESOLVER", "127.0.0.1:1")
        .envs(settings.iter().map(|(name, value)| (name, value)))
        .output()
        .unwrap()
}

/// `doctor`'s findings on the storage.
fn findings(settings: &[(String, String)]) -> Vec<Value> {
    let output = lectern(settings, &["doctor", "--json"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let report: Value =
        serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {printed} {said}"));
    let findings = report["findings"].as_array().unwrap();
    findings.iter().filter(|finding| finding["what"] == "object storage").cloned().collect()
}

fn with(settings: &[(String, String)], name: &str, value: &str) -> Settings {
    let name = format!("LECTERN_STORAGE__{name}");
    let rest = settings.iter().filter(|(given, _)| *given != name).cloned();
    rest.chain([(name.clone(), value.to_owned())]).collect()
}

fn bucket(root: &Path, rules: Rules) -> (S3Server, Settings) {
    let server = S3Server::with(root, rules);
    server.make_bucket("books");
    let settings = server.settings("books", "p");
    (server, settings)
}

#[test]
fn checking_a_usable_storage_leaves_nothing_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let (server, settings) = bucket(folder.path(), Rules::default());
    let found = findings(&settings);
    assert_eq!((found.len(), &found[0]["state"]), (1, &"fine".into()), "{found:?}");
    assert_eq!(std::fs::read_dir(server.file("books", "p/checks")).unwrap().count(), 0);
    let found = findings(&with(&settings, "ACCESS_KEY_ID", "ASIATEMPORARY"));
    assert!(found.iter().any(
        |finding| finding["state"] == "note" && finding["detail"].as_str().unwrap().contains("temporary")
    ));
}

#[test]
fn storage_errors_name_the_setting_the_attempt_and_the_answer() {
    let folders: Vec<_> = (0..4).map(|_| tempfile::tempdir().unwrap()).collect();
    let (_server, good) = bucket(folders[0].path(), Rules::default());
    let (_readonly, cannot_put) =
        bucket(folders[1].path(), Rules { denied: vec!["PutObject"], ..Rules::default() });
    let (_blind, cannot_list) =
        bucket(folders[2].path(), Rules { denied: vec!["ListObjectsV2"], ..Rules::default() });
    let (_skewed, skewed) = bucket(folders[3].path(), Rules { skewed: true, ..Rules::default() });
    let (_web, web) = web_server();
    for (settings, key, tried, answered, code) in [
        (
            with(&good, "URL", "s3://no-such-bucket/p"),
            "storage.url",
            "ping s3://no-such-bucket/p",
            "NoSuchBucket",
            78,
        ),
        (cannot_put, "storage.access_key_id", "put checks/", "AccessDenied", 78),
        (cannot_list, "storage.access_key_id", "ping s3://books/p", "AccessDenied", 78),
        (with(&good, "ACCESS_KEY_ID", "AKIANOBODY"), "storage.access_key_id", "ping", "NotSignedUp", 78),
        (
            with(&good, "SECRET_ACCESS_KEY", "wrong"),
            "storage.secret_access_key",
            "ping",
            "SignatureDoesNotMatch",
            78,
        ),
        (skewed, "storage.url", "ping", "RequestTimeTooSkewed", 78),
        (with(&good, "ENDPOINT", &web), "storage.endpoint", "s3://books/p", "", 78),
        // The problem may be temporary: a supervisor restarts the service.
        (with(&good, "ENDPOINT", "http://127.0.0.1:1"), "storage.endpoint", "ping", "Connection refused", 1),
    ] {
        let found = findings(&settings);
        assert_eq!(found[0]["state"], "wrong", "{found:?}");
        let detail = found[0]["detail"].as_str().unwrap();
        assert!(detail.contains(tried) && detail.contains(answered), "{tried} {answered}: {detail}");
        assert!(found[0]["mend"].as_str().unwrap().contains(key), "{key}: {found:?}");
        let start = lectern(&settings, &["worker", "--kinds", "extract"]);
        let said = String::from_utf8(start.stderr).unwrap();
        assert_eq!(start.status.code(), Some(code), "{said}");
        assert!(said.contains(key) && said.contains(answered), "{key} {answered}: {said}");
        for secret in ["a secret that only tests know", "X-Amz-Signature", "wrong\""] {
            assert!(!said.contains(secret) && !detail.contains(secret), "{secret}: {said} {detail}");
        }
    }
}

#[test]
fn an_incomplete_configuration_is_refused_by_the_missing_or_wrong_key() {
    let folder = tempfile::tempdir().unwrap();
    let (_server, good) = bucket(folder.path(), Rules::default());
    for (name, value, key) in [
        ("ACCESS_KEY_ID", "", "storage.access_key_id"),
        ("SECRET_ACCESS_KEY", "", "storage.secret_access_key"),
        ("REGION", "EU Central", "storage.region"),
        ("ENDPOINT", "127.0.0.1:9000", "storage.endpoint"),
        ("ENDPOINT", "https://s3.example.com/path", "storage.endpoint"),
        ("PATH_STYLE", "false", "storage.path_style"),
        ("URL", "s3://Books", "storage.url"),
    ] {
        let start = lectern(&with(&good, name, value), &["worker", "--kinds", "extract"]);
        let said = String::from_utf8(start.stderr).unwrap();
        assert_eq!(start.status.code(), Some(78), "{name}={value}: {said}");
        assert!(said.contains(key), "{key}: {said}");
    }
}

/// A web server that is not S3. It ends with the test process.
fn web_server() -> (std::thread::JoinHandle<()>, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let thread = std::thread::spawn(move || {
        for mut socket in listener.incoming().flatten() {
            if socket.read(&mut [0; 4096]).unwrap_or(0) == 0 {
                continue;
            }
            let page = "<html>Welcome</html>";
            let _ = write!(
                socket,
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{page}",
                page.len()
            );
        }
    });
    (thread, url)
}
