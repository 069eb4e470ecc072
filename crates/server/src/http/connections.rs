//! Accepts connections and speaks HTTP/1 and HTTP/2 on them, with a time limit on headers and an orderly end.

use std::{convert::Infallible, future::Future, net::SocketAddr, time::Duration};

use axum::{
    body::Body,
    extract::{ConnectInfo, Request},
    response::Response,
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto::Builder, graceful::GracefulShutdown},
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// The most bytes of a request's line and headers over HTTP/1.
const HEADER_BYTES: usize = 32 * 1024;

/// How connections are treated.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// For the request line and headers.
    pub headers: Duration,
    /// For requests in progress after the stop.
    pub shutdown: Duration,
}

/// Serves connections of `listener` until `stop`, then lets requests in progress end.
pub async fn serve<F, R>(listener: TcpListener, patience: Patience, stop: CancellationToken, answer: F)
where
    F: Fn(Request) -> R + Clone + Send + Sync + 'static,
    R: Future<Output = Response> + Send + 'static,
{
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(patience.headers)
        .max_buf_size(HEADER_BYTES)
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(256)
        .keep_alive_interval(Some(Duration::from_secs(20)))
        .keep_alive_timeout(Duration::from_secs(20));
    let graceful = GracefulShutdown::new();
    loop {
        let (stream, peer) = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Out of descriptors, most likely: a moment's rest lets some be given back.
                    tracing::warn!(error = %error, "a connection was not accepted");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        // Small answers go out at once; failing that, a little later.
        let _ = stream.set_nodelay(true);
        let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service(&answer, peer));
        let connection = graceful.watch(connection.into_owned());
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(error = %error, "a connection ended early");
            }
        });
    }
    drop(listener);
    let open = graceful.count();
    if tokio::time::timeout(patience.shutdown, graceful.shutdown()).await.is_err() {
        tracing::warn!(connections = open, "connections were still busy at the end of the shutdown time");
    }
}

fn service<F, R>(
    answer: &F,
    peer: SocketAddr,
) -> impl hyper::service::Service<
    hyper::Request<hyper::body::Incoming>,
    Response = Response,
    Error = Infallible,
    Future: Send + 'static,
> + Clone
+ Send
+ use<F, R>
where
    F: Fn(Request) -> R + Clone + Send + Sync + 'static,
    R: Future<Output = Response> + Send + 'static,
{
    let answer = answer.clone();
    hyper::service::service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        let answering = answer(request);
        async move { Ok(answering.await) }
    })
}
