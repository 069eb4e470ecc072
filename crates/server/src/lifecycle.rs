//! A running service from its first listener to its last request: start, signals, orderly end.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use lectern_store::Duties;
use tokio::{
    net::{TcpListener, TcpSocket},
    time::Instant,
};
use tokio_util::sync::CancellationToken;

use crate::{
    app::{App, Base, StartError},
    config::{Config, ConfigError},
    descriptors, herald,
    http::{
        connections::{self, Patience},
        edge::Edge,
        management::{self, Managed},
        router,
    },
    services::{mailing, materials::Workshop, speaking::Speaker},
    workers::{
        deliveries,
        jobs::{self, Room},
        replenish, runner, sweep,
    },
};

/// How often the sweep looks.
const SWEEP_EVERY: Duration = Duration::from_secs(5);

/// How often it is asked whether this process has the duties that one of all processes does.
const DUTIES_EVERY: Duration = Duration::from_secs(1);

/// How long the database may take to let go of a connection at the end.
const LEAVING: Duration = Duration::from_secs(2);

/// How often mails are looked for that are due.
const MAILS_EVERY: Duration = Duration::from_secs(5);

/// How often old samples are taken out of the histograms.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

/// How often the clock is set by the database's: clocks drift by less than a millisecond meanwhile.
const CLOCK_EVERY: Duration = Duration::from_secs(10);

/// Connections that wait to be accepted; the system may allow fewer.
const BACKLOG: u32 = 8_192;

/// Connections to the management listener at once.
const MANAGEMENT_ROOM: usize = 64;

/// The two listeners of a service, bound.
#[derive(Debug)]
pub struct Listeners {
    public: TcpListener,
    management: TcpListener,
    /// Where the public surface listens.
    pub listening: SocketAddr,
    /// Where the management surface listens.
    pub managing: SocketAddr,
}

impl Listeners {
    /// Binds both.
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
        let (public, listening) = bind("http.listen", config.http.listen)?;
        let (management, managing) = bind("management.listen", config.management.listen)?;
        Ok(Self { public, management, listening, managing })
    }

    /// What clients call a service that listens here.
    pub fn public_url(&self, config: &Config) -> String {
        match &config.http.public_url {
            Some(url) => url.as_str().to_owned(),
            None => format!("http://{}", reachable(self.listening)),
        }
    }
}

/// Listens, with room for many who wait to be accepted: past it a client is only let in a second later.
fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A new process takes over the port of one that has just ended.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// An address that a client can connect to: one that means "everywhere" is replaced by this host's own.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        std::net::IpAddr::V4(ip) if ip.is_unspecified() => std::net::Ipv4Addr::LOCALHOST.into(),
        std::net::IpAddr::V6(ip) if ip.is_unspecified() => std::net::Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// Makes the service out of its parts.
///
/// # Errors
/// As [`App::new`].
pub fn assemble(base: Base, speech: Speaker, listeners: &Listeners) -> Result<App, ConfigError> {
    let public_url = listeners.public_url(&base.config);
    for own in [listeners.listening, listeners.managing] {
        base.outbound.keep_off(own);
    }
    App::new(base, speech, public_url)
}

/// What a process does besides serving.
#[derive(Default)]
pub struct Besides {
    /// The jobs that it runs, if any.
    pub jobs: Option<(Workshop, Room)>,
    /// Whether it delivers webhooks.
    pub deliveries: bool,
}

