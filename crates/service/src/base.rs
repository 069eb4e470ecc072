//! The parts that commands, services and workers share, opened once and passed down: settings,
//! store, objects, clock, ids, secrets, mail, outbound connections and the queue.
//!
//! This module does not depend on any service. [`crate::app`] builds those from these parts.

use std::{path::Path, sync::Arc, time::Duration};

use lectern_store::{SchemaState, Store, Writing};
use lectern_types::{DeliveryId, EventId, JobId, Timestamp, TransactionId};
use sha2::{Digest as _, Sha256};

use crate::{
    clock::{self, Clock, Ids},
    config::{Config, ConfigError, DatabaseUrl, Jobs, QueueUrl},
    dispatch::{
        notifier::{Listening, Notifier},
        queue::{Embedded, Nats, Queue},
    },
    mail::Mailer,
    objects::{CheckError, Objects, OpenError},
    outbound::{Outbound, Timeouts},
    secrets::{self, Secrets, SecretsError},
};

/// The key in the store under which the master key's fingerprint is kept.
pub const FINGERPRINT: &str = "master_key_fingerprint";

/// The key in the store of this installation's namespace on a message server that it shares with
/// others.
const NAMESPACE: &str = "queue_namespace";

/// The parts that commands, services and workers share. Clones share them.
#[derive(Clone)]
pub struct Base {
    pub config: Arc<Config>,
    pub store: Store,
    pub objects: Objects,
    pub clock: Clock,
    pub ids: Ids,
    pub secrets: Arc<Secrets>,
    pub mailer: Mailer,
    /// Sends webhooks to addresses that customers gave.
    pub outbound: Outbound,
    /// Fetches documents from addresses that customers gave.
    pub imports: Arc<Outbound>,
    /// Whether notifications of other processes are received.
    pub listening: Listening,
    /// Notifies workers of jobs; the embedded queue until [`Base::connect_queue`].
    pub queue: Arc<dyn Queue>,
    /// Identifies this process among those that share its store; different in each process.
    pub instance_id: Arc<str>,
    id_sources: Arc<IdSources>,
}

/// Generates the ids of the rows that a transaction writes.
struct IdSources {
    transactions: Box<dyn Fn() -> TransactionId + Send + Sync>,
    events: Box<dyn Fn() -> EventId + Send + Sync>,
    deliveries: Box<dyn Fn() -> DeliveryId + Send + Sync>,
    jobs: Box<dyn Fn() -> JobId + Send + Sync>,
}

impl IdSources {
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

impl std::fmt::Debug for IdSources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IdSources").finish_non_exhaustive()
    }
}

