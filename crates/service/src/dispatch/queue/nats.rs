//! Dispatch by NATS JetStream. A message of a work queue represents one due job. A worker pulls as
//! many as it has free capacity for, extends their leases while it works, and acknowledges them at
//! the end. A message that is not acknowledged in time goes to another worker, which finds the job
//! reclaimed by then, or done.
//!
//! `streams` names and creates the streams, `pulling` is a worker's subscription, `message` one
//! delivered message. Everything on the server can be recreated from the store; the workers'
//! `replenish` does so.

mod message;
mod pulling;
mod streams;

use std::{
    collections::BTreeSet,
    fmt, io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_nats::{
    Client, ConnectError, ConnectErrorKind, ConnectOptions, Event, ServerAddr,
    connection::State,
    jetstream::{
        self, Context, ErrorCode,
        context::{CreateStreamErrorKind, PublishErrorKind, RequestErrorKind},
        message::PublishMessage,
        response::Response,
        stream,
    },
};
use futures_util::{FutureExt as _, future::BoxFuture};
use lectern_store::{Environment, QueuedJob, Store, jobs::JobKind};
use tokio::{sync::watch, time::timeout};

pub use self::message::QueueMessage;
use self::{
    pulling::Pulling,
    streams::{Lane, Names},
};
use super::{DeadLetter, Queue, QueueError, Subscription};
use crate::{
    config::{ConfigError, Queue as Settings},
    error::chain,
};

/// The timeout of a request to the server.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The timeout while the server is failing.
const SHORT_TIMEOUT: Duration = Duration::from_millis(300);

/// The most messages in flight before their receipts are read.
const AT_ONCE: usize = 256;

/// The setting that errors name.
const KEY: &str = "queue.url";

/// Dispatch by NATS. Clones are the same connection.
#[derive(Clone)]
pub struct Nats(Arc<Link>);

/// The connection, shared by all clones and tasks.
struct Link {
    client: Client,
    jetstream: Context,
    names: Names,
    /// How long a message may stay unacknowledged: as long as a job's lease.
    lease: Duration,
    store: Store,
    connected: watch::Receiver<u64>,
    /// Whether the last thing asked of JetStream failed.
    failing: AtomicBool,
}

impl fmt::Debug for Nats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nats").field("state", &self.0.client.connection_state()).finish_non_exhaustive()
    }
}

impl Nats {
    /// Connects and creates the missing streams. A server that cannot be reached is retried in the
    /// background; until it answers, workers poll the store.
    ///
    /// # Errors
    /// [`ConfigError`] when a server answers and cannot be used: no JetStream, wrong credentials, no rights.
    pub async fn connect(
        settings: &Settings,
        namespace: &str,
        lease: Duration,
        store: Store,
    ) -> Result<Self, ConfigError> {
        let servers = settings.servers()?;
        let (connections, connected) = watch::channel(0_u64);
        let connections = Arc::new(connections);
        let complaint = Complaint::default();
        let listening = || {
            let (connections, complaint) = (Arc::clone(&connections), complaint.clone());
            options(&servers).name("lectern").request_timeout(Some(TIMEOUT)).event_callback(move |event| {
                note(&event, &connections, &complaint);
                std::future::ready(())
            })
        };
        let client = match listening().connect(&servers[..]).await {
            Ok(client) => {
                // Otherwise the late event would look like a new connection, and every pull would
                // start again.
                let _ = timeout(TIMEOUT, connected.clone().wait_for(|count| *count > 0)).await;
                client
            }
            Err(error) if is_refusal(&error) => return Err(connection_refused(&error)),
            Err(error) => {
                tracing::warn!(
                    error = chain(&error),
                    "NATS cannot be reached: workers poll for jobs until it can"
                );
                let waiting = listening().retry_on_initial_connect().connect(&servers[..]).await;
                waiting.map_err(|error| refused(&chain(&error)))?
            }
        };
        let jetstream = jetstream::new(client.clone());
        let names = Names::new(namespace, usize::try_from(settings.replicas).unwrap_or(1));
        let link =
            Link { client, jetstream, names, lease, store, connected, failing: AtomicBool::new(false) };
        link.check(&complaint).await?;
        Ok(Self(Arc::new(link)))
    }

