//! The program as an operator runs it: in its own directory, with only the given settings.

use std::{
    ffi::OsString,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, ExitStatus, Output, Stdio},
};

use lectern_speech::pack::Pack;
use lectern_testkit::{Database, until_within};
use serde_json::Value;

/// The program with these arguments. It keeps its data in `folder` and listens on free ports.
pub(crate) fn lectern(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lectern"));
    command
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("HOME", folder)
        .env("LECTERN_DATA_DIR", folder)
        .env("LECTERN_HTTP__LISTEN", "127.0.0.1:0")
        .env("LECTERN_MANAGEMENT__LISTEN", "127.0.0.1:0");
    command
}

/// The directory of the real voices, as the value of its setting.
#[expect(clippy::disallowed_methods, reason = "the tests' setting for the voice pack")]
pub(crate) fn voices() -> OsString {
    std::env::var_os("LECTERN_SPEECH__VOICES_DIR").unwrap_or_else(|| Pack::user_voices_dir().unwrap().into())
}

/// Runs a command on a database while an application runs in this process. The test has one thread.
/// If the thread were blocked, an open transaction of the application's sweep would keep its lock,
/// and the command would wait for the lock in vain.
pub(crate) async fn beside(mut command: Command, database: &Database) -> Output {
    command.envs(database.settings());
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

/// The only JSON document that a command prints.
pub(crate) fn printed(command: &mut Command) -> Value {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{command:?}: {said}");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.lines().count(), 1, "{printed}");
    serde_json::from_str(&printed).unwrap()
}

/// A running process. Dropping it sends SIGKILL.
pub(crate) struct Process {
    child: Child,
    /// The URL of the public listener, if there is one.
    pub(crate) url: String,
    /// The URL of the management listener.
    pub(crate) management: String,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    /// Starts the process without waiting for its output.
    pub(crate) fn spawn(command: &mut Command) -> Self {
        let child = command.spawn().unwrap();
        Self { child, url: String::new(), management: String::new() }
    }

    /// Starts `serve` or `worker` and waits until it has printed its addresses.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut process = Self::spawn(command.stdout(Stdio::piped()));
        let mut line = String::new();
        BufReader::new(process.child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        process.listens(&line);
        process
    }

    /// Reads the addresses from the line that the process prints.
    pub(crate) fn listens(&mut self, line: &str) {
        let bound: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("it did not start: {line}"));
        let url = |name: &str| bound[name].as_str().map(|address| format!("http://{address}"));
        self.url = url("listening").unwrap_or_default();
        self.management = url("management").unwrap_or_default();
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal, such as `-TERM`.
    pub(crate) fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.id().to_string()]).status().unwrap().success());
    }

    /// Waits until the process has ended, without blocking other tasks of the test.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        let mut status = None;
        until_within(std::time::Duration::from_mins(2), "the end of the process", async || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        })
        .await;
        status.unwrap()
    }
}
