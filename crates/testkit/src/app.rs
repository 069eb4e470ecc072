//! The real application on a real socket, with a store, a clock and an engine that belong to one test.

mod setup;

use std::{sync::Arc, time::Duration};

use lectern_server::{
    app::{App, Base},
    clock::Clock,
    config::{Config, Sources},
    lifecycle::{self, Besides, Listeners},
    outbound::Outbound,
    services::{catalogue, extraction::Extractor, invitations, materials::Workshop, speaking::Speaker},
    workers::jobs::Room,
};
use lectern_speech::pool::{EngineEntry, LaneSettings, Pool};
use lectern_store::{Store, StoreOptions, Tier, ledger, settings};
use lectern_types::{AccountId, Credits};
use reqwest::{Method, RequestBuilder};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::{Database, FakeEngine, FaultyStore, Redis, Reply, S3Server, nats};

pub use setup::Setup;
use setup::Storage;

/// The setting of the dispatch.
const QUEUE_URL: &str = "LECTERN_QUEUE__URL";

/// The setting of the counters that processes share.
const REDIS_URL: &str = "LECTERN_RATE_LIMIT__REDIS_URL";

/// Where objects are on S3: a folder of the same name as for files.
const BUCKET: &str = "objects";

/// Limits for reading an upload: a debug build is slow.
const EXTRACTION_TIME: Duration = Duration::from_mins(1);
const EXTRACTION_MEMORY_BYTES: u64 = 1 << 30;

/// Where applications keep what they know: several processes may share one.
#[derive(Debug)]
struct Place {
    /// Before the directory that it serves.
    s3: Option<S3Server>,
    redis: Option<Redis>,
    data: tempfile::TempDir,
    database: Database,
}

/// Whether each test has a Redis to count in, as `LECTERN_TEST_COUNTERS` says: `own` for none, or `redis`.
#[expect(clippy::disallowed_methods, reason = "how tests are run is no setting of the service")]
fn counts_in_redis() -> bool {
    match std::env::var("LECTERN_TEST_COUNTERS").as_deref() {
        Ok("redis") => true,
        Ok("own" | "") | Err(_) => false,
        Ok(other) => panic!("LECTERN_TEST_COUNTERS must be own or redis, not {other}"),
    }
}

/// The application, running. [`TestApp::finish`] ends it and must be called: it checks what a test must not leave.
pub struct TestApp {
    /// Where the public surface is.
    pub url: String,
    /// Where the management surface is.
    pub management: String,
    /// The clock, which stands until it is moved.
    pub clock: Clock,
    /// The hand on the engine.
    pub engine: FakeEngine,
    /// The hand on the store's transactions, after [`Setup::faulty`].
    pub faults: FaultyStore,
    /// The running service.
    pub app: App,
    /// Taken by [`TestApp::end`].
    client: Option<reqwest::Client>,
    serving: Option<JoinHandle<()>>,
    accounts: std::sync::Mutex<Vec<AccountId>>,
    /// Taken by [`TestApp::end`].
    place: Option<Arc<Place>>,
    /// The server that it shares with other tests.
    shared_queue: Option<String>,
}

/// An account with its two first keys.
#[derive(Debug, Clone)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// Its address.
    pub email: String,
    /// Its live key, with all scopes.
    pub live: String,
    /// Its test key, with all scopes.
    pub test: String,
}

impl TestApp {
    /// Starts the application with the defaults and a fresh store.
    pub async fn start() -> Self {
        Setup::default().start().await
    }

