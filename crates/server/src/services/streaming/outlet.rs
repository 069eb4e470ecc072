//! Between who speaks and the connection: one piece at a time, and a note of how much was taken.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::body::Bytes;
use tokio::sync::mpsc;

use super::{Head, Start, Stream};
use crate::error::{Error, Result};

/// How long a piece may wait for a listener to take it before the listener counts as gone.
const PATIENCE: Duration = Duration::from_mins(1);

/// How far a stream has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Reached {
    /// Characters of the sentences said.
    pub(super) characters: u32,
    /// How long they last.
    pub(super) duration_ms: u64,
    /// Their audio.
    pub(super) bytes: u64,
}

enum Piece {
    Audio(Bytes, Reached),
    /// All was said and paid.
    End,
}

/// What was taken, seen from both ends.
type Taken = Arc<Mutex<Reached>>;

/// The speaker's end.
pub(super) struct Outlet {
    /// Until the first bytes.
    start: Option<(Start, Head)>,
    /// After them, while somebody listens.
    pieces: Option<mpsc::Sender<Piece>>,
    taken: Taken,
}

impl Outlet {
    pub(super) fn new(start: Start, head: Head) -> Self {
        Self { start: Some((start, head)), pieces: None, taken: Taken::default() }
    }

    /// Whether the first bytes were handed out.
    pub(super) fn has_begun(&self) -> bool {
        self.start.is_none()
    }

    /// How much the connection has taken.
    pub(super) fn taken(&self) -> Reached {
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands bytes out once those before were taken; false when nobody takes them any more.
    pub(super) async fn put(&mut self, bytes: Vec<u8>, reached: Reached) -> bool {
        if bytes.is_empty() {
            return true;
        }
        if let Some((start, head)) = self.start.take() {
            let (pieces, receiver) = mpsc::channel(1);
            let listener = Pieces { receiver, taken: Arc::clone(&self.taken), ended: false };
            if start.send(Ok(Stream::Live(head, listener))).is_err() {
                return false;
            }
            self.pieces = Some(pieces);
        }
        self.send(Piece::Audio(bytes.into(), reached)).await
    }

    /// Waits until everything was taken; false when it will not be.
    pub(super) async fn drain(&mut self) -> bool {
        let Some(pieces) = &self.pieces else { return false };
        let drained = tokio::time::timeout(PATIENCE, pieces.reserve()).await;
        matches!(drained, Ok(Ok(_)))
    }

    /// Waits until the listener leaves.
    pub(super) async fn left(&self) {
        if let Some(pieces) = &self.pieces {
            pieces.closed().await;
        }
    }

    /// Says that all was said and paid.
    pub(super) async fn end(mut self) {
        self.send(Piece::End).await;
    }

    /// Says that it failed: as a refusal before the first bytes, by an end that is none after them.
    pub(super) fn fail(self, error: Error) {
        if let Some((start, _)) = self.start {
            let _ = start.send(Err(error));
        } else {
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            tracing::error!(error = %error, error.source = cause, "a stream broke off");
        }
    }

    async fn send(&mut self, piece: Piece) -> bool {
        let Some(pieces) = &self.pieces else { return false };
        let sent = tokio::time::timeout(PATIENCE, pieces.send(piece)).await;
        let sent = matches!(sent, Ok(Ok(())));
        if !sent {
            // The other end sees it and breaks the connection off.
            self.pieces = None;
        }
        sent
    }
}

/// The listener's end: the audio, then an error unless it is whole.
#[derive(Debug)]
pub struct Pieces {
    receiver: mpsc::Receiver<Piece>,
    taken: Taken,
    ended: bool,
}

impl futures_util::Stream for Pieces {
    type Item = Result<Bytes, std::io::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.ended {
            return Poll::Ready(None);
        }
        Poll::Ready(match ready!(self.receiver.poll_recv(context)) {
            Some(Piece::Audio(bytes, reached)) => {
                *self.taken.lock().unwrap_or_else(PoisonError::into_inner) = reached;
                Some(Ok(bytes))
            }
            Some(Piece::End) => {
                self.ended = true;
                None
            }
            None => {
                self.ended = true;
                Some(Err(std::io::Error::other("the stream broke off")))
            }
        })
    }
}
