//! The lifecycle of a running service: start, signals, graceful shutdown.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use lectern_store::LeaderLock;
use secrecy::SecretString;
use tokio::{
    net::{TcpListener, TcpSocket},
    time::Instant,
};
use tokio_util::sync::CancellationToken;

use crate::wyoming;
use lectern_http::{
    connections::{self, Patience},
    edge::Edge,
    management::{self, Managed},
    router,
};
use lectern_service::{
    app::App,
    base::{Base, StartError},
    config::{Config, ConfigError},
    descriptors,
    services::{
        billing::payments::{PaymentContext, top_up},
        mailing,
        materials::jobs::JobContext,
        notices,
        speech::{samples, speaking::Speaker},
    },
    workers::{
        deliveries,
        jobs::{self, Room},
        replenish, runner, sweep,
    },
};

const SWEEP_EVERY: Duration = Duration::from_secs(5);

/// How often it is asked whether this process has the duties that one of all processes does.
const LEADER_LOCK_EVERY: Duration = Duration::from_secs(1);

/// The time limit for closing the database's connections at shutdown.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// How often the leader looks for mails that are due.
const MAILS_EVERY: Duration = Duration::from_secs(5);

/// How often the leader looks for accounts whose credits are to be bought automatically.
const TOP_UPS_EVERY: Duration = Duration::from_secs(5);

/// How often old samples are removed from the histograms.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

/// How often the clock is adjusted to the database's: clocks drift by less than a millisecond in
/// between.
const CLOCK_EVERY: Duration = Duration::from_secs(10);

/// Connections that may wait to be accepted; the system's limit may be lower.
const BACKLOG: u32 = 8_192;

/// How often a process that speaks looks for samples that others were asked for.
const SAMPLES_EVERY: Duration = Duration::from_secs(1);

/// The limit on connections to the management listener.
const MANAGEMENT_CONNECTIONS: usize = 64;

/// The bound listeners of a service.
#[derive(Debug)]
pub struct Listeners {
    public: TcpListener,
    management: TcpListener,
    /// The listener for Home Assistant, if there is one, and the key that pays.
    wyoming: Option<(TcpListener, SecretString)>,
    /// The public listener's address.
    pub public_address: SocketAddr,
    /// The management listener's address.
    pub management_address: SocketAddr,
    /// The address of the listener for Home Assistant, if there is one.
    pub wyoming_address: Option<SocketAddr>,
}

impl Listeners {
    /// Binds the listeners.
    ///
    /// # Errors
    /// [`StartError::Listen`] with the address.
    pub fn bind(config: &Config) -> Result<Self, StartError> {
        let bind = |setting, address: SocketAddr| {
            let failed = |source| StartError::Listen { setting, address, source };
            let listener = listen(address).map_err(failed)?;
            let bound = listener.local_addr().map_err(failed)?;
            Ok::<_, StartError>((listener, bound))
        };
        let (public, public_address) = bind("http.listen", config.http.listen)?;
        let (management, management_address) = bind("management.listen", config.management.listen)?;
        let (mut wyoming, mut wyoming_address) = (None, None);
        if let (Some(address), Some(key)) = (config.wyoming.listen, &config.wyoming.key) {
            let (listener, bound) = bind("wyoming.listen", address)?;
            (wyoming, wyoming_address) = (Some((listener, key.clone())), Some(bound));
        }
        Ok(Self { public, management, wyoming, public_address, management_address, wyoming_address })
    }

    /// The base URL for clients of a service that listens here.
    pub fn public_url(&self, config: &Config) -> String {
        public_url(config, self.public_address)
    }
}

/// The base URL for clients of a service that listens at this address.
pub fn public_url(config: &Config, address: SocketAddr) -> String {
    match &config.http.public_url {
        Some(url) => url.as_str().to_owned(),
        None => format!("http://{}", reachable(address)),
    }
}

