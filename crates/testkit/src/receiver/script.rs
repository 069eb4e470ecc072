//! Scripted answers, well-formed and malformed.

use std::fmt::Write as _;

use tokio::{io::AsyncReadExt as _, net::TcpStream, sync::watch};
use tokio_rustls::server::TlsStream;

use super::send;

/// How a receiver answers one request.
#[derive(Debug, Clone)]
pub enum Script {
    /// A status, headers and a body.
    Answer {
        status: u16,
        /// `Content-Length` is added.
        headers: Vec<(&'static str, String)>,
        body: Vec<u8>,
    },
    /// This answer, but only after [`super::TestReceiver::release`].
    Held(Box<Script>),
    /// A redirect: the path's last segment is the status, the query's `to=` the `Location`.
    Redirect,
    /// No answer, and the connection stays open.
    Hang,
    /// No answer, and the connection is closed.
    Close,
    /// These bytes, and then the connection is closed.
    Raw(Vec<u8>),
    /// A status and a body that never ends.
    EndlessBody(u16),
    /// A status and the beginning of a body, and nothing more.
    StalledBody(u16),
    /// A status and this many bytes of headers.
    Headers(u16, usize),
    /// The beginning of a head, and nothing more.
    StalledHead,
}

impl Script {
    /// An answer with this status and an empty body.
    pub fn status(status: u16) -> Self {
        Self::Answer { status, headers: Vec::new(), body: Vec::new() }
    }

    /// Answers a request; false when the connection must be closed.
    pub(super) async fn respond(
        self,
        stream: &mut TlsStream<TcpStream>,
        path: &str,
        gate: &watch::Sender<bool>,
    ) -> bool {
        match self {
            Self::Answer { status, headers, body } => {
                let mut answer = head(status, &headers);
                let _ = write!(answer, "Content-Length: {}\r\n\r\n", body.len());
                send(stream, &[answer.as_bytes(), &body].concat()).await
            }
            Self::Held(then) => {
                let mut gate_open = gate.subscribe();
                // The other side may close the connection first.
                let mut byte = [0; 1];
                tokio::select! {
                    _ = gate_open.wait_for(|open| *open) => {}
                    _ = stream.read(&mut byte) => return false,
                }
                Box::pin(then.respond(stream, path, gate)).await
            }
            Self::Redirect => {
                let (path, to) = path.split_once("?to=").unwrap_or((path, "/"));
                let status = path.rsplit('/').next().and_then(|last| last.parse().ok()).unwrap_or(302);
                let headers = [("Location", to.to_owned())];
                send(stream, format!("{}Content-Length: 0\r\n\r\n", head(status, &headers)).as_bytes()).await
            }
            Self::Hang => wait_for_end(stream).await,
            Self::Close => false,
            Self::Raw(bytes) => {
                send(stream, &bytes).await;
                false
            }
            Self::EndlessBody(status) => {
                let chunk = format!("1000\r\n{}\r\n", "x".repeat(0x1000));
                let mut going = send(
                    stream,
                    format!("{}Transfer-Encoding: chunked\r\n\r\n", head(status, &[])).as_bytes(),
                )
                .await;
                while going {
                    going = send(stream, chunk.as_bytes()).await;
                }
                false
            }
            Self::StalledBody(status) => {
                send(stream, format!("{}Content-Length: 100\r\n\r\nbegun", head(status, &[])).as_bytes())
                    .await;
                wait_for_end(stream).await
            }
            Self::Headers(status, bytes) => {
                let headers = [("X-Long", "x".repeat(bytes))];
                send(stream, format!("{}Content-Length: 0\r\n\r\n", head(status, &headers)).as_bytes()).await
            }
            Self::StalledHead => {
                send(stream, b"HTTP/1.1 200 OK\r\nX-Be").await;
                wait_for_end(stream).await
            }
        }
    }
}

fn head(status: u16, headers: &[(&'static str, String)]) -> String {
    let mut head = format!("HTTP/1.1 {status} Scripted\r\n");
    for (name, value) in headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    head
}

async fn wait_for_end(stream: &mut TlsStream<TcpStream>) -> bool {
    let mut byte = [0; 1];
    while stream.read(&mut byte).await.is_ok_and(|read| read > 0) {}
    false
}
