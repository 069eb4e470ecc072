//! What the service is made of, built once and passed down: store, objects, speech, clock, ids, keys, settings.
//!
//! [`Base`] is what the operator's commands need; [`App`] adds what answering requests takes.

use std::{ops::Deref, path::Path, sync::Arc, time::Duration};

use lectern_store::{SchemaState, Store, Writing};
use lectern_types::{DeliveryId, EventId, JobId, Timestamp, TransactionId};
use sha2::{Digest as _, Sha256};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    clock::{self, Clock, Ids},
    config::{Config, ConfigError, DatabaseUrl, Jobs, QueueUrl},
    mail::Mailer,
    objects::{
        Objects, OpenError, Unusable,
        signing::{self, Signer},
    },
    outbound::Outbound,
    queue::{Embedded, Nats, Queue},
    secrets::{self, Secrets, SecretsError},
    services::{
        catalogue,
        extraction::Extractor,
        gate::Gate,
        materials,
        passwords::Passwords,
        payments::{self, Payments},
        rate::RequestLimiter,
        speaking::Speaker,
        velocity::Velocity,
    },
    signals::Signals,
};

/// The name under which the master key's fingerprint stands in the store.
pub const FINGERPRINT: &str = "master_key_fingerprint";

/// The name under which the store keeps what its messages are called by on servers that it shares with others.
const NAMESPACE: &str = "queue_namespace";

/// What commands and the service share.
#[derive(Clone)]
pub struct Base {
    /// The settings.
    pub config: Arc<Config>,
    /// The database.
    pub store: Store,
    /// The audio.
    pub objects: Objects,
    /// The time.
    pub clock: Clock,
    /// New ids.
    pub ids: Ids,
    /// The derived keys.
    pub secrets: Arc<Secrets>,
    /// What sends mail.
    pub mailer: Mailer,
    /// What calls addresses that customers gave.
    pub outbound: Outbound,
    /// What happens in this process.
    pub signals: Signals,
    /// How workers hear of jobs; the embedded way until [`Base::connect_queue`].
    pub queue: Arc<dyn Queue>,
    /// This process's word among those that share its store, another in each process.
    pub word: Arc<str>,
    /// What reads uploaded files.
    pub extractor: Extractor,
    sources: Arc<Sources>,
}

/// Where the ids come from of what a transaction writes.
struct Sources {
    transactions: Box<dyn Fn() -> TransactionId + Send + Sync>,
    events: Box<dyn Fn() -> EventId + Send + Sync>,
    deliveries: Box<dyn Fn() -> DeliveryId + Send + Sync>,
    jobs: Box<dyn Fn() -> JobId + Send + Sync>,
}

impl Sources {
    fn new(ids: &Ids) -> Self {
        let (transactions, events, deliveries, jobs) = (ids.clone(), ids.clone(), ids.clone(), ids.clone());
        Self {
            transactions: Box::new(move || transactions.make()),
            events: Box::new(move || events.make()),
            deliveries: Box::new(move || deliveries.make()),
            jobs: Box::new(move || jobs.make()),
        }
    }
}

impl std::fmt::Debug for Sources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sources").finish_non_exhaustive()
    }
}

/// Why the service cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A setting is at fault, or what it points to.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The master key is.
    #[error(transparent)]
    Secrets(#[from] SecretsError),
    /// The store is.
    #[error("the store cannot be opened")]
    Store(#[from] lectern_store::Error),
    /// Object storage is.
    #[error("object storage cannot be opened")]
    Objects(#[from] object_store::Error),
    /// Object storage does not answer, or fails.
    #[error("{0}")]
    ObjectsAway(String),
    /// The speech engine is.
    #[error("{0}")]
    Speech(String),
    /// There is no place for files under work.
    #[error("no folder can be made below the data directory")]
    Workspace(#[source] std::io::Error),
    /// An address cannot be listened on.
    #[error("{setting} {address} cannot be listened on")]
    Listen {
        /// The setting that names it.
        setting: &'static str,
        /// The address.
        address: std::net::SocketAddr,
        /// The system's answer.
        #[source]
        source: std::io::Error,
    },
}

impl From<OpenError> for StartError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Setting(error) => error.into(),
            OpenError::Storage(error) => error.into(),
        }
    }
}