/// Listens with a long accept queue: when it is full, a client has to wait a second for its retry.
fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A new process can take over the port of one that has just ended.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Replaces the wildcard address by the loopback address, so that a client can connect to it.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        std::net::IpAddr::V4(ip) if ip.is_unspecified() => std::net::Ipv4Addr::LOCALHOST.into(),
        std::net::IpAddr::V6(ip) if ip.is_unspecified() => std::net::Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// Assembles the service from its parts.
///
/// # Errors
/// The errors of [`App::new`].
pub fn assemble(base: Base, speech: Speaker, listeners: &Listeners) -> Result<Arc<App>, ConfigError> {
    let public_url = listeners.public_url(&base.config);
    let own = [Some(listeners.public_address), Some(listeners.management_address), listeners.wyoming_address];
    for address in own.into_iter().flatten() {
        base.block(address);
    }
    App::new(base, speech, public_url).map(Arc::new)
}

/// The work of a process in addition to serving requests.
#[derive(Default)]
pub struct BackgroundWork {
    /// The jobs that it runs, if any.
    pub jobs: Option<(JobContext, Room)>,
    /// Whether it delivers webhooks.
    pub deliveries: bool,
}

/// Serves until `app.stop` is cancelled, and then gives requests and work in progress the
/// configured time to end. Meanwhile it runs jobs and delivers webhooks, as `background` says.
pub async fn serve(app: Arc<App>, listeners: Listeners, background: BackgroundWork) {
    let patience = Patience {
        headers: Duration::from_secs(app.base.config.http.header_seconds),
        answers: Duration::from_secs(app.base.config.http.body_seconds),
        shutdown: Duration::from_secs(app.base.config.http.shutdown_seconds),
    };
    let edge = |router| Arc::new(Edge::new(router, app.base.ids.clone(), app.base.clock.clone()));
    let public = edge(router::public(Arc::clone(&app)));
    let managed = Managed {
        base: app.base.clone(),
        speech: app.speech.speaker.clone(),
        stop: app.stop.clone(),
        speaks: true,
    };
    let managing = edge(management::router(managed));
    let room = descriptors::connection_limit(app.base.config.http.max_connections);
    let workers = tokio::spawn(work(app.payments.clone(), app.stop.clone()));
    // It publishes until the last job has ended.
    let published = CancellationToken::new();
    let notifier = tokio::spawn(app.base.notifier().run(published.clone()));
    let jobs = tokio::spawn(run_jobs(background.jobs, app.stop.clone()));
    let deliveries = tokio::spawn(deliver(background.deliveries, app.base.clone(), app.stop.clone()));
    let samples = tokio::spawn(make_samples(app.base.clone(), app.speech.speaker.clone(), app.stop.clone()));
    // Health and metrics go on until the last request is answered.
    let public_done = CancellationToken::new();
    let management_stop = public_done.clone();
    let management = tokio::spawn(connections::serve(
        listeners.management,
        MANAGEMENT_CONNECTIONS,
        Patience { shutdown: Duration::from_secs(1), ..patience },
        management_stop,
        managing,
    ));
    let wyoming = tokio::spawn(serve_wyoming(Arc::clone(&app), listeners.wyoming));
    let (stop, shutdown) = (app.stop.clone(), patience.shutdown);
    let stopped = tokio::spawn(async move {
        stop.cancelled().await;
        Instant::now() + shutdown
    });
    connections::serve(listeners.public, room, patience, app.stop.clone(), public).await;
    // Both listeners stop at the same time, and have the same time to finish.
    let _ = wyoming.await;
    // Connections share one deadline with work that has outlived its connection.
    app.tasks.close();
    if tokio::time::timeout_at(stopped.await.unwrap_or_else(|_| Instant::now()), app.tasks.wait())
        .await
        .is_err()
    {
        tracing::warn!(tasks = app.tasks.len(), "the shutdown time ended with work in progress");
    }
    // Jobs and deliveries have the same deadline, and jobs need the engines until then.
    let _ = tokio::join!(jobs, deliveries, samples);
    let speech = app.speech.speaker.clone();
    let _ = tokio::task::spawn_blocking(move || speech.close(Duration::from_secs(1))).await;
    public_done.cancel();
    published.cancel();
    let _ = tokio::join!(management, workers, notifier);
    close(&app.base).await;
}

