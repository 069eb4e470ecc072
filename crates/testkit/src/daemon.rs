//! A server process of a test's own on a free port, to be killed and started again where it was. It ends with the test.

use std::{
    fmt,
    net::{Ipv4Addr, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    time::Duration,
};

/// How often a port is tried that somebody else may take in that moment.
const PORTS: usize = 5;

/// A running server.
pub(crate) struct Daemon {
    port: u16,
    process: Child,
    /// The command that serves on a port.
    command: Box<dyn Fn(u16) -> Command + Send + Sync>,
}

impl fmt::Debug for Daemon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Daemon").field("port", &self.port).finish_non_exhaustive()
    }
}

impl Daemon {
    /// Starts one by the command that serves on a given port.
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

    /// Where it listens, on the loopback.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Ends it with SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it was killed");
    }

    /// Starts it again where it was.
    pub(crate) fn start_again(&mut self) {
        self.process = run((self.command)(self.port), self.port).expect("its port is still free");
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // It may have been killed before.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts a server and waits until it listens; `None` when it does not stay.
fn run(mut command: Command, port: u16) -> Option<Child> {
    let program = command.get_program().to_owned();
    let started = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut process = started.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    for _ in 0..400 {
        if process.try_wait().expect("it was started").is_some() {
            return None;
        }
        if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
            // Somebody else may have the port: ours is about to end, then.
            std::thread::sleep(Duration::from_millis(25));
            return process.try_wait().expect("it was started").is_none().then_some(process);
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    let _ = process.kill();
    let _ = process.wait();
    None
}
