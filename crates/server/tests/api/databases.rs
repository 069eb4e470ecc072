//! Databases that cannot be used: read-only ones, those of another installation, and those migrated
//! by a newer version or another program. No process starts on them; startup and `doctor` name the
//! setting and the database's error.

use std::{path::Path, process::Output, time::Duration};

use lectern_testkit::{Database, DatabaseProxy, Kind, Setup, TestApp, until_within};
use reqwest::Method;
use serde_json::{Value, json};

use crate::program;

fn lectern(data: &Path, database: &Database, more: &[(&str, &str)], arguments: &[&str]) -> Output {
    program::lectern(data, arguments)
        // Nothing listens at this address, so lookups fail at once.
        .env("LECTERN_OUTBOUND__RESOLVER", "127.0.0.1:1")
        .envs(database.settings())
        .envs(more.iter().copied())
        .output()
        .unwrap()
}

/// Asserts that no process starts, with the exit code for bad configuration, and that `doctor` says
/// the same about `what`.
fn assert_refused(database: &Database, more: &[(&str, &str)], setting: &str, what: &str, words: &[&str]) {
    let data = tempfile::tempdir().unwrap();
    for start in [&["worker", "--kinds", "extract"][..], &["serve", "--no-workers"]] {
        let output = lectern(data.path(), database, more, start);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(78), "{start:?}: {said}");
        for word in [setting].iter().chain(words) {
            assert!(said.contains(word), "{start:?}: {word} is missing in: {said}");
        }
    }
    let printed =
        String::from_utf8(lectern(data.path(), database, more, &["doctor", "--json"]).stdout).unwrap();
    let report: Value = serde_json::from_str(&printed).unwrap();
    let wrong = |finding: &&Value| finding["what"] == what && finding["state"] == "wrong";
    let finding = report["findings"].as_array().unwrap().iter().find(wrong);
    let finding = finding.unwrap_or_else(|| panic!("no problem found with {what}: {printed}"));
    for word in words {
        assert!(finding["detail"].as_str().unwrap().contains(word), "{word} is missing in: {finding}");
    }
    assert!(finding["mend"].as_str().unwrap().contains(setting), "{finding}");
}

async fn migrated(kind: Kind, data: &Path) -> Database {
    let database = Database::create(kind, data).await;
    let output = lectern(data, &database, &[], &["migrate"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    database
}

async fn set_read_only(database: &Database, is: &str) {
    // The setting applies to transactions that do not state their own mode.
    let sql = format!(
        "BEGIN READ WRITE; ALTER DATABASE {} SET default_transaction_read_only = {is}; COMMIT",
        database.name()
    );
    database.run(&sql).await;
}

#[tokio::test]
async fn a_read_only_database_is_refused_at_startup() {
    let data = tempfile::tempdir().unwrap();
    let database = migrated(Kind::Postgres, data.path()).await;
    set_read_only(&database, "on").await;
    assert_refused(
        &database,
        &[],
        "database.url",
        "database",
        &["read-only", "default_transaction_read_only"],
    );
    database.end().await;
}

/// A primary becomes a standby during work: nothing is lost, all writes answer 503, and the service
/// recovers without help when a primary is back.
#[tokio::test]
async fn a_read_only_database_makes_the_service_unready_until_it_recovers() {
    let app: TestApp = Setup::from(Kind::Postgres).start().await;
    let account = app.account(1_000).await;
    let ereader = app.ereader("heart").await;
    let speak = async |text: &str| {
        let body = json!({ "text": text, "ereader_id": ereader });
        app.post("/v1/saas/tts:synthesize", &account.live, &body).await
    };
    let ready = async || app.send(app.request(Method::GET, &format!("{}/readyz", app.management))).await;
    let let_go = format!(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}' AND pid <> pg_backend_pid()",
        app.database().name()
    );
    set_read_only(app.database(), "on").await;
    app.database().run(&let_go).await;
    app.until("the outage to show", async || ready().await.status == 503).await;
    assert_eq!(ready().await.json()["error"]["details"], json!({ "missing": ["store"] }));
    let refused = speak("Not now.").await;
    assert_eq!(refused.refusal(), "service_unavailable");
    assert!(refused.headers.contains_key("retry-after"));
    set_read_only(app.database(), "off").await;
    app.database().run(&let_go).await;
    app.until("the way back", async || ready().await.status == 200).await;
    app.until("a synthesis", async || speak("Now.").await.status == 200).await;
    app.finish().await;
}

/// A database server's machine fails without closing connections, and another machine takes over
/// its address: the service gives up pending statements, and the new server answers new ones,
/// without an operator's help.
///
/// Negative control: without the limit of `db::patience`, nothing is answered until the kernel
/// gives up.
#[tokio::test]
async fn a_database_that_vanishes_without_closing_connections_is_found_again() {
    let app = Setup::from(Kind::Postgres).without_workers().start().await;
    let account = app.account(1_000).await;
    let proxy = DatabaseProxy::to(app.database()).await;
    let beside = Setup::sharing(&app).set("LECTERN_DATABASE__URL", &proxy.url());
    let other: TestApp = beside.statement_timeout(Duration::from_millis(500)).start().await;
    let balance = async || other.get("/v1/saas/credits/balance", &account.live).await.status;
    assert_eq!(balance().await, 200);
    // A task of the driver returns the connection to its pool, and nothing shows when. Shortly
    // after that, the pool hands a connection out without testing it.
    tokio::time::sleep(Duration::from_millis(200)).await;
    proxy.stall_existing();
    assert_eq!(balance().await, 503);
    other.until("an answer", async || balance().await == 200).await;
    let id = app.post("/v1/saas/materials", &account.live, &json!({ "text": "It is short." })).await;
    let id = id.json()["id"].as_str().unwrap().to_owned();
    let read = async || {
        let found = app.get(&format!("/v1/saas/materials/{id}"), &account.live).await;
        found.json()["status"] == "ready"
    };
    // Each background task has to detect the dead connections by itself.
    until_within(Duration::from_secs(40), "the extraction by the other", read).await;
    other.end().await;
    app.finish().await;
}

#[tokio::test]
async fn a_database_of_another_master_key_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let database = migrated(Kind::Postgres, data.path()).await;
    let other = [("LECTERN_SECRETS__MASTER_KEY", "the master key of another installation")];
    assert_refused(&database, &other, "secrets.master_key", "master key", &["is not the master key"]);
    database.end().await;
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let database = migrated(Kind::Postgres, data.path()).await;
    let later =
        "INSERT INTO schema_migrations (version, name, body, applied_at) VALUES (9999, 'later', '', 0)";
    let needed = "UPDATE store_settings SET value = '9999' WHERE name = 'schema_needed'";
    database.run(&format!("{later}; {needed}")).await;
    assert_refused(&database, &[], "database.url", "database", &["newer version", "9999"]);
    database.end().await;
}