/// Speaks with Home Assistant, if it is to, until the service stops.
async fn serve_wyoming(app: Arc<App>, listener: Option<(TcpListener, SecretString)>) {
    if let Some((listener, key)) = listener {
        wyoming::serve(app, listener, key).await;
    }
}

/// The background work of this process, until `stop` is cancelled.
pub async fn work(context: PaymentContext, stop: CancellationToken) {
    let PaymentContext { base, provider, public_url } = context;
    let (orphans, missing) = (sweep::Orphans::default(), sweep::Missing::default());
    let mut lock = base.store.leader_lock();
    let first = runner::until_late(&stop, Duration::ZERO, lock.hold()).await;
    let leads = AtomicBool::new(matches!(first, Some(Ok(true))));
    let lock = tokio::sync::Mutex::new(lock);
    let holding = runner::every("duties", LEADER_LOCK_EVERY, stop.clone(), || hold_lock(&lock, &leads));
    let (base, leads, stop) = (&base, &leads, &stop);
    let sweep = as_leader("sweep", SWEEP_EVERY, stop, leads, || sweep::round(base));
    let orphans = as_leader("orphans", SWEEP_EVERY, stop, leads, || orphans.round(base));
    let missing = as_leader("missing", SWEEP_EVERY, stop, leads, || missing.round(base));
    let mails = as_leader("mails", MAILS_EVERY, stop, leads, || async {
        // Mails that are written already are delivered whatever becomes of the others.
        let written = notices::write_due(base, &public_url).await;
        mailing::deliver_due(base).await.and(written)
    });
    let top_ups = as_leader("top_ups", TOP_UPS_EVERY, stop, leads, || top_up::round(base, &provider));
    let messages = as_leader("messages", replenish::EVERY, stop, leads, || replenish::round(base));
    let upkeep = runner::every("metrics", UPKEEP_EVERY, stop.clone(), || async {
        lectern_service::telemetry::metrics().run_upkeep();
        Ok(())
    });
    let clock = runner::every("clock", CLOCK_EVERY, stop.clone(), || async {
        Ok(base.clock.follow(&base.store).await?)
    });
    tokio::join!(holding, sweep, orphans, missing, mails, top_ups, messages, upkeep, clock);
    let _ = tokio::time::timeout(CLOSE_TIMEOUT, lock.into_inner().release()).await;
}

/// Makes samples that processes without their engines were asked for, until `stop` is cancelled.
pub async fn make_samples(base: Base, speech: Speaker, stop: CancellationToken) {
    if speech.is_ready() {
        let round = || samples::serve_requests(&base, &speech);
        runner::every("samples", SAMPLES_EVERY, stop, round).await;
    }
}

/// Repeats work that one process does for all, while this process is the leader.
async fn as_leader<F, R>(
    name: &'static str,
    interval: Duration,
    stop: &CancellationToken,
    leads: &AtomicBool,
    round: F,
) where
    F: Fn() -> R,
    R: Future<Output = lectern_service::error::Result<()>>,
{
    let round = || async { if leads.load(Ordering::Relaxed) { round().await } else { Ok(()) } };
    runner::every(name, interval, stop.clone(), round).await;
}

/// Closes the store, which waits for running statements, unless the database no longer answers.
pub async fn close(base: &Base) {
    if tokio::time::timeout(CLOSE_TIMEOUT, base.store.close()).await.is_err() {
        tracing::warn!("the store does not answer: its connections are not closed");
    }
}

/// Takes or keeps the leader lock, and notes whether this process is the leader.
async fn hold_lock(
    lock: &tokio::sync::Mutex<LeaderLock>,
    leads: &AtomicBool,
) -> lectern_service::error::Result<()> {
    let has = lock.lock().await.hold().await;
    let had = leads.swap(matches!(has, Ok(true)), Ordering::Relaxed);
    metrics::gauge!("lectern_duties").set(f64::from(u8::from(matches!(has, Ok(true)))));
    match has {
        Ok(true) if !had => tracing::info!("this process sweeps and sends mails that wait"),
        Ok(_) => {}
        // Whatever needs the database reports that it is away.
        Err(error) => tracing::debug!(error = %error, "the leader is not known"),
    }
    Ok(())
}