    /// Whether a server answers and has JetStream.
    ///
    /// # Errors
    /// [`Unusable`].
    pub async fn probe(settings: &Settings) -> Result<(), Unusable> {
        let servers = settings.servers().map_err(Unusable::Refused)?;
        let complaint = Complaint::default();
        let recorder = complaint.clone();
        let asking = options(&servers).name("lectern doctor").event_callback(move |event| {
            recorder.record(&event);
            std::future::ready(())
        });
        match asking.connect(&servers[..]).await {
            Ok(client) => ask(&jetstream::new(client), &complaint).await,
            Err(error) if is_refusal(&error) => Err(Unusable::Refused(connection_refused(&error))),
            Err(error) => Err(Unusable::Away(chain(&error))),
        }
    }

    /// Creates the streams that are missing on the server, those of these jobs included.
    async fn restore_streams(&self, jobs: &[QueuedJob]) {
        if let Err(error) = self.0.make_streams(jobs).await {
            self.0.failed(&error.0);
        }
    }
}

/// Why NATS cannot be used.
#[derive(Debug)]
pub enum Unusable {
    /// No server answers; one may at any time.
    Away(String),
    /// A server answers and refuses.
    Refused(ConfigError),
}

/// The last permissions violation the server reported. Without it, a missing right looks like
/// silence.
#[derive(Clone, Default)]
struct Complaint(Arc<Mutex<Option<String>>>);

impl Complaint {
    fn record(&self, event: &Event) {
        if let Event::ServerError(error) = event {
            let said = error.to_string();
            if said.to_ascii_lowercase().contains("permissions violation") {
                *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(said);
            }
        }
    }

