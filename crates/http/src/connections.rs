//! Accepts connections and speaks HTTP/1 and HTTP/2 on them. Limits how many are open and how long
//! each may keep the service waiting, evicts idle ones when the limit is reached, and shuts down
//! gracefully. [`crate::edge`] handles requests.

mod bodies;
mod drain;
mod progress;
mod registry;
mod wire;

use std::{convert::Infallible, future::poll_fn, net::SocketAddr, sync::Arc, task::Poll, time::Duration};

use axum::{
    body::Body,
    extract::{ConnectInfo, Request},
    http::{HeaderValue, Version, header::CONNECTION},
};
use hyper::body::{Body as _, Incoming};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto::Builder,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    time::{sleep_until, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use self::{
    bodies::{Arriving, Leaving},
    progress::{Due, Progress},
    registry::Registry,
    wire::Wire,
};
use super::edge::{Edge, HEADER_BYTES};

/// How long the client's remaining bytes are read after the last answer. Closing at once would make
/// the client's system discard the answer (RFC 9112 section 9.6).
const LINGER: Duration = Duration::from_secs(2);

/// How many bytes are read then. Some clients send a whole upload before they read the answer.
const LINGER_BYTES: usize = 64 * 1024 * 1024;

/// The timeouts of connections.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// For the request line and headers, from their first byte; on a new connection from its start.
    pub headers: Duration,
    /// For a client that does not read its answer.
    pub answers: Duration,
    /// For requests in progress at shutdown.
    pub shutdown: Duration,
}

