//! A transaction of either database. Dropping it without a commit rolls it back.

use std::{future::poll_fn, pin::pin, sync::Arc, task::Poll};

use sqlx::{Postgres, Sqlite};

use super::{
    Row, Statement,
    faults::{self, Cut, Edge, Faults},
    patience::Patience,
};
use crate::{
    Error, Result,
    dialect::Backend,
    notifications::{Notification, Notifications},
};

/// An open transaction.
pub(crate) struct Tx {
    inner: Inner,
    faults: Option<Faults>,
    /// Receives its notifications once it is committed.
    notifications: Arc<Notifications>,
    due: Vec<Notification>,
}

/// The driver's own transaction.
pub(crate) enum Inner {
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    Postgres(sqlx::Transaction<'static, Postgres>, Patience),
}

impl Tx {
    pub(crate) fn new(inner: Inner, faults: Option<Faults>, notifications: Arc<Notifications>) -> Self {
        Self { inner, faults, notifications, due: Vec::new() }
    }

    /// Posts a notification once this transaction is committed.
    pub(crate) fn notify(&mut self, notification: Notification) {
        if !self.due.contains(&notification) {
            self.due.push(notification);
        }
    }

    /// Like [`Tx::notify`], for many distinct notifications.
    pub(crate) fn notify_all(&mut self, notifications: impl IntoIterator<Item = Notification>) {
        self.due.extend(notifications);
    }

    /// The database of the transaction, for the statements of `dialect`.
    pub(crate) fn backend(&self) -> Backend {
        match self.inner {
            Inner::Sqlite(_) => Backend::Sqlite,
            Inner::Postgres(..) => Backend::Postgres,
        }
    }

    /// The rows that a statement returns.
    pub(crate) async fn all(&mut self, statement: Statement) -> Result<Vec<Row>> {
        self.edge(Edge::Statement).await?;
        match &mut self.inner {
            Inner::Sqlite(tx) => statement.sqlite_rows(&mut **tx).await,
            Inner::Postgres(tx, patience) => patience.wait(statement.postgres_rows(&mut **tx)).await,
        }
    }

    /// The first row that a statement returns.
    pub(crate) async fn one(&mut self, statement: Statement) -> Result<Option<Row>> {
        Ok(self.all(statement).await?.into_iter().next())
    }

    /// Runs a statement; returns how many rows it touched.
    pub(crate) async fn run(&mut self, statement: Statement) -> Result<u64> {
        self.edge(Edge::Statement).await?;
        match &mut self.inner {
            Inner::Sqlite(tx) => statement.sqlite_run(&mut **tx).await,
            Inner::Postgres(tx, patience) => patience.wait(statement.postgres_run(&mut **tx)).await,
        }
    }

    /// Runs statements one after the other; returns how many rows they touched.
    pub(crate) async fn run_all(&mut self, statements: Vec<Statement>) -> Result<u64> {
        let mut touched = 0;
        for statement in statements {
            touched += self.run(statement).await?;
        }
        Ok(touched)
    }

    /// Runs several statements without binds: a migration, whose duration grows with the data.
    pub(crate) async fn batch(&mut self, sql: &'static str) -> Result<()> {
        match &mut self.inner {
            Inner::Sqlite(tx) => sqlx::raw_sql(sql).execute(&mut **tx).await.map(drop)?,
            Inner::Postgres(tx, _) => sqlx::raw_sql(sql).execute(&mut **tx).await.map(drop)?,
        }
        Ok(())
    }

    /// The rows that statements return, one after the other.
    pub(crate) async fn every(&mut self, statements: Vec<Statement>) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for statement in statements {
            rows.append(&mut self.all(statement).await?);
        }
        Ok(rows)
    }

    /// Commits the transaction.
    pub(crate) async fn commit(mut self) -> Result<()> {
        self.edge(Edge::Commit).await?;
        let faults = self.faults.take();
        let committing = async {
            match self.inner {
                Inner::Sqlite(tx) => Ok(tx.commit().await?),
                Inner::Postgres(tx, patience) => patience.wait(async { Ok(tx.commit().await?) }).await,
            }
        };
        if faults::at(faults.as_ref(), Edge::Committing).is_some() {
            // The first poll sends the commit; then the caller gives up.
            let mut committing = pin!(committing);
            poll_fn(|context| {
                let _ = committing.as_mut().poll(context);
                Poll::Ready(())
            })
            .await;
            self.notifications.post(self.due);
            return Err(faults::lost());
        }
        let committed: Result<()> = committing.await;
        // When only the answer was lost, the commit may stand. A superfluous notification costs one
        // look.
        if committed.as_ref().err().is_none_or(Error::is_transient) {
            self.notifications.post(self.due);
        }
        committed?;
        faults::check(faults.as_ref(), Edge::Committed)
    }

    /// Fails where the test's hook, if there is one, decides so.
    async fn edge(&mut self, edge: Edge) -> Result<()> {
        let Some(cut) = faults::at(self.faults.as_ref(), edge) else { return Ok(()) };
        if let (Cut::Kill, Inner::Postgres(tx, _)) = (cut, &mut self.inner) {
            let _ = sqlx::raw_sql("SELECT pg_terminate_backend(pg_backend_pid())").execute(&mut **tx).await;
        }
        Err(faults::lost())
    }
}
