//! How a test's application is set up: which database and storage, which settings, and what is left to the test's own hand.

use std::{sync::Arc, time::Duration};

use lectern_server::{clock::Clock, outbound::Limits};
use lectern_types::Timestamp;

use super::{Place, TestApp};
use crate::{DnsServer, Kind, TestReceiver};

/// When tests begin: 2026-11-21T07:08:11.524Z.
const START: Timestamp = Timestamp(1_795_244_891_524_000);

/// How a [`TestApp`] is set up.
#[derive(Debug, Clone)]
pub struct Setup {
    pub(super) settings: Vec<(String, String)>,
    pub(super) threads: usize,
    pub(super) queue: usize,
    pub(super) kind: Kind,
    pub(super) clock: Clock,
    /// Whether its store's transactions can be cut off.
    pub(super) faulty: bool,
    /// How long its store waits for a statement, if not as long as usual.
    pub(super) patience: Option<Duration>,
    /// Whether it runs jobs.
    pub(super) workers: bool,
    /// Whether it delivers webhooks.
    pub(super) deliveries: bool,
    /// How long webhooks may take, if not as long as usual.
    pub(super) limits: Option<Limits>,
    /// Where its objects are.
    pub(super) storage: Storage,
    /// The place of another application, which this one shares.
    pub(super) place: Option<Arc<Place>>,
}

/// Where the objects of a [`TestApp`] are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    /// In the folder `objects` of its data directory.
    Files,
    /// In the bucket `objects` of an S3 server of its own, whose root is its data directory. So they lie where those of
    /// `Files` do, and a test may look at them there.
    S3,
}

impl Storage {
    /// That which `LECTERN_TEST_STORAGE` names: `files`, or `s3` to run the same tests there.
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
            kind: Kind::Sqlite,
            clock: Clock::standing_at(START),
            faulty: false,
            patience: None,
            workers: true,
            deliveries: true,
            limits: None,
            storage: Storage::of_run(),
            place: None,
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
    /// The defaults for another process beside `app`: the same database, objects, master key and clock, an engine of
    /// its own.
    pub fn beside(app: &TestApp) -> Self {
        let (clock, place) = (app.clock.clone(), app.place.clone());
        Self { kind: app.database().kind(), clock, place, ..Self::default() }
    }

    /// Lets the clock run, for what is timed by the system's clock as well.
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

    /// Lets webhooks go to `receiver`, and to anything else on this machine.
    #[must_use]
    pub fn reaching(self, receiver: &TestReceiver) -> Self {
        self.set("LECTERN_WEBHOOKS__ALLOWED_NETWORKS", "127.0.0.0/8")
            .set("LECTERN_WEBHOOKS__EXTRA_CA_FILE", &receiver.ca_file())
    }

    /// Asks `dns` for the hosts of webhooks.
    #[must_use]
    pub fn asking(self, dns: &DnsServer) -> Self {
        self.set("LECTERN_OUTBOUND__RESOLVER", &dns.address())
    }

    /// Gives webhooks less time than the service does, for tests that wait until it is over.
    #[must_use]
    pub fn outbound_limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Sets the number of model threads and of requests that the engine admits.
    #[must_use]
    pub fn speech(mut self, threads: usize, queue: usize) -> Self {
        (self.threads, self.queue) = (threads, queue);
        self
    }

    /// Lets [`TestApp::faults`] cut off transactions of the service.
    #[must_use]
    pub fn faulty(mut self) -> Self {
        self.faulty = true;
        self
    }

    /// Waits for PostgreSQL no longer than this for a statement.
    #[must_use]
    pub fn patient(mut self, patience: Duration) -> Self {
        self.patience = Some(patience);
        self
    }

    /// Leaves jobs to the test's own hand, or to another application: no worker of this one takes them up.
    #[must_use]
    pub fn by_hand(mut self) -> Self {
        self.workers = false;
        self
    }

    /// Leaves webhooks undelivered, or to another application.
    #[must_use]
    pub fn undelivered(mut self) -> Self {
        self.deliveries = false;
        self
    }

    /// Keeps its objects on an S3 server of its own, in whatever run.
    #[must_use]
    pub fn on_s3(mut self) -> Self {
        self.storage = Storage::S3;
        self
    }

    /// Keeps its objects as files, in whatever run.
    #[must_use]
    pub fn on_files(mut self) -> Self {
        self.storage = Storage::Files;
        self
    }

    /// Starts the application.
    pub async fn start(self) -> TestApp {
        TestApp::start_with(self).await
    }
}
