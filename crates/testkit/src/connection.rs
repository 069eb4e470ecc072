//! A raw connection to the service, for requests that no HTTP client would send.

use std::{io, net::SocketAddr, time::Duration};

use reqwest::{
    StatusCode,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use crate::Reply;

/// The longest wait for anything the service does.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A connection that sends and receives bytes.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
}

impl Connection {
    /// Connects to the host and port of `url`.
    pub async fn open(url: &str) -> Self {
        Self::try_open(url).await.expect("the service accepts")
    }

    /// Connects to the host and port of `url`.
    ///
    /// # Errors
    /// The system's error.
    pub async fn try_open(url: &str) -> io::Result<Self> {
        let address: SocketAddr = url.trim_start_matches("http://").parse().expect("a URL with an address");
        Ok(Self { stream: TcpStream::connect(address).await?, received: Vec::new() })
    }

    /// Sends bytes. Ignores a failure: when the service has closed the connection, its response
    /// shows it.
    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let _ = self.try_send(bytes).await;
    }

    /// Sends bytes.
    ///
    /// # Errors
    /// The system's error.
    pub async fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.stream.write_all(bytes.as_ref()).await
    }

    /// The next response, which must have a `Content-Length`; `None` when the service closed or
    /// reset the connection first.
    pub async fn reply(&mut self) -> Option<Reply> {
        self.try_reply().await.ok().flatten()
    }

    /// The next response, which must have a `Content-Length`; `None` when the service closed the
    /// connection first.
    ///
    /// # Errors
    /// The system's error when the service reset the connection.
    pub async fn try_reply(&mut self) -> io::Result<Option<Reply>> {
        let (status, headers, head_bytes) = loop {
            if let Some(at) = find(&self.received, b"\r\n\r\n") {
                let (status, headers) = head(&self.received[..at]);
                if status != StatusCode::CONTINUE {
                    break (status, headers, at + 4);
                }
                self.received.drain(..at + 4);
            } else if !self.try_read().await? {
                let rest = String::from_utf8_lossy(&self.received).into_owned();
                assert!(rest.is_empty(), "the service closed in the middle of a head: {rest}");
                return Ok(None);
            }
        };
        let length = headers.get("content-length").and_then(|value| value.to_str().ok()?.parse().ok());
        let whole = head_bytes + length.unwrap_or(0_usize);
        while self.received.len() < whole {
            assert!(self.try_read().await?, "the service closed in the middle of a body");
        }
        let bytes = self.received[head_bytes..whole].to_vec();
        self.received.drain(..whole);
        Ok(Some(Reply { status, headers, bytes }))
    }

    /// Whether the service closes the connection without sending anything more.
    pub async fn is_closed(&mut self) -> bool {
        !self.read().await && self.received.is_empty()
    }

    /// The bytes that have arrived but have not been read; waits for at least one.
    pub async fn peek(&mut self) -> String {
        if self.received.is_empty() {
            self.read().await;
        }
        String::from_utf8_lossy(&self.received).into_owned()
    }

    /// Whether the connection stays open and nothing arrives for this long.
    pub async fn is_silent_for(&mut self, duration: Duration) -> bool {
        let mut buffer = [0; 1];
        self.received.is_empty() && timeout(duration, self.stream.peek(&mut buffer)).await.is_err()
    }

    /// Reads more; false at the end, or when the connection was reset.
    async fn read(&mut self) -> bool {
        self.try_read().await.unwrap_or(false)
    }

    async fn try_read(&mut self) -> io::Result<bool> {
        let read = timeout(TIMEOUT, self.stream.read_buf(&mut self.received)).await;
        Ok(read.expect("the service answers or closes")? > 0)
    }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

fn head(bytes: &[u8]) -> (StatusCode, HeaderMap) {
    let text = std::str::from_utf8(bytes).expect("a head in ASCII");
    let mut lines = text.split("\r\n");
    let status_line = lines.next().expect("split gives one");
    let status = status_line.get(9..12).and_then(|digits| digits.parse().ok()).expect("a status");
    let mut headers = HeaderMap::new();
    for line in lines {
        let (name, value) = line.split_once(':').expect("a header");
        headers.append(
            name.parse::<HeaderName>().expect("a header's name"),
            value.trim().parse::<HeaderValue>().expect("a header's value"),
        );
    }
    (StatusCode::from_u16(status).expect("a status"), headers)
}
