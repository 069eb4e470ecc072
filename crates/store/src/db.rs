//! SQLite or PostgreSQL behind one handle: opening, the pools, and the way statements reach them.
//!
//! A query is written once, as SQL in the subset both databases read plus its binds ([`sql!`]), and
//! answers with [`Row`]s whose columns are read by name. One enum holds two typed pools, because
//! sqlx's `Any` driver cannot carry what we bind. SQLite has one writer connection, so that writers
//! queue here in the order they came instead of polling a lock, and a pool of readers.

use std::{
    path::PathBuf,
    str::FromStr,
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

use sqlx::{
    ConnectOptions as _, Connection as _, PgPool, SqlitePool,
    postgres::{PgConnectOptions, PgConnection, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use lectern_types::Timestamp;

use crate::{
    Error, Result,
    dialect::{self, Backend},
    notifications::Notifications,
};

mod faults;
mod patience;
mod row;
mod statement;
mod transaction;

pub use faults::{Cut, Edge, Faults};
use patience::Patience;
pub(crate) use patience::{SIGN_OF_LIFE, sign_of_life, silent};
pub(crate) use row::Row;
pub(crate) use statement::{Bind, Bound, Statement, many, some_at_once, sql};
use transaction::Inner;
pub(crate) use transaction::Tx;

/// How long a caller waits for a connection before the store counts as not answering.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);

/// The time limit for finding out why no connection was available.
const LAST_TRY: Duration = Duration::from_secs(2);
/// The number of statements that a connection to PostgreSQL keeps prepared: more than the
/// statements that recur.
const STATEMENTS: usize = 400;
/// How long PostgreSQL keeps an idle transaction open. Our transactions never wait for anything
/// else between statements. The limit is short because transactions of a process that was cut off
/// may wait for one another, and each then lasts this long after the one before.
const IDLE_IN_TRANSACTION: &str = "3s";
/// How long SQLite waits for another process (such as a command) to leave its write lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// How much of the file each reading connection keeps in memory: 16 MB, as SQLite writes it. A search reads all texts of an
/// account, and these do not fit into the 2 MB that SQLite keeps by default. Pages enter the cache when they are read.
const READ_CACHE: &str = "-16384";
/// How many rows SQLite's thread reads ahead. With a small buffer the threads would switch every few rows.
const ROWS_AHEAD: usize = 1024;
/// How long PostgreSQL may take for one statement. This is longer than any wait for the locks of
/// another transaction, which ends after [`IDLE_IN_TRANSACTION`].
const PATIENCE: Duration = Duration::from_secs(30);
/// A pooled PostgreSQL connection that was idle for longer is tested before it is used.
const TRUSTED_REST: Duration = Duration::from_secs(5);

/// Where the database is and how many connections it gets.
#[derive(Clone)]
pub struct StoreOptions {
    /// `sqlite:///abs/path.db`, `sqlite://./rel.db` (everything after `sqlite://` is the path,
    /// literally) or `postgres://…`.
    pub url: String,
    /// The size of PostgreSQL's pool, or of SQLite's read pool (its one writer comes on top).
    pub connections: u32,
    /// How long PostgreSQL may take for a statement whose duration does not grow with the data.
    pub patience: Duration,
    /// Failures that a test injects; `None` in the service.
    pub faults: Option<Faults>,
}

impl StoreOptions {
    /// The defaults for this address.
    pub fn new(url: impl Into<String>) -> Self {
        let url = url.into();
        let cores = std::thread::available_parallelism().map_or(4, |cores| cores.get() as u32);
        let connections = if url.starts_with("sqlite://") {
            // Each connection is a thread; more threads than there is work for only wake one
            // another.
            (2 * cores).clamp(4, 8)
        } else {
            // Transactions that commit at the same time share a write to disk, so many connections
            // pay off.
            24
        };
        Self { url, connections, patience: PATIENCE, faults: None }
    }
}

// Written by hand, because the URL may hold a password.
impl std::fmt::Debug for StoreOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoreOptions").field("connections", &self.connections).finish_non_exhaustive()
    }
}

/// A handle on the database; cheap to clone.
#[derive(Clone)]
pub struct Store {
    pub(crate) pools: Pools,
    faults: Option<Faults>,
    /// The number of jobs that this process has claimed; `jobs::claim` uses it to give the sandbox
    /// its share.
    pub(crate) claims: Arc<AtomicU64>,
    pub(crate) notifications: Arc<Notifications>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("pools", &self.pools).finish_non_exhaustive()
    }
}

