//! Opens connections to addresses that were just checked, with TLS for the requested name.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use futures_util::{StreamExt as _, future::BoxFuture, stream::FuturesUnordered};
use hyper::{
    Uri,
    rt::{Read, ReadBufCursor, Write},
};
use hyper_util::{
    client::legacy::connect::{Connected, Connection},
    rt::TokioIo,
};
use rustls::{CertificateError, ClientConfig, pki_types::ServerName};
use tokio::{
    net::TcpStream,
    time::{sleep, timeout},
};
use tokio_rustls::{TlsConnector, client::TlsStream};

use super::{
    failure::{PostFailure, Unreachable},
    guard::Guard,
    resolver::Resolver,
    target::{Host, Target},
};

/// The most addresses of one host that are tried.
const MAX_ATTEMPTS: usize = 4;

/// How long to wait for an address before the next one is tried concurrently.
const STAGGER: Duration = Duration::from_millis(250);

/// Opens connections. Clones share everything.
#[derive(Clone)]
pub(super) struct Connector {
    pub(super) guard: Arc<Guard>,
    pub(super) resolver: Arc<Resolver>,
    pub(super) tls: Arc<ClientConfig>,
    /// Timeout for connecting, including TLS.
    pub(super) limit: Duration,
}

impl Connector {
    /// Looks up the addresses of a host, all of which must be permitted.
    ///
    /// # Errors
    /// [`Unreachable`]; a single address that is not permitted gives
    /// [`Unreachable::HostNotAllowed`].
    pub(super) async fn addresses(&self, target: &Target) -> Result<Vec<SocketAddr>, Unreachable> {
        if let Some(addresses) = self.guard.literal(target) {
            return if addresses.is_empty() { Err(Unreachable::HostNotAllowed) } else { Ok(addresses) };
        }
        let Host::Name(name) = target.host() else { return Err(Unreachable::HostNotAllowed) };
        if self.guard.is_own_name(name, target.port()) {
            return Err(Unreachable::HostNotAllowed);
        }
        let found = self.resolver.addresses(name).await?;
        let addresses: Vec<SocketAddr> =
            found.into_iter().map(|ip| SocketAddr::new(ip, target.port())).collect();
        if addresses.iter().all(|address| self.guard.permits(*address)) {
            Ok(addresses)
        } else {
            Err(Unreachable::HostNotAllowed)
        }
    }

    /// Connects to the host of `target`, using the addresses that [`Connector::addresses`] approved
    /// instead of the name.
    async fn connect(&self, target: &Target) -> Result<CheckedStream, PostFailure> {
        let addresses = self.addresses(target).await?;
        let connecting = async {
            let stream = dial(&addresses).await?;
            // Bodies are small and sent in one write.
            let _ = stream.set_nodelay(true);
            let name =
                server_name(target).ok_or(PostFailure::Tls("the host's name cannot be in a certificate"))?;
            let tls = TlsConnector::from(Arc::clone(&self.tls)).connect(name, stream).await;
            tls.map_err(|error| tls_failure(&error))
        };
        let stream = timeout(self.limit, connecting).await.map_err(|_| PostFailure::TimedOut)??;
        Ok(CheckedStream(TokioIo::new(stream)))
    }
}

/// Returns the first connection that succeeds. The next address is tried when one refuses or does
/// not respond within [`STAGGER`] (RFC 8305, section 5), so that an address that drops packets
/// costs a moment instead of the whole timeout.
async fn dial(addresses: &[SocketAddr]) -> Result<TcpStream, PostFailure> {
    let mut remaining = addresses.iter().take(MAX_ATTEMPTS);
    let mut attempts = FuturesUnordered::new();
    loop {
        if let Some(address) = remaining.next() {
            attempts.push(TcpStream::connect(*address));
        }
        let stagger = async {
            if remaining.len() == 0 {
                std::future::pending::<()>().await;
            }
            sleep(STAGGER).await;
        };
        tokio::select! {
            connected = attempts.next() => match connected {
                Some(Ok(stream)) => return Ok(stream),
                Some(Err(_)) => {}
                None => return Err(PostFailure::Connect),
            },
            () = stagger => {}
        }
    }
}

fn server_name(target: &Target) -> Option<ServerName<'static>> {
    match target.host() {
        Host::Name(name) => ServerName::try_from(name.clone()).ok(),
        Host::Localhost => ServerName::try_from("localhost").ok(),
        Host::Address(ip) => Some(ServerName::IpAddress((*ip).into())),
    }
}

/// Describes a failed handshake.
fn tls_failure(error: &io::Error) -> PostFailure {
    let Some(error) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) else {
        return PostFailure::Tls("the connection broke during the handshake");
    };
    PostFailure::Tls(match error {
        rustls::Error::InvalidCertificate(bad) => match bad {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                "the certificate has expired"
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                "the certificate is not valid yet"
            }
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "the certificate is for another name"
            }
            CertificateError::UnknownIssuer | CertificateError::BadSignature => {
                "the certificate is not signed by a known authority"
            }
            _ => "the certificate is not valid",
        },
        rustls::Error::PeerIncompatible(_) => "no version or cipher in common: TLS 1.2 or 1.3 is needed",
        rustls::Error::AlertReceived(_) => "the receiver refused the handshake",
        _ => "the receiver does not speak TLS",
    })
}

impl tower::Service<Uri> for Connector {
    type Response = CheckedStream;
    type Error = PostFailure;
    type Future = BoxFuture<'static, Result<CheckedStream, PostFailure>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), PostFailure>> {
        Poll::Ready(Ok(()))
    }

    /// `uri` is the target's URI without its path, since the client pools connections by scheme,
    /// host and port.
    fn call(&mut self, uri: Uri) -> Self::Future {
        let connector = self.clone();
        Box::pin(async move {
            let target = Target::parse(&uri.to_string()).map_err(|_| PostFailure::HostNotAllowed)?;
            connector.connect(&target).await
        })
    }
}

/// A connection to a checked address.
pub(super) struct CheckedStream(TokioIo<TlsStream<TcpStream>>);

impl Connection for CheckedStream {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

impl Read for CheckedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buffer)
    }
}

impl Write for CheckedStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, buffer)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write_vectored(cx, buffers)
    }
}
