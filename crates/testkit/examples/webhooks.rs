//! `bench/webhooks`: the throughput, latency, fairness and memory of the binary's webhook
//! deliveries, on one database.
//!
//! The service is the release binary in its own process. The receiver is this process, on real
//! HTTPS with its own certificate authority. Both share the machine's processors. Pending
//! deliveries are inserted into the database without the service.
//!
//! `webhooks BINARY sqlite|postgres [EVENTS] [BACKLOG]`

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a benchmark ends where something fails")]
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::{
    collections::HashMap,
    io::{BufRead as _, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use lectern_service::telemetry;
use lectern_testkit::{Database, Kind, Script, TestReceiver};
use reqwest::Client;
use serde_json::{Value, json};

/// Events posted one by one to measure their latency.
const SINGLE: usize = 300;

/// The time between two of those events.
const APART: Duration = Duration::from_millis(20);

struct Service {
    process: Child,
    url: String,
    key: String,
    client: Client,
    database: Database,
    _dir: tempfile::TempDir,
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Service {
    async fn start(binary: &PathBuf, kind: Kind, receiver: &TestReceiver) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let database = Database::create(kind, dir.path()).await;
        let command = |arguments: &[&str]| {
            let mut command = Command::new(binary);
            command
                .args(arguments)
                .current_dir(dir.path())
                .env_clear()
                .envs(database.settings())
                .env("LECTERN_DATA_DIR", dir.path())
                .env("LECTERN_SPEECH__VOICES_DIR", dir.path().join("none"))
                .env("LECTERN_UPSTREAM__BASE_URL", "http://127.0.0.1:9/v1")
                .env("LECTERN_HTTP__LISTEN", "127.0.0.1:0")
                .env("LECTERN_MANAGEMENT__LISTEN", "127.0.0.1:0")
                .env("LECTERN_RATE_LIMIT__REQUESTS_PER_MINUTE", "1000000")
                .env("LECTERN_WEBHOOKS__ALLOWED_NETWORKS", "127.0.0.0/8")
                .env("LECTERN_WEBHOOKS__EXTRA_CA_FILE", receiver.ca_file())
                .env("LECTERN_LOG__FILTER", "warn")
                .stderr(Stdio::inherit());
            command
        };
        assert!(command(&["migrate"]).output().unwrap().status.success());
        let invite = ["admin", "invite", "create", "--email", "bench@example.com", "--json"];
        let invited: Value = serde_json::from_slice(&command(&invite).output().unwrap().stdout).unwrap();
        let key = invited["live_key"].as_str().unwrap().to_owned();
        let mut process = command(&["serve"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let bound: Value = serde_json::from_str(&line).unwrap();
        let url = format!("http://{}/v1/saas/webhooks", bound["listening"].as_str().unwrap());
        let client = Client::builder().no_proxy().build().unwrap();
        Self { process, url, key, client, database, _dir: dir }
    }

    async fn posted(&self, path: &str, body: &Value) -> Value {
        let request = self.client.post(format!("{}{path}", self.url)).bearer_auth(&self.key).json(body);
        let reply = request.send().await.unwrap();
        assert!(reply.status().is_success(), "{}", reply.status());
        reply.json().await.unwrap()
    }

    async fn register(&self, url: &str) -> String {
        let body = json!({ "url": url, "events": ["chunk.completed"] });
        self.posted("", &body).await["id"].as_str().unwrap().to_owned()
    }

    /// Inserts this many events with deliveries to a webhook into the database, due now.
    async fn seed(&self, webhook: &str, number: u32, many: usize) {
        let first = 1_000_000_000_000_000_u64 + u64::from(number) * 10_000_000;
        let data = r#"{"material_id":"mat_01a1fe64123372c1907d4082bd7a9473","sequence":2,"chunk_index":1,"ereader_id":"erd_01a1fe64123372c1907d4082bd7a9473","characters":4800,"duration_ms":312000,"format":"mp3"}"#;
        let numbers = format!(
            "WITH RECURSIVE n (i) AS (SELECT CAST({first} AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < {})",
            first + many as u64 - 1
        );
        let now = lectern_service::clock::Clock::system().now().0;
        let events = format!(
            "INSERT INTO events (id, account_id, environment, kind, data, created_at) {numbers}
             SELECT 'evt_0000000000000000' || CAST(n.i AS TEXT), w.account_id, w.environment, 'chunk.completed', '{data}', {now}
             FROM n, webhooks w WHERE w.id = '{webhook}'"
        );
        let deliveries = format!(
            "INSERT INTO webhook_deliveries (id, webhook_id, environment, event_id, event_kind, status, next_attempt_at, created_at) {numbers}
             SELECT 'dlv_0000000000000000' || CAST(n.i AS TEXT), '{webhook}', 'live', 'evt_0000000000000000' || CAST(n.i AS TEXT),
                 'chunk.completed', 'pending', {now}, {now} FROM n"
        );
        self.database.run(&events).await;
        self.database.run(&deliveries).await;
    }

    async fn count(&self, rows: &str) -> usize {
        let sql = format!("SELECT CAST(COUNT(*) AS BIGINT) FROM {rows}");
        usize::try_from(self.database.number(&sql).await.unwrap_or(0)).unwrap()
    }

    /// Waits until all deliveries to a webhook succeeded and returns the highest memory use
    /// meanwhile, in bytes. Polls rarely, so as not to slow the service down.
    async fn drained(&self, webhook: &str) -> u64 {
        let mut most = 0;
        loop {
            let memory = telemetry::resident_bytes_of(&self.process.id().to_string()).unwrap_or(0);
            most = most.max(memory);
            let open = format!("webhook_deliveries WHERE webhook_id = '{webhook}' AND status <> 'succeeded'");
            if self.count(&open).await == 0 {
                return most;
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }

    /// The latencies of many events, in milliseconds, sorted: from before the request for an event
    /// to its first byte at the receiver.
    async fn delays(&self, receiver: &TestReceiver, webhook: &str) -> Vec<f64> {
        let before = receiver.count();
        let mut sent_at = HashMap::new();
        for _ in 0..SINGLE {
            let at = Instant::now();
            let sent = self.posted(&format!("/{webhook}/test"), &json!({})).await;
            sent_at.insert(sent["event_id"].as_str().unwrap().to_owned(), at);
            tokio::time::sleep(APART).await;
        }
        let mut delays = Vec::new();
        let patience = Instant::now();
        while delays.len() < SINGLE {
            assert!(patience.elapsed() < Duration::from_mins(2), "{} of {SINGLE} came", delays.len());
            tokio::time::sleep(Duration::from_millis(200)).await;
            let requests = receiver.received();
            let ours = requests[before..].iter().filter_map(|request| {
                let asked = sent_at.get(request.header("webhook-id"))?;
                Some(request.at.saturating_duration_since(*asked).as_secs_f64() * 1e3)
            });
            delays = ours.collect();
        }
        delays.sort_by(f64::total_cmp);
        delays
    }
}

fn percentile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() as f64 * share).ceil() as usize).clamp(1, sorted.len()) - 1]
}

fn said(what: &str, figure: &str) {
    println!("| {what} | {figure} |");
}

#[tokio::main]
async fn main() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let binary = PathBuf::from(arguments.first().expect("the binary"));
    let kind =
        if arguments.get(1).is_some_and(|kind| kind == "postgres") { Kind::Postgres } else { Kind::Sqlite };
    let number = |at: usize, usual| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (events, backlog): (usize, usize) = (number(2, 20_000), number(3, 100_000));
    let receiver = TestReceiver::start().await;
    let service = Service::start(&binary, kind, &receiver).await;
    println!("| {kind:?} | |\n|---|---|");

    let steady = service.register(&receiver.url("/steady")).await;
    let delays = service.delays(&receiver, &steady).await;
    let idle = format!("p50 {:.1} ms, p99 {:.1} ms", percentile(&delays, 0.5), percentile(&delays, 0.99));
    said("request for an event to first byte, idle", &idle);

    let fast = service.register(&receiver.url("/fast")).await;
    let before = receiver.count();
    service.seed(&fast, 1, events).await;
    service.drained(&fast).await;
    let requests = receiver.received();
    let came = &requests[before..];
    let took = came.last().unwrap().at - came[0].at;
    let attempts = format!(
        "webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE d.webhook_id = '{fast}'"
    );
    assert_eq!((came.len(), service.count(&attempts).await), (events, events), "each once, with its attempt");
    said(&format!("{events} deliveries"), &format!("{:.0} a second", events as f64 / took.as_secs_f64()));
    drop(requests);

    let alone = service.delays(&receiver, &steady).await;
    receiver.script_path("/hangs", vec![Script::Hang]);
    // This webhook is one of the 20 that an account may have.
    let hangs = receiver.url("/hangs");
    service.database.run(&format!("UPDATE webhooks SET url = '{hangs}' WHERE id = '{fast}'")).await;
    service.seed(&fast, 20, 200).await;
    for hanging in 0..18 {
        let webhook = service.register(&hangs).await;
        service.seed(&webhook, 2 + hanging, 200).await;
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let loaded = service.delays(&receiver, &steady).await;
    let (alone, loaded) = (percentile(&alone, 0.99), percentile(&loaded, 0.99));
    said("p99 of a healthy endpoint alone, and with 19 that hang", &format!("{alone:.1} ms, {loaded:.1} ms"));

    service.database.run("UPDATE webhook_deliveries SET next_attempt_at = NULL, status = 'failed' WHERE status IN ('failed', 'pending')").await;
    let first = telemetry::resident_bytes_of(&service.process.id().to_string()).unwrap_or(0);
    service.seed(&steady, 50, backlog).await;
    let began = Instant::now();
    let most = service.drained(&steady).await;
    let mib = |bytes: u64| bytes as f64 / 1_048_576.0;
    let drained = format!(
        "{:.0} a second, {:.0} MiB at most ({:.0} before)",
        backlog as f64 / began.elapsed().as_secs_f64(),
        mib(most),
        mib(first)
    );
    said(&format!("{backlog} pending, while others hang"), &drained);
    drop(service);
}
