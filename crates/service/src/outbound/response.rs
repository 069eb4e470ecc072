//! A receiver's response. Only the part that is kept is read.

use http_body_util::BodyExt as _;
use hyper::{
    Response, StatusCode,
    body::Incoming,
    header::{HeaderValue, RETRY_AFTER},
};
use tokio::time::{Instant, timeout_at};

/// Bytes of the body that are read and kept.
pub(super) const MAX_BODY_BYTES: usize = 1_024;

/// A receiver's response. Redirects are returned like any other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiverResponse {
    pub status: StatusCode,
    /// The `Retry-After` header, as received.
    pub retry_after: Option<HeaderValue>,
    /// The beginning of the body, at most 1 KiB.
    pub body: Vec<u8>,
}

/// Reads a response until `deadline`. If the body is longer than needed, the connection is closed.
/// The status alone says whether the receiver accepted the event, so a body that breaks off or
/// stalls does not change the result.
pub(super) async fn read(response: Response<Incoming>, deadline: Instant) -> ReceiverResponse {
    let (parts, mut incoming) = response.into_parts();
    let mut body = Vec::new();
    while body.len() < MAX_BODY_BYTES {
        let Ok(Some(Ok(frame))) = timeout_at(deadline, incoming.frame()).await else { break };
        if let Some(data) = frame.data_ref() {
            body.extend_from_slice(&data[..data.len().min(MAX_BODY_BYTES - body.len())]);
        }
    }
    ReceiverResponse { status: parts.status, retry_after: parts.headers.get(RETRY_AFTER).cloned(), body }
}
