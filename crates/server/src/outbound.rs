//! The only client that may call an address which a customer gave.
//!
//! [`target`] says what a URL must look like, [`names`] and [`addresses`] what is internal, [`guard`] what this service
//! may connect to; [`resolver`] asks the DNS, [`connector`] connects to an address that the guard has seen and to no
//! other, [`answer`] reads what comes back, and little of it. There are no redirects, no proxies, no `Alt-Svc`.
//!
//! Whoever registers a URL calls [`Outbound::target`], later [`Outbound::check`]; whoever delivers calls
//! [`Target::parse`] on the URL that was stored and [`Outbound::post`], which judges everything anew.

mod addresses;
mod answer;
mod connector;
mod failure;
mod guard;
mod names;
mod resolver;
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

pub use answer::Answer;
use connector::Connector;
pub use failure::{PostFailure, Unreachable};
use guard::Guard;
use resolver::Resolver;
pub use target::{Target, UrlRefusal};

use crate::config::{Config, ConfigError};

/// How long the steps of a call may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// A POST from the look-up to the answer's headers, and to the last byte of the body that is read.
    pub whole: Duration,
    /// The body of an answer, once its headers are there.
    pub body: Duration,
    /// Connecting, TLS included.
    pub connect: Duration,
    /// A look-up.
    pub lookup: Duration,
    /// One answer of a DNS server.
    pub dns_answer: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            whole: Duration::from_secs(15),
            body: Duration::from_secs(5),
            connect: Duration::from_secs(10),
            lookup: Duration::from_secs(5),
            dns_answer: Duration::from_secs(2),
        }
    }
}

/// Connections to one receiver that are kept while nothing is sent.
const IDLE_CONNECTIONS: usize = 32;

/// How long a connection is kept while nothing is sent: less than the 5 s after which many servers close it, so that nothing
/// is sent into a connection that is being closed.
const IDLE: Duration = Duration::from_secs(4);

/// Bytes of an answer's status line and headers.
const HEADER_BYTES: usize = 64 * 1_024;

/// An answer's headers.
const HEADERS: usize = 100;

/// The client. Clones share its connections.
#[derive(Clone)]
pub struct Outbound {
    connector: Connector,
    client: Client<Connector, Full<Bytes>>,
    limits: Limits,
}

impl std::fmt::Debug for Outbound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outbound").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Outbound {
    /// The client that the settings ask for.
    ///
    /// # Errors
    /// [`ConfigError`] when the file of certificate authorities cannot be used.
    pub fn new(config: &Config) -> Result<Self, ConfigError> {
        Self::with_limits(config, Limits::default())
    }

    /// As [`Outbound::new`], with other limits than the service's: for tests that wait for them.
    ///
    /// # Errors
    /// As [`Outbound::new`].
    pub fn with_limits(config: &Config, limits: Limits) -> Result<Self, ConfigError> {
        let resolver = Resolver::new(config.outbound.resolver, limits.dns_answer, limits.lookup);
        let connector = Connector {
            guard: Arc::new(Guard::new(config)),
            resolver: Arc::new(resolver),
            tls: tls::config(config.webhooks.extra_ca_file.as_deref())?,
            limit: limits.connect,
        };
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(IDLE_CONNECTIONS)
            .http1_max_buf_size(HEADER_BYTES)
            .http1_max_headers(HEADERS)
            .build(connector.clone());
        Ok(Self { connector, client, limits })
    }

    /// Keeps off an address that this service listens on, also within the operator's networks.
    pub fn keep_off(&self, address: SocketAddr) {
        self.connector.guard.keep_off(address);
    }

    /// Reads a URL that is to be registered: everything that can be said without looking its host up.
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

    /// Looks the host up, and says whether it may be called now.
    ///
    /// # Errors
    /// [`Unreachable`].
    pub async fn check(&self, target: &Target) -> Result<(), Unreachable> {
        self.connector.addresses(target).await.map(|_| ())
    }

    /// Sends a POST. A connection that is open is used again; for a new one the host is looked up and judged anew. The answer's
    /// status is not judged: a redirect is an answer.
    ///
    /// # Errors
    /// [`PostFailure`] when there is no answer within 15 s.
    pub async fn post(
        &self,
        target: &Target,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Answer, PostFailure> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = target.uri().clone();
        *request.headers_mut() = headers;
        let deadline = Instant::now() + self.limits.whole;
        let response =
            timeout_at(deadline, self.client.request(request)).await.map_err(|_| PostFailure::TimedOut)?;
        let response = response.map_err(|error| PostFailure::of_client(&error))?;
        let body_until = deadline.min(Instant::now() + self.limits.body);
        Ok(answer::read(response, body_until).await)
    }
}
