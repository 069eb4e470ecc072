//! The program itself, as an operator runs it: in a folder of its own, with no settings but those that it is given.

use std::{
    ffi::OsString,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
};

use lectern_speech::pack::Pack;
use serde_json::Value;

/// The program with these arguments. What it keeps lies in `folder`, and it listens on free ports.
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

/// Where the real voices are; its settings' value.
#[expect(clippy::disallowed_methods, reason = "where the tests are told that the pack is")]
pub(crate) fn voices() -> OsString {
    std::env::var_os("LECTERN_SPEECH__VOICES_DIR").unwrap_or_else(|| Pack::user_voices_dir().unwrap().into())
}

/// The one JSON document that a command prints.
pub(crate) fn printed(command: &mut Command) -> Value {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{command:?}: {said}");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.lines().count(), 1, "{printed}");
    serde_json::from_str(&printed).unwrap()
}

/// A running process, killed with SIGKILL when dropped.
pub(crate) struct Process {
    child: Child,
    /// Its public surface, where it has one.
    pub(crate) url: String,
    /// Its management surface.
    pub(crate) management: String,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    /// Starts it, and does not wait for what it says.
    pub(crate) fn spawn(command: &mut Command) -> Self {
        let child = command.spawn().unwrap();
        Self { child, url: String::new(), management: String::new() }
    }

    /// Starts `serve` or `worker`, and waits until it has said where it listens.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut process = Self::spawn(command.stdout(Stdio::piped()));
        let mut line = String::new();
        BufReader::new(process.child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        process.listens(&line);
        process
    }

    /// Reads from the line that it prints where it listens.
    pub(crate) fn listens(&mut self, line: &str) {
        let bound: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("it did not start: {line}"));
        let url = |name: &str| bound[name].as_str().map(|address| format!("http://{address}"));
        self.url = url("listening").unwrap_or_default();
        self.management = url("management").unwrap_or_default();
    }

    /// Its number.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a signal, as `-TERM`.
    pub(crate) fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.id().to_string()]).status().unwrap().success());
    }

    /// How it ended, once it has; does not hold up what else the test runs.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
}
