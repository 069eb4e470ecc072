//! Which of the processes that share a database does what is done now and then by one of them: sweeping, looking for orphans,
//! sending mails that wait. On PostgreSQL that is who holds an advisory lock on a connection of its own; when the connection
//! ends, however that comes about, another takes it. On SQLite every process does it: it is one machine, and what the duties do
//! is guarded row by row in any case.

use std::time::Duration;

use sqlx::{Connection as _, PgConnection};
use tokio::time::timeout;

use crate::{
    Result, Store,
    db::{Pools, silent, sql},
    dialect,
};

/// How long PostgreSQL may take to say whose they are: less than it keeps the lock for a process that does not ask.
const ANSWERS: Duration = Duration::from_secs(5);

/// This process's part in the duties.
#[derive(Debug)]
pub struct Duties {
    store: Store,
    /// PostgreSQL's connection that holds the lock, or would.
    connection: Option<PgConnection>,
    held: bool,
}

impl Store {
    /// The duties of the processes that share the database.
    pub fn duties(&self) -> Duties {
        Duties { store: self.clone(), connection: None, held: false }
    }
}

impl Duties {
    /// Whether this process has the duties from now on, until it is asked again. To be asked often: a process that does not ask
    /// for half a minute, because it stands still, loses them.
    ///
    /// # Errors
    /// When it cannot be known, as after some seconds without an answer: then they are not.
    pub async fn are_ours(&mut self) -> Result<bool> {
        // What is given up hangs up, and so frees the lock if this process had it.
        timeout(ANSWERS, self.ask()).await.unwrap_or_else(|_| Err(silent()))
    }

    async fn ask(&mut self) -> Result<bool> {
        let Pools::Postgres(pool, _) = &self.store.pools else { return Ok(true) };
        // While it is being asked, in case the caller gives up.
        let held = std::mem::take(&mut self.held);
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => PgConnection::connect_with(&pool.connect_options()).await?,
        };
        if held {
            connection.ping().await?;
        } else {
            sql!(dialect::KEEP_SESSION_WHILE_USED).postgres_rows(&mut connection).await?;
            let taken = sql!(dialect::TAKE_DUTIES).postgres_rows(&mut connection).await?;
            if taken.first().map(crate::db::Row::first::<i64>).transpose()? != Some(1) {
                self.connection = Some(connection);
                return Ok(false);
            }
        }
        (self.connection, self.held) = (Some(connection), true);
        Ok(true)
    }

    /// Leaves them to another process.
    pub async fn leave(mut self) {
        if let Some(connection) = self.connection.take() {
            // Its end frees the lock, also when it does not end in good order.
            let _ = connection.close().await;
        }
    }
}
