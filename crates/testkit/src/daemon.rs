//! A server process for one test on a free port, which the test can kill and restart on the same
//! port. It ends with the test.

use std::{
    fmt,
    net::{Ipv4Addr, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    time::Duration,
};

use crate::wait::holds_within_blocking;

/// The time limit for a server's start.
const START_LIMIT: Duration = Duration::from_secs(30);

/// Attempts to find a port, because another process may take a port that was just free.
const PORTS: usize = 5;

pub(crate) struct Daemon {
    port: u16,
    process: Child,
    /// Builds the command that serves on a port.
    command: Box<dyn Fn(u16) -> Command + Send + Sync>,
}

impl fmt::Debug for Daemon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Daemon").field("port", &self.port).finish_non_exhaustive()
    }
}

impl Daemon {
    /// Starts the process with the command that `command` builds for a free port.
    pub(crate) fn start(command: impl Fn(u16) -> Command + Send + Sync + 'static) -> Self {
        for _ in 0..PORTS {
            let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
            let port = free.local_addr().expect("it is bound").port();
            drop(free);
            if let Some(process) = run(command(port), port) {
                return Self { port, process, command: Box::new(command) };
            }
        }
        panic!("{:?} did not start", command(0));
    }

    /// The port on the loopback address.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Kills the process with SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it was killed");
    }

    /// Starts the process again on the same port.
    pub(crate) fn restart(&mut self) {
        self.process = run((self.command)(self.port), self.port).expect("its port is still free");
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // The test may have killed it already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts a server and waits until it listens; `None` when it exits.
fn run(mut command: Command, port: u16) -> Option<Child> {
    let program = command.get_program().to_owned();
    let started = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut process = started.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let (mut has_exited, mut listens) = (false, false);
    holds_within_blocking(START_LIMIT, || {
        has_exited = process.try_wait().expect("it was started").is_some();
        listens = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok();
        has_exited || listens
    });
    if has_exited {
        return None;
    }
    if listens {
        // The listener may be another process's; then ours exits within this time. Nothing else
        // distinguishes the two cases.
        std::thread::sleep(Duration::from_millis(25));
        return process.try_wait().expect("it was started").is_none().then_some(process);
    }
    let _ = process.kill();
    let _ = process.wait();
    None
}
