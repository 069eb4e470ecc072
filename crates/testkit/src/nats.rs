//! NATS servers for tests: the shared server that `./test` runs, and servers of a single test,
//! which the test can kill and wipe.

use std::{path::Path, process::Command};

use async_nats::jetstream;

use crate::daemon::Daemon;

/// A NATS server with JetStream for one test.
#[derive(Debug)]
pub struct Nats {
    server: Daemon,
    folder: tempfile::TempDir,
}

impl Nats {
    /// Starts a server with JetStream.
    pub fn start() -> Self {
        Self::start_with("jetstream { store_dir: STORE }")
    }

    /// Starts a server with these settings, in which `STORE` stands for its storage directory.
    pub fn start_with(config: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder for it");
        let (place, config) = (folder.path().to_owned(), config.to_owned());
        Self { server: Daemon::start(move |port| command(&place, port, &config)), folder }
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.server.port())
    }

    /// Kills the server with SIGKILL.
    pub fn kill(&mut self) {
        self.server.kill();
    }

    /// Deletes everything that the server stored. Kill it first.
    pub fn wipe(&self) {
        let store = self.folder.path().join("store");
        if store.exists() {
            std::fs::remove_dir_all(store).expect("its folder is ours");
        }
    }

    /// Starts the server again on the same port.
    pub fn restart(&mut self) {
        self.server.restart();
    }

    /// A JetStream client.
    pub async fn jetstream(&self) -> jetstream::Context {
        connect(&self.url()).await
    }
}

async fn connect(url: &str) -> jetstream::Context {
    jetstream::new(async_nats::connect(url).await.expect("NATS answers"))
}

fn command(folder: &Path, port: u16, config: &str) -> Command {
    let file = folder.join("nats.conf");
    let config = config.replace("STORE", &format!("\"{}\"", folder.join("store").display()));
    std::fs::write(&file, format!("host: 127.0.0.1\nport: {port}\n{config}\n")).expect("the folder is ours");
    let mut command = Command::new("nats-server");
    command.arg("--config").arg(&file);
    command
}

/// The NATS server that all tests share when `LECTERN_TEST_QUEUE` is `nats`; `./test` sets that and
/// `LECTERN_TEST_NATS_URL`.
pub(crate) fn shared() -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "a test's setting; the service's come from its config")]
    let (queue, url) = (std::env::var("LECTERN_TEST_QUEUE"), std::env::var("LECTERN_TEST_NATS_URL"));
    if queue.is_ok_and(|queue| queue == "nats") {
        return Some(url.expect("LECTERN_TEST_QUEUE=nats wants LECTERN_TEST_NATS_URL as well"));
    }
    None
}

/// Deletes a store's streams, which its namespace identifies.
pub(crate) async fn delete_streams(url: &str, namespace: &str) {
    use futures_util::TryStreamExt as _;
    let jetstream = connect(url).await;
    let own = format!("lectern_{namespace}_");
    let names: Vec<String> = jetstream.stream_names().try_collect().await.unwrap_or_default();
    for name in names.into_iter().filter(|name| name.starts_with(&own)) {
        let _ = jetstream.delete_stream(name).await;
    }
}
