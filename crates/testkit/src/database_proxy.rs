//! A proxy to a database whose connections can fall silent, as they do when a cable is pulled or
//! the server's machine fails: they stay open, but nothing more arrives.

use std::{
    str::FromStr as _,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use sqlx::postgres::PgConnectOptions;
use tokio::{
    io::{AsyncRead, AsyncWrite, copy_bidirectional},
    net::{TcpListener, TcpStream, UnixStream},
    sync::watch,
};

use crate::{Database, Kind};

/// A proxy to one test's database in PostgreSQL.
#[derive(Debug)]
pub struct DatabaseProxy {
    url: String,
    /// How often existing connections were silenced.
    stalled: Arc<watch::Sender<u64>>,
    is_stalled: Arc<AtomicBool>,
}

impl DatabaseProxy {
    /// Starts a proxy. It ends with the test's runtime.
    pub async fn to(database: &Database) -> Self {
        assert_eq!(database.kind(), Kind::Postgres, "SQLite has no connections");
        let options = PgConnectOptions::from_str(&database.url).expect("a URL");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        // User and password stay the same.
        let credentials =
            database.url.split_once('@').map_or("postgres://postgres", |(credentials, _)| credentials);
        let url = format!("{credentials}@{address}/{}", database.name());
        let (stalled, is_stalled) = (Arc::new(watch::Sender::new(0)), Arc::<AtomicBool>::default());
        let (signal, is_stalled_too) = (stalled.clone(), is_stalled.clone());
        tokio::spawn(async move {
            let mut silent = Vec::new();
            while let Ok((client, _)) = listener.accept().await {
                if is_stalled_too.load(Ordering::Relaxed) {
                    silent.push(client);
                } else {
                    tokio::spawn(forward(client, options.clone(), signal.subscribe()));
                }
            }
        });
        Self { url, stalled, is_stalled }
    }

    /// The database's URL through the proxy.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Silences existing and new connections without closing any.
    pub fn stall(&self) {
        self.is_stalled.store(true, Ordering::Relaxed);
        self.stall_existing();
    }

    /// Silences the existing connections without closing them; new connections work as before.
    pub fn stall_existing(&self) {
        self.stalled.send_modify(|times| *times += 1);
    }
}

async fn forward(client: TcpStream, options: PgConnectOptions, stalled: watch::Receiver<u64>) {
    // For sqlx, a host that is a path is the directory of the Unix socket.
    let folder = options.get_socket().cloned().or_else(|| {
        let host = options.get_host();
        host.starts_with('/').then(|| host.into())
    });
    if let Some(folder) = folder {
        let server = UnixStream::connect(folder.join(format!(".s.PGSQL.{}", options.get_port()))).await;
        until_stalled(client, server.expect("the server is there"), stalled).await;
    } else {
        let server = TcpStream::connect((options.get_host(), options.get_port())).await;
        until_stalled(client, server.expect("the server is there"), stalled).await;
    }
}

async fn until_stalled(
    mut client: TcpStream,
    mut server: impl AsyncRead + AsyncWrite + Unpin,
    mut stalled: watch::Receiver<u64>,
) {
    let signalled = async { drop(stalled.changed().await) };
    tokio::select! {
        biased;
        () = signalled => {}
        // When one side closes, the drop of both closes the other.
        _ = copy_bidirectional(&mut client, &mut server) => return,
    }
    // Keeps both connections open.
    std::future::pending::<()>().await;
}
