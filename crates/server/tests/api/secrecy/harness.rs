//! Starts the binary with its output going to files, sends requests to it, and searches all
//! recorded texts.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use lectern_testkit::{Connection, Reply, holds_within};
use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;

use super::{MASTER_KEY, SERVICE_PASSWORD};
use crate::program::{self, Process};

/// The planted markers and the recorded texts.
#[derive(Default)]
pub(super) struct Search {
    pub(super) markers: Vec<String>,
    pub(super) heard: Vec<(String, String)>,
    pub(super) statuses: BTreeSet<u16>,
}

impl Search {
    pub(super) fn plant(&mut self, marker: &str) {
        assert!(marker.len() > 8, "{marker} could be found by accident");
        self.markers.push(marker.to_owned());
        self.markers.push(marker.replace('@', "%40"));
    }

    pub(super) fn record(&mut self, place: &str, text: impl Into<String>) {
        self.heard.push((place.to_owned(), text.into()));
    }

    pub(super) fn find(&self) -> Vec<String> {
        let hits = self.heard.iter().flat_map(|(place, text)| {
            self.markers.iter().filter_map(move |marker| {
                let at = text.find(marker.as_str())?;
                let start = text[..at].rfind('\n').map_or(0, |line| line + 1);
                Some(format!("{marker} in {place}: {}", text[start..].lines().next().unwrap_or_default()))
            })
        });
        hits.collect()
    }
}

pub(super) fn command(data: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> Command {
    let mut command = program::lectern(data, arguments);
    command
        .env("RUST_BACKTRACE", "full")
        .env("LECTERN_SPEECH__VOICES_DIR", program::voices())
        .env("LECTERN_HTTP__HEADER_SECONDS", "1")
        .env("LECTERN_HTTP__SHUTDOWN_SECONDS", "5")
        .env("LECTERN_SECRETS__MASTER_KEY", MASTER_KEY)
        .env("LECTERN_UPSTREAM__BASE_URL", "http://127.0.0.1:1/v1")
        .env("LECTERN_UPSTREAM__API_KEY", SERVICE_PASSWORD)
        .env("LECTERN_LOG__FILTER", "trace")
        .envs(settings.iter().copied());
    command
}

/// Starts the service with its output going to files.
pub(super) async fn start(data: &Path, settings: &[(&str, &str)]) -> Process {
    let (out, err) = (data.join("stdout"), data.join("stderr"));
    let mut process = Process::spawn(
        command(data, &["serve"], settings)
            .stdout(File::create(&out).unwrap())
            .stderr(File::create(&err).unwrap())
            .stdin(Stdio::null()),
    );
    let mut printed = String::new();
    let has_started = holds_within(Duration::from_secs(30), async || {
        printed = fs::read_to_string(&out).unwrap();
        printed.ends_with('\n')
    });
    assert!(has_started.await, "the service did not start: {}", fs::read_to_string(err).unwrap());
    process.listens(printed.lines().next().unwrap());
    process
}

/// Shuts the service down gracefully and records its output.
pub(super) async fn stop(mut process: Process, data: &Path, name: &str, search: &mut Search) {
    process.signal("-TERM");
    assert!(process.ended().await.success());
    for stream in ["stdout", "stderr"] {
        search.record(&format!("{stream} of {name}"), fs::read_to_string(data.join(stream)).unwrap());
    }
}

/// Drives one running service and records the body and headers of every failure.
pub(super) struct Driver<'a> {
    pub(super) client: Client,
    pub(super) service: &'a Process,
    pub(super) search: &'a mut Search,
}

impl Driver<'_> {
    pub(super) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.service.url))
    }

    /// Sends a request and records a failure's answer.
    pub(super) async fn send(&mut self, request: RequestBuilder) -> Reply {
        let reply = Reply::read(request.send().await.unwrap()).await;
        self.search.statuses.insert(reply.status.as_u16());
        if !reply.status.is_success() {
            let body = String::from_utf8_lossy(&reply.bytes).into_owned();
            self.search.record("a failure's answer", format!("{:?} {body}", reply.headers));
        }
        reply
    }

    pub(super) async fn post(&mut self, path: &str, key: &str, body: Value) -> Reply {
        let request = self.request(Method::POST, path).bearer_auth(key).json(&body);
        self.send(request).await
    }

    /// Posts without a key.
    pub(super) async fn post_without_key(&mut self, path: &str, body: Value) -> u16 {
        let request = self.request(Method::POST, path).json(&body);
        self.send(request).await.status.as_u16()
    }

    pub(super) async fn raw(&mut self, bytes: String) {
        let mut connection = Connection::open(&self.service.url).await;
        connection.send(bytes).await;
        if let Some(reply) = connection.reply().await {
            self.search.statuses.insert(reply.status.as_u16());
            self.search
                .record("an answer to what is no request", format!("{:?} {}", reply.headers, reply.json()));
        }
    }

    pub(super) async fn management(&mut self) {
        for path in ["/metrics", "/readyz", "/healthz", "/nothing"] {
            let request = self.client.get(format!("{}{path}", self.service.management));
            let text = request.send().await.unwrap().text().await.unwrap();
            self.search.record(path, text);
        }
    }
}
