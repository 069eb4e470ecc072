//! The real application on a real socket, with its own store, clock and engine for each test.

mod setup;

use std::{sync::Arc, time::Duration};

use lectern_server::lifecycle::{self, BackgroundWork, Listeners};
use lectern_service::{
    app::{self, App},
    base::Base,
    clock::Clock,
    config::{Config, Sources},
    outbound::Outbound,
    services::{
        accounts::invitations,
        materials::{document_reader::Extractor, jobs::JobContext},
        speech::speaking::Speaker,
    },
    workers::jobs::Room,
};
use lectern_speech::{
    engines::{Cost, DEFAULT},
    pool::{EngineEntry, LaneSettings, Pool},
};
use lectern_store::{Store, StoreOptions, Tier, ledger, settings};
use lectern_types::{AccountId, Credits};
use reqwest::{Method, RequestBuilder};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::{Database, FakeEngine, FaultyStore, Redis, Reply, S3Server, nats, wait};

pub use setup::Setup;
use setup::Storage;

const QUEUE_URL: &str = "LECTERN_QUEUE__URL";

const REDIS_URL: &str = "LECTERN_RATE_LIMIT__REDIS_URL";

/// The bucket's name equals the directory's name in file storage.
const BUCKET: &str = "objects";

/// Generous limits for document extraction, because debug builds are slow.
const EXTRACTION_TIME: Duration = Duration::from_mins(1);
const EXTRACTION_MEMORY_BYTES: u64 = 1 << 30;

/// The storage of an application; several applications may share it.
#[derive(Debug)]
struct Backends {
    /// Declared before `data` so that the server stops before its directory is removed.
    s3: Option<S3Server>,
    redis: Option<Redis>,
    data: tempfile::TempDir,
    database: Database,
}

/// Whether each test gets its own Redis for rate limits: `LECTERN_TEST_COUNTERS` is `own` (no
/// Redis) or `redis`.
#[expect(clippy::disallowed_methods, reason = "how tests are run is no setting of the service")]
fn counts_in_redis() -> bool {
    match std::env::var("LECTERN_TEST_COUNTERS").as_deref() {
        Ok("redis") => true,
        Ok("own" | "") | Err(_) => false,
        Ok(other) => panic!("LECTERN_TEST_COUNTERS must be own or redis, not {other}"),
    }
}

/// A running application. Every test must end with [`TestApp::finish`], which checks that nothing
/// is left over.
pub struct TestApp {
    /// The base URL of the public listener.
    pub url: String,
    /// The base URL of the management listener.
    pub management: String,
    /// The clock; it stands still until the test moves it.
    pub clock: Clock,
    /// Controls the engine.
    pub engine: FakeEngine,
    /// Controls the store's transactions, after [`Setup::with_faults`].
    pub faults: FaultyStore,
    /// The shared parts of `app`.
    pub base: Base,
    pub app: Arc<App>,
    /// Taken by [`TestApp::end`].
    client: Option<reqwest::Client>,
    serving: Option<JoinHandle<()>>,
    accounts: std::sync::Mutex<Vec<AccountId>>,
    /// Taken by [`TestApp::end`].
    backends: Option<Arc<Backends>>,
    /// The URL of the NATS server, when tests share one.
    shared_queue: Option<String>,
}

/// An account with its first two keys.
#[derive(Debug, Clone)]
pub struct Account {
    pub id: AccountId,
    pub email: String,
    /// The live key, with all scopes.
    pub live: String,
    /// The test key, with all scopes.
    pub test: String,
}

/// The model threads, with the fake engine under all names.
fn lane(setup: &Setup, config: &Config, engine: &FakeEngine) -> LaneSettings {
    let entry = |(name, seconds_a_character): &(String, f64)| {
        let handle = engine.clone();
        EngineEntry {
            name: name.clone(),
            cost: Cost { seconds_a_character: *seconds_a_character, ..DEFAULT.cost },
            factory: Arc::new(move || Ok(handle.engine())),
        }
    };
    let engines = setup.engines.iter().map(entry).collect();
    LaneSettings {
        queue_work: Duration::from_secs(config.speech.queue_seconds),
        learns: false,
        ..LaneSettings::new("models", setup.threads, setup.queue, engines)
    }
}

impl TestApp {
    /// Starts the application with the defaults and a fresh store.
    pub async fn start() -> Self {
        Setup::default().start().await
    }

