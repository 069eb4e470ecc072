//! Decides which of the processes that share a database is the leader and does the periodic work:
//! sweeping, looking for orphans, sending pending mails. On PostgreSQL the leader holds an advisory
//! lock on a connection of its own; when that connection ends, for whatever reason, another process
//! takes the lock. On SQLite every process is a leader: they share one machine, and the periodic
//! work is guarded row by row in any case.

use std::time::Duration;

use sqlx::{Connection as _, PgConnection};
use tokio::time::timeout;

use crate::{
    Result, Store,
    db::{Pools, silent, sql},
    dialect,
};

/// How long PostgreSQL may take to answer. A process that does not ask loses the lock only after a
/// longer time.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// This process's candidacy for the leader lock.
#[derive(Debug)]
pub struct LeaderLock {
    store: Store,
    /// PostgreSQL's connection that holds the lock, or tries to.
    connection: Option<PgConnection>,
    held: bool,
}

impl Store {
    /// The lock among the processes that share the database; not yet taken.
    pub fn leader_lock(&self) -> LeaderLock {
        LeaderLock { store: self.clone(), connection: None, held: false }
    }
}

impl LeaderLock {
    /// Takes or keeps the lock. Returns whether this process is the leader until it asks again. Ask
    /// often: a process that stands still for half a minute loses the lock.
    ///
    /// # Errors
    /// When the database does not answer within some seconds. This process is then not the leader.
    pub async fn hold(&mut self) -> Result<bool> {
        // Dropping the connection frees the lock, if this process had it.
        timeout(ANSWER_TIMEOUT, self.ask()).await.unwrap_or_else(|_| Err(silent()))
    }

    async fn ask(&mut self) -> Result<bool> {
        let Pools::Postgres(pool, _) = &self.store.pools else { return Ok(true) };
        // Cleared while the database is asked, in case the caller gives up.
        let held = std::mem::take(&mut self.held);
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => PgConnection::connect_with(&pool.connect_options()).await?,
        };
        if held {
            connection.ping().await?;
        } else {
            sql!(dialect::KEEP_SESSION_WHILE_USED).postgres_rows(&mut connection).await?;
            let taken = sql!(dialect::TAKE_LEADER_LOCK).postgres_rows(&mut connection).await?;
            if taken.first().map(crate::db::Row::scalar::<i64>).transpose()? != Some(1) {
                self.connection = Some(connection);
                return Ok(false);
            }
        }
        (self.connection, self.held) = (Some(connection), true);
        Ok(true)
    }

    /// Gives the lock up, so that another process can take it.
    pub async fn release(mut self) {
        if let Some(connection) = self.connection.take() {
            // The end of the connection frees the lock, even when closing fails.
            let _ = connection.close().await;
        }
    }
}