    async fn start_with(setup: Setup) -> Self {
        // The process's one TLS provider; other tests of the process may have set it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let place = if let Some(place) = setup.place {
            place
        } else {
            let data = tempfile::tempdir().expect("a directory for data");
            let database = Database::create(setup.kind, data.path()).await;
            let s3 = (setup.storage == Storage::S3).then(|| {
                let server = S3Server::start(data.path());
                server.make_bucket(BUCKET);
                server
            });
            let redis = counts_in_redis().then(Redis::start);
            Arc::new(Place { s3, redis, data, database })
        };
        let mut settings = vec![
            ("LECTERN_DATA_DIR".to_owned(), place.data.path().display().to_string()),
            ("LECTERN_HTTP__LISTEN".to_owned(), "127.0.0.1:0".to_owned()),
            ("LECTERN_MANAGEMENT__LISTEN".to_owned(), "127.0.0.1:0".to_owned()),
            ("LECTERN_HTTP__SHUTDOWN_SECONDS".to_owned(), "5".to_owned()),
        ];
        settings.extend(place.database.settings());
        let is_set = |key: &str| setup.settings.iter().any(|(set, _)| set == key);
        let shared_queue = nats::shared().filter(|_| !is_set(QUEUE_URL));
        settings.extend(shared_queue.iter().map(|url| (QUEUE_URL.to_owned(), url.clone())));
        let redis = place.redis.as_ref().filter(|_| !is_set(REDIS_URL));
        settings.extend(redis.map(|redis| (REDIS_URL.to_owned(), redis.url())));
        settings.extend(place.s3.iter().flat_map(|server| server.settings(BUCKET, "")));
        settings.extend(setup.settings);
        let environment = settings.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        let config = Config::load(&Sources { environment, ..Sources::default() }).expect("good settings");
        let config = Arc::new(config);
        let clock = setup.clock;
        let mut base =
            Base::open_unmigrated(Arc::clone(&config), clock.clone()).await.expect("the store opens");
        base.extractor = extractor();
        // The clock of an S3 server cannot be moved.
        base.objects.set_signing_clock(Clock::system());
        if let Some(limits) = setup.limits {
            base.outbound = Outbound::with_limits(&config, limits).expect("good settings");
        }
        base.migrate().await.expect("the store's schema is made");
        base.prepare().await.expect("the store takes this master key");
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
        let hand = engine.clone();
        let lane = LaneSettings {
            name: "models".to_owned(),
            threads: setup.threads,
            queue: setup.queue,
            engines: vec![EngineEntry {
                name: catalogue::HIBARI.to_owned(),
                factory: Arc::new(move || Ok(hand.engine())),
            }],
        };
        let speech = Speaker::new(Pool::start(vec![lane]).expect("threads start"));
        let listeners = Listeners::bind(&config).expect("ports are free");
        let url = format!("http://{}", listeners.listening);
        let management = format!("http://{}", listeners.managing);
        let jobs = setup
            .workers
            .then(|| (Workshop::open(&base, &speech).expect("a folder for work"), Room::of(&config)));
        let app = lifecycle::assemble(base, speech, &listeners).expect("good settings");
        let serving = tokio::spawn(lifecycle::serve(
            app.clone(),
            listeners,
            Besides { jobs, deliveries: setup.deliveries },
        ));
        if setup.faulty {
            first_time_noted(&app).await;
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
            app,
            client: Some(client),
            serving: Some(serving),
            accounts: std::sync::Mutex::default(),
            place: Some(place),
            shared_queue,
        }
    }

    /// The data directory.
    pub fn data(&self) -> &std::path::Path {
        self.place.as_ref().expect("it is there until the end").data.path()
    }

    /// Its S3 server, when its objects are on one.
    pub fn s3(&self) -> Option<&S3Server> {
        self.place.as_ref().expect("it is there until the end").s3.as_ref()
    }

    /// The database, for SQL past the store.
    pub fn database(&self) -> &Database {
        &self.place.as_ref().expect("it is there until the end").database
    }

    /// An account of the free tier with so many purchased credits (none: it never purchased).
    pub async fn account(&self, credits: i64) -> Account {
        self.account_of(Tier::Free, credits).await
    }

    /// An account of a tier with so many purchased credits.
    pub async fn account_of(&self, tier: Tier, credits: i64) -> Account {
        let mut accounts = self.accounts.lock().expect("no test thread panicked with it").clone();
        let email = format!("reader{}@example.com", accounts.len());
        let made = invitations::create_confirmed(&self.app, &email, tier, Credits(credits)).await;
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
        let found = lectern_store::ereaders::find_by_slug(&self.app.store, slug).await;
        found.expect("the store answers").expect("the e-reader is there").id.to_string()
    }

    /// A request to a path of the public surface, or to a whole URL.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.url) };
        self.client.as_ref().expect("it is there until the end").request(method, url)
    }

    /// Sends a request and reads the response.
    pub async fn send(&self, request: RequestBuilder) -> Reply {
        Reply::read(request.send().await.expect("the service answers")).await
    }

    /// `GET` with a key.
    pub async fn get(&self, path: &str, key: &str) -> Reply {
        self.send(self.request(Method::GET, path).bearer_auth(key)).await
    }

    /// `POST` of JSON with a key.
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
        let balance = ledger::balance(&self.app.store, account.id).await.expect("the store answers");
        let balance = balance.expect("the account is there");
        (balance.balance.0, balance.held.0)
    }

    /// Waits until `condition` holds.
    pub async fn until(&self, what: &str, condition: impl AsyncFn() -> bool) {
        for _ in 0..400 {
            if condition().await {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("{what} did not come about");
    }

    /// Stops the application and checks that it left no hold behind and that the ledger adds up.
    pub async fn finish(self) {
        let (base, accounts) = ((**self.app).clone(), self.accounts.lock().expect("unpoisoned").clone());
        for account in accounts {
            // Work that outlives its request may still be going on.
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

    /// Stops the application without looking at what it left: for tests that stopped it already.
    pub async fn end(mut self) {
        // Its idle connections would be waited for.
        drop(self.client.take());
        self.app.stop.cancel();
        let namespace = match &self.shared_queue {
            Some(_) => settings::find(&self.app.store, "queue_namespace").await.ok().flatten(),
            None => None,
        };
        if let Some(serving) = self.serving.take() {
            serving.await.expect("the service ended in good order");
        }
        if let (Some(url), Some(namespace)) = (&self.shared_queue, namespace)
            && self.place.as_ref().is_none_or(|place| Arc::strong_count(place) == 1)
        {
            nats::forget(url, &namespace).await;
        }
        // The last of those that share the place removes it.
        if let Some(place) = self.place.take().and_then(Arc::into_inner) {
            place.database.end().await;
        }
    }
}

/// Waits until the first sweep has stored the time. A test that arms a fault would cut off that transaction otherwise.
async fn first_time_noted(app: &App) {
    for _ in 0..1_200 {
        if let Ok(Some(_)) = settings::find(&app.store, "clock_seen").await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("the sweep did not store the time");
}

/// What reads uploads: the binary that lies beside the test's, for this process is another program.
fn extractor() -> Extractor {
    let test = std::env::current_exe().expect("a test has a file");
    // target/debug/deps/test or target/debug/examples/example.
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