    fn last(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The options of every connection to these servers. The client does not read credentials from
/// addresses, so those of the first server that has any are used for the whole cluster. A user
/// without a password is a token.
fn options(servers: &[ServerAddr]) -> ConnectOptions {
    let options = ConnectOptions::new().connection_timeout(TIMEOUT);
    let Some(server) = servers.iter().find(|server| server.has_user_pass()) else { return options };
    let decoded = |text| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
    match (server.username().map(decoded), server.password().map(decoded)) {
        (Some(user), Some(password)) => options.user_and_password(user, password),
        (Some(token), None) => options.token(token),
        (None, _) => options,
    }
}

/// Checks that JetStream answers. The client's own request requires fields that servers before 2.10
/// do not send.
async fn ask(jetstream: &Context, complaint: &Complaint) -> Result<(), Unusable> {
    let answer = jetstream.request::<_, _, Response<serde_json::Value>>("INFO", "").await;
    if let (Err(_) | Ok(Response::Err { .. }), Some(complaint)) = (&answer, complaint.last()) {
        return Err(Unusable::Refused(refused(&format!(
            "the NATS user lacks a right on $JS.API.>: {complaint}"
        ))));
    }
    match answer {
        Ok(Response::Ok(_)) => Ok(()),
        Ok(Response::Err { error }) if is_transient(&error) => Err(Unusable::Away(error.to_string())),
        Ok(Response::Err { error }) => {
            Err(Unusable::Refused(refused(&format!("JetStream cannot be used: {error}"))))
        }
        Err(error) if error.kind() == RequestErrorKind::NoResponders => {
            Err(Unusable::Refused(refused("the NATS server has no JetStream: start it with --jetstream")))
        }
        Err(error) => Err(Unusable::Away(chain(&error))),
    }
}

/// Whether a server refused the connection or showed an untrusted certificate. Waiting changes
/// neither.
fn is_refusal(error: &ConnectError) -> bool {
    let is_certificate = |cause: &(dyn std::error::Error + 'static)| {
        let inner = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        let inner = inner.and_then(|inner| inner.downcast_ref::<rustls::Error>());
        matches!(inner, Some(rustls::Error::InvalidCertificate(_)))
    };
    let causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
    matches!(
        error.kind(),
        ConnectErrorKind::ServerParse
            | ConnectErrorKind::Authentication
            | ConnectErrorKind::AuthorizationViolation
            | ConnectErrorKind::Tls
    ) || causes.into_iter().any(is_certificate)
}

/// Counts connections and logs when one is made or lost.
fn note(event: &Event, connections: &watch::Sender<u64>, complaint: &Complaint) {
    complaint.record(event);
    match event {
        Event::Connected => {
            connections.send_modify(|count| *count += 1);
            tracing::info!("NATS is connected");
        }
        Event::Disconnected => tracing::warn!("NATS is disconnected: workers poll for jobs until it is back"),
        Event::ServerError(error) => tracing::warn!(error = chain(error), "NATS reported an error"),
        Event::Closed => tracing::debug!("NATS is closed"),
        // One event for each reconnection attempt; the loss itself was logged once.
        Event::ClientError(error) => tracing::debug!(error = %error, "NATS"),
        other => tracing::warn!(event = %other, "NATS"),
    }
}

/// The server refused the connection.
fn connection_refused(error: &ConnectError) -> ConfigError {
    refused(&format!("the NATS server refused the connection: {}", chain(error)))
}

fn refused(reason: &str) -> ConfigError {
    ConfigError::new(KEY, reason)
}

impl Link {
    /// Checks that JetStream can be used, if the server can be reached.
    async fn check(&self, complaint: &Complaint) -> Result<(), ConfigError> {
        if self.is_disconnected() {
            return Ok(());
        }
        match ask(&self.jetstream, complaint).await {
            Ok(()) => {}
            Err(Unusable::Refused(error)) => return Err(error),
            Err(Unusable::Away(reason)) => {
                self.failed(&reason);
                return Ok(());
            }
        }
        for config in self.streams() {
            if let Err(error) = self.jetstream.get_or_create_stream(config).await {
                return match (error.kind(), complaint.last()) {
                    (_, Some(complaint)) => {
                        Err(refused(&format!("the NATS user may not make a stream: {complaint}")))
                    }
                    (CreateStreamErrorKind::JetStream(error), _) if !is_transient(&error) => {
                        Err(refused(&format!("a stream cannot be made: {error}")))
                    }
                    _ => {
                        self.failed(&chain(&error));
                        Ok(())
                    }
                };
            }
        }
        Ok(())
    }

    /// Every stream that is kept on the server.
    fn streams(&self) -> impl Iterator<Item = stream::Config> {
        Lane::all().map(|lane| self.names.stream(&lane)).chain([self.names.dead_stream()])
    }

    /// Creates the streams that are missing on the server, and those of these jobs.
    async fn make_streams(&self, jobs: &[QueuedJob]) -> Result<(), QueueError> {
        let lanes: BTreeSet<Lane> =
            jobs.iter().map(|job| Lane::of(job.kind, &job.engine, job.environment)).collect();
        for config in self.streams().chain(lanes.iter().map(|lane| self.names.stream(lane))) {
            let made = self.jetstream.get_or_create_stream(config).await;
            made.map_err(|error| QueueError(chain(&error)))?;
        }
        Ok(())
    }

    fn is_disconnected(&self) -> bool {
        self.client.connection_state() != State::Connected
    }

    fn failed(&self, reason: &str) {
        // A lost connection was logged when it was lost.
        if !self.is_disconnected() && !self.failing.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                reason,
                "JetStream does not answer as it should: workers poll for jobs until it does"
            );
        }
    }

    fn answered(&self) {
        if self.failing.swap(false, Ordering::Relaxed) {
            tracing::info!("JetStream answers again");
        }
    }

    /// Sends a message for each job and waits for the server's receipts.
    async fn send(&self, jobs: &[QueuedJob]) -> Result<(), (bool, String)> {
        let mut receipts = Vec::with_capacity(jobs.len());
        for job in jobs {
            let lane = Lane::of(job.kind, &job.engine, job.environment);
            // The id makes a repeated send of the same job and epoch one message.
            let name = format!("{}:{}", job.id, job.epoch);
            let message = PublishMessage::build().payload(name.clone().into()).message_id(name);
            let sent = self.jetstream.send_publish(self.names.subject(&lane), message).await;
            receipts.push(sent.map_err(|error| (false, chain(&error)))?);
        }
        for receipt in receipts {
            if let Err(error) = receipt.await {
                return Err((error.kind() == PublishErrorKind::StreamNotFound, chain(&error)));
            }
        }
        Ok(())
    }
}

