//! A server of a test's own that speaks S3 and checks signatures, and a wire to it that can be cut.

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

/// The id of the key that the server knows.
pub const ACCESS_KEY_ID: &str = "AKIALECTERNTESTS";

/// Its secret.
pub const SECRET_ACCESS_KEY: &str = "a secret that only tests know";

/// How the server differs from one that lets its key do everything.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// Operations that are denied, by S3's names: `PutObject`.
    pub denied: Vec<&'static str>,
    /// Whether its clock is too far from everybody's.
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

/// What the wire does with what is on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// Carries it.
    Whole,
    /// Refuses connections, and breaks those there are.
    Cut,
    /// Takes requests and gives no answer.
    Silent,
    /// Breaks each connection after so many bytes of answers.
    AnswersEndAfter(u64),
    /// Breaks each connection after so many bytes of requests.
    RequestsEndAfter(u64),
}

/// A server that speaks S3. Each folder in its root is a bucket; objects are plain files in it. It has a thread of its own,
/// so that tests may block.
#[derive(Debug)]
pub struct S3Server {
    root: PathBuf,
    address: SocketAddr,
    wire: watch::Sender<Wire>,
    connections: Arc<AtomicU64>,
    stop: watch::Sender<bool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl S3Server {
    /// Serves the buckets in `root`.
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
            // Requests name whole seconds, which are never now.
            config.presigned_url_max_skew_time_secs = 0;
            builder.set_config(Arc::new(StaticConfigProvider::new(Arc::new(config))));
        }
        let service = builder.build();
        let (wire, (stop, stopped)) = (watch::Sender::new(Wire::Whole), watch::channel(false));
        let connections = Arc::<AtomicU64>::default();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = {
            let (wire, connections) = (wire.clone(), Arc::clone(&connections));
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime.expect("a runtime").block_on(async move {
                    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port is free");
                    tell.send(listener.local_addr().expect("it is bound")).expect("the test waits");
                    serve(listener, service, wire, connections, stopped).await;
                });
            })
        };
        let address = told.recv().expect("the server starts");
        let thread = Mutex::new(Some(thread));
        Self { root: root.to_owned(), address, wire, connections, stop, thread }
    }

    /// Where it is.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Makes a bucket.
    pub fn make_bucket(&self, name: &str) {
        std::fs::create_dir_all(self.root.join(name)).expect("its root can be written");
    }

    /// The file of an object.
    pub fn file(&self, bucket: &str, key: &str) -> PathBuf {
        self.root.join(bucket).join(key)
    }

    /// Parts of multipart uploads that were neither put together nor given up.
    pub fn unfinished_parts(&self) -> usize {
        let names = std::fs::read_dir(&self.root).expect("its root can be read");
        let names = names.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.filter(|name| name.starts_with(".upload_id-")).count()
    }

    /// Connections that were made to it so far.
    pub fn connections(&self) -> u64 {
        self.connections.load(Ordering::SeqCst)
    }

    /// Lets the wire do something else from now on, to connections that there are as well.
    pub fn set_wire(&self, wire: Wire) {
        self.wire.send_replace(wire);
    }

    /// The settings of a service that keeps its objects in a bucket of this server, below a prefix.
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
    wire: watch::Sender<Wire>,
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
                tokio::spawn(carry(client, address, wire.subscribe()));
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

/// Carries a connection as the wire has it. It ends, both ways, when one side or the wire does.
async fn carry(client: TcpStream, server: SocketAddr, mut wire: watch::Receiver<Wire>) {
    let now = *wire.borrow_and_update();
    if now == Wire::Cut {
        // Closed with a reset, as by a host without such a service.
        let _ = client.set_zero_linger();
        return;
    }
    let Ok(upstream) = TcpStream::connect(server).await else { return };
    let ((mut from_client, mut to_client), (mut from_server, mut to_server)) =
        (client.into_split(), upstream.into_split());
    let limits = match now {
        Wire::Silent => (0, u64::MAX),
        Wire::AnswersEndAfter(bytes) => (bytes, u64::MAX),
        Wire::RequestsEndAfter(bytes) => (u64::MAX, bytes),
        Wire::Whole | Wire::Cut => (u64::MAX, u64::MAX),
    };
    let answers = copy(&mut from_server, &mut to_client, limits.0);
    let requests = copy(&mut from_client, &mut to_server, limits.1);
    tokio::select! {
        () = answers, if now != Wire::Silent => {}
        () = requests, if now != Wire::Silent => {}
        // What was whole before is as the wire is now.
        _ = wire.changed() => {}
        () = tokio::time::sleep(Duration::from_mins(10)) => {}
    }
}

/// Copies up to so many bytes.
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
