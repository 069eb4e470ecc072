//! A customer's server that receives webhooks: real HTTPS on a real socket, with scripted answers.
//!
//! It implements HTTP by hand, so that it can also answer with malformed HTTP.

mod script;

use std::{
    collections::HashMap,
    net::SocketAddr,
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use rustls::ServerConfig;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    sync::watch,
    time::timeout,
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

pub use script::Script;

use crate::Authority;

/// The longest wait for requests.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The names in a receiver's certificate.
const NAMES: &[&str] = &["localhost", "127.0.0.1", "127.0.0.9", "hooks.example.com", "*.ssrf.example.net"];

/// A request that arrived.
#[derive(Debug, Clone)]
pub struct Received {
    /// Path and query.
    pub path: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
    /// When the first byte was read.
    pub at: Instant,
    /// The number of the request's connection, from 1.
    pub connection: usize,
}

impl Received {
    /// The text of a header; empty when it is absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).expect("a body of JSON")
    }
}

/// The server. It ends with the test's runtime.
#[derive(Debug, Clone)]
pub struct TestReceiver {
    address: SocketAddr,
    ca_file: PathBuf,
    shared: Arc<Shared>,
}

/// The state that the server's tasks and the test share.
#[derive(Debug)]
struct Shared {
    /// Keeps the authority's file from being deleted.
    _authority: Option<Authority>,
    scripts: Mutex<HashMap<String, Vec<Script>>>,
    received: Mutex<Vec<Received>>,
    count: watch::Sender<usize>,
    connections: AtomicUsize,
    /// Opens when the answers of [`Script::Held`] may be sent.
    gate: watch::Sender<bool>,
}

impl TestReceiver {
    /// Starts a receiver on 127.0.0.1, with its own authority, that answers 200 to everything.
    pub async fn start() -> Self {
        let authority = Authority::new();
        let (tls, file) = (authority.issue(NAMES), authority.file());
        Self::with("127.0.0.1:0", tls, file, Some(authority)).await
    }

    /// Starts a receiver at `address`, with a certificate of `authority` for the usual names.
    pub async fn at(address: &str, authority: &Authority) -> Self {
        Self::with(address, authority.issue(NAMES), authority.file(), None).await
    }

    /// Starts a receiver at `address` with this TLS configuration.
    pub async fn with_tls(address: &str, tls: Arc<ServerConfig>, authority: &Authority) -> Self {
        Self::with(address, tls, authority.file(), None).await
    }

    async fn with(
        address: &str,
        tls: Arc<ServerConfig>,
        ca_file: PathBuf,
        authority: Option<Authority>,
    ) -> Self {
        let listener = TcpListener::bind(address).await.expect("the address is free");
        let address = listener.local_addr().expect("it is bound");
        let shared = Arc::new(Shared {
            _authority: authority,
            scripts: Mutex::default(),
            received: Mutex::default(),
            count: watch::Sender::new(0),
            connections: AtomicUsize::new(0),
            gate: watch::Sender::new(false),
        });
        let (server, acceptor) = (Arc::clone(&shared), TlsAcceptor::from(tls));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let number = server.connections.fetch_add(1, Ordering::SeqCst) + 1;
                let (server, acceptor) = (Arc::clone(&server), acceptor.clone());
                tokio::spawn(async move {
                    let _ = stream.set_nodelay(true);
                    if let Ok(stream) = acceptor.accept(stream).await {
                        server.serve_connection(stream, number).await;
                    }
                });
            }
        });
        Self { address, ca_file, shared }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of a path, with the receiver's address as host.
    pub fn url(&self, path: &str) -> String {
        format!("https://{}{path}", self.address)
    }

    /// The URL of a path, with a name as host.
    pub fn url_as(&self, name: &str, path: &str) -> String {
        format!("https://{name}:{}{path}", self.address.port())
    }

    /// The file of the receiver's certificate authority, for `LECTERN_WEBHOOKS__EXTRA_CA_FILE`.
    pub fn ca_file(&self) -> String {
        self.ca_file.display().to_string()
    }

    /// Answers every path like this from now on.
    pub fn script(&self, script: Script) {
        self.script_path("", vec![script]);
    }

    /// Answers requests for a path (without its query) with these scripts in order, and then
    /// repeats the last one.
    pub fn script_path(&self, path: &str, scripts: Vec<Script>) {
        assert!(!scripts.is_empty(), "a script says something");
        lock(&self.shared.scripts).insert(path.to_owned(), scripts.into_iter().rev().collect());
    }

    /// Releases the answers that [`Script::Held`] holds back, and those that it would hold back
    /// later.
    pub fn release(&self) {
        self.shared.gate.send_replace(true);
    }

    /// The requests so far.
    pub fn received(&self) -> Vec<Received> {
        lock(&self.shared.received).clone()
    }

    /// The number of requests so far, without copying them.
    pub fn count(&self) -> usize {
        *self.shared.count.borrow()
    }

    /// Waits until this many requests arrived and returns all of them.
    pub async fn wait_for(&self, count: usize) -> Vec<Received> {
        let mut counted = self.shared.count.subscribe();
        let enough = timeout(TIMEOUT, counted.wait_for(|so_far| *so_far >= count)).await;
        assert!(enough.is_ok(), "{} requests came, not {count}", self.count());
        self.received()
    }

    /// The number of connections so far.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }
}

impl Shared {
    /// Reads and answers requests until one side closes the connection.
    async fn serve_connection(&self, stream: TlsStream<TcpStream>, connection: usize) {
        let mut stream = BufReader::new(stream);
        while let Some(request) = read(&mut stream, connection).await {
            let path = request.path.split('?').next().unwrap_or_default().to_owned();
            let target = request.path.clone();
            lock(&self.received).push(request);
            self.count.send_modify(|count| *count += 1);
            let script = self.next_script(&path);
            if !script.respond(stream.get_mut(), &target, &self.gate).await {
                return;
            }
        }
    }

    fn next_script(&self, path: &str) -> Script {
        let mut scripts = lock(&self.scripts);
        let key = if scripts.contains_key(path) { path } else { "" };
        match scripts.get_mut(key) {
            Some(left) if left.len() > 1 => left.pop().expect("more than one"),
            Some(left) => left[0].clone(),
            None => Script::status(200),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn read(stream: &mut BufReader<TlsStream<TcpStream>>, connection: usize) -> Option<Received> {
    let mut head = vec![stream.read_u8().await.ok()?];
    let at = Instant::now();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).ok()?;
    let mut lines = head.trim_end().split("\r\n");
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let mut headers = HeaderMap::new();
    for line in lines {
        let (name, value) = line.split_once(':')?;
        headers.append(name.parse::<HeaderName>().ok()?, value.trim().parse::<HeaderValue>().ok()?);
    }
    let length =
        headers.get("content-length").and_then(|value| value.to_str().ok()?.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(Received { path, headers, body, at, connection })
}

/// Sends bytes; false when the other side has closed the connection.
async fn send(stream: &mut TlsStream<TcpStream>, bytes: &[u8]) -> bool {
    stream.write_all(bytes).await.is_ok() && stream.flush().await.is_ok()
}