impl From<Unusable> for StartError {
    fn from(error: Unusable) -> Self {
        match error {
            Unusable::Setting(error) => error.into(),
            away @ Unusable::Away(_) => Self::ObjectsAway(away.to_string()),
        }
    }
}

impl Base {
    /// Opens everything. An empty or older SQLite store is migrated, a fresh one seeded with e-readers.
    ///
    /// # Errors
    /// [`StartError`]; a PostgreSQL store that is not migrated is a [`ConfigError`] naming `lectern migrate`.
    pub async fn open(config: Arc<Config>, clock: Clock) -> Result<Self, StartError> {
        let base = Self::open_unmigrated(config, clock).await?;
        match (base.store.schema_state().await?, &base.config.database.url) {
            (SchemaState::Current, _) => {}
            (SchemaState::Expanded { found }, _) => tracing::warn!(
                schema.found = found,
                "the database was migrated by a newer version, which only added to it: this one goes on until it is replaced"
            ),
            (SchemaState::Empty | SchemaState::Older { .. }, DatabaseUrl::Sqlite(_)) => {
                base.migrate().await?;
            }
            (SchemaState::Empty | SchemaState::Older { .. }, DatabaseUrl::Postgres(_)) => {
                let reason = "the database's schema is not up to date; run: lectern migrate";
                return Err(ConfigError::new("database.url", reason).into());
            }
            (SchemaState::Newer { found }, _) => return Err(newer(found).into()),
            (SchemaState::Changed { version }, _) => return Err(changed(version).into()),
        }
        base.prepare().await?;
        Ok(base)
    }