#[derive(Debug, Clone)]
pub(crate) enum Pools {
    Sqlite { writer: SqlitePool, readers: SqlitePool },
    Postgres(PgPool, Patience),
}

impl Store {
    /// Opens the database. A missing SQLite file is created (mode 0600, with its folder). The
    /// schema is not touched: see [`Store::schema_state`] and [`Store::migrate`].
    pub async fn open(options: &StoreOptions) -> Result<Self> {
        let connections = options.connections.max(1);
        let pools = if let Some(path) = options.url.strip_prefix("sqlite://") {
            open_sqlite(path, connections).await?
        } else if options.url.starts_with("postgres://") || options.url.starts_with("postgresql://") {
            open_postgres(&options.url, connections, Patience::new(options.patience)).await?
        } else {
            return Err(Error::Url { reason: "it must begin with sqlite:// or postgres://" });
        };
        Ok(Self {
            pools,
            faults: options.faults.clone(),
            claims: Arc::default(),
            notifications: Arc::default(),
        })
    }

    /// The time by the clock of the database's server; `None` for SQLite, which has no clock of its
    /// own.
    pub async fn clock(&self) -> Result<Option<Timestamp>> {
        let Some(reading) = dialect::clock(self.backend()) else { return Ok(None) };
        self.one(sql!(reading)).await?.map(|row| row.scalar()).transpose()
    }

    /// The kind of database.
    pub fn backend(&self) -> Backend {
        match self.pools {
            Pools::Sqlite { .. } => Backend::Sqlite,
            Pools::Postgres(..) => Backend::Postgres,
        }
    }

    /// Checks that the database answers and accepts writes.
    pub async fn ping(&self) -> Result<()> {
        let row = self.one(sql!(crate::dialect::read_only(self.backend()))).await?;
        match row.map(|row| row.scalar::<i64>()).transpose()? {
            Some(1) => Err(Error::ReadOnly { why: "it is a standby (pg_is_in_recovery)" }),
            Some(2) => Err(Error::ReadOnly { why: "it was set so (default_transaction_read_only)" }),
            _ => Ok(()),
        }
    }

    /// Waits for statements in progress and closes every connection.
    pub async fn close(&self) {
        match &self.pools {
            Pools::Sqlite { writer, readers } => {
                readers.close().await;
                // The last connection to close writes the write-ahead log back into the file.
                writer.close().await;
            }
            Pools::Postgres(pool, _) => pool.close().await,
        }
    }

    /// The rows of a query that changes nothing.
    pub(crate) async fn all(&self, statement: Statement) -> Result<Vec<Row>> {
        match &self.pools {
            Pools::Sqlite { readers, .. } => statement.sqlite_rows(readers).await,
            Pools::Postgres(pool, patience) => patience.wait(statement.postgres_rows(pool)).await,
        }
    }

    /// The first row of a query that changes nothing.
    pub(crate) async fn one(&self, statement: Statement) -> Result<Option<Row>> {
        Ok(self.all(statement).await?.into_iter().next())
    }

    /// The rows that a single changing statement returns, in a transaction of its own.
    pub(crate) async fn change(&self, statement: Statement) -> Result<Vec<Row>> {
        faults::check(self.faults.as_ref(), Edge::Begin)?;
        let rows = match &self.pools {
            Pools::Sqlite { writer, .. } => statement.sqlite_rows(writer).await?,
            Pools::Postgres(pool, patience) => patience.wait(statement.postgres_rows(pool)).await?,
        };
        faults::check(self.faults.as_ref(), Edge::Committed)?;
        Ok(rows)
    }

    /// Runs a single changing statement in a transaction of its own; returns how many rows it
    /// touched.
    pub(crate) async fn run(&self, statement: Statement) -> Result<u64> {
        faults::check(self.faults.as_ref(), Edge::Begin)?;
        let touched = match &self.pools {
            Pools::Sqlite { writer, .. } => statement.sqlite_run(writer).await?,
            Pools::Postgres(pool, patience) => patience.wait(statement.postgres_run(pool)).await?,
        };
        faults::check(self.faults.as_ref(), Edge::Committed)?;
        Ok(touched)
    }

