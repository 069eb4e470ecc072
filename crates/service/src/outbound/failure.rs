//! Why an address could not be called. The messages may be shown to the customer who provided it:
//! they reveal nothing about the network behind this service.

/// A reason why the host of a URL cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unreachable {
    /// One of its addresses is internal.
    #[error("the host has an address that this service may not call")]
    HostNotAllowed,
    #[error("the host has no address")]
    NoAddress,
    /// No name server responded.
    #[error("the host could not be looked up")]
    ResolverSilent,
}

/// A reason why a POST failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PostFailure {
    /// One of the host's addresses is internal. No connection was opened.
    #[error("the host has an address that this service may not call")]
    HostNotAllowed,
    #[error("the host has no address")]
    NoAddress,
    /// No name server responded.
    #[error("the host could not be looked up")]
    ResolverSilent,
    /// No address of the host accepted a connection.
    #[error("no connection could be made")]
    Connect,
    /// TLS failed, for this reason.
    #[error("TLS failed: {0}")]
    Tls(&'static str),
    /// The call took too long.
    #[error("no answer came in time")]
    TimedOut,
    /// The response's headers are too many or too long.
    #[error("the answer's headers are too large")]
    HeadersTooLarge,
    /// The connection ended before the response did.
    #[error("the connection was closed before the answer was complete")]
    Closed,
    /// The response is not HTTP/1.1.
    #[error("the answer is not HTTP")]
    Protocol,
}

impl From<Unreachable> for PostFailure {
    fn from(unreachable: Unreachable) -> Self {
        match unreachable {
            Unreachable::HostNotAllowed => Self::HostNotAllowed,
            Unreachable::NoAddress => Self::NoAddress,
            Unreachable::ResolverSilent => Self::ResolverSilent,
        }
    }
}

impl PostFailure {
    /// Maps the HTTP client's error.
    pub(super) fn of_client(error: &(dyn std::error::Error + 'static)) -> Self {
        let mut cause = Some(error);
        while let Some(error) = cause {
            if let Some(failure) = error.downcast_ref::<Self>() {
                return *failure;
            }
            if let Some(error) = error.downcast_ref::<hyper::Error>() {
                return Self::of_http(error);
            }
            cause = error.source();
        }
        Self::Connect
    }

    /// Maps an HTTP protocol error.
    pub(super) fn of_http(error: &hyper::Error) -> Self {
        if error.is_parse_too_large() {
            Self::HeadersTooLarge
        } else if error.is_parse() || error.is_parse_status() {
            Self::Protocol
        } else {
            Self::Closed
        }
    }
}
