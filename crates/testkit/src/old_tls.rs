//! A server that knows nothing newer than TLS 1.0.

use std::net::{IpAddr, SocketAddr};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

/// Listens at this address, on a free port, for one connection, and answers its hello in TLS 1.0.
pub async fn serve_old_tls(ip: impl Into<IpAddr>) -> SocketAddr {
    let listener = TcpListener::bind((ip.into(), 0)).await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let mut hello = vec![0; 4_096];
        let _ = stream.read(&mut hello).await;
        // A record with a ServerHello of version 3.1: random bytes, no session, RSA with AES-128, no compression.
        let mut answer = vec![0x16, 3, 1, 0, 42, 2, 0, 0, 38, 3, 1];
        answer.extend([7; 32]);
        answer.extend([0, 0, 0x2f, 0]);
        let _ = stream.write_all(&answer).await;
        let _ = stream.read_to_end(&mut hello).await;
    });
    address
}
