//! A transaction of either database. Dropping it without a commit undoes it.

use sqlx::{Postgres, Sqlite};

use super::{Backend, Row, Statement};
use crate::Result;

/// A transaction under way.
pub(crate) enum Tx {
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    Postgres(sqlx::Transaction<'static, Postgres>),
}

impl Tx {
    /// Which database it is on, for the statements of `dialect`.
    pub(crate) fn backend(&self) -> Backend {
        match self {
            Self::Sqlite(_) => Backend::Sqlite,
            Self::Postgres(_) => Backend::Postgres,
        }
    }

    /// The rows a statement gives.
    pub(crate) async fn all(&mut self, statement: Statement) -> Result<Vec<Row>> {
        match self {
            Self::Sqlite(tx) => statement.sqlite_rows(&mut **tx).await,
            Self::Postgres(tx) => statement.postgres_rows(&mut **tx).await,
        }
    }

    /// The first row a statement gives.
    pub(crate) async fn one(&mut self, statement: Statement) -> Result<Option<Row>> {
        Ok(self.all(statement).await?.into_iter().next())
    }

    /// Runs a statement; how many rows it touched.
    pub(crate) async fn run(&mut self, statement: Statement) -> Result<u64> {
        match self {
            Self::Sqlite(tx) => statement.sqlite_run(&mut **tx).await,
            Self::Postgres(tx) => statement.postgres_run(&mut **tx).await,
        }
    }

    /// Runs several statements without binds: a migration.
    pub(crate) async fn batch(&mut self, sql: &'static str) -> Result<()> {
        match self {
            Self::Sqlite(tx) => sqlx::raw_sql(sql).execute(&mut **tx).await.map(drop)?,
            Self::Postgres(tx) => sqlx::raw_sql(sql).execute(&mut **tx).await.map(drop)?,
        }
        Ok(())
    }

    /// Makes all of it last.
    pub(crate) async fn commit(self) -> Result<()> {
        match self {
            Self::Sqlite(tx) => tx.commit().await?,
            Self::Postgres(tx) => tx.commit().await?,
        }
        Ok(())
    }
}
