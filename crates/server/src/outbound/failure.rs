//! Why an address was not called, in words that may be shown to the customer who gave it: they say nothing of what lies
//! behind this service.

/// Why the host of a URL cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unreachable {
    /// One of its addresses is internal.
    #[error("the host has an address that webhooks may not go to")]
    HostNotAllowed,
    /// It has no address.
    #[error("the host has no address")]
    NoAddress,
    /// No name server said what its addresses are.
    #[error("the host could not be looked up")]
    ResolverSilent,
}

/// Why a POST came to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PostFailure {
    /// One of the host's addresses is internal. Nothing was connected to.
    #[error("the host has an address that webhooks may not go to")]
    HostNotAllowed,
    /// The host has no address.
    #[error("the host has no address")]
    NoAddress,
    /// No name server said what the host's addresses are.
    #[error("the host could not be looked up")]
    ResolverSilent,
    /// No address of the host took a connection.
    #[error("no connection could be made")]
    Connect,
    /// No TLS came about; the word says why.
    #[error("TLS failed: {0}")]
    Tls(&'static str),
    /// It took too long.
    #[error("no answer came in time")]
    TimedOut,
    /// The answer's headers are too many or too long.
    #[error("the answer's headers are too large")]
    HeadersTooLarge,
    /// The connection ended before the answer did.
    #[error("the connection was closed before the answer was complete")]
    Closed,
    /// What came is no HTTP/1.1.
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
    /// What the HTTP client's error means.
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

    /// What an error of the protocol means.
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
