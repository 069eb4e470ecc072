//! Closing a listener without resetting anybody. When a listener closes, the kernel resets the
//! connections in its accept queue, although their clients see them as open and may have sent a
//! request. So new connections are stopped first, and the queue is emptied before the listener
//! closes.

use std::{io, time::Duration};

use tokio::{
    net::{TcpListener, TcpStream},
    time::{Instant, sleep},
};

use super::Acceptor;

/// How long handshakes that have begun may take to complete: one round trip to a distant client.
const HANDSHAKE: Duration = Duration::from_millis(100);

/// How often the accept queue is polled meanwhile.
const POLL: Duration = Duration::from_millis(5);

/// Admits the connections that had arrived before the stop, then closes the listener.
pub(super) async fn drain(acceptor: &Acceptor, listener: TcpListener) {
    // The runtime learns of new connections late; the kernel knows them at once.
    let Ok(listener) = listener.into_std() else { return };
    if let Err(error) = drop_new_handshakes(&listener) {
        tracing::debug!(error = %error, "connections opened at the moment of closing may be reset");
    }
    let end = Instant::now() + HANDSHAKE;
    loop {
        let is_late = Instant::now() >= end;
        if acceptor.registry.is_full() && !is_late {
            acceptor.registry.make_room();
            sleep(POLL).await;
            continue;
        }
        match listener.accept() {
            Ok((stream, peer)) => {
                if stream.set_nonblocking(true).is_ok()
                    && let Ok(stream) = TcpStream::from_std(stream)
                {
                    acceptor.admit(stream, peer);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // Without a client there is nothing to wait for.
            Err(_) if is_late || acceptor.registry.is_empty() => return,
            Err(_) => sleep(POLL).await,
        }
    }
}

/// Drops the SYN of every new connection. The client's kernel retries after a second, and is
/// refused then.
#[cfg(target_os = "linux")]
fn drop_new_handshakes(listener: &std::net::TcpListener) -> io::Result<()> {
    use socket2::{SockFilter, SockRef};

    // Classic BPF. Its data is the TCP header (RFC 9293, section 3.1); byte 13 holds the flags.
    const LOAD_BYTE: u16 = 0x30;
    const AND: u16 = 0x54;
    const JUMP_IF_EQUAL: u16 = 0x15;
    const RETURN: u16 = 0x06;
    const FLAGS: u32 = 13;
    const SYN: u32 = 0x02;
    const SYN_AND_ACK: u32 = 0x12;
    SockRef::from(listener).attach_filter(&[
        SockFilter::new(LOAD_BYTE, 0, 0, FLAGS),
        SockFilter::new(AND, 0, 0, SYN_AND_ACK),
        SockFilter::new(JUMP_IF_EQUAL, 0, 1, SYN),
        SockFilter::new(RETURN, 0, 0, 0),
        SockFilter::new(RETURN, 0, 0, u32::MAX),
    ])
}

#[cfg(not(target_os = "linux"))]
fn drop_new_handshakes(_: &std::net::TcpListener) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
