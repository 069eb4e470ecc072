//! The database of one test, of either kind, and direct SQL to inspect and corrupt it.

use std::path::Path;

use sqlx::{Connection as _, Executor as _};

use crate::cluster;

/// The master key for stores on PostgreSQL, which do not create one.
const MASTER_KEY: &str = "a master key that only tests know, of 32 characters and more";

/// The kind of database that a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// A file in the test's own directory.
    #[default]
    Sqlite,
    /// A database of its own in the tests' PostgreSQL cluster.
    Postgres,
}

/// The database of one test. [`Database::end`] removes it.
#[derive(Debug)]
pub struct Database {
    pub url: String,
    kind: Kind,
    /// The name in PostgreSQL.
    name: Option<String>,
}

impl Database {
    /// Creates an empty database of this kind. SQLite puts its file into `data`.
    pub async fn create(kind: Kind, data: &Path) -> Self {
        match kind {
            Kind::Sqlite => Self { url: format!("sqlite://{}/lectern.db", data.display()), kind, name: None },
            Kind::Postgres => {
                let (name, url) = cluster::create().await;
                Self { url, kind, name: Some(name) }
            }
        }
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The name in PostgreSQL.
    ///
    /// # Panics
    /// On SQLite, where databases have no names.
    pub fn name(&self) -> &str {
        self.name.as_deref().expect("a database in PostgreSQL")
    }

    /// The settings with which the service finds the database.
    pub fn settings(&self) -> Vec<(String, String)> {
        let url = ("LECTERN_DATABASE__URL".to_owned(), self.url.clone());
        match self.kind {
            Kind::Sqlite => vec![url],
            Kind::Postgres => {
                vec![url, ("LECTERN_SECRETS__MASTER_KEY".to_owned(), MASTER_KEY.to_owned())]
            }
        }
    }

    /// Runs SQL without the store and returns the number of rows that the last statement affected.
    pub async fn run(&self, sql: &str) -> u64 {
        self.try_run(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// Like [`Database::run`], for SQL that the database may refuse.
    ///
    /// # Errors
    /// The database's error.
    pub async fn try_run(&self, sql: &str) -> Result<u64, sqlx::Error> {
        cluster::run(&self.url, sql).await
    }

    /// The integer that a query returns, without the store; `None` when it returns no row.
    pub async fn number(&self, sql: &str) -> Option<i64> {
        cluster::number(&self.url, sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// The number of rows that `rows` selects: a table, with conditions.
    pub async fn count(&self, rows: &str) -> i64 {
        self.number(&format!("SELECT CAST(COUNT(*) AS BIGINT) FROM {rows}")).await.unwrap_or(0)
    }

    /// Blocks other writers of a table (on SQLite, of every table) until the lock is released or
    /// dropped.
    pub async fn lock(&self, table: &str) -> Lock {
        Lock::take(&self.url, table).await.expect("the lock is taken")
    }

    pub async fn end(self) {
        if let Some(name) = self.name {
            cluster::remove(&name).await;
        }
    }
}

/// An open transaction that blocks others; see [`Database::lock`]. Dropping the lock ends the
/// transaction.
#[derive(Debug)]
pub struct Lock(Holding);

#[derive(Debug)]
enum Holding {
    Sqlite(sqlx::SqliteConnection),
    Postgres(sqlx::PgConnection),
}

impl Lock {
    async fn take(url: &str, table: &str) -> Result<Self, sqlx::Error> {
        if let Some(path) = url.strip_prefix("sqlite://") {
            let mut connection = cluster::sqlite(path).await?;
            connection.execute("BEGIN IMMEDIATE").await?;
            Ok(Self(Holding::Sqlite(connection)))
        } else {
            let mut connection = sqlx::PgConnection::connect(url).await?;
            connection.execute("BEGIN").await?;
            let lock = sqlx::AssertSqlSafe(format!("LOCK TABLE {table} IN EXCLUSIVE MODE"));
            connection.execute(sqlx::raw_sql(lock)).await?;
            Ok(Self(Holding::Postgres(connection)))
        }
    }

    pub async fn release(self) {
        let released = match self.0 {
            Holding::Sqlite(connection) => connection.close().await,
            Holding::Postgres(connection) => connection.close().await,
        };
        released.expect("the lock is released");
    }
}

/// Defines tests that must pass on both databases: each becomes two tests, `…::sqlite` and
/// `…::postgres`. A test receives a [`Setup`](crate::Setup) for its database or, if it starts no
/// application, the [`Kind`].
#[macro_export]
macro_rules! on_both {
    ($($(#[$meta:meta])* async fn $rule:ident($given:ident: $what:ident) $body:block)*) => { $(
        $(#[$meta])*
        mod $rule {
            use super::*;

            async fn rule($given: $crate::$what) $body

            #[tokio::test]
            async fn sqlite() {
                rule($crate::Kind::Sqlite.into()).await;
            }

            #[tokio::test]
            async fn postgres() {
                rule($crate::Kind::Postgres.into()).await;
            }
        }
    )* };
}