    /// Begins a transaction that changes something. Dropping it rolls it back.
    pub(crate) async fn begin(&self) -> Result<Tx> {
        faults::check(self.faults.as_ref(), Edge::Begin)?;
        let inner = match &self.pools {
            // Take the write lock at once: a transaction that began with a read could not upgrade
            // while another process writes (SQLITE_BUSY_SNAPSHOT), whatever the time-out.
            Pools::Sqlite { writer, .. } => Inner::Sqlite(begin_sqlite(writer, "BEGIN IMMEDIATE").await?),
            Pools::Postgres(pool, patience) => {
                let begun = patience.wait(async { Ok(pool.begin().await?) }).await?;
                Inner::Postgres(begun, patience.clone())
            }
        };
        Ok(Tx::new(inner, self.faults.clone(), Arc::clone(&self.notifications)))
    }

    /// Begins a transaction that sees one state of the database throughout and changes nothing. Its
    /// statements have no time limit.
    pub(crate) async fn snapshot(&self) -> Result<Tx> {
        let inner = match &self.pools {
            Pools::Sqlite { readers, .. } => Inner::Sqlite(begin_sqlite(readers, "BEGIN").await?),
            Pools::Postgres(pool, patience) => {
                let begun = pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
                Inner::Postgres(begun, patience.without_limit())
            }
        };
        Ok(Tx::new(inner, None, Arc::clone(&self.notifications)))
    }
}

/// Begins on a connection of the pool. When a disk is full, SQLite rolls a transaction back by
/// itself. The driver's own rollback then fails, and the driver considers the transaction open for
/// ever. Such a connection is closed, and the pool opens another.
async fn begin_sqlite(
    pool: &SqlitePool,
    how: &'static str,
) -> Result<sqlx::Transaction<'static, sqlx::Sqlite>> {
    match pool.begin_with(how).await {
        Err(sqlx::Error::InvalidSavePointStatement) => {
            pool.acquire().await?.close().await?;
            Ok(pool.begin_with(how).await?)
        }
        begun => Ok(begun?),
    }
}

async fn open_sqlite(path: &str, connections: u32) -> Result<Pools> {
    if path.is_empty() || path.ends_with('/') {
        return Err(Error::Url { reason: "a path must follow sqlite://" });
    }
    if path == ":memory:" {
        return Err(Error::Url { reason: "a store in memory would not outlive its connections" });
    }
    let path = PathBuf::from(path);
    let made = path.clone();
    tokio::task::spawn_blocking(move || make_private_file(&made))
        .await
        .map_err(|join| Error::File { path: path.clone(), source: std::io::Error::other(join) })??;

    let options = SqliteConnectOptions::new()
        .filename(&path)
        .create_if_missing(false)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .pragma("trusted_schema", "OFF")
        .pragma("journal_size_limit", "67108864")
        .disable_statement_logging();
    let pool = |size: u32| {
        SqlitePoolOptions::new()
            .max_connections(size)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            // A connection to a file does not go stale.
            .test_before_acquire(false)
            .idle_timeout(None)
            .max_lifetime(None)
    };
    let writer = pool(1).connect_with(options.clone()).await.map_err(|error| not_opened(path, error))?;
    // The writer has put the file in WAL mode; readers only read.
    let reading =
        options.pragma("query_only", "ON").pragma("cache_size", READ_CACHE).row_buffer_size(ROWS_AHEAD);
    let readers = pool(connections).connect_with(reading).await?;
    Ok(Pools::Sqlite { writer, readers })
}

/// Why SQLite did not open a file.
fn not_opened(path: PathBuf, error: sqlx::Error) -> Error {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    // SQLITE_CORRUPT and SQLITE_NOTADB, also as the last byte of extended codes.
    let code = code.and_then(|code| code.parse::<i64>().ok()).map(|code| code & 0xff);
    match code {
        Some(11 | 26) => Error::NotADatabase { path, source: error },
        _ => error.into(),
    }
}

/// Creates the file (0600) and its folders (0700) if missing. SQLite gives its side files the same
/// mode as the file.
fn make_private_file(path: &std::path::Path) -> Result<()> {
    let fail = |path: &std::path::Path| {
        let path = path.to_owned();
        move |source| Error::File { path, source }
    };
    let mut file = std::fs::OpenOptions::new();
    file.append(true).create(true);
    let mut folder = std::fs::DirBuilder::new();
    folder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
        file.mode(0o600);
        folder.mode(0o700);
    }
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        folder.create(parent).map_err(fail(parent))?;
    }
    file.open(path).map_err(fail(path))?;
    Ok(())
}