/// The management listener of a process without a public listener.
#[derive(Debug)]
pub struct ManagementListener {
    /// `None` when another process has the address.
    listener: Option<TcpListener>,
    /// The address of the listener, or of the other process's.
    pub address: SocketAddr,
}

impl ManagementListener {
    /// Binds the listener, and keeps webhooks away from it. When another process has the address,
    /// this one continues without: processes on one machine share their settings, and a worker's
    /// purpose is its work.
    ///
    /// # Errors
    /// [`StartError::Listen`] with the address, for any other reason.
    pub fn bind(base: &Base) -> Result<Self, StartError> {
        let address = base.config.management.listen;
        let failed = |source| StartError::Listen { setting: "management.listen", address, source };
        let listener = match listen(address) {
            Ok(listener) => Some(listener),
            Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
                tracing::warn!(
                    management.listen = %address,
                    "another process listens here, so this one has no health and no metrics; \
                     set LECTERN_MANAGEMENT__LISTEN to give it its own address"
                );
                None
            }
            Err(error) => return Err(failed(error)),
        };
        let bound = listener.as_ref().map_or(Ok(address), TcpListener::local_addr).map_err(failed)?;
        base.block(bound);
        Ok(Self { listener, address: bound })
    }

    /// Answers until `done` is cancelled.
    pub async fn run(self, managed: Managed, done: CancellationToken) {
        let Some(listener) = self.listener else { return };
        let patience = Patience {
            headers: Duration::from_secs(managed.base.config.http.header_seconds),
            answers: Duration::from_secs(managed.base.config.http.body_seconds),
            shutdown: Duration::from_secs(1),
        };
        let (ids, clock) = (managed.base.ids.clone(), managed.base.clock.clone());
        let edge = Arc::new(Edge::new(management::router(managed), ids, clock));
        connections::serve(listener, MANAGEMENT_CONNECTIONS, patience, done, edge).await;
    }
}

/// Delivers webhooks, if `wanted`, until `stop` is cancelled and the running attempts have ended.
async fn deliver(wanted: bool, base: Base, stop: CancellationToken) {
    if wanted {
        let shutdown = Duration::from_secs(base.config.http.shutdown_seconds);
        deliveries::run(base, shutdown, stop).await;
    }
}

/// Runs jobs until `stop` is cancelled and the running jobs have ended.
async fn run_jobs(jobs: Option<(JobContext, Room)>, stop: CancellationToken) {
    if let Some((context, room)) = jobs {
        jobs::run(context, room, stop).await;
    } else {
        tracing::info!("this process runs no jobs: a `lectern worker` has to");
    }
}

/// The time limit for a worker's shutdown: ten seconds for its jobs, fifteen for webhook attempts.
/// Service managers wait for thirty.
pub const WORKER_SHUTDOWN_LIMIT: Duration = Duration::from_secs(25);

/// The time limit for a service's shutdown.
pub fn shutdown_limit(config: &Config) -> Duration {
    Duration::from_secs(config.http.shutdown_seconds.saturating_add(8))
}

/// Cancels `stop` when the process is asked to end (SIGTERM or SIGINT). A second signal ends the
/// process at once, and so does the end of `within`: a hanging database, which neither answers nor
/// closes connections, can block shutdown in many places.
///
/// # Errors
/// When signal handlers cannot be installed.
pub fn stop_on_signal(stop: CancellationToken, within: Option<Duration>) -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::spawn(async move {
        tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        tracing::info!("stopping: requests and jobs in progress are finished first");
        stop.cancel();
        let late = async {
            match within {
                Some(within) => tokio::time::sleep(within).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = terminate.recv() => tracing::warn!("stopping at once"),
            _ = interrupt.recv() => tracing::warn!("stopping at once"),
            () = late => tracing::error!("shutdown timed out: a dependency does not answer; leases will expire"),
        }
        std::process::exit(1);
    });
    Ok(())
}
