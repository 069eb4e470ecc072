//! Wraps the bodies of requests and responses, so that the connection knows when the service waits
//! for a request's next bytes and when a response has been sent.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::BoxError;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use tokio::time::{Sleep, sleep};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use super::progress::{InProgress, Progress};
use crate::request::Stopping;

/// How long the service waits for the rest of a body at shutdown.
const LAST: Duration = Duration::from_secs(2);

/// A request's body.
pub(super) struct Arriving {
    body: Incoming,
    progress: Arc<Progress>,
    stop: CancellationToken,
    awaited: bool,
    whole: bool,
    end: Option<End>,
}

/// The deadline at shutdown.
enum End {
    NotYet(Pin<Box<WaitForCancellationFutureOwned>>),
    Soon(Pin<Box<Sleep>>),
}

impl Arriving {
    pub(super) fn new(body: Incoming, progress: Arc<Progress>, stop: CancellationToken) -> Self {
        Self { body, progress, stop, awaited: false, whole: false, end: None }
    }

    fn awaits(&mut self, awaits: bool) {
        if self.awaited != awaits {
            self.awaited = awaits;
            self.progress.awaits_body(awaits);
        }
    }

    /// Ready when the deadline has passed.
    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let stop = &self.stop;
        let end = self.end.get_or_insert_with(|| End::NotYet(Box::pin(stop.clone().cancelled_owned())));
        if let End::NotYet(stopped) = end {
            std::task::ready!(stopped.as_mut().poll(cx));
            *end = End::Soon(Box::pin(sleep(LAST)));
        }
        match end {
            End::Soon(sleep) => sleep.as_mut().poll(cx),
            End::NotYet(_) => Poll::Pending,
        }
    }
}

impl Body for Arriving {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        match Pin::new(&mut self.body).poll_frame(cx) {
            Poll::Ready(frame) => {
                self.awaits(false);
                self.whole = frame.is_none();
                Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
            }
            Poll::Pending => {
                self.awaits(true);
                self.poll_end(cx).map(|()| Some(Err(Stopping.into())))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        self.awaits(false);
        if !self.whole && !self.body.is_end_stream() {
            self.progress.leaves_unread();
        }
    }
}

/// A response's body. Its request is in progress until the body has been sent.
#[derive(Debug)]
pub(super) struct Leaving {
    body: axum::body::Body,
    _in_progress: InProgress,
}

impl Leaving {
    pub(super) fn new(body: axum::body::Body, in_progress: InProgress) -> Self {
        Self { body, _in_progress: in_progress }
    }
}

impl Body for Leaving {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
