//! The database of one test, of either kind, and direct SQL to look at it and to break it.

use std::path::Path;

use sqlx::{Connection as _, Executor as _};

use crate::cluster;

/// A master key for stores on PostgreSQL, which makes none by itself.
const MASTER_KEY: &str = "a master key that only tests know, of 32 characters and more";

/// Which database a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// A file in the test's own folder.
    #[default]
    Sqlite,
    /// A database of its own in the tests' PostgreSQL.
    Postgres,
}

/// The database of one test. [`Database::end`] removes it.
#[derive(Debug)]
pub struct Database {
    /// Where it is.
    pub url: String,
    kind: Kind,
    /// PostgreSQL's name of it.
    name: Option<String>,
}

impl Database {
    /// A database of this kind with nothing in it; SQLite's file will lie in `data`.
    pub async fn create(kind: Kind, data: &Path) -> Self {
        match kind {
            Kind::Sqlite => Self { url: format!("sqlite://{}/lectern.db", data.display()), kind, name: None },
            Kind::Postgres => {
                let (name, url) = cluster::create().await;
                Self { url, kind, name: Some(name) }
            }
        }
    }

    /// Which kind it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// PostgreSQL's name of it.
    ///
    /// # Panics
    /// On SQLite, whose databases have none.
    pub fn name(&self) -> &str {
        self.name.as_deref().expect("a database in PostgreSQL")
    }

    /// The settings by which the service finds it.
    pub fn settings(&self) -> Vec<(String, String)> {
        let url = ("LECTERN_DATABASE__URL".to_owned(), self.url.clone());
        match self.kind {
            Kind::Sqlite => vec![url],
            Kind::Postgres => {
                vec![url, ("LECTERN_SECRETS__MASTER_KEY".to_owned(), MASTER_KEY.to_owned())]
            }
        }
    }

    /// Runs SQL past the store; how many rows the last statement touched.
    pub async fn run(&self, sql: &str) -> u64 {
        self.try_run(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// As [`Database::run`], for SQL that the database may refuse.
    ///
    /// # Errors
    /// The database's.
    pub async fn try_run(&self, sql: &str) -> Result<u64, sqlx::Error> {
        cluster::run(&self.url, sql).await
    }

    /// The whole number that a query gives, past the store; `None` when it gives no row.
    pub async fn number(&self, sql: &str) -> Option<i64> {
        cluster::number(&self.url, sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// Keeps others from writing a table (on SQLite any table) until the lock is released or dropped.
    pub async fn lock(&self, table: &str) -> Lock {
        Lock::take(&self.url, table).await.expect("the lock is taken")
    }

    /// Removes it.
    pub async fn end(self) {
        if let Some(name) = self.name {
            cluster::remove(&name).await;
        }
    }
}

/// A transaction of a test's own that holds others up; see [`Database::lock`]. Dropping it ends it, too.
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

    /// Lets the others go on.
    pub async fn release(self) {
        let released = match self.0 {
            Holding::Sqlite(connection) => connection.close().await,
            Holding::Postgres(connection) => connection.close().await,
        };
        released.expect("the lock is released");
    }
}

/// Writes tests that hold on both databases: each becomes two, `…::sqlite` and `…::postgres`, and is handed a
/// [`Setup`](crate::Setup) for its database or, where it starts no application, the [`Kind`].
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
