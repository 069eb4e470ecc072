//! A process that is killed in the middle of a synthesis, driven through the binary on the real voice, on both databases.

use std::{
    process::{Command, Stdio},
    time::Duration,
};

use lectern_testkit::{Database, Kind, on_both};
use reqwest::{Client, Response};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::program::{self, Process};

/// The binary, its data and its database.
struct Place {
    dir: tempfile::TempDir,
    database: Database,
    client: Client,
    key: String,
    body: String,
    /// The price of [`Place::body`].
    characters: i64,
}

impl Place {
    async fn new(kind: Kind) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let dir = tempfile::tempdir().unwrap();
        let database = Database::create(kind, dir.path()).await;
        #[expect(clippy::disallowed_methods, reason = "a test's own client")]
        let client = Client::new();
        let mut place =
            Self { dir, database, client, key: String::new(), body: String::new(), characters: 0 };
        assert!(place.command(&["migrate"]).output().unwrap().status.success());
        let invite = ["admin", "invite", "create", "--email", "a@example.com", "--credits", "9000", "--json"];
        let invited = place.admin(&invite);
        invited["live_key"].as_str().unwrap().clone_into(&mut place.key);
        let listed = place.admin(&["admin", "voices", "list", "--json"]);
        let free = listed.as_array().unwrap().iter().find(|ereader| ereader["tier"] == "free").unwrap();
        let text = "The lamp was lit before the storm came over the hill. ".repeat(30);
        place.characters = i64::try_from(text.chars().count()).unwrap();
        place.body = json!({ "ereader_id": free["id"], "text": text }).to_string();
        place
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program::lectern(self.dir.path(), arguments);
        command
            .envs(self.database.settings())
            .env("LECTERN_SPEECH__VOICES_DIR", program::voices())
            .env("LECTERN_JOBS__LEASE_SECONDS", "3")
            .stderr(Stdio::null());
        command
    }

    fn admin(&self, arguments: &[&str]) -> Value {
        program::printed(&mut self.command(arguments))
    }

    fn serve(&self) -> Process {
        Process::start(&mut self.command(&["serve"]))
    }

    /// Sends the synthesis under its key.
    fn post(&self, service: &Process) -> JoinHandle<reqwest::Result<Response>> {
        let request = self.client.post(format!("{}/v1/saas/tts:synthesize", service.url));
        let request = request.bearer_auth(&self.key).header("idempotency-key", "crash-1");
        let request = request.header("content-type", "application/json").body(self.body.clone());
        tokio::spawn(request.send())
    }

    /// Waits until a condition of the database holds.
    async fn until(&self, what: &str, condition: &str) {
        for _ in 0..6_000 {
            if self.database.number(&format!("SELECT CAST(1 AS BIGINT) WHERE {condition}")).await.is_some() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{what} did not come about");
    }

    /// Whether an object was stored.
    fn has_object(&self) -> bool {
        let objects = self.dir.path().join("objects/syntheses");
        let Ok(files) = std::fs::read_dir(objects) else { return false };
        // object_store writes beside the final name, with a `#` in it.
        files.flatten().any(|file| !file.file_name().to_string_lossy().contains('#'))
    }

    /// The retry on a service started anew: the one answer, whichever attempt made it.
    async fn retried(&self) -> (Process, Response) {
        let service = self.serve();
        let reply = self.post(&service).await.unwrap().unwrap();
        assert_eq!(reply.status(), 200);
        (service, reply)
    }

    /// What must hold in the end, however often the service was killed.
    async fn settled_with_one_charge(self, service: Process) {
        let replay = self.post(&service).await.unwrap().unwrap();
        assert_eq!(replay.headers()["idempotent-replayed"], "true");
        let synthesis: Value = replay.json().await.unwrap();
        assert_eq!(synthesis["credits_charged"], self.characters);
        // The URL names the port of the process that made it, which may be gone.
        let path = synthesis["audio_url"].as_str().unwrap().split_once("/media/").unwrap().1;
        let audio = self.client.get(format!("{}/media/{path}", service.url)).send().await.unwrap();
        assert_eq!(audio.status(), 200);
        let count = async |what: &str| self.database.number(&format!("SELECT COUNT(*) FROM {what}")).await;
        assert_eq!(count("ledger_transactions WHERE kind = 'charge'").await, Some(1));
        assert_eq!(count("syntheses").await, Some(1));
        assert_eq!(count("holds WHERE settled_at IS NULL").await, Some(0), "a hold is stuck");
        let balance = self.database.number("SELECT balance FROM account_balances").await;
        assert_eq!(balance, Some(9_000 - self.characters));
        assert_eq!(self.admin(&["admin", "ledger", "verify", "--json"])["ok"], true);
        drop(service);
        self.database.end().await;
    }
}

on_both! {
    // What it guards against was met by hand before there was this test: with a fresh id instead of the claim's for the
    // row, `ledger verify` exited 1 after the retry.
    async fn killed_twice_between_hold_and_capture_it_charges_once(kind: Kind) {
        let place = Place::new(kind).await;
        for attempt in 0..2 {
            let service = place.serve();
            let cut_off = place.post(&service);
            let taken_over = format!("EXISTS (SELECT 1 FROM idempotency_keys WHERE takeovers = {attempt})");
            place.until("the first transaction", &taken_over).await;
            drop(service);
            assert!(cut_off.await.unwrap().is_err(), "the answer came before the kill");
        }
        let (service, reply) = place.retried().await;
        assert!(!reply.headers().contains_key("idempotent-replayed"));
        place.settled_with_one_charge(service).await;
    }

    async fn killed_when_the_audio_was_stored_but_not_committed_it_charges_once(kind: Kind) {
        let place = Place::new(kind).await;
        let service = place.serve();
        let cut_off = place.post(&service);
        place.until("the first transaction", "EXISTS (SELECT 1 FROM holds)").await;
        // The second transaction cannot come about while this one stands.
        let lock = place.database.lock("holds").await;
        for _ in 0..6_000 {
            if place.has_object() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(place.has_object(), "the audio was not stored");
        drop(service);
        lock.release().await;
        assert!(cut_off.await.unwrap().is_err(), "the answer came before the kill");
        let open = place.database.number("SELECT COUNT(*) FROM holds WHERE settled_at IS NULL").await;
        assert_eq!(open, Some(1), "the second transaction came about");
        let (service, reply) = place.retried().await;
        assert!(!reply.headers().contains_key("idempotent-replayed"));
        place.settled_with_one_charge(service).await;
    }

    async fn killed_between_commit_and_answer_it_replays(kind: Kind) {
        let place = Place::new(kind).await;
        let service = place.serve();
        let unread = place.post(&service);
        place.until("the second transaction", "EXISTS (SELECT 1 FROM syntheses)").await;
        drop(service);
        // Whether the last bytes still got out or not is the same to a client that did not read them.
        drop(unread);
        let (service, reply) = place.retried().await;
        assert_eq!(reply.headers()["idempotent-replayed"], "true");
        place.settled_with_one_charge(service).await;
    }
}
