//! Workers that are killed while they deliver, with the real binary: no event is lost, and an event
//! arrives twice only if its delivery was in progress at a kill. `bench/webhook_kills` does the
//! same with a hundred kills.

use std::{
    collections::HashMap,
    process::{Command, Stdio},
    time::Duration,
};

use lectern_service::clock;
use lectern_testkit::{Database, Kind, Script, TestReceiver, on_both, until_within};
use reqwest::Client;
use serde_json::{Value, json};

use crate::program::{self, Process};

const LEASE_SECONDS: u64 = 1;
/// The limit on simultaneous attempts for one endpoint.
const WIDEST: usize = 32;

/// The binary, its data and its database.
struct Installation {
    dir: tempfile::TempDir,
    database: Database,
    ca_file: String,
}

impl Installation {
    async fn new(kind: Kind, receiver: &TestReceiver) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let dir = tempfile::tempdir().unwrap();
        let database = Database::create(kind, dir.path()).await;
        let installation = Self { dir, database, ca_file: receiver.ca_file() };
        assert!(installation.command(&["migrate"]).output().unwrap().status.success());
        installation
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program::lectern(self.dir.path(), arguments);
        command
            .envs(self.database.settings())
            // Without a voice pack, and with an engine that is never used, the binary starts fast.
            .env("LECTERN_SPEECH__VOICES_DIR", self.dir.path().join("none"))
            .env("LECTERN_UPSTREAM__BASE_URL", "http://127.0.0.1:9/v1")
            .env("LECTERN_WEBHOOKS__ALLOWED_NETWORKS", "127.0.0.0/8")
            .env("LECTERN_WEBHOOKS__EXTRA_CA_FILE", &self.ca_file)
            .env("LECTERN_JOBS__LEASE_SECONDS", LEASE_SECONDS.to_string())
            .stderr(Stdio::null());
        command
    }

    fn worker(&self) -> Process {
        let arguments = ["worker", "--kinds", "deliver_webhook"];
        Process::spawn(self.command(&arguments).stdout(Stdio::null()))
    }

    /// Invites an account and returns its live key.
    fn invite(&self) -> String {
        let invite = ["admin", "invite", "create", "--email", "a@example.com", "--json"];
        program::printed(&mut self.command(&invite))["live_key"].as_str().unwrap().to_owned()
    }

    /// The service without workers.
    fn serve(&self) -> Process {
        Process::start(&mut self.command(&["serve", "--no-workers"]))
    }

    async fn count(&self, rows: &str) -> i64 {
        self.database.count(rows).await
    }

    async fn until(&self, what: &str, condition: impl AsyncFn() -> bool) {
        until_within(Duration::from_mins(1), what, condition).await;
    }
}

async fn posted(client: &Client, key: &str, url: &str, body: &Value) -> Value {
    let reply = client.post(url).bearer_auth(key).json(body).send().await.unwrap();
    assert!(reply.status().is_success(), "{}", reply.status());
    reply.json().await.unwrap()
}