    /// Opens everything and leaves the schema as it is.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn open_unmigrated(config: Arc<Config>, clock: Clock) -> Result<Self, StartError> {
        make_data_dir(&config.data_dir)?;
        // Before the store is opened, which makes the file of one that is not there.
        let secrets = Secrets::find(config.secrets.master_key.as_ref(), &config.data_dir)?;
        let store = Store::open(&config.database.store_options()).await?;
        match store.ping().await {
            Err(error @ lectern_store::Error::ReadOnly { .. }) => {
                let reason = format!("{error}; name a server that takes writes");
                return Err(ConfigError::new("database.url", reason).into());
            }
            answer => answer?,
        }
        let secrets = match secrets {
            Some(secrets) => secrets,
            None => secrets_of_new(&store, &config.data_dir).await?,
        };
        clock.follow(&store).await?;
        let objects = Objects::open(&config.storage, &config.storage.url)?;
        let ids = Ids::new(clock.clone());
        let mailer = Mailer::new(&config, &clock, &ids)?;
        let extractor = Extractor::new(&config.limits);
        let outbound = Outbound::new(&config)?;
        let (secrets, signals) = (Arc::new(secrets), Signals::default());
        let word: Arc<str> = format!("{}-{}", std::process::id(), hex::encode(clock::random::<6>())).into();
        let queue = Arc::new(Embedded::new(store.clone(), signals.clone(), Arc::clone(&word)));
        let sources = Arc::new(Sources::new(&ids));
        Ok(Self {
            config,
            store,
            objects,
            clock,
            ids,
            secrets,
            mailer,
            outbound,
            signals,
            queue,
            word,
            extractor,
            sources,
        })
    }

    /// What tells this installation from others that share a server with it. Drawn once, and kept in the store.
    ///
    /// # Errors
    /// The store's.
    pub async fn namespace(&self) -> lectern_store::Result<String> {
        let drawn = hex::encode(clock::random::<6>());
        lectern_store::settings::fix(&self.store, NAMESPACE, &drawn).await
    }

    /// Connects to the dispatch that the settings name: for processes that serve or work, once the store is prepared.
    ///
    /// # Errors
    /// A [`ConfigError`] when a server answers and cannot be used.
    pub async fn connect_queue(&mut self) -> Result<(), StartError> {
        if matches!(self.config.queue.url, QueueUrl::Nats(_)) {
            let namespace = self.namespace().await?;
            let signals = self.signals.clone();
            self.queue =
                Arc::new(Nats::connect(&self.config.queue, &namespace, self.lease(), signals).await?);
        }
        Ok(())
    }

    /// Whether object storage can be used, which takes a few requests where it is S3.
    ///
    /// # Errors
    /// [`StartError`]; a [`ConfigError`] where a setting is at fault.
    pub async fn check_objects(&self) -> Result<(), StartError> {
        if self.objects.is_remote() {
            let word: lectern_types::RequestId = self.ids.make();
            self.objects.check(&word.to_string()).await?;
        }
        Ok(())
    }

    /// Migrates the store; how many migrations were applied.
    ///
    /// # Errors
    /// The store's; a schema of a newer version, or of another program, is a [`ConfigError`].
    pub async fn migrate(&self) -> Result<u32, StartError> {
        let applied = match self.store.migrate(self.clock.now()).await {
            Err(lectern_store::Error::SchemaNewer { found, .. }) => return Err(newer(found).into()),
            Err(lectern_store::Error::MigrationChanged { version }) => return Err(changed(version).into()),
            other => other?,
        };
        if applied > 0 {
            tracing::info!(migrations = applied, "the store's schema was brought up to date");
        }
        Ok(applied)
    }

    /// What a migrated store needs before its first use: the master key it belongs to, and e-readers.
    ///
    /// # Errors
    /// [`StartError`]; another master key than the store's is a [`ConfigError`].
    pub async fn prepare(&self) -> Result<(), StartError> {
        let fingerprint = fingerprint(&self.secrets);
        if lectern_store::settings::fix(&self.store, FINGERPRINT, &fingerprint).await? != fingerprint {
            return Err(other_key(&self.config));
        }
        let seeds = catalogue::first_ereaders(&self.ids, self.clock.now());
        lectern_store::ereaders::seed(&self.store, &seeds).await?;
        Ok(())
    }

    /// What this process, which suited the store when it started, finds there otherwise: a newer version may have migrated it further
    /// than this one goes along with, or another installation's may have been restored in its place.
    ///
    /// # Errors
    /// The store's.
    pub async fn disagreements(&self) -> lectern_store::Result<Vec<&'static str>> {
        if !self.store.still_suits().await? {
            return Ok(vec!["schema"]);
        }
        let theirs = lectern_store::settings::find(&self.store, FINGERPRINT).await?;
        let same = theirs.is_some_and(|theirs| theirs == fingerprint(&self.secrets));
        Ok(if same { Vec::new() } else { vec!["master_key"] })
    }

    /// A new id for a row of the ledger.
    pub fn transaction_id(&self) -> TransactionId {
        self.ids.make()
    }

    /// Now, and the ids of what is written now.
    pub fn writing(&self) -> Writing<'_> {
        let Sources { transactions, events, deliveries, jobs } = &*self.sources;
        Writing {
            now: self.clock.now(),
            transactions: &**transactions,
            events: &**events,
            deliveries: &**deliveries,
            jobs: &**jobs,
        }
    }

    /// How long work may be silent before others take it over.
    pub fn lease(&self) -> Duration {
        Duration::from_secs(self.config.jobs.lease_seconds)
    }

    /// How often a lease is renewed.
    pub fn renewal(&self) -> Duration {
        Jobs::renewal(self.lease())
    }

    /// When a lease that begins now ends.
    pub fn lease_end(&self) -> Timestamp {
        self.clock.now().plus_seconds(i64::try_from(self.config.jobs.lease_seconds).unwrap_or(i64::MAX))
    }
}

/// Makes the data directory, for a process that is about to put something there.
fn make_data_dir(path: &Path) -> Result<(), ConfigError> {
    match std::fs::create_dir_all(path) {
        Ok(()) => Ok(()),
        Err(_) if path.is_file() => Err(ConfigError::new(
            "data_dir",
            format!("{} is a file, and must be a directory", path.display()),
        )),
        Err(error) => {
            Err(ConfigError::new("data_dir", format!("{} cannot be made: {error}", path.display())))
        }
    }
}

/// The secrets of a store that has none yet: made now. A store that was made with a key must not get another, which would
/// open nothing of it.
async fn secrets_of_new(store: &Store, data_dir: &Path) -> Result<Secrets, StartError> {
    if master_key_of(store).await?.is_none() {
        return Ok(Secrets::make(data_dir)?);
    }
    // Another process may have made both since this one looked.
    let lost = SecretsError::Lost { path: secrets::key_file(data_dir) };
    Ok(Secrets::find(None, data_dir)?.ok_or(lost)?)
}

