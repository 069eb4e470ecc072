//! Good and bad answers.

use std::fmt::Write as _;

use tokio::{io::AsyncReadExt as _, net::TcpStream, sync::watch};
use tokio_rustls::server::TlsStream;

use super::send;

/// How a receiver answers one request.
#[derive(Debug, Clone)]
pub enum Script {
    /// With a status, headers and a body.
    Answer {
        /// The status.
        status: u16,
        /// Headers; `Content-Length` is added.
        headers: Vec<(&'static str, String)>,
        /// The body.
        body: Vec<u8>,
    },
    /// Like this, once [`super::TestReceiver::release`] is called.
    Held(Box<Script>),
    /// With the status of the path's last segment and the query's `to=` as `Location`.
    Redirect,
    /// Not at all, with the connection open.
    Hang,
    /// By closing the connection.
    Close,
    /// With these bytes, and closes then.
    Raw(Vec<u8>),
    /// With a status and a body that never ends.
    EndlessBody(u16),
    /// With a status and the beginning of a body, and nothing more.
    StalledBody(u16),
    /// With a status and so many bytes of headers.
    Headers(u16, usize),
    /// With the beginning of a head, and nothing more.
    StalledHead,
}

impl Script {
    /// A status and an empty body.
    pub fn status(status: u16) -> Self {
        Self::Answer { status, headers: Vec::new(), body: Vec::new() }
    }

    /// Answers; false when the connection is to be closed.
    pub(super) async fn play(
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
                // The other side may leave before.
                let mut byte = [0; 1];
                tokio::select! {
                    _ = gate_open.wait_for(|open| *open) => {}
                    _ = stream.read(&mut byte) => return false,
                }
                Box::pin(then.play(stream, path, gate)).await
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

/// Waits until the other side closes.
async fn wait_for_end(stream: &mut TlsStream<TcpStream>) -> bool {
    let mut byte = [0; 1];
    while stream.read(&mut byte).await.is_ok_and(|read| read > 0) {}
    false
}
