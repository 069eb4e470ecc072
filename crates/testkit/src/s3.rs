//! An S3 server for one test, which checks signatures, behind a proxy that can cut connections.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread::JoinHandle,
    time::Duration,
};

use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
};
use s3s::{
    S3Result,
    access::{S3Access, S3AccessContext},
    auth::SimpleAuth,
    config::{S3Config, StaticConfigProvider},
    s3_error,
    service::{S3Service, S3ServiceBuilder},
};
use s3s_fs::FileSystem;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::watch,
};

/// The access key id that the server accepts.
pub const ACCESS_KEY_ID: &str = "AKIALECTERNTESTS";

pub const SECRET_ACCESS_KEY: &str = "a secret that only tests know";

/// Differences from a server that allows its key everything.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// Operations that are denied, by their names in S3, such as `PutObject`.
    pub denied: Vec<&'static str>,
    /// Whether the server's clock differs too much from the client's.
    pub skewed: bool,
}

#[derive(Debug)]
struct Access(Vec<&'static str>);

#[async_trait::async_trait]
impl S3Access for Access {
    async fn check(&self, context: &mut S3AccessContext<'_>) -> S3Result<()> {
        let denied = context.credentials().is_none() || self.0.contains(&context.s3_op().name());
        if denied { Err(s3_error!(AccessDenied, "Access Denied")) } else { Ok(()) }
    }
}

/// The proxy's behavior.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// Forwards everything.
    Up,
    /// Refuses connections and resets existing ones.
    Down,
    /// Accepts requests and returns no answer.
    Silent,
    /// Breaks each connection after this many bytes of responses.
    ResponseBytes(u64),
    /// Breaks each connection after this many bytes of requests.
    RequestBytes(u64),
}

/// An S3 server. Each directory in its root is a bucket, and objects are plain files in it. The
/// server has its own thread, so that tests may block.
#[derive(Debug)]
pub struct S3Server {
    root: PathBuf,
    address: SocketAddr,
    link: watch::Sender<Link>,
    connections: Arc<AtomicU64>,
    stop: watch::Sender<bool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl S3Server {
    pub fn start(root: &Path) -> Self {
        Self::with(root, Rules::default())
    }

    /// Serves the buckets in `root` by these rules.
    pub fn with(root: &Path, rules: Rules) -> Self {
        let files = FileSystem::new(root).expect("the root is a directory");
        let mut builder = S3ServiceBuilder::new(files);
        builder.set_auth(SimpleAuth::from_single(ACCESS_KEY_ID, SECRET_ACCESS_KEY));
        builder.set_access(Access(rules.denied));
        if rules.skewed {
            let mut config = S3Config::default();
            // Clients sign whole seconds, so an allowance of zero always fails.
            config.presigned_url_max_skew_time_secs = 0;
            builder.set_config(Arc::new(StaticConfigProvider::new(Arc::new(config))));
        }
        let service = builder.build();
        let (link, (stop, stopped)) = (watch::Sender::new(Link::Up), watch::channel(false));
        let connections = Arc::<AtomicU64>::default();
        let (sender, receiver) = std::sync::mpsc::channel();
        let thread = {
            let (link, connections) = (link.clone(), Arc::clone(&connections));
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime.expect("a runtime").block_on(async move {
                    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port is free");
                    sender.send(listener.local_addr().expect("it is bound")).expect("the test waits");
                    serve(listener, service, link, connections, stopped).await;
                });
            })
        };
        let address = receiver.recv().expect("the server starts");
        let thread = Mutex::new(Some(thread));
        Self { root: root.to_owned(), address, link, connections, stop, thread }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn make_bucket(&self, name: &str) {
        std::fs::create_dir_all(self.root.join(name)).expect("its root can be written");
    }

    /// The file of an object.
    pub fn file(&self, bucket: &str, key: &str) -> PathBuf {
        self.root.join(bucket).join(key)
    }

    /// The number of parts of multipart uploads that were neither completed nor aborted.
    pub fn unfinished_parts(&self) -> usize {
        let names = std::fs::read_dir(&self.root).expect("its root can be read");
        let names = names.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.filter(|name| name.starts_with(".upload_id-")).count()
    }