/// The fingerprint of the master key that a store was made with, if it was made.
///
/// # Errors
/// The store's.
pub async fn master_key_of(store: &Store) -> lectern_store::Result<Option<String>> {
    match store.schema_state().await? {
        SchemaState::Empty => Ok(None),
        _ => lectern_store::settings::find(store, FINGERPRINT).await,
    }
}

/// The master key is not the store's.
pub fn other_key(config: &Config) -> StartError {
    if config.secrets.master_key.is_none() {
        return SecretsError::OfAnotherStore { path: secrets::key_file(&config.data_dir) }.into();
    }
    let reason = "is not the master key that this store was made with";
    ConfigError::new("secrets.master_key", reason).into()
}

/// What the store knows a master key by.
pub fn fingerprint(secrets: &Secrets) -> String {
    hex::encode(Sha256::digest(secrets.fingerprint.bytes()))
}

fn newer(found: i64) -> ConfigError {
    let reason = format!("the database was migrated by a newer version (schema {found})");
    ConfigError::new("database.url", reason)
}

fn changed(version: i64) -> ConfigError {
    let reason = format!("the database was migrated by another program (schema {version} is not this one's)");
    ConfigError::new("database.url", reason)
}

/// The running service. Clones are the same service.
#[derive(Clone)]
pub struct App(Arc<Inner>);

/// The parts of [`App`].
pub struct Inner {
    base: Base,
    /// The voices.
    pub speech: Speaker,
    /// Signs `/media` URLs.
    pub signer: Signer,
    /// The request limit of each account.
    pub request_limiter: RequestLimiter,
    /// The limits on guessing passwords and on registering.
    pub velocity: Velocity,
    /// The gate in front of uploads.
    pub uploads: Gate,
    /// The gate in front of requests that wait for long: event streams, and whole books.
    pub waiting: Gate,
    /// Who takes the money of purchases.
    pub payments: Arc<dyn Payments>,
    /// The gate in front of hashing passwords.
    pub passwords: Passwords,
    /// What clients call the service, without a slash at its end.
    pub public_url: String,
    /// Work that outlives its request.
    pub tasks: TaskTracker,
    /// Cancelled when the process is asked to stop.
    pub stop: CancellationToken,
}

impl App {
    /// The service made of these parts, known to clients as `public_url`.
    ///
    /// # Errors
    /// [`ConfigError`] when the settings name a Redis that cannot be used.
    pub fn new(base: Base, speech: Speaker, public_url: String) -> Result<Self, ConfigError> {
        let signer = Signer::new(base.secrets.media.clone());
        let request_limiter = RequestLimiter::new(base.config.rate_limit.requests_per_minute, &base.clock);
        let velocity = Velocity::new(&base.config.rate_limit, base.secrets.velocity.clone(), &base.clock)?;
        let passwords = Passwords::new(base.config.auth.password_queue_length);
        let payments = payments::of(&base.config)?;
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        Ok(Self(Arc::new(Inner {
            base,
            speech,
            signer,
            request_limiter,
            velocity,
            payments,
            passwords,
            uploads: materials::upload::gate(),
            waiting: materials::book::gate(),
            public_url,
            tasks,
            stop,
        })))
    }

    /// The URL under which `object` can be had for the next 24 hours, and when it ends: straight from S3 where the objects
    /// are there, else ours.
    pub fn media_url(&self, object: &str, now: Timestamp) -> (String, Timestamp) {
        // Whole seconds, as URLs count them.
        let now = Timestamp(now.unix_seconds() * 1_000_000);
        let expires_at = now.plus_seconds(i64::from(signing::URL_SECONDS));
        let url = self.objects.presigned(object, now, u64::from(signing::URL_SECONDS));
        let own = || format!("{}{}", self.public_url, self.signer.sign(object, expires_at));
        (url.unwrap_or_else(own), expires_at)
    }
}

impl Deref for App {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Deref for Inner {
    type Target = Base;
    fn deref(&self) -> &Base {
        &self.base
    }
}
