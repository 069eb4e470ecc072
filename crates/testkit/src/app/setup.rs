//! Configures a test's application: database and storage, settings, and which parts the test itself
//! performs.

use std::{sync::Arc, time::Duration};

use lectern_service::{clock::Clock, outbound::Timeouts};
use lectern_speech::engines::DEFAULT;
use lectern_types::Timestamp;

use super::{Backends, TestApp};
use crate::{DnsServer, Kind, TestReceiver};

/// The time at which tests begin: 2026-11-21T07:08:11.524Z.
const START: Timestamp = Timestamp(1_795_244_891_524_000);

/// The configuration of a [`TestApp`].
#[derive(Debug, Clone)]
pub struct Setup {
    pub(super) settings: Vec<(String, String)>,
    pub(super) threads: usize,
    pub(super) queue: usize,
    /// The engines' names and what a character costs each, in seconds.
    pub(super) engines: Vec<(String, f64)>,
    pub(super) kind: Kind,
    pub(super) clock: Clock,
    /// Whether the test can cut off transactions.
    pub(super) faulty: bool,
    /// The statement timeout, when it differs from the default.
    pub(super) patience: Option<Duration>,
    /// Whether the application runs jobs.
    pub(super) workers: bool,
    /// Whether the application delivers webhooks.
    pub(super) deliveries: bool,
    /// How long webhooks may take, if not as long as usual.
    pub(super) timeouts: Option<Timeouts>,
    /// Where its objects are.
    pub(super) storage: Storage,
    /// The storage of another application, which this one shares.
    pub(super) backends: Option<Arc<Backends>>,
}

/// The kind of storage for a [`TestApp`]'s objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    /// The directory `objects` in the data directory.
    Files,
    /// The bucket `objects` of the test's own S3 server. The server's root is the data directory,
    /// so that objects have the same paths as with `Files` and a test can read them there.
    S3,
}

impl Storage {
    /// The storage that `LECTERN_TEST_STORAGE` names: `files`, or `s3` to run the same tests there.
    #[expect(clippy::disallowed_methods, reason = "how tests are run is no setting of the service")]
    fn of_run() -> Self {
        match std::env::var("LECTERN_TEST_STORAGE").as_deref() {
            Ok("s3") => Self::S3,
            Ok("files" | "") | Err(_) => Self::Files,
            Ok(other) => panic!("LECTERN_TEST_STORAGE must be files or s3, not {other}"),
        }
    }
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            settings: Vec::new(),
            threads: 2,
            queue: 64,
            engines: vec![(DEFAULT.name.to_owned(), DEFAULT.cost.seconds_a_character)],
            kind: Kind::Sqlite,
            clock: Clock::fixed_at(START),
            faulty: false,
            patience: None,
            workers: true,
            deliveries: true,
            timeouts: None,
            storage: Storage::of_run(),
            backends: None,
        }
    }
}

/// The defaults, on a database of this kind.
impl From<Kind> for Setup {
    fn from(kind: Kind) -> Self {
        Self { kind, ..Self::default() }
    }
}

impl Setup {
    /// The defaults for another process on the storage of `app`: the same database, objects, master
    /// key and clock, but its own engine.
    pub fn sharing(app: &TestApp) -> Self {
        let (clock, backends) = (app.clock.clone(), app.backends.clone());
        Self { kind: app.database().kind(), clock, backends, ..Self::default() }
    }

    /// Uses the system's clock, for behaviour that other programs time as well.
    #[must_use]
    pub fn running_clock(mut self) -> Self {
        self.clock = Clock::system();
        self
    }

    /// Sets a configuration variable, such as `LECTERN_LIMITS__BODY_BYTES`.
    #[must_use]
    pub fn set(mut self, variable: &str, value: &str) -> Self {
        self.settings.push((variable.to_owned(), value.to_owned()));
        self
    }

    /// Allows webhooks to, and documents from, loopback addresses and trusts the certificate authority of `receiver`.
    #[must_use]
    pub fn with_receiver(self, receiver: &TestReceiver) -> Self {
        self.set("LECTERN_WEBHOOKS__ALLOWED_NETWORKS", "127.0.0.0/8")
            .set("LECTERN_OUTBOUND__IMPORT_NETWORKS", "127.0.0.0/8")
            .set("LECTERN_WEBHOOKS__EXTRA_CA_FILE", &receiver.ca_file())
    }

    /// Resolves webhook hosts with `dns`.
    #[must_use]
    pub fn resolving_with(self, dns: &DnsServer) -> Self {
        self.set("LECTERN_OUTBOUND__RESOLVER", &dns.address())
    }

    /// Shortens the limits on webhook requests, for tests that wait for them to expire.
    #[must_use]
    pub fn outbound_timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = Some(timeouts);
        self
    }

    /// Sets the number of model threads and the length of the engine's queue.
    #[must_use]
    pub fn speech(mut self, threads: usize, queue: usize) -> Self {
        (self.threads, self.queue) = (threads, queue);
        self
    }

    /// Sets the engines by name, with the seconds that a character costs each. All are the test's one
    /// fake engine, and taken at their word.
    #[must_use]
    pub fn engines(mut self, engines: &[(&str, f64)]) -> Self {
        self.engines = engines.iter().map(|(name, cost)| ((*name).to_owned(), *cost)).collect();
        self
    }

    /// Sets the engines by name; a character costs each what it costs the default engine. Without
    /// names, the process cannot speak.
    #[must_use]
    pub fn speaking_for(mut self, engines: &[&str]) -> Self {
        self.engines =
            engines.iter().map(|name| ((*name).to_owned(), DEFAULT.cost.seconds_a_character)).collect();
        self
    }

    /// Lets [`TestApp::faults`] cut off the service's transactions.
    #[must_use]
    pub fn with_faults(mut self) -> Self {
        self.faulty = true;
        self
    }

    /// Sets the statement timeout on PostgreSQL.
    #[must_use]
    pub fn statement_timeout(mut self, patience: Duration) -> Self {
        self.patience = Some(patience);
        self
    }

    /// Starts no job workers: the test performs the jobs, or another application does.
    #[must_use]
    pub fn without_workers(mut self) -> Self {
        self.workers = false;
        self
    }

    /// Starts no webhook deliveries; another application may make them.
    #[must_use]
    pub fn without_deliveries(mut self) -> Self {
        self.deliveries = false;
        self
    }

    /// Stores objects on S3, whatever `LECTERN_TEST_STORAGE` says.
    #[must_use]
    pub fn on_s3(mut self) -> Self {
        self.storage = Storage::S3;
        self
    }

    /// Stores objects as files, whatever `LECTERN_TEST_STORAGE` says.
    #[must_use]
    pub fn on_files(mut self) -> Self {
        self.storage = Storage::Files;
        self
    }

    pub async fn start(self) -> TestApp {
        TestApp::start_with(self).await
    }
}