/// Kills workers `held` times while as many attempts as possible are in progress, and `random`
/// times at random moments.
async fn killed(kind: Kind, held: usize, random: usize) {
    let receiver = TestReceiver::start().await;
    receiver.script(Script::Held(Box::new(Script::status(200))));
    let installation = Installation::new(kind, &receiver).await;
    let key = &installation.invite();
    let serve = installation.serve();
    let url = &serve.url;
    #[expect(clippy::disallowed_methods, reason = "a test's own client")]
    let client = Client::new();
    let body = json!({ "url": receiver.url("/"), "events": ["chunk.completed"] });
    let webhook = posted(&client, key, &format!("{url}/v1/saas/webhooks"), &body).await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let test = format!("{url}/v1/saas/webhooks/{webhook}/test");
    let mut sent = Vec::new();
    let mut make = async |many: usize| {
        for _ in 0..many {
            sent.push(posted(&client, key, &test, &json!({})).await["event_id"].as_str().unwrap().to_owned());
        }
    };

    make(40).await;
    let mut worker = installation.worker();
    let mut most_twice = 0;
    for kill in 1..=held {
        let under_way = || installation.count("webhook_deliveries WHERE status = 'in_flight'");
        installation
            .until("attempts under way", async || under_way().await >= 4 && receiver.count() >= 4 * kill)
            .await;
        most_twice += usize::try_from(under_way().await).unwrap();
        drop(worker);
        worker = installation.worker();
    }
    receiver.release();
    for _ in 0..random {
        make(20).await;
        // The random moment of the kill is the subject of the test.
        tokio::time::sleep(Duration::from_millis(u64::from(clock::random::<1>()[0]) * 2)).await;
        drop(worker);
        worker = installation.worker();
        most_twice += WIDEST;
    }
    let open = "webhook_deliveries WHERE status <> 'succeeded'";
    installation.until("the delivery of every event", async || installation.count(open).await == 0).await;

    let mut arrived: HashMap<String, usize> = HashMap::new();
    for request in receiver.received() {
        *arrived.entry(request.header("webhook-id").to_owned()).or_default() += 1;
    }
    assert!(sent.iter().all(|event| arrived.contains_key(event)), "an event was lost");
    assert_eq!(arrived.len(), sent.len(), "an event arrived that was not sent");
    let twice: usize = arrived.values().map(|times| times - 1).sum();
    assert!(twice <= most_twice, "{twice} arrived twice, but at most {most_twice} were in progress");
    assert_eq!(installation.count("webhook_attempts").await, i64::try_from(sent.len()).unwrap());
    drop(worker);
    installation.database.end().await;
}

// For `bench/webhook_kills`.
#[tokio::test]
#[ignore = "takes minutes"]
async fn a_hundred_kills_sqlite() {
    killed(Kind::Sqlite, 5, 95).await;
}

#[tokio::test]
#[ignore = "takes minutes"]
async fn a_hundred_kills_postgres() {
    killed(Kind::Postgres, 5, 95).await;
}

on_both! {
    // Negative control: when the worker's loop does not reclaim the deliveries of silent workers,
    // deliveries in progress at a kill are never made, and the last wait fails.
    async fn after_random_kills_every_event_arrives_and_few_arrive_twice(kind: Kind) {
        killed(kind, 2, 4).await;
    }

    async fn a_worker_that_shuts_down_releases_unfinished_deliveries(kind: Kind) {
        let receiver = TestReceiver::start().await;
        receiver.script(Script::Hang);
        let installation = Installation::new(kind, &receiver).await;
        let key = &installation.invite();
        let serve = installation.serve();
        let url = &serve.url;
        #[expect(clippy::disallowed_methods, reason = "a test's own client")]
        let client = Client::new();
        let body = json!({ "url": receiver.url("/"), "events": ["chunk.completed"] });
        let webhook = posted(&client, key, &format!("{url}/v1/saas/webhooks"), &body).await["id"].as_str().unwrap().to_owned();
        posted(&client, key, &format!("{url}/v1/saas/webhooks/{webhook}/test"), &json!({})).await;
        let arguments = ["worker", "--kinds", "deliver_webhook"];
        let mut command = installation.command(&arguments);
        let mut worker = Process::spawn(command.env("LECTERN_HTTP__SHUTDOWN_SECONDS", "1").stdout(Stdio::null()));
        receiver.wait_for(1).await;
        worker.signal("-TERM");
        installation.until("the end of the worker", async || installation.count("webhook_deliveries WHERE next_attempt_at IS NOT NULL").await == 1).await;
        assert!(worker.ended().await.success());
        receiver.script(Script::status(200));
        let _other = installation.worker();
        let done = "webhook_deliveries WHERE status = 'succeeded' AND attempt_count = 1";
        installation.until("the delivery by another", async || installation.count(done).await == 1).await;
        installation.database.end().await;
    }
}