/// Serves until `app.stop` is cancelled, then lets requests and work in progress end within the configured time. Jobs
/// are run and webhooks delivered besides, as `besides` says.
pub async fn serve(app: App, listeners: Listeners, besides: Besides) {
    let patience = Patience {
        headers: Duration::from_secs(app.config.http.header_seconds),
        answers: Duration::from_secs(app.config.http.body_seconds),
        shutdown: Duration::from_secs(app.config.http.shutdown_seconds),
    };
    let edge = |router| Arc::new(Edge::new(router, app.ids.clone(), app.clock.clone()));
    let public = edge(router::public(app.clone()));
    let managed =
        Managed { base: (**app).clone(), speech: app.speech.clone(), stop: app.stop.clone(), speaks: true };
    let managing = edge(management::router(managed));
    let room = descriptors::room_for_connections(app.config.http.max_connections);
    let workers = tokio::spawn(work((**app).clone(), app.stop.clone()));
    // What ends under way is still told to others.
    let told = CancellationToken::new();
    let herald = tokio::spawn(herald::run((**app).clone(), told.clone()));
    let jobs = tokio::spawn(run_jobs(besides.jobs, app.stop.clone()));
    let deliveries = tokio::spawn(deliver(besides.deliveries, (**app).clone(), app.stop.clone()));
    // Health and metrics go on until the last request is answered.
    let public_done = CancellationToken::new();
    let management_stop = public_done.clone();
    let management = tokio::spawn(connections::serve(
        listeners.management,
        MANAGEMENT_ROOM,
        Patience { shutdown: Duration::from_secs(1), ..patience },
        management_stop,
        managing,
    ));
    let (stop, shutdown) = (app.stop.clone(), patience.shutdown);
    let stopped = tokio::spawn(async move {
        stop.cancelled().await;
        Instant::now() + shutdown
    });
    connections::serve(listeners.public, room, patience, app.stop.clone(), public).await;
    // One deadline for connections and for work that has outlived its own.
    app.tasks.close();
    if tokio::time::timeout_at(stopped.await.unwrap_or_else(|_| Instant::now()), app.tasks.wait())
        .await
        .is_err()
    {
        tracing::warn!(tasks = app.tasks.len(), "work was still going on at the end of the shutdown time");
    }
    // They have the same deadline, and speak until then.
    let _ = tokio::join!(jobs, deliveries);
    let speech = app.speech.clone();
    let _ = tokio::task::spawn_blocking(move || speech.close(Duration::from_secs(1))).await;
    public_done.cancel();
    told.cancel();
    let _ = tokio::join!(management, workers, herald);
    close(&app).await;
}

/// The work of this process that no request waits for, until `stop` is cancelled.
pub async fn work(base: Base, stop: CancellationToken) {
    let (orphans, missing) = (sweep::Orphans::default(), sweep::Missing::default());
    let mut duties = base.store.duties();
    let first = runner::until_late(&stop, Duration::ZERO, duties.are_ours()).await;
    let ours = AtomicBool::new(matches!(first, Some(Ok(true))));
    let duties = tokio::sync::Mutex::new(duties);
    let taking = runner::every("duties", DUTIES_EVERY, stop.clone(), || take_duties(&duties, &ours));
    let (base, ours, stop) = (&base, &ours, &stop);
    let sweep = duty("sweep", SWEEP_EVERY, stop, ours, || sweep::round(base));
    let orphans = duty("orphans", SWEEP_EVERY, stop, ours, || orphans.round(base));
    let missing = duty("missing", SWEEP_EVERY, stop, ours, || missing.round(base));
    let mails = duty("mails", MAILS_EVERY, stop, ours, || mailing::round(base));
    let messages = duty("messages", replenish::EVERY, stop, ours, || replenish::round(base));
    let upkeep = runner::every("metrics", UPKEEP_EVERY, stop.clone(), || async {
        crate::telemetry::metrics().run_upkeep();
        Ok(())
    });
    let clock = runner::every("clock", CLOCK_EVERY, stop.clone(), || async {
        Ok(base.clock.follow(&base.store).await?)
    });
    tokio::join!(taking, sweep, orphans, missing, mails, messages, upkeep, clock);
    let _ = tokio::time::timeout(LEAVING, duties.into_inner().leave()).await;
}

