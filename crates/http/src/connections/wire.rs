//! The bytes of one connection, between the socket and the HTTP library.
//!
//! The library answers a malformed request with a bare status line, and does not answer a request
//! that never ends. This module turns both into error envelopes. It recognises the library's own
//! answer because ours carry an `X-Request-Id`.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, ready},
};

use lectern_types::ErrorCode;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};

use super::progress::Progress;
use crate::edge::Edge;

/// How HTTP/2 connections begin (RFC 9113 section 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The most bytes of the library's own answer.
const BARE_BYTES: usize = 256;

/// The socket once the library has released it, and the bytes still to send.
#[derive(Debug, Clone, Default)]
pub(super) struct Returned(Arc<Mutex<Option<Rest>>>);

/// A socket, and the bytes still to send.
type Rest = (TcpStream, Vec<u8>);

impl Returned {
    pub(super) fn take(&self) -> Option<Rest> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// One connection's bytes.
pub(super) struct Wire {
    /// `Some` until the wire is dropped.
    stream: Option<TcpStream>,
    returned: Returned,
    progress: Arc<Progress>,
    edge: Arc<Edge>,
    /// How many bytes of the HTTP/2 preface have arrived; `None` once the protocol is known.
    preface: Option<usize>,
    /// The last answer, if it is ours and not the library's.
    last_words: Option<Vec<u8>>,
}

impl Wire {
    pub(super) fn new(stream: TcpStream, progress: Arc<Progress>, edge: Arc<Edge>) -> (Self, Returned) {
        let returned = Returned::default();
        let kept = returned.clone();
        let wire =
            Self { stream: Some(stream), returned, progress, edge, preface: Some(0), last_words: None };
        (wire, kept)
    }

    fn stream(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        self.stream.as_mut().map(Pin::new).ok_or_else(|| io::ErrorKind::NotConnected.into())
    }

    /// Records bytes that arrived.
    fn received(&mut self, bytes: &[u8]) {
        if let Some(matched) = self.preface {
            let rest = &PREFACE[matched..];
            let length = rest.len().min(bytes.len());
            self.preface = (rest[..length] == bytes[..length]).then_some(matched + length);
            if self.preface == Some(PREFACE.len()) {
                self.preface = None;
                self.progress.speaks_http2();
                return;
            }
        }
        self.progress.received();
    }

    /// Makes `code` the last answer on this connection.
    fn refuse(&mut self, code: ErrorCode) {
        if self.last_words.is_none() {
            self.progress.leaves_unread();
            self.last_words = Some(self.edge.bare(code));
        }
    }

    /// Sends the last answer, if there is one.
    fn poll_last_words(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(words) = self.last_words.as_mut().filter(|words| !words.is_empty()) {
            let stream = self.stream.as_mut().ok_or(io::ErrorKind::NotConnected)?;
            let sent = ready!(Pin::new(stream).poll_write(cx, words))?;
            words.drain(..sent);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.progress.is_refused() {
            self.refuse(ErrorCode::RequestTimeout);
        }
        if self.last_words.is_some() {
            // The library sees this as the end of the client's bytes.
            return self.poll_last_words(cx);
        }
        let before = buf.filled().len();
        ready!(self.stream()?.poll_read(cx, buf))?;
        if buf.filled().len() == before {
            self.progress.is_closed_by_client();
        } else {
            self.received(&buf.filled()[before..]);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        if self.last_words.is_some() {
            return self.poll_last_words(cx).map_ok(|()| buf.len());
        }
        let ours = match bare_answer(buf).filter(|_| !self.progress.is_busy()) {
            Some((0, code)) => {
                self.refuse(code);
                return self.poll_last_words(cx).map_ok(|()| buf.len());
            }
            // The rest of the previous answer goes first.
            Some((at, _)) => &buf[..at],
            None => buf,
        };
        let written = self.stream()?.poll_write(cx, ours);
        self.progress.stalled(written.is_pending());
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_last_words(cx))?;
        self.stream()?.poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_last_words(cx))?;
        self.stream()?.poll_shutdown(cx)
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        if let Some(stream) = self.stream.take() {
            let words = self.last_words.take().unwrap_or_default();
            *self.returned.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((stream, words));
        }
    }
}

/// Where the library's own answer to a malformed request begins, if `buf` ends with one.
fn bare_answer(buf: &[u8]) -> Option<(usize, ErrorCode)> {
    if !buf.ends_with(b"\r\n\r\n") {
        return None;
    }
    let tail = buf.len().saturating_sub(BARE_BYTES);
    let starts = |at: &usize| buf[*at..].starts_with(b"HTTP/1.1 4") || buf[*at..].starts_with(b"HTTP/1.0 4");
    let at = (tail..buf.len()).rev().find(starts)?;
    let head = std::str::from_utf8(&buf[at..]).ok()?;
    let is_bare = head.contains("\r\ncontent-length: 0\r\n") && !head.contains("x-request-id");
    let code = match head.get(9..12)? {
        "414" | "431" => ErrorCode::HeadersTooLarge,
        _ => ErrorCode::BadRequest,
    };
    is_bare.then_some((at, code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_librarys_own_answers_are_told_apart() {
        let bare = "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\ndate: x\r\n\r\n";
        assert_eq!(bare_answer(bare.as_bytes()), Some((0, ErrorCode::BadRequest)));
        let behind = format!("{{}}{}", bare.replace("400", "431"));
        assert_eq!(bare_answer(behind.as_bytes()), Some((2, ErrorCode::HeadersTooLarge)));
        let ours = bare.replace("date: x", "x-request-id: req_1");
        for other in [ours.as_str(), "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", "{}", "", "\r\n\r\n"] {
            assert_eq!(bare_answer(other.as_bytes()), None, "{other}");
        }
    }
}
