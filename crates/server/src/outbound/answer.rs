//! What a receiver answered, read no further than is kept.

use http_body_util::BodyExt as _;
use hyper::{
    Response, StatusCode,
    body::Incoming,
    header::{HeaderValue, RETRY_AFTER},
};
use tokio::time::{Instant, timeout_at};

/// Bytes of a body that are read and kept.
pub(super) const BODY_BYTES: usize = 1_024;

/// A receiver's answer. Redirects are answers like any other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Its status.
    pub status: StatusCode,
    /// When to come again, as it was sent.
    pub retry_after: Option<HeaderValue>,
    /// The beginning of the body, at most 1 KiB.
    pub body: Vec<u8>,
}

/// Reads an answer until `deadline`. A body that goes on is left: the connection ends with it. The status says what the
/// receiver made of the event: a body that breaks off or stalls after it changes nothing of that.
pub(super) async fn read(response: Response<Incoming>, deadline: Instant) -> Answer {
    let (parts, mut incoming) = response.into_parts();
    let mut body = Vec::new();
    while body.len() < BODY_BYTES {
        let Ok(Some(Ok(frame))) = timeout_at(deadline, incoming.frame()).await else { break };
        if let Some(data) = frame.data_ref() {
            body.extend_from_slice(&data[..data.len().min(BODY_BYTES - body.len())]);
        }
    }
    Answer { status: parts.status, retry_after: parts.headers.get(RETRY_AFTER).cloned(), body }
}