    /// The number of connections so far.
    pub fn connections(&self) -> u64 {
        self.connections.load(Ordering::SeqCst)
    }

    /// Sets the proxy's behavior from now on, also for existing connections.
    pub fn set_link(&self, link: Link) {
        self.link.send_replace(link);
    }

    /// The settings of a service that stores its objects in a bucket of this server, below a
    /// prefix.
    pub fn settings(&self, bucket: &str, prefix: &str) -> Vec<(String, String)> {
        let url =
            if prefix.is_empty() { format!("s3://{bucket}") } else { format!("s3://{bucket}/{prefix}") };
        [
            ("LECTERN_STORAGE__URL", url.as_str()),
            ("LECTERN_STORAGE__ENDPOINT", &self.url()),
            ("LECTERN_STORAGE__REGION", "us-east-1"),
            ("LECTERN_STORAGE__ACCESS_KEY_ID", ACCESS_KEY_ID),
            ("LECTERN_STORAGE__SECRET_ACCESS_KEY", SECRET_ACCESS_KEY),
            ("LECTERN_STORAGE__PATH_STYLE", "true"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec()
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = thread.join();
        }
    }
}

async fn serve(
    listener: TcpListener,
    service: S3Service,
    link: watch::Sender<Link>,
    connections: Arc<AtomicU64>,
    mut stopped: watch::Receiver<bool>,
) {
    let inner = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port is free");
    let address = inner.local_addr().expect("it is bound");
    loop {
        tokio::select! {
            _ = stopped.changed() => return,
            accepted = listener.accept() => {
                let Ok((client, _)) = accepted else { continue };
                connections.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(forward(client, address, link.subscribe()));
            }
            accepted = inner.accept() => {
                let Ok((socket, _)) = accepted else { continue };
                let service = service.clone();
                tokio::spawn(async move {
                    let server = Builder::new(TokioExecutor::new());
                    let _ = server.serve_connection(TokioIo::new(socket), service).await;
                });
            }
        }
    }
}

/// Forwards a connection as the link allows. When either side or the link ends it, both directions
/// end.
async fn forward(client: TcpStream, server: SocketAddr, mut link: watch::Receiver<Link>) {
    let now = *link.borrow_and_update();
    if now == Link::Down {
        // Closed with a reset, as a host without such a service would.
        let _ = client.set_zero_linger();
        return;
    }
    let Ok(upstream) = TcpStream::connect(server).await else { return };
    let ((mut from_client, mut to_client), (mut from_server, mut to_server)) =
        (client.into_split(), upstream.into_split());
    let limits = match now {
        Link::Silent => (0, u64::MAX),
        Link::ResponseBytes(bytes) => (bytes, u64::MAX),
        Link::RequestBytes(bytes) => (u64::MAX, bytes),
        Link::Up | Link::Down => (u64::MAX, u64::MAX),
    };
    let answers = copy(&mut from_server, &mut to_client, limits.0);
    let requests = copy(&mut from_client, &mut to_server, limits.1);
    tokio::select! {
        () = answers, if now != Link::Silent => {}
        () = requests, if now != Link::Silent => {}
        // The link's new state applies to existing connections, too.
        _ = link.changed() => {}
        () = tokio::time::sleep(Duration::from_mins(10)) => {}
    }
}

/// Copies up to this many bytes.
async fn copy(
    from: &mut (impl tokio::io::AsyncRead + Unpin),
    to: &mut (impl tokio::io::AsyncWrite + Unpin),
    mut limit: u64,
) {
    let mut buffer = vec![0; 64 * 1024];
    while limit > 0 {
        let Ok(read @ 1..) = from.read(&mut buffer).await else { return };
        let pass = read.min(usize::try_from(limit).unwrap_or(usize::MAX));
        if to.write_all(&buffer[..pass]).await.is_err() {
            return;
        }
        limit -= pass as u64;
    }
    let _ = to.flush().await;
}
