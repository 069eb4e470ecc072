//! The listener for Home Assistant: the Wyoming protocol, which is lines of JSON with data and audio
//! after them, over TCP. It describes the voices and speaks. The protocol has no credentials, so one
//! API key of the settings pays, with the rules of `tts:stream`.
//!
//! `event` reads and writes events, `connection` answers them, `info` describes the voices, `speech`
//! says a text, and `pieces` one that comes piece by piece.

mod connection;
mod event;
mod info;
mod pieces;
mod speech;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use lectern_http::envelope;
use lectern_service::{
    app::App,
    error::{Error, Result},
    services::accounts::authentication,
};
use lectern_store::{Scope, keys::Authenticated};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tokio_util::task::TaskTracker;

/// The most connections at once; more wait to be accepted.
const CONNECTIONS: usize = 64;

/// The pause after a connection could not be accepted, most likely for want of descriptors.
const AFTER_FAILURE: Duration = Duration::from_millis(100);

/// Answers connections until the service is asked to stop, and then until what is being said has
/// been said, at most for the configured time.
pub async fn serve(app: Arc<App>, listener: TcpListener, key: SecretString) {
    let server = Server { app, key: Arc::new(key) };
    // Nobody sees the refusals of a key that was revoked long ago but those at home.
    if let Err(error) = server.authenticate().await {
        let (code, message) = envelope::tell(&error);
        tracing::warn!(error.code = code.as_str(), message, "wyoming.key is refused");
    }
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let connections = TaskTracker::new();
    let stop = server.app.stop.clone();
    loop {
        let accepted = tokio::select! {
            biased;
            () = stop.cancelled() => break,
            accepted = accept(&listener, &places) => accepted,
        };
        match accepted {
            Ok((stream, peer, place)) => {
                let server = server.clone();
                connections.spawn(async move {
                    let gauge = metrics::gauge!("lectern_wyoming_connections");
                    gauge.increment(1);
                    connection::answer(&server, stream, peer).await;
                    gauge.decrement(1);
                    drop(place);
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a Wyoming connection was not accepted");
                tokio::time::sleep(AFTER_FAILURE).await;
            }
        }
    }
    drop(listener);
    connections.close();
    let shutdown = Duration::from_secs(server.app.base.config.http.shutdown_seconds);
    if timeout(shutdown, connections.wait()).await.is_err() {
        let open = connections.len();
        tracing::warn!(
            connections = open,
            "Wyoming connections were still busy at the end of the shutdown time"
        );
    }
}

async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> std::io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.map_err(std::io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    // Small events leave at once. If the option cannot be set, they leave a little later.
    let _ = stream.set_nodelay(true);
    Ok((stream, peer, place))
}

/// The service, and the key that pays.
#[derive(Clone)]
struct Server {
    app: Arc<App>,
    key: Arc<SecretString>,
}

impl Server {
    /// The account of the key.
    async fn authenticate(&self) -> Result<Authenticated> {
        authentication::authenticate(&self.app.base, &self.app.tasks, self.key.expose_secret()).await
    }

    /// The key, after the checks of a request that needs this scope, or any.
    async fn authorize(&self, scope: Option<Scope>) -> Result<Authenticated> {
        let caller = self.authenticate().await?;
        self.app.request_limiter.take(caller.account).map_err(|over| Error::RateLimited {
            limit: "the account's requests a minute",
            retry_after_seconds: over.retry_after_seconds,
        })?;
        authentication::check_consent(&caller)?;
        match scope {
            Some(required) if !caller.key.scopes.contains(required) => {
                Err(Error::InsufficientScope { required })
            }
            _ => Ok(caller),
        }
    }
}
