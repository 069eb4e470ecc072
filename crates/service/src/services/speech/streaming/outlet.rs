//! The channel between a synthesis and its connection: one piece at a time, with a record of how
//! much was delivered.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::Bytes;
use futures_util::StreamExt as _;
use tokio::sync::mpsc;

use lectern_types::{Credits, SpokenTimestamp};

use super::{Head, Start, Stream};
use crate::error::{Error, Result};

/// How long a piece may wait for the listener. After that the listener counts as gone.
const PATIENCE: Duration = Duration::from_mins(1);

/// The progress of a stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::services::speech) struct Reached {
    /// Characters of the finished sentences.
    pub(in crate::services::speech) characters: u32,
    /// Their price with a live key.
    pub(in crate::services::speech) price: Credits,
    /// The length of their audio.
    pub(in crate::services::speech) duration_ms: u64,
    pub(in crate::services::speech) bytes: u64,
}

enum Piece {
    Audio(Part, Reached),
    /// Everything was synthesized and charged.
    End,
}

/// A part of the audio, with the words that begin in it if they were asked for.
#[derive(Debug)]
pub struct Part {
    pub bytes: Bytes,
    pub words: Vec<SpokenTimestamp>,
    /// The length of the audio up to its end, in milliseconds.
    pub until_ms: u64,
}

/// The delivered part of the stream, shared by both ends.
type Taken = Arc<Mutex<Reached>>;

/// The sending end.
pub(super) struct Outlet {
    /// Before the first bytes.
    start: Option<(Start, Head)>,
    /// After the first bytes, while the listener is connected.
    pieces: Option<mpsc::Sender<Piece>>,
    taken: Taken,
    /// Everything that was put, if the audio is kept.
    kept: Option<Vec<u8>>,
}

impl Outlet {
    pub(super) fn new(start: Start, head: Head, keeps_audio: bool) -> Self {
        let kept = keeps_audio.then(Vec::new);
        Self { start: Some((start, head)), pieces: None, taken: Taken::default(), kept }
    }

    /// Whether the first bytes were sent.
    pub(super) fn has_begun(&self) -> bool {
        self.start.is_none()
    }

    /// How much was delivered to the connection.
    pub(super) fn taken(&self) -> Reached {
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first `bytes` of the audio, to be stored; `None` when it is not kept.
    pub(super) fn take_kept(&mut self, bytes: u64) -> Option<Vec<u8>> {
        let mut kept = self.kept.take()?;
        kept.truncate(usize::try_from(bytes).unwrap_or(usize::MAX));
        Some(kept)
    }

    /// Sends bytes once the previous ones were delivered; false when the listener is gone.
    pub(super) async fn put(
        &mut self,
        bytes: Vec<u8>,
        words: Vec<SpokenTimestamp>,
        reached: Reached,
    ) -> bool {
        if bytes.is_empty() && words.is_empty() {
            return true;
        }
        if let Some(kept) = &mut self.kept {
            kept.extend_from_slice(&bytes);
        }
        if let Some((start, head)) = self.start.take() {
            let (pieces, receiver) = mpsc::channel(1);
            let listener = Pieces { receiver, taken: Arc::clone(&self.taken), ended: false };
            if start.send(Ok(Stream::Live(head, listener))).is_err() {
                return false;
            }
            self.pieces = Some(pieces);
        }
        let part = Part { bytes: bytes.into(), words, until_ms: reached.duration_ms };
        self.send(Piece::Audio(part, reached)).await
    }

    /// Waits until everything was delivered; false when it cannot be.
    pub(super) async fn drain(&mut self) -> bool {
        let Some(pieces) = &self.pieces else { return false };
        let drained = tokio::time::timeout(PATIENCE, pieces.reserve()).await;
        matches!(drained, Ok(Ok(_)))
    }

    /// Waits until the listener disconnects.
    pub(super) async fn left(&self) {
        if let Some(pieces) = &self.pieces {
            pieces.closed().await;
        }
    }

    /// Marks the stream as complete and charged.
    pub(super) async fn end(mut self) {
        self.send(Piece::End).await;
    }

    /// Marks the stream as failed: with an error response before the first bytes, or by breaking it
    /// off after them.
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
            // The receiving end sees the closed channel and breaks off the connection.
            self.pieces = None;
        }
        sent
    }
}

/// The receiving end: the audio, then an error unless the audio is complete.
#[derive(Debug)]
pub struct Pieces {
    receiver: mpsc::Receiver<Piece>,
    taken: Taken,
    ended: bool,
}

impl Pieces {
    /// The audio alone.
    pub fn audio(self) -> impl futures_util::Stream<Item = Result<Bytes, std::io::Error>> + Unpin {
        self.map(|part| part.map(|part| part.bytes))
    }
}

impl futures_util::Stream for Pieces {
    type Item = Result<Part, std::io::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.ended {
            return Poll::Ready(None);
        }
        Poll::Ready(match ready!(self.receiver.poll_recv(context)) {
            Some(Piece::Audio(part, reached)) => {
                *self.taken.lock().unwrap_or_else(PoisonError::into_inner) = reached;
                Some(Ok(part))
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
