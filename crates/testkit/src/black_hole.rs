//! An address where connection attempts get no answer, like one behind a firewall that drops
//! packets.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    time::timeout,
};

/// A listener whose accept queue is full, so that the kernel drops further connection attempts.
#[derive(Debug)]
pub struct BlackHole {
    _listener: TcpListener,
    _queued: Vec<TcpStream>,
}

impl BlackHole {
    /// Listens at `address`.
    ///
    /// # Panics
    /// When the address is taken, or the queue never fills.
    pub async fn at(address: SocketAddr) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(address).expect("the address is free");
        let listener = socket.listen(1).expect("it listens");
        let mut queued = Vec::new();
        for _ in 0..64 {
            match timeout(Duration::from_millis(300), TcpStream::connect(address)).await {
                Ok(stream) => queued.push(stream.expect("there is room, or silence")),
                Err(_) => return Self { _listener: listener, _queued: queued },
            }
        }
        panic!("its queue does not fill");
    }
}