/// Repeats what one process does for all, while that is this one.
async fn duty<F, R>(
    name: &'static str,
    interval: Duration,
    stop: &CancellationToken,
    ours: &AtomicBool,
    round: F,
) where
    F: Fn() -> R,
    R: Future<Output = crate::error::Result<()>>,
{
    let round = || async { if ours.load(Ordering::Relaxed) { round().await } else { Ok(()) } };
    runner::every(name, interval, stop.clone(), round).await;
}

/// Closes the store, which waits for the statements under way, unless it does not answer any more.
pub async fn close(base: &Base) {
    if tokio::time::timeout(LEAVING, base.store.close()).await.is_err() {
        tracing::warn!("the store does not answer: its connections are left as they are");
    }
}

/// Notes whether this process has the duties that one of all processes does.
async fn take_duties(duties: &tokio::sync::Mutex<Duties>, ours: &AtomicBool) -> crate::error::Result<()> {
    let has = duties.lock().await.are_ours().await;
    let had = ours.swap(matches!(has, Ok(true)), Ordering::Relaxed);
    metrics::gauge!("lectern_duties").set(f64::from(u8::from(matches!(has, Ok(true)))));
    match has {
        Ok(true) if !had => tracing::info!("this process sweeps and sends mails that wait"),
        Ok(_) => {}
        // The store's absence is told of by whoever needs it.
        Err(error) => tracing::debug!(error = %error, "who has the duties is not known"),
    }
    Ok(())
}

/// What the management surface of a process without a public one takes.
#[derive(Debug)]
pub struct Manager {
    /// Nothing, where another process listens.
    listener: Option<TcpListener>,
    /// Where it listens, or would.
    pub managing: SocketAddr,
}

impl Manager {
    /// Binds it, and keeps webhooks off it. Where another process has the address, this one goes on without: processes of one
    /// machine have the same settings, and a worker is wanted for its work.
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
                    "another process listens here: this one has no health and no metrics; \
                     LECTERN_MANAGEMENT__LISTEN gives it an address of its own"
                );
                None
            }
            Err(error) => return Err(failed(error)),
        };
        let managing = listener.as_ref().map_or(Ok(address), TcpListener::local_addr).map_err(failed)?;
        base.outbound.keep_off(managing);
        Ok(Self { listener, managing })
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
        connections::serve(listener, MANAGEMENT_ROOM, patience, done, edge).await;
    }
}

/// Delivers webhooks, if that is wanted, until `stop` is cancelled and the attempts under way have ended.
async fn deliver(wanted: bool, base: Base, stop: CancellationToken) {
    if wanted {
        let shutdown = Duration::from_secs(base.config.http.shutdown_seconds);
        deliveries::run(base, shutdown, stop).await;
    }
}

/// Runs jobs until `stop` is cancelled and those under way have ended.
async fn run_jobs(jobs: Option<(Workshop, Room)>, stop: CancellationToken) {
    if let Some((workshop, room)) = jobs {
        jobs::run(workshop, room, stop).await;
    } else {
        tracing::info!("no jobs are run here: there must be a `lectern worker`");
    }
}

/// How long a worker may take to end: ten seconds for its jobs, fifteen for attempts at webhooks. Who runs it waits for thirty.
pub const WORKER_ENDS_WITHIN: Duration = Duration::from_secs(25);

/// How long a service may take to end.
pub fn ends_within(config: &Config) -> Duration {
    Duration::from_secs(config.http.shutdown_seconds.saturating_add(8))
}

/// Cancels `stop` when the process is asked to end (SIGTERM or SIGINT); a second signal ends it at once, and so does the end of `within`:
/// a database that hangs, and neither answers nor closes connections, can be waited for in many places, and in none for ever.
///
/// # Errors
/// When signals cannot be listened to.
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
            () = late => tracing::error!("it did not end in time: something that it waits for does not answer; leases end by themselves"),
        }
        std::process::exit(1);
    });
    Ok(())
}
