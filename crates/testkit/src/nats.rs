//! NATS servers that tests talk to: the one that `./test` keeps for all of them, and servers of a test's own, to be killed and
//! wiped.

use std::{path::Path, process::Command};

use async_nats::jetstream;

use crate::daemon::Daemon;

/// A NATS server of one test's own, with JetStream.
#[derive(Debug)]
pub struct Nats {
    server: Daemon,
    folder: tempfile::TempDir,
}

impl Nats {
    /// Starts one with JetStream.
    pub fn start() -> Self {
        Self::start_with("jetstream { store_dir: STORE }")
    }

    /// Starts one with these settings, in which `STORE` stands for a folder of its own.
    pub fn start_with(config: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder for it");
        let (place, config) = (folder.path().to_owned(), config.to_owned());
        Self { server: Daemon::start(move |port| command(&place, port, &config)), folder }
    }

    /// Its URL.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.server.port())
    }

    /// Ends it with SIGKILL.
    pub fn kill(&mut self) {
        self.server.kill();
    }

    /// Forgets all that it kept. It must have been killed.
    pub fn wipe(&self) {
        let store = self.folder.path().join("store");
        if store.exists() {
            std::fs::remove_dir_all(store).expect("its folder is ours");
        }
    }

    /// Starts it again where it was.
    pub fn start_again(&mut self) {
        self.server.start_again();
    }

    /// JetStream as an operator sees it.
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

/// The NATS server that all tests share when they are run on one: `LECTERN_TEST_QUEUE=nats` with `LECTERN_TEST_NATS_URL`, which
/// `./test` sets.
pub(crate) fn shared() -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "a test's setting; the service's come from its config")]
    let (queue, url) = (std::env::var("LECTERN_TEST_QUEUE"), std::env::var("LECTERN_TEST_NATS_URL"));
    if queue.is_ok_and(|queue| queue == "nats") {
        return Some(url.expect("LECTERN_TEST_QUEUE=nats wants LECTERN_TEST_NATS_URL as well"));
    }
    None
}

/// Removes what a store kept on the server, by its namespace.
pub(crate) async fn forget(url: &str, namespace: &str) {
    use futures_util::TryStreamExt as _;
    let jetstream = connect(url).await;
    let own = format!("lectern_{namespace}_");
    let names: Vec<String> = jetstream.stream_names().try_collect().await.unwrap_or_default();
    for name in names.into_iter().filter(|name| name.starts_with(&own)) {
        let _ = jetstream.delete_stream(name).await;
    }
}