/// A reason why the service cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A setting is invalid, or a file or server that it names is.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The master key cannot be read or created.
    #[error(transparent)]
    Secrets(#[from] SecretsError),
    #[error("the store cannot be opened")]
    Store(#[from] lectern_store::Error),
    #[error("object storage cannot be opened")]
    Objects(#[from] object_store::Error),
    /// Object storage does not respond, or fails.
    #[error("{0}")]
    ObjectsUnavailable(String),
    /// The speech engine cannot start.
    #[error("{0}")]
    Speech(String),
    /// No directory for temporary files can be created.
    #[error("no directory can be created in the data directory")]
    Workspace(#[source] std::io::Error),
    /// The process cannot listen on an address.
    #[error("cannot listen on {setting} {address}")]
    Listen {
        /// The setting that holds the address.
        setting: &'static str,
        address: std::net::SocketAddr,
        /// The operating system's error.
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

impl From<CheckError> for StartError {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Setting(error) => error.into(),
            error @ CheckError::Unavailable(_) => Self::ObjectsUnavailable(error.to_string()),
        }
    }
}

impl Base {
    /// Blocks an address that this service listens on for all that customers can make it call.
    pub fn block(&self, address: std::net::SocketAddr) {
        self.outbound.block(address);
        self.imports.block(address);
    }

    /// Opens everything, and migrates an empty or older SQLite store. [`crate::app::open`] seeds it
    /// as well.
    ///
    /// # Errors
    /// [`StartError`]; a PostgreSQL store that is not migrated is a [`ConfigError`] naming `lectern
    /// migrate`.
    pub async fn open(config: Arc<Config>, clock: Clock) -> Result<Self, StartError> {
        let base = Self::open_unmigrated(config, clock).await?;
        match (base.store.schema_state().await?, &base.config.database.url) {
            (SchemaState::Current, _) => {}
            (SchemaState::Expanded { found }, _) => tracing::warn!(
                schema.found = found,
                "a newer version has migrated the database in a compatible way; this version keeps running until it is replaced"
            ),
            (SchemaState::Empty | SchemaState::Older { .. }, DatabaseUrl::Sqlite(_)) => {
                base.migrate().await?;
            }
            (SchemaState::Empty | SchemaState::Older { .. }, DatabaseUrl::Postgres(_)) => {
                let reason = "the database's schema is not up to date; run: lectern migrate";
                return Err(ConfigError::new("database.url", reason).into());
            }
            (SchemaState::Newer { found }, _) => return Err(newer_schema(found).into()),
            (SchemaState::Changed { version }, _) => return Err(foreign_schema(version).into()),
        }
        base.claim_store().await?;
        Ok(base)
    }

    /// Opens everything without migrating the schema.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn open_unmigrated(config: Arc<Config>, clock: Clock) -> Result<Self, StartError> {
        make_data_dir(&config.data_dir)?;
        // Opening the store creates its file when there is none, so look for the key first.
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
            None => create_secrets(&store, &config.data_dir).await?,
        };
        clock.follow(&store).await?;
        let objects = Objects::open(&config.storage, &config.storage.url)?;
        let ids = Ids::new(clock.clone());
        let mailer = Mailer::new(&config, &clock, &ids)?;
        let outbound = Outbound::new(&config)?;
        let imports = Arc::new(Outbound::for_imports(&config, Timeouts::default())?);
        let secrets = Arc::new(secrets);
        let instance_id: Arc<str> =
            format!("{}-{}", std::process::id(), hex::encode(clock::random::<6>())).into();
        let queue = Arc::new(Embedded::new(store.clone(), Arc::clone(&instance_id)));
        let id_sources = Arc::new(IdSources::new(&ids));
        Ok(Self {
            config,
            store,
            objects,
            clock,
            ids,
            secrets,
            mailer,
            outbound,
            imports,
            listening: Listening::default(),
            queue,
            instance_id,
            id_sources,
        })
    }

    /// Carries notifications between this process and others.
    pub fn notifier(&self) -> Notifier {
        Notifier {
            store: self.store.clone(),
            queue: Arc::clone(&self.queue),
            own: Arc::clone(&self.instance_id),
            listening: self.listening.clone(),
        }
    }

    /// Distinguishes this installation from others that share a server with it. Generated once and
    /// kept in the store.
    ///
    /// # Errors
    /// The store's.
    pub async fn namespace(&self) -> lectern_store::Result<String> {
        let generated = hex::encode(clock::random::<6>());
        lectern_store::settings::fix(&self.store, NAMESPACE, &generated).await
    }

    /// Connects to the queue that the settings name. Processes that serve or work call this once
    /// the store is prepared.
    ///
    /// # Errors
    /// A [`ConfigError`] when a server responds but cannot be used.
    pub async fn connect_queue(&mut self) -> Result<(), StartError> {
        if matches!(self.config.queue.url, QueueUrl::Nats(_)) {
            let namespace = self.namespace().await?;
            let store = self.store.clone();
            self.queue = Arc::new(Nats::connect(&self.config.queue, &namespace, self.lease(), store).await?);
        }
        Ok(())
    }

    /// Checks that object storage can be used. On S3 this takes a few requests.
    ///
    /// # Errors
    /// [`StartError`]; a [`ConfigError`] where a setting is wrong.
    pub async fn check_objects(&self) -> Result<(), StartError> {
        if self.objects.is_remote() {
            let probe_id: lectern_types::RequestId = self.ids.make();
            self.objects.check(&probe_id.to_string()).await?;
        }
        Ok(())
    }

    /// Migrates the store and returns how many migrations were applied.
    ///
    /// # Errors
    /// The store's; a schema of a newer version, or of another program, is a [`ConfigError`].
    pub async fn migrate(&self) -> Result<u32, StartError> {
        let applied = match self.store.migrate(self.clock.now()).await {
            Err(lectern_store::Error::SchemaNewer { found, .. }) => return Err(newer_schema(found).into()),
            Err(lectern_store::Error::MigrationChanged { version }) => {
                return Err(foreign_schema(version).into());
            }
            other => other?,
        };
        if applied > 0 {
            tracing::info!(migrations = applied, "the database schema was migrated");
        }
        Ok(applied)
    }

    /// Ties a migrated store to the master key: records the key's fingerprint in a new one.
    ///
    /// # Errors
    /// [`StartError`]; a [`ConfigError`] when the store belongs to another master key.
    pub async fn claim_store(&self) -> Result<(), StartError> {
        let fingerprint = fingerprint(&self.secrets);
        if lectern_store::settings::fix(&self.store, FINGERPRINT, &fingerprint).await? != fingerprint {
            return Err(master_key_mismatch(&self.config));
        }
        Ok(())
    }

    /// Repeats the checks made at start, and returns the names of the parts that no longer match: a
    /// newer version may have migrated the store incompatibly, or the store of another installation
    /// may have been restored in its place.
    ///
    /// # Errors
    /// The store's.
    pub async fn mismatches(&self) -> lectern_store::Result<Vec<&'static str>> {
        if !self.store.still_suits().await? {
            return Ok(vec!["schema"]);
        }
        let stored = lectern_store::settings::find(&self.store, FINGERPRINT).await?;
        let same = stored.is_some_and(|stored| stored == fingerprint(&self.secrets));
        Ok(if same { Vec::new() } else { vec!["master_key"] })
    }

    /// A new id for a row of the ledger.
    pub fn transaction_id(&self) -> TransactionId {
        self.ids.make()
    }

    /// The current time, and generators for the ids of new rows.
    pub fn writing(&self) -> Writing<'_> {
        let IdSources { transactions, events, deliveries, jobs } = &*self.id_sources;
        Writing {
            now: self.clock.now(),
            transactions: &**transactions,
            events: &**events,
            deliveries: &**deliveries,
            jobs: &**jobs,
        }
    }

    /// How long work may go without a renewal before other processes take it over.
    pub fn lease(&self) -> Duration {
        Duration::from_secs(self.config.jobs.lease_seconds)
    }

    /// How often a lease is renewed.
    pub fn renewal(&self) -> Duration {
        Jobs::renewal(self.lease())
    }

    /// The end of a lease that begins now.
    pub fn lease_end(&self) -> Timestamp {
        self.clock.now().plus_seconds(i64::try_from(self.config.jobs.lease_seconds).unwrap_or(i64::MAX))
    }
}