    async fn start_with(mut setup: Setup) -> Self {
        // TLS needs one provider for the whole process; another test may have installed it already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let backends = if let Some(backends) = setup.backends.take() {
            backends
        } else {
            let data = tempfile::tempdir().expect("a directory for data");
            let database = Database::create(setup.kind, data.path()).await;
            let s3 = (setup.storage == Storage::S3).then(|| {
                let server = S3Server::start(data.path());
                server.make_bucket(BUCKET);
                server
            });
            let redis = counts_in_redis().then(Redis::start);
            Arc::new(Backends { s3, redis, data, database })
        };
        let mut settings = vec![
            ("LECTERN_DATA_DIR".to_owned(), backends.data.path().display().to_string()),
            ("LECTERN_HTTP__LISTEN".to_owned(), "127.0.0.1:0".to_owned()),
            ("LECTERN_MANAGEMENT__LISTEN".to_owned(), "127.0.0.1:0".to_owned()),
            ("LECTERN_HTTP__SHUTDOWN_SECONDS".to_owned(), "5".to_owned()),
            // No packs, so that each store has the same e-readers whatever is installed here.
            (
                "LECTERN_SPEECH__VOICES_DIR".to_owned(),
                backends.data.path().join("no-voices").display().to_string(),
            ),
        ];
        settings.extend(backends.database.settings());
        let is_set = |key: &str| setup.settings.iter().any(|(set, _)| set == key);
        let shared_queue = nats::shared().filter(|_| !is_set(QUEUE_URL));
        settings.extend(shared_queue.iter().map(|url| (QUEUE_URL.to_owned(), url.clone())));
        let redis = backends.redis.as_ref().filter(|_| !is_set(REDIS_URL));
        settings.extend(redis.map(|redis| (REDIS_URL.to_owned(), redis.url())));
        settings.extend(backends.s3.iter().flat_map(|server| server.settings(BUCKET, "")));
        settings.extend(std::mem::take(&mut setup.settings));
        let environment = settings.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        let config = Config::load(&Sources { environment, ..Sources::default() }).expect("good settings");
        let config = Arc::new(config);
        let clock = setup.clock.clone();
        let mut base =
            Base::open_unmigrated(Arc::clone(&config), clock.clone()).await.expect("the store opens");
        // An S3 server checks signatures against real time, not against the test's clock.
        base.objects.set_signing_clock(Clock::system());
        if let Some(timeouts) = setup.timeouts.take() {
            base.outbound = Outbound::with_timeouts(&config, timeouts).expect("good settings");
            base.imports = Arc::new(Outbound::for_imports(&config, timeouts).expect("good settings"));
        }
        base.migrate().await.expect("the store's schema is made");
        app::prepare(&base).await.expect("the store takes this master key");
        let faults = FaultyStore::default();
        if setup.faulty || setup.patience.is_some() {
            base.store.close().await;
            let mut options: StoreOptions = config.database.store_options();
            options.faults = setup.faulty.then(|| faults.hook());
            options.patience = setup.patience.unwrap_or(options.patience);
            base.store = Store::open(&options).await.expect("the store opens once more");
        }
        base.connect_queue().await.expect("the queue can be used");
        let engine = FakeEngine::default();
        let speech = speaker(&setup, &config, &engine);
        let listeners = Listeners::bind(&config).expect("ports are free");
        let url = format!("http://{}", listeners.public_address);
        let management = format!("http://{}", listeners.management_address);
        let jobs = setup.workers.then(|| {
            let context = JobContext::open(&base, &speech).expect("a folder for work");
            (JobContext { extractor: extractor(), ..context }, Room::of(&config))
        });
        let app = lifecycle::assemble(base, speech, &listeners).expect("good settings");
        let serving = tokio::spawn(lifecycle::serve(
            Arc::clone(&app),
            listeners,
            BackgroundWork { jobs, deliveries: setup.deliveries },
        ));
        if setup.faulty {
            first_sweep_done(&app.base).await;
        }
        let client = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(Duration::from_mins(1))
            .build()
            .expect("a client");
        Self {
            url,
            management,
            clock,
            engine,
            faults,
            base: app.base.clone(),
            app,
            client: Some(client),
            serving: Some(serving),
            accounts: std::sync::Mutex::default(),
            backends: Some(backends),
            shared_queue,
        }
    }

    pub fn data(&self) -> &std::path::Path {
        self.backends.as_ref().expect("it is there until the end").data.path()
    }

    /// The S3 server, when objects are stored on one.
    pub fn s3(&self) -> Option<&S3Server> {
        self.backends.as_ref().expect("it is there until the end").s3.as_ref()
    }

    /// The database, for SQL that bypasses the store.
    pub fn database(&self) -> &Database {
        &self.backends.as_ref().expect("it is there until the end").database
    }

    /// Creates an account of the free tier with this many purchased credits; 0 means that it never
    /// purchased any.
    pub async fn account(&self, credits: i64) -> Account {
        self.account_of(Tier::Free, credits).await
    }

    /// Creates an account of a tier with this many purchased credits.
    pub async fn account_of(&self, tier: Tier, credits: i64) -> Account {
        let mut accounts = self.accounts.lock().expect("no test thread panicked with it").clone();
        let email = format!("reader{}@example.com", accounts.len());
        let made = invitations::create_confirmed(&self.base, &email, tier, Credits(credits)).await;
        let (id, keys) = made.expect("the store answers").expect("the address is free");
        accounts.push(id);
        *self.accounts.lock().expect("no test thread panicked with it") = accounts;
        Account {
            id,
            email,
            live: keys.live.expose_secret().to_owned(),
            test: keys.test.expose_secret().to_owned(),
        }
    }

    /// The id of the e-reader with this slug.
    pub async fn ereader(&self, slug: &str) -> String {
        let found = lectern_store::ereaders::find_by_slug(&self.base.store, slug).await;
        found.expect("the store answers").expect("the e-reader is there").id.to_string()
    }

    /// Builds a request to a path of the public listener, or to a full URL.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.url) };
        self.client.as_ref().expect("it is there until the end").request(method, url)
    }

    /// Sends a request and reads the response.
    pub async fn send(&self, request: RequestBuilder) -> Reply {
        Reply::read(request.send().await.expect("the service answers")).await
    }

    pub async fn get(&self, path: &str, key: &str) -> Reply {
        self.send(self.request(Method::GET, path).bearer_auth(key)).await
    }

    pub async fn post(&self, path: &str, key: &str, body: &Value) -> Reply {
        self.send(self.request(Method::POST, path).bearer_auth(key).json(body)).await
    }

    /// Synthesizes a text with `heart`.
    pub async fn synthesize(&self, key: &str, text: &str) -> Reply {
        let body = json!({ "text": text, "ereader_id": self.ereader("heart").await });
        self.post("/v1/saas/tts:synthesize", key, &body).await
    }

    /// The account's balance and held credits.
    pub async fn balance(&self, account: &Account) -> (i64, i64) {
        let balance = ledger::balance(&self.base.store, account.id).await.expect("the store answers");
        let balance = balance.expect("the account is there");
        (balance.balance.0, balance.held.0)
    }

    /// Polls until `condition` holds; see [`wait::until`].
    pub async fn until(&self, what: &str, condition: impl AsyncFnMut() -> bool) {
        wait::until(what, condition).await;
    }

    /// Stops the application and checks that no hold is left and that the ledger adds up.
    pub async fn finish(self) {
        let (base, accounts) = (self.base.clone(), self.accounts.lock().expect("unpoisoned").clone());
        for account in accounts {
            // Work that outlives its request may still be running.
            self.until("the release of every hold", async || {
                let balance = ledger::balance(&base.store, account).await.expect("the store answers");
                balance.is_some_and(|balance| balance.held == Credits::ZERO)
            })
            .await;
        }
        let verified = ledger::verify(&base.store).await.expect("the store answers");
        assert_eq!(verified.first_difference, None, "the ledger does not add up");
        self.end().await;
    }

    /// Stops the application without the checks of [`TestApp::finish`]: for tests that stopped it
    /// already.
    pub async fn end(mut self) {
        // Shutdown would wait for this client's idle connections.
        drop(self.client.take());
        self.app.stop.cancel();
        let namespace = match &self.shared_queue {
            Some(_) => settings::find(&self.base.store, "queue_namespace").await.ok().flatten(),
            None => None,
        };
        if let Some(serving) = self.serving.take() {
            serving.await.expect("the service shut down gracefully");
        }
        if let (Some(url), Some(namespace)) = (&self.shared_queue, namespace)
            && self.backends.as_ref().is_none_or(|backends| Arc::strong_count(backends) == 1)
        {
            nats::delete_streams(url, &namespace).await;
        }
        // The last application that shares the storage removes it.
        if let Some(backends) = self.backends.take().and_then(Arc::into_inner) {
            backends.database.end().await;
        }
    }
}

