//! A listener to which nothing should ever connect.

use std::{
    net::{IpAddr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::net::TcpListener;

/// Counts connections and never answers.
#[derive(Debug)]
pub struct Canary {
    pub address: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl Canary {
    /// Listens on a free port of `ip`.
    pub async fn on(ip: impl Into<IpAddr>) -> Self {
        Self::at(SocketAddr::new(ip.into(), 0)).await
    }

    /// Listens at `address`.
    pub async fn at(address: SocketAddr) -> Self {
        let listener = TcpListener::bind(address).await.expect("the address is free");
        let address = listener.local_addr().expect("it is bound");
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        tokio::spawn(async move {
            let mut kept = Vec::new();
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                // The connection stays open and silent, because closing it would be an answer.
                kept.push(stream);
            }
        });
        Self { address, connections }
    }

    /// The number of connections so far.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}
