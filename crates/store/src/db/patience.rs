//! Time limits for PostgreSQL. A server that vanished (a host without power, a network that dropped
//! a flow) neither answers nor hangs up. Without a limit a statement would wait until the kernel
//! gives up: for a quarter of an hour or, when everything sent had been acknowledged, for ever.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use sqlx::{Connection as _, PgConnection};
use tokio::time::timeout;

use crate::{Error, Result};

/// How long a connection may take to show a sign of life.
pub(crate) const SIGN_OF_LIFE: Duration = Duration::from_secs(2);

/// The time limits for one database.
#[derive(Debug, Clone)]
pub(crate) struct Patience {
    /// The limit for one statement; `None` if there is no limit.
    limit: Option<Duration>,
    ran_out: Arc<Mutex<Option<Instant>>>,
}

impl Patience {
    pub(crate) fn new(limit: Duration) -> Self {
        Self { limit: Some(limit), ran_out: Arc::default() }
    }

    /// For statements whose duration grows with the data.
    pub(crate) fn without_limit(&self) -> Self {
        Self { limit: None, ran_out: Arc::clone(&self.ran_out) }
    }

    /// Waits for an answer, at most until the limit. After that, the outcome of the statement is
    /// unknown.
    pub(crate) async fn wait<T>(&self, answer: impl Future<Output = Result<T>>) -> Result<T> {
        // Boxed, because it is part of every future that uses the store.
        let answer = Box::pin(answer);
        let Some(limit) = self.limit else { return answer.await };
        timeout(limit, answer).await.unwrap_or_else(|_| {
            *self.lately() = Some(Instant::now());
            Err(silent())
        })
    }

    /// Checks a connection that is returned to the pool. The pool waits for statements still in
    /// progress on it, so a connection without an answer would block the pool. After a statement
    /// without an answer, a connection must therefore show a sign of life, or it is closed.
    pub(crate) async fn released(&self, connection: &mut PgConnection) -> sqlx::Result<bool> {
        let limit = self.limit.unwrap_or_default();
        let suspects = self.lately().is_some_and(|at| at.elapsed() < 2 * limit);
        if suspects { sign_of_life(connection).await.map(|()| true) } else { Ok(true) }
    }

    fn lately(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.ran_out.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Checks whether the server at the other end of a connection answers.
pub(crate) async fn sign_of_life(connection: &mut PgConnection) -> sqlx::Result<()> {
    timeout(SIGN_OF_LIFE, connection.ping()).await.unwrap_or_else(|_| Err(timed_out()))
}

/// The error for a database that does not answer.
pub(crate) fn silent() -> Error {
    Error::Unavailable(timed_out())
}

fn timed_out() -> sqlx::Error {
    sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, "the database did not answer in time"))
}