/// Serves connections of `listener`, at most `room` at once, until `stop`; then lets requests in
/// progress finish.
pub async fn serve(
    listener: TcpListener,
    room: usize,
    patience: Patience,
    stop: CancellationToken,
    edge: Arc<Edge>,
) {
    let registry = Registry::new(room);
    let tasks = TaskTracker::new();
    let mut builder = Builder::new(TokioExecutor::new());
    // The library's own HTTP/1 timers stay off: `Progress` has one for every way a client can keep
    // us waiting.
    builder
        .http1()
        .max_buf_size(HEADER_BYTES)
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(256)
        // The edge refuses headers over `HEADER_BYTES` with an envelope. Beyond this limit the
        // library refuses without one.
        .max_header_list_size(2 * HEADER_BYTES as u32)
        .keep_alive_interval(Some(Duration::from_secs(20)))
        .keep_alive_timeout(Duration::from_secs(20));
    let builder = Arc::new(builder);
    let acceptor = Acceptor { registry, tasks, patience, edge, builder, stop };
    loop {
        let accepted = tokio::select! {
            biased;
            () = acceptor.stop.cancelled() => break,
            accepted = accept(&listener, &acceptor.registry) => accepted,
        };
        match accepted {
            Ok((stream, peer)) => acceptor.admit(stream, peer),
            Err(error) => {
                // Most likely the process is out of descriptors, so idle connections are closed.
                let yielded = acceptor.registry.make_room();
                tracing::warn!(error = %error, connections.yielded = yielded, "a connection was not accepted");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }
    acceptor.registry.stop();
    drain::drain(&acceptor, listener).await;
    let tasks = acceptor.tasks;
    tasks.close();
    if timeout(patience.shutdown, tasks.wait()).await.is_err() {
        tracing::warn!(
            connections = tasks.len(),
            "connections were still busy at the end of the shutdown time"
        );
    }
}

/// The next connection, once there is a place for it.
async fn accept(listener: &TcpListener, registry: &Registry) -> std::io::Result<(TcpStream, SocketAddr)> {
    while registry.is_full() {
        registry.make_room();
        // Evicted connections close at once. If all are busy, this tries again.
        let _ = timeout(Duration::from_millis(50), registry.freed()).await;
    }
    listener.accept().await
}

/// Serves accepted sockets.
struct Acceptor {
    registry: Registry,
    tasks: TaskTracker,
    patience: Patience,
    edge: Arc<Edge>,
    builder: Arc<Builder<TokioExecutor>>,
    stop: CancellationToken,
}

impl Acceptor {
    /// Serves a connection in its own task.
    fn admit(&self, stream: TcpStream, peer: SocketAddr) {
        // Small answers leave at once. If the option cannot be set, they leave a little later.
        let _ = stream.set_nodelay(true);
        let seat = self.registry.seat(self.patience);
        let connection = Connection {
            edge: Arc::clone(&self.edge),
            builder: Arc::clone(&self.builder),
            peer,
            stop: self.stop.clone(),
        };
        self.tasks.spawn(async move {
            connection.serve(stream, seat.progress()).await;
            drop(seat);
        });
    }
}

/// The parts of one connection.
struct Connection {
    edge: Arc<Edge>,
    builder: Arc<Builder<TokioExecutor>>,
    peer: SocketAddr,
    stop: CancellationToken,
}

impl Connection {
    /// Serves a connection until it closes.
    async fn serve(self, stream: TcpStream, progress: Arc<Progress>) {
        let (wire, returned) = Wire::new(stream, Arc::clone(&progress), Arc::clone(&self.edge));
        let end = self.speak(wire, &progress).await;
        // During shutdown the client may send a request while its connection closes; reading it
        // avoids a reset.
        let is_done = end == End::Clean && !self.stop.is_cancelled();
        if is_done || progress.is_gone() {
            return;
        }
        let Some((stream, last_words)) = returned.take() else { return };
        let patience = async {
            // Shutdown shortens this, but lets the last answer arrive.
            if timeout(LINGER, self.stop.cancelled()).await.is_ok() {
                tokio::time::sleep(LINGER / 10).await;
            }
        };
        tokio::select! { () = linger(stream, &last_words) => {}, () = patience => {} }
    }

    /// Speaks HTTP until the connection ends or its client exceeds a timeout.
    async fn speak(&self, wire: Wire, progress: &Arc<Progress>) -> End {
        let service = hyper::service::service_fn(|request| self.answer(request, progress));
        let mut connection =
            std::pin::pin!(self.builder.serve_connection_with_upgrades(TokioIo::new(wire), service));
        let mut timer = std::pin::pin!(sleep_until(progress.first_look()));
        let mut closing = false;
        poll_fn(|cx| {
            progress.watched_by(cx.waker());
            loop {
                match progress.due() {
                    Due::Drop => return Poll::Ready(End::Clean),
                    Due::Close if closing => {}
                    Due::Close => {
                        closing = true;
                        connection.as_mut().graceful_shutdown();
                    }
                    // `Wire` sees it too, and answers.
                    Due::Refuse | Due::Nothing => {}
                }
                match connection.as_mut().poll(cx) {
                    Poll::Ready(ended) => {
                        if let Err(error) = ended {
                            tracing::debug!(error = %error, "a connection ended early");
                        }
                        let end = if progress.has_unread() { End::Unread } else { End::Clean };
                        return Poll::Ready(end);
                    }
                    Poll::Pending => {}
                }
                let next = progress.next_look();
                if next < timer.deadline() || timer.is_elapsed() {
                    timer.as_mut().reset(next);
                }
                if timer.as_mut().poll(cx).is_pending() {
                    return Poll::Pending;
                }
            }
        })
        .await
    }

    fn answer(
        &self,
        request: hyper::Request<Incoming>,
        progress: &Arc<Progress>,
    ) -> impl Future<Output = Result<hyper::Response<Leaving>, Infallible>> + Send + use<> {
        let in_progress = progress.begin();
        let (parts, body) = request.into_parts();
        let body = if body.is_end_stream() {
            Body::empty()
        } else {
            Body::new(Arriving::new(body, Arc::clone(progress), self.stop.clone()))
        };
        let mut request = Request::from_parts(parts, body);
        request.extensions_mut().insert(ConnectInfo(self.peer));
        let (edge, stop, progress) = (Arc::clone(&self.edge), self.stop.clone(), Arc::clone(progress));
        async move {
            let is_http2 = request.version() == Version::HTTP_2;
            let mut response = edge.answer(request).await;
            // A request whose body was not read to its end is the connection's last one. A client that is not told sends
            // another, and cannot know whether that was seen. HTTP/2 uses GOAWAY for this and forbids the header.
            if (stop.is_cancelled() || progress.has_unread()) && !is_http2 {
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            Ok(response.map(|body| Leaving::new(body, in_progress)))
        }
    }
}

/// How a connection ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Both sides are done, or the client is owed nothing more.
    Clean,
    /// The client may still be sending data that nobody will read.
    Unread,
}

/// Sends the rest of the answer and discards the bytes that still arrive.
async fn linger(mut stream: TcpStream, last_words: &[u8]) {
    let discard = async {
        stream.write_all(last_words).await?;
        stream.shutdown().await?;
        let mut thrown_away = 0;
        let mut buffer = vec![0; 64 * 1024];
        while thrown_away < LINGER_BYTES {
            match stream.read(&mut buffer).await? {
                0 => break,
                read => thrown_away += read,
            }
        }
        Ok::<_, std::io::Error>(())
    };
    // Either way the connection is closed.
    let _ = discard.await;
}