#[tokio::test]
async fn a_database_that_another_program_migrated_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let database = migrated(Kind::Postgres, data.path()).await;
    database.run("UPDATE schema_migrations SET body = body || ' ' WHERE version = 7").await;
    assert_refused(&database, &[], "database.url", "database", &["another program", "schema 7"]);
    let migrates = lectern(data.path(), &database, &[], &["migrate"]);
    assert_eq!(migrates.status.code(), Some(78), "{}", String::from_utf8_lossy(&migrates.stderr));
    database.end().await;
}

/// The database can change under a running process: a newer version may migrate it, or another
/// installation's database may replace it.
async fn a_process_reports_that_its_database_is_no_longer_its_own(kind: Kind) {
    let app: TestApp = Setup::from(kind).start().await;
    let ready = async || app.send(app.request(Method::GET, &format!("{}/readyz", app.management))).await;
    let sql = async |sql: &str| app.database().run(sql).await;
    let of_key = "WHERE name = 'master_key_fingerprint'";
    let needs =
        |version: u32| format!("UPDATE store_settings SET value = '{version}' WHERE name = 'schema_needed'");
    let missing = async || {
        let answer = ready().await;
        assert_eq!(answer.status, 503);
        answer.json()["error"]["details"]["missing"].clone()
    };
    assert_eq!(ready().await.status, 200);
    sql("INSERT INTO schema_migrations (version, name, body, applied_at) VALUES (9999, 'later', '', 0)")
        .await;
    assert_eq!(ready().await.status, 200, "a newer version's additions do no harm");
    sql(&needs(9999)).await;
    assert_eq!(missing().await, json!(["schema"]));
    sql(&needs(1)).await;
    sql(&format!("UPDATE store_settings SET value = 'x' || value {of_key}")).await;
    assert_eq!(missing().await, json!(["master_key"]));
    sql(&format!("UPDATE store_settings SET value = substr(value, 2) {of_key}")).await;
    assert_eq!(ready().await.status, 200);
    sql("ALTER TABLE store_settings RENAME TO other").await;
    assert_eq!(missing().await, json!(["schema"]));
    sql("ALTER TABLE other RENAME TO store_settings").await;
    assert_eq!(ready().await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn a_process_reports_that_its_sqlite_is_no_longer_its_own() {
    a_process_reports_that_its_database_is_no_longer_its_own(Kind::Sqlite).await;
}

#[tokio::test]
async fn a_process_reports_that_its_postgres_is_no_longer_its_own() {
    a_process_reports_that_its_database_is_no_longer_its_own(Kind::Postgres).await;
}