/// Errors that JetStream may recover from by itself: a cluster that elects a leader or moves a
/// stream, a full disk, full memory. The status alone does not tell: a replica count that one
/// server cannot keep is a 500, too.
const TRANSIENT: [ErrorCode; 12] = [
    ErrorCode::CLUSTER_INCOMPLETE,
    ErrorCode::CLUSTER_NOT_ASSIGNED,
    ErrorCode::CLUSTER_NOT_AVAILABLE,
    ErrorCode::CLUSTER_NOT_LEADER,
    ErrorCode::INSUFFICIENT_RESOURCES,
    ErrorCode::MEMORY_RESOURCES_EXCEEDED,
    ErrorCode::PEER_REMAP,
    ErrorCode::RAFT_GENERAL,
    ErrorCode::STORAGE_RESOURCES_EXCEEDED,
    ErrorCode::STREAM_OFFLINE,
    ErrorCode::STREAM_STORE_FAILED,
    ErrorCode::STREAM_TOO_MANY_REQUESTS,
];

fn is_transient(error: &jetstream::Error) -> bool {
    TRANSIENT.contains(&error.error_code())
}

impl Queue for Nats {
    fn publish<'a>(&'a self, jobs: &'a [QueuedJob]) -> BoxFuture<'a, Result<(), QueueError>> {
        async move {
            // Otherwise the client would send them on reconnection, when polling has already found
            // the jobs.
            if self.0.is_disconnected() {
                return Err(QueueError("NATS is not connected".to_owned()));
            }
            // After a failure the timeout is short: the database notifies the others meanwhile.
            let limit = if self.0.failing.load(Ordering::Relaxed) { SHORT_TIMEOUT } else { TIMEOUT };
            for some in jobs.chunks(AT_ONCE) {
                let mut sent = timeout(limit, self.0.send(some)).await;
                if matches!(sent, Ok(Err((true, _)))) {
                    // The server lost its streams, or a job is the first for its engine.
                    self.restore_streams(some).await;
                    sent = timeout(limit, self.0.send(some)).await;
                }
                let reason = match sent {
                    Ok(Ok(())) => continue,
                    Ok(Err((_, reason))) => reason,
                    Err(_) => "no receipt came in time".to_owned(),
                };
                self.0.failed(&reason);
                return Err(QueueError(reason));
            }
            self.0.answered();
            Ok(())
        }
        .boxed()
    }

    fn subscribe(&self, kinds: &[JobKind], engines: &[String]) -> Box<dyn Subscription> {
        Box::new(Pulling::start(&self.0, kinds, engines))
    }

    fn put_dead_letter<'a>(&'a self, letter: &'a DeadLetter) -> BoxFuture<'a, Result<(), QueueError>> {
        async move {
            if self.0.is_disconnected() {
                return Err(QueueError("NATS is not connected".to_owned()));
            }
            let body = serde_json::to_vec(letter).map_err(|error| QueueError(error.to_string()))?;
            let subject = self.0.names.dead_subject(letter.kind);
            let attempt = async || {
                let sent =
                    async { self.0.jetstream.publish(subject.clone(), body.clone().into()).await?.await };
                timeout(TIMEOUT, sent).await
            };
            let mut sent = attempt().await;
            if matches!(&sent, Ok(Err(error)) if error.kind() == PublishErrorKind::StreamNotFound) {
                // The server lost its streams.
                self.restore_streams(&[]).await;
                sent = attempt().await;
            }
            match sent {
                Ok(Ok(_)) => Ok(()),
                Ok(Err(error)) => Err(QueueError(chain(&error))),
                Err(_) => Err(QueueError("no receipt came in time".to_owned())),
            }
        }
        .boxed()
    }

    fn waiting<'a>(
        &'a self,
        kind: JobKind,
        engine: &'a str,
        environment: Environment,
    ) -> BoxFuture<'a, Result<Option<u64>, QueueError>> {
        async move {
            if self.0.is_disconnected() {
                return Err(QueueError("NATS is not connected".to_owned()));
            }
            let lane = Lane::of(kind, engine, environment);
            let asked = timeout(TIMEOUT, streams::waiting(&self.0, &lane)).await;
            match asked.unwrap_or_else(|_| Err(QueueError("it did not answer in time".to_owned()))) {
                Ok(waiting) => {
                    self.0.answered();
                    Ok(Some(waiting))
                }
                Err(error) => {
                    self.0.failed(&error.0);
                    Err(error)
                }
            }
        }
        .boxed()
    }

    fn is_away(&self) -> bool {
        self.0.is_disconnected() || self.0.failing.load(Ordering::Relaxed)
    }
}
