//! The only client that may connect to an address that a customer provided.
//!
//! [`target`] defines which URLs are allowed, [`names`] and [`addresses`] which hosts are internal,
//! and [`guard`] which addresses this service may connect to. [`resolver`] queries the DNS,
//! [`connector`] connects only to addresses that the guard has approved, and [`response`] reads a
//! limited part of the response. [`fetch`] downloads a document and follows redirects, each of which is checked as a URL
//! of its own; a POST follows none. There are no proxies and no `Alt-Svc`.
//!
//! To register a URL, call [`Outbound::target`] and then [`Outbound::check`]. To deliver, call
//! [`Target::parse`] on the stored URL and then [`Outbound::post`], which checks everything again.

mod addresses;
mod connector;
mod failure;
mod fetch;
mod guard;
mod names;
mod resolver;
mod response;
mod target;
mod tls;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use http_body_util::Full;
use hyper::{HeaderMap, Method, Request, body::Bytes};
use hyper_util::{
    client::legacy::Client,
    rt::{TokioExecutor, TokioTimer},
};
use tokio::time::{Instant, timeout_at};

use connector::Connector;
pub use failure::{PostFailure, Unreachable};
pub use fetch::{Fetched, Unfetched};
use guard::Guard;
use resolver::Resolver;
pub use response::ReceiverResponse;
pub use target::{Target, UrlRefusal};

use crate::config::{Config, ConfigError, Network};

/// Timeouts of a call.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// From the DNS lookup to the response's headers, and to the last byte of the body that is
    /// read.
    pub total: Duration,
    /// For the body of a response, after its headers.
    pub body: Duration,
    pub connect: Duration,
    pub lookup: Duration,
    /// For one response of a DNS server.
    pub dns_response: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            total: Duration::from_secs(15),
            body: Duration::from_secs(5),
            connect: Duration::from_secs(10),
            lookup: Duration::from_secs(5),
            dns_response: Duration::from_secs(2),
        }
    }
}

/// Idle connections that are kept for one receiver.
const MAX_IDLE_CONNECTIONS: usize = 32;

/// How long an idle connection is kept: less than the 5 s after which many servers close theirs, so
/// that nothing is sent on a connection that is being closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(4);

/// The limit on the status line and headers of a response, in bytes.
const MAX_HEADER_BYTES: usize = 64 * 1_024;

/// The limit on the number of headers of a response.
const MAX_HEADERS: usize = 100;

/// The client. Clones share its connections.
#[derive(Clone)]
pub struct Outbound {
    connector: Connector,
    client: Client<Connector, Full<Bytes>>,
    timeouts: Timeouts,
}

impl std::fmt::Debug for Outbound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outbound").field("timeouts", &self.timeouts).finish_non_exhaustive()
    }
}

impl Outbound {
    /// Builds the client from the settings.
    ///
    /// # Errors
    /// [`ConfigError`] when the file of certificate authorities cannot be used.
    pub fn new(config: &Config) -> Result<Self, ConfigError> {
        Self::with_timeouts(config, Timeouts::default())
    }

    /// A client for documents. A network that webhooks may be sent to is not one whose pages customers may read.
    ///
    /// # Errors
    /// As [`Outbound::new`].
    pub fn for_imports(config: &Config, timeouts: Timeouts) -> Result<Self, ConfigError> {
        Self::to_networks(config, timeouts, &config.outbound.import_networks)
    }

    /// Like [`Outbound::new`] with other timeouts than the service's, for tests that wait for them.
    ///
    /// # Errors
    /// As [`Outbound::new`].
    pub fn with_timeouts(config: &Config, timeouts: Timeouts) -> Result<Self, ConfigError> {
        Self::to_networks(config, timeouts, &config.webhooks.allowed_networks)
    }

    fn to_networks(config: &Config, timeouts: Timeouts, networks: &[Network]) -> Result<Self, ConfigError> {
        let resolver = Resolver::new(config.outbound.resolver, timeouts.dns_response, timeouts.lookup);
        let connector = Connector {
            guard: Arc::new(Guard::new(config, networks)),
            resolver: Arc::new(resolver),
            tls: tls::config(config.webhooks.extra_ca_file.as_deref())?,
            limit: timeouts.connect,
        };
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .pool_max_idle_per_host(MAX_IDLE_CONNECTIONS)
            .http1_max_buf_size(MAX_HEADER_BYTES)
            .http1_max_headers(MAX_HEADERS)
            .build(connector.clone());
        Ok(Self { connector, client, timeouts })
    }

    /// Blocks an address that this service listens on, even within the operator's networks.
    pub fn block(&self, address: SocketAddr) {
        self.connector.guard.block(address);
    }

    /// Parses a URL to be registered, and checks everything that needs no DNS lookup.
    ///
    /// # Errors
    /// [`UrlRefusal`], the first that applies.
    pub fn target(&self, text: &str) -> Result<Target, UrlRefusal> {
        let target = Target::parse(text)?;
        match self.connector.guard.literal(&target) {
            Some(permitted) if permitted.is_empty() => Err(UrlRefusal::HostNotAllowed),
            _ => Ok(target),
        }
    }

    /// Looks up the host and checks whether it may be called now.
    ///
    /// # Errors
    /// [`Unreachable`].
    pub async fn check(&self, target: &Target) -> Result<(), Unreachable> {
        self.connector.addresses(target).await.map(|_| ())
    }

    /// Sends a POST. An idle connection is reused; for a new one the host is looked up and checked
    /// again. Any status counts as a response, even a redirect.
    ///
    /// # Errors
    /// [`PostFailure`] when there is no response within 15 s.
    pub async fn post(
        &self,
        target: &Target,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<ReceiverResponse, PostFailure> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = target.uri().clone();
        *request.headers_mut() = headers;
        let deadline = Instant::now() + self.timeouts.total;
        let response =
            timeout_at(deadline, self.client.request(request)).await.map_err(|_| PostFailure::TimedOut)?;
        let response = response.map_err(|error| PostFailure::of_client(&error))?;
        let body_until = deadline.min(Instant::now() + self.timeouts.body);
        Ok(response::read(response, body_until).await)
    }
}