/// Creates the data directory if it is missing.
fn make_data_dir(path: &Path) -> Result<(), ConfigError> {
    match std::fs::create_dir_all(path) {
        Ok(()) => Ok(()),
        Err(_) if path.is_file() => Err(ConfigError::new(
            "data_dir",
            format!("{} is a file, and must be a directory", path.display()),
        )),
        Err(error) => {
            Err(ConfigError::new("data_dir", format!("{} cannot be created: {error}", path.display())))
        }
    }
}

/// Creates the secrets of a new store. A store that was created with a key must not get a second
/// one: nothing sealed under the first could be opened with it.
async fn create_secrets(store: &Store, data_dir: &Path) -> Result<Secrets, StartError> {
    if stored_fingerprint(store).await?.is_none() {
        return Ok(Secrets::create(data_dir)?);
    }
    // Another process may have created both the store and the key since this one looked.
    let lost = SecretsError::Lost { path: secrets::key_file(data_dir) };
    Ok(Secrets::find(None, data_dir)?.ok_or(lost)?)
}

/// The fingerprint of the master key that the store was created with; `None` for a new store.
///
/// # Errors
/// The store's.
pub async fn stored_fingerprint(store: &Store) -> lectern_store::Result<Option<String>> {
    match store.schema_state().await? {
        SchemaState::Empty => Ok(None),
        _ => lectern_store::settings::find(store, FINGERPRINT).await,
    }
}

/// The error for a master key that does not belong to the store.
pub fn master_key_mismatch(config: &Config) -> StartError {
    if config.secrets.master_key.is_none() {
        return SecretsError::WrongStore { path: secrets::key_file(&config.data_dir) }.into();
    }
    let reason = "is not the master key that this store was made with";
    ConfigError::new("secrets.master_key", reason).into()
}

/// A master key's fingerprint as the store keeps it.
pub fn fingerprint(secrets: &Secrets) -> String {
    hex::encode(Sha256::digest(secrets.fingerprint.bytes()))
}

fn newer_schema(found: i64) -> ConfigError {
    let reason = format!("the database was migrated by a newer version (schema {found})");
    ConfigError::new("database.url", reason)
}

fn foreign_schema(version: i64) -> ConfigError {
    let reason = format!("the database was migrated by another program (schema {version} is not this one's)");
    ConfigError::new("database.url", reason)
}
