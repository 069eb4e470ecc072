//! Redis and SMTP servers for tests, private to the test run.

use std::{
    io::{BufRead as _, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use serde_json::Value;

use crate::daemon::Daemon;

/// A Redis for one test, without persistence.
#[derive(Debug)]
pub struct Redis(Daemon);

impl Redis {
    pub fn start() -> Self {
        Self(Daemon::start(|port| {
            let mut command = Command::new("redis-server");
            command.args([
                "--port",
                &port.to_string(),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
            ]);
            command
        }))
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.0.port())
    }

    /// Kills the server with SIGKILL.
    pub fn kill(&mut self) {
        self.0.kill();
    }

    /// Starts the server again, empty, on the same port.
    pub fn restart(&mut self) {
        self.0.restart();
    }
}

/// An SMTP server that stores the mails it receives: the one that `LECTERN_TEST_SMTP_URL` names
/// (`./test` sets it), or a temporary one that `scripts/throwaway_smtp` runs for this test.
#[derive(Debug)]
pub struct SmtpSink {
    server: String,
    folder: PathBuf,
    _keeper: Option<Child>,
}

/// A mail that the server received.
#[derive(Debug)]
pub struct Delivered {
    /// The sender on the envelope.
    pub from: String,
    /// Whether the mail arrived over TLS.
    pub tls: bool,
    /// The user that signed in.
    pub user: Option<String>,
    /// The mail with its headers.
    pub text: String,
}

impl SmtpSink {
    /// Uses the shared server, or starts one.
    pub fn start() -> Self {
        #[expect(clippy::disallowed_methods, reason = "a test's setting; the service's come from its config")]
        let given = std::env::var("LECTERN_TEST_SMTP_URL").ok().filter(|url| !url.is_empty());
        let (line, keeper) = match given {
            Some(line) => (line, None),
            None => run_sink(),
        };
        let (server, folder) = line.trim().split_once("?folder=").expect("SMTP server did not start");
        Self { server: server.to_owned(), folder: folder.into(), _keeper: keeper }
    }

    /// The URL with a user and password that the server accepts.
    pub fn url(&self) -> String {
        self.server.clone()
    }

    pub fn url_without_user(&self) -> String {
        format!("smtp://{}", self.server.rsplit('@').next().expect("split gives one"))
    }

    /// The file of the server's certificate authority.
    pub fn ca_file(&self) -> PathBuf {
        self.folder.join("ca.pem")
    }

    /// The mails to this address, oldest first.
    pub fn delivered_to(&self, address: &str) -> Vec<Delivered> {
        let folder = std::fs::read_dir(self.folder.join("mail")).expect("the server keeps mail");
        let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("a file").path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
        files.sort();
        let mails = files.iter().map(|file| {
            let text = std::fs::read_to_string(file).expect("a whole file");
            serde_json::from_str::<Value>(&text).expect("JSON")
        });
        mails
            .filter(|mail| mail["to"].as_array().is_some_and(|to| to.iter().any(|to| to == address)))
            .map(|mail| Delivered {
                from: mail["from"].as_str().unwrap_or_default().to_owned(),
                tls: mail["tls"] == true,
                user: mail["user"].as_str().map(str::to_owned),
                text: mail["text"].as_str().unwrap_or_default().to_owned(),
            })
            .collect()
    }
}

fn run_sink() -> (String, Option<Child>) {
    let mut keeper = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/throwaway_smtp"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the script is in the repository");
    let mut line = String::new();
    BufReader::new(keeper.stdout.take().expect("its output is piped"))
        .read_line(&mut line)
        .expect("its output is text");
    assert!(line.starts_with("smtp://"), "the SMTP server did not start; its script says why above");
    (line, Some(keeper))
}