/// The engines that the set-up names, all of them the fake one.
fn speaker(setup: &Setup, config: &Config, engine: &FakeEngine) -> Speaker {
    let lanes = if setup.engines.is_empty() { Vec::new() } else { vec![lane(setup, config, engine)] };
    Speaker::new(Pool::start(lanes).expect("threads start"))
}

/// Waits until the first sweep has stored the time. Otherwise a fault that the test arms would hit
/// that transaction.
async fn first_sweep_done(base: &Base) {
    wait::until("the first sweep", async || {
        matches!(settings::find(&base.store, "clock_seen").await, Ok(Some(_)))
    })
    .await;
}

/// Reads documents with the `lectern` binary next to the test's binary, because the test's own
/// process cannot serve as the extraction child.
fn extractor() -> Extractor {
    let test = std::env::current_exe().expect("a test has a file");
    // The test is target/debug/deps/TEST or target/debug/examples/EXAMPLE.
    let program = test.ancestors().nth(2).expect("it lies in a folder of the build").join("lectern");
    Extractor::with_program(program, EXTRACTION_TIME, EXTRACTION_MEMORY_BYTES)
}

impl Drop for TestApp {
    fn drop(&mut self) {
        self.app.stop.cancel();
        let finished = self.serving.is_none() || std::thread::panicking();
        assert!(finished, "a test must end with TestApp::finish, which checks what was left over");
    }
}
