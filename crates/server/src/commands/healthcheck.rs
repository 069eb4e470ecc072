//! `lectern healthcheck`: asks the process on this machine for its health, for containers that
//! contain no other program.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream},
    time::Duration,
};

use clap::Args;

use super::{CommandError, output};
use lectern_service::config::Config;

/// The time limit for connecting, for sending, and for each read.
const TIMEOUT: Duration = Duration::from_secs(3);

/// The largest answer to read; `/readyz` never sends as much.
const MAX_ANSWER_BYTES: u64 = 16 * 1024;

/// Ask the running process for its health; exits with 1 if it is not healthy.
#[derive(Debug, Clone, Copy, Args)]
pub struct Healthcheck {
    /// Ask whether it can serve requests (/readyz), not only whether it is up (/healthz).
    #[arg(long)]
    ready: bool,
}

/// Asks `management.listen`. Starts no runtime, because containers run this every few seconds.
pub(super) fn run(healthcheck: Healthcheck, config: &Config) -> Result<(), CommandError> {
    let address = own(config.management.listen)?;
    let path = if healthcheck.ready { "/readyz" } else { "/healthz" };
    let answer = ask(address, path).map_err(|source| CommandError::Io {
        what: format!("http://{address}{path} does not answer (management.listen)"),
        source,
    })?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    if head.split_ascii_whitespace().nth(1) == Some("200") {
        output::line(body);
        return Ok(());
    }
    let status = head.lines().next().unwrap_or("nothing");
    Err(CommandError::Refused(format!("http://{address}{path} answers {status}: {body}")))
}

/// The address at which this machine reaches a process that listens on `listen`.
fn own(listen: SocketAddr) -> Result<SocketAddr, CommandError> {
    if listen.port() == 0 {
        return Err(CommandError::Usage(
            "management.listen has port 0, so nobody knows where to ask: set it to a fixed port".to_owned(),
        ));
    }
    let ip = match listen {
        SocketAddr::V4(address) if address.ip().is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        SocketAddr::V6(address) if address.ip().is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        _ => listen.ip(),
    };
    Ok(SocketAddr::new(ip, listen.port()))
}

fn ask(address: SocketAddr, path: &str) -> std::io::Result<String> {
    let mut connection = TcpStream::connect_timeout(&address, TIMEOUT)?;
    connection.set_read_timeout(Some(TIMEOUT))?;
    connection.set_write_timeout(Some(TIMEOUT))?;
    write!(connection, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    connection.take(MAX_ANSWER_BYTES).read_to_end(&mut answer)?;
    if answer.is_empty() {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

#[cfg(test)]
mod tests {
    use super::own;

    #[test]
    fn a_process_that_listens_everywhere_is_asked_on_the_loopback() {
        for (listen, asked) in [
            ("0.0.0.0:9090", "127.0.0.1:9090"),
            ("[::]:9090", "[::1]:9090"),
            ("10.1.2.3:9090", "10.1.2.3:9090"),
        ] {
            let found = own(listen.parse().expect("an address")).expect("can be asked");
            assert_eq!(found.to_string(), asked, "{listen}");
        }
    }

    #[test]
    fn port_0_is_refused_by_the_name_of_its_setting() {
        let refused = own("127.0.0.1:0".parse().expect("an address")).expect_err("cannot be asked");
        assert!(refused.to_string().contains("management.listen"), "{refused}");
    }
}
