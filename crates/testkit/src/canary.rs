//! A listener where nobody should ever knock.

use std::{
    net::{IpAddr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::net::TcpListener;

/// Counts who connects. Nobody gets an answer.
#[derive(Debug)]
pub struct Canary {
    /// Where it listens.
    pub address: SocketAddr,
    knocks: Arc<AtomicUsize>,
}

impl Canary {
    /// Listens on any port of `ip`.
    pub async fn on(ip: impl Into<IpAddr>) -> Self {
        Self::at(SocketAddr::new(ip.into(), 0)).await
    }

    /// Listens at `address`.
    pub async fn at(address: SocketAddr) -> Self {
        let listener = TcpListener::bind(address).await.expect("the address is free");
        let address = listener.local_addr().expect("it is bound");
        let knocks = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&knocks);
        tokio::spawn(async move {
            let mut kept = Vec::new();
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                // Silence, not a closed door.
                kept.push(stream);
            }
        });
        Self { address, knocks }
    }

    /// How many connected.
    pub fn knocks(&self) -> usize {
        self.knocks.load(Ordering::SeqCst)
    }
}
