//! The PostgreSQL cluster that tests use: the one that `LECTERN_TEST_POSTGRES_URL` names (`./test`
//! sets it), or a temporary one that `scripts/throwaway_postgres` runs for this process. Each test
//! gets its own database, and can run SQL on it without the store. The store's tests include this
//! file, because they cannot depend on the testkit, which depends on the whole service.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

use sqlx::{Connection as _, Executor as _, Row as _};

struct Cluster {
    /// A connection URL with `{}` in the place of the database's name.
    url: String,
    /// Keeps the temporary cluster running. It ends when its standard input closes, at the latest
    /// with this process.
    _keeper: Option<Child>,
}

/// Creates a database for one test and returns its name and connection URL.
pub(crate) async fn create() -> (String, String) {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    // With the time, because a test that was killed leaves its database, and process ids come again.
    let now = std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_micros());
    let name = format!("lectern_test_{}_{}_{now}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    administer(format!("CREATE DATABASE {name}")).await;
    let url = url(&name);
    (name, url)
}

/// Drops a database even while others are connected to it.
pub(crate) async fn remove(name: &str) {
    administer(format!("DROP DATABASE {name} WITH (FORCE)")).await;
}

/// Runs SQL on a database without the store and returns the number of rows that the last statement
/// affected.
pub(crate) async fn run(url: &str, sql: &str) -> Result<u64, sqlx::Error> {
    let sql = sqlx::AssertSqlSafe(sql.to_owned());
    if let Some(path) = url.strip_prefix("sqlite://") {
        let mut connection = sqlite(path).await?;
        let done = connection.execute(sqlx::raw_sql(sql)).await?;
        connection.close().await?;
        Ok(done.rows_affected())
    } else {
        let mut connection = sqlx::PgConnection::connect(url).await?;
        let done = connection.execute(sqlx::raw_sql(sql)).await?;
        connection.close().await?;
        Ok(done.rows_affected())
    }
}

/// The integer that a query returns, without the store; `None` when it returns no row.
pub(crate) async fn number(url: &str, sql: &str) -> Result<Option<i64>, sqlx::Error> {
    let query = sqlx::AssertSqlSafe(sql.to_owned());
    if let Some(path) = url.strip_prefix("sqlite://") {
        let mut connection = sqlite(path).await?;
        let row = connection.fetch_optional(sqlx::query(query)).await?;
        connection.close().await?;
        row.map(|row| row.try_get(0)).transpose()
    } else {
        let mut connection = sqlx::PgConnection::connect(url).await?;
        let row = connection.fetch_optional(sqlx::query(query)).await?;
        connection.close().await?;
        row.map(|row| row.try_get(0)).transpose()
    }
}

pub(crate) async fn sqlite(path: &str) -> Result<sqlx::SqliteConnection, sqlx::Error> {
    let options = sqlx::sqlite::SqliteConnectOptions::new()
        .filename(path)
        .busy_timeout(std::time::Duration::from_secs(10));
    sqlx::SqliteConnection::connect_with(&options).await
}

/// Runs SQL on the cluster's `postgres` database.
async fn administer(sql: String) {
    let url = tokio::task::spawn_blocking(|| url("postgres")).await.expect("the cluster starts");
    let mut connection = sqlx::PgConnection::connect(&url).await.expect("the cluster answers");
    connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(sql))).await.expect("the cluster obeys");
    connection.close().await.expect("the cluster lets go");
}

fn url(database: &str) -> String {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(start).url.replace("{}", database)
}

fn start() -> Cluster {
    #[expect(clippy::disallowed_methods, reason = "a test's setting; the service's come from its config")]
    let given = std::env::var("LECTERN_TEST_POSTGRES_URL").ok();
    if let Some(given) = given.filter(|url| !url.is_empty()) {
        return Cluster { url: any_database(&given), _keeper: None };
    }
    let mut keeper = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/throwaway_postgres"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the script is in the repository");
    let mut said = String::new();
    BufReader::new(keeper.stdout.take().expect("its output is piped"))
        .read_line(&mut said)
        .expect("its output is text");
    assert!(said.starts_with("postgres://"), "PostgreSQL did not start; its script says why above");
    Cluster { url: any_database(said.trim()), _keeper: Some(keeper) }
}

/// Replaces the URL's path, which is the database's name, by `{}`.
fn any_database(url: &str) -> String {
    let (base, query) =
        url.split_once('?').map_or((url, String::new()), |(base, query)| (base, format!("?{query}")));
    let server: Vec<&str> = base.splitn(4, '/').take(3).collect();
    format!("{}/{{}}{query}", server.join("/"))
}