async fn open_postgres(url: &str, connections: u32, patience: Patience) -> Result<Pools> {
    let options = PgConnectOptions::from_str(url)
        .map_err(|_| Error::Url { reason: "it is not a PostgreSQL connection URL" })?
        .application_name("lectern")
        .statement_cache_capacity(STATEMENTS)
        // A process that is stopped or cut off in the middle of a transaction must not keep others
        // waiting for its locks.
        .options([("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION)])
        .disable_statement_logging();
    let looking = patience.clone();
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        // A ping before each use would double the round trips of a small query.
        .test_before_acquire(false)
        .before_acquire(|connection, meta| {
            Box::pin(async move {
                if meta.idle_for > TRUSTED_REST {
                    sign_of_life(connection).await?;
                }
                Ok(true)
            })
        })
        .after_release(move |connection, _| {
            let looking = looking.clone();
            Box::pin(async move { looking.released(connection).await })
        })
        .connect_with(options.clone())
        .await;
    match pool {
        Ok(pool) => Ok(Pools::Postgres(pool, patience)),
        Err(error) => Err(not_reached(&options, error).await),
    }
}

/// Finds out why a server cannot be reached. The pool only reports a time-out after several
/// attempts.
async fn not_reached(options: &PgConnectOptions, error: sqlx::Error) -> Error {
    let socket = options.get_socket().map(|socket| socket.display().to_string());
    let address = socket.unwrap_or_else(|| format!("{}:{}", options.get_host(), options.get_port()));
    let source = match error {
        sqlx::Error::PoolTimedOut => {
            match tokio::time::timeout(LAST_TRY, PgConnection::connect_with(options)).await {
                Ok(Err(error)) => error,
                Ok(Ok(_)) | Err(_) => error,
            }
        }
        other => other,
    };
    Error::Unreachable { address, source }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr as _;

    use super::{PgConnectOptions, Result, Store, StoreOptions, not_reached, sql};

    /// Writes until there is no room left; returns the error.
    async fn fill(store: &Store) -> crate::Error {
        let write = async || -> Result<()> {
            let mut tx = store.begin().await?;
            for _ in 0..1_000 {
                tx.run(sql!("INSERT INTO heap (body) VALUES (randomblob(100000))")).await?;
            }
            tx.commit().await
        };
        write().await.expect_err("there is no room for all this")
    }

    // Negative control: with the pool's own error, the message says only that it timed out.
    #[tokio::test]
    async fn a_server_that_is_away_is_named_with_the_cause() {
        let options = PgConnectOptions::from_str("postgres://ada:secret@127.0.0.1:1/lectern").expect("a URL");
        let error = not_reached(&options, sqlx::Error::PoolTimedOut).await;
        let cause = std::error::Error::source(&error).expect("a cause").to_string();
        assert_eq!(error.to_string(), "the database at 127.0.0.1:1 cannot be opened");
        assert!(cause.contains("refused") && !cause.contains("secret"), "{cause}");
    }

    // Negative control: with `begin_with` alone, the second transaction after the full disk was
    // refused, and so was everything after it.
    #[tokio::test]
    async fn a_store_writes_again_once_there_is_room() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let url = format!("sqlite://{}/lectern.db", folder.path().display());
        let store = Store::open(&StoreOptions::new(url)).await.expect("it opens");
        store.run(sql!("CREATE TABLE heap (body BLOB)")).await.expect("it is made");
        // The limit applies to the writing connection until it is closed.
        store.change(sql!("PRAGMA max_page_count = 200")).await.expect("it is set");
        let full = fill(&store).await;
        assert!(full.is_transient(), "{full:?}");
        for _ in 0..3 {
            let mut tx = store.begin().await.expect("it begins");
            tx.run(sql!("INSERT INTO heap (body) VALUES ('x')")).await.expect("it writes");
            tx.commit().await.expect("it commits");
        }
        let kept = store.one(sql!("SELECT COUNT(*) FROM heap")).await.expect("it reads").expect("a row");
        assert_eq!(kept.scalar::<i64>().expect("a number"), 3, "the rolled-back rows are gone");
        store.close().await;
    }
}
