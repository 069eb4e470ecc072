//! NATS servers that tests talk to: the one that `./test` keeps for all of them, and servers of a test's own, to be killed and
//! wiped.

use std::{
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use async_nats::jetstream;

/// A NATS server of one test's own, with JetStream, on a free port. It ends with the test.
#[derive(Debug)]
pub struct Nats {
    port: u16,
    process: Child,
    folder: tempfile::TempDir,
    config: String,
}

impl Nats {
    /// Starts one with JetStream.
    pub fn start() -> Self {
        Self::start_with("jetstream { store_dir: STORE }")
    }

    /// Starts one with these settings, in which `STORE` stands for a folder of its own.
    pub fn start_with(config: &str) -> Self {
        for _ in 0..5 {
            let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
            let port = free.local_addr().expect("it is bound").port();
            drop(free);
            let folder = tempfile::tempdir().expect("a folder for it");
            // Somebody else may take the port in this moment: then it ends at once and another is tried.
            if let Some(process) = run(folder.path(), port, config) {
                return Self { port, process, folder, config: config.to_owned() };
            }
        }
        panic!("nats-server did not start: apt-get install nats-server");
    }

    /// Its URL.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Ends it with SIGKILL.
    pub fn kill(&mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it was killed");
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
        self.process = run(self.folder.path(), self.port, &self.config).expect("its port is still free");
    }

    /// JetStream as an operator sees it.
    pub async fn jetstream(&self) -> jetstream::Context {
        connect(&self.url()).await
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        // It may have been killed before.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

async fn connect(url: &str) -> jetstream::Context {
    jetstream::new(async_nats::connect(url).await.expect("NATS answers"))
}

fn run(folder: &Path, port: u16, config: &str) -> Option<Child> {
    let file = folder.join("nats.conf");
    let store = folder.join("store");
    let config = config.replace("STORE", &format!("\"{}\"", store.display()));
    std::fs::write(&file, format!("host: 127.0.0.1\nport: {port}\n{config}\n")).expect("the folder is ours");
    let mut process = Command::new("nats-server")
        .arg("--config")
        .arg(&file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("nats-server can be started: apt-get install nats-server");
    for _ in 0..400 {
        if process.try_wait().expect("it was started").is_some() {
            return None;
        }
        if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Some(process);
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    let _ = process.kill();
    let _ = process.wait();
    None
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
