//! A way to a database on which connections fall silent, as when a cable is pulled or the server's machine is gone: they stay, and
//! nothing is heard on them any more.

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

/// A way to one test's database in PostgreSQL.
#[derive(Debug)]
pub struct Way {
    url: String,
    /// How often those who were there have been forgotten.
    forgotten: Arc<watch::Sender<u64>>,
    is_cut: Arc<AtomicBool>,
}

impl Way {
    /// Opens one, which is there for as long as the test's runtime.
    pub async fn to(database: &Database) -> Self {
        assert_eq!(database.kind(), Kind::Postgres, "only a server has a way to it");
        let options = PgConnectOptions::from_str(&database.url).expect("a URL");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        // Who asks, and by which password, stays as it is.
        let asking = database.url.split_once('@').map_or("postgres://postgres", |(asking, _)| asking);
        let url = format!("{asking}@{address}/{}", database.name());
        let (forgotten, is_cut) = (Arc::new(watch::Sender::new(0)), Arc::<AtomicBool>::default());
        let (listens, looks) = (forgotten.clone(), is_cut.clone());
        tokio::spawn(async move {
            let mut unheard = Vec::new();
            while let Ok((near, _)) = listener.accept().await {
                if looks.load(Ordering::Relaxed) {
                    unheard.push(near);
                } else {
                    tokio::spawn(carry(near, options.clone(), listens.subscribe()));
                }
            }
        });
        Self { url, forgotten, is_cut }
    }

    /// The database's URL by this way.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// From here on nothing gets through, and nothing is closed.
    pub fn fall_silent(&self) {
        self.is_cut.store(true, Ordering::Relaxed);
        self.forget();
    }

    /// Nothing gets through any more on the connections that there are, and none is closed; new ones are as ever.
    pub fn forget(&self) {
        self.forgotten.send_modify(|times| *times += 1);
    }
}

async fn carry(near: TcpStream, options: PgConnectOptions, forgotten: watch::Receiver<u64>) {
    // sqlx takes a host that is a folder for the socket's.
    let folder = options.get_socket().cloned().or_else(|| {
        let host = options.get_host();
        host.starts_with('/').then(|| host.into())
    });
    if let Some(folder) = folder {
        let far = UnixStream::connect(folder.join(format!(".s.PGSQL.{}", options.get_port()))).await;
        until_forgotten(near, far.expect("the server is there"), forgotten).await;
    } else {
        let far = TcpStream::connect((options.get_host(), options.get_port())).await;
        until_forgotten(near, far.expect("the server is there"), forgotten).await;
    }
}

async fn until_forgotten(
    mut near: TcpStream,
    mut far: impl AsyncRead + AsyncWrite + Unpin,
    mut forgotten: watch::Receiver<u64>,
) {
    let told = async { drop(forgotten.changed().await) };
    tokio::select! {
        biased;
        () = told => {}
        // Whoever hangs up first, the other is told by the drop of both.
        _ = copy_bidirectional(&mut near, &mut far) => return,
    }
    // Both ends are kept.
    std::future::pending::<()>().await;
}
