//! Failures for tests: a hook that is asked at each edge of a transaction whether the connection is
//! lost there. A store opened without one, as the service's is, has none of it but the test of an
//! empty option.

use std::{io, sync::Arc};

use crate::{Error, Result};

/// Where a transaction can be cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Before it begins; also before a statement that is a transaction of its own.
    Begin,
    /// Before one of its statements.
    Statement,
    /// Before the commit is sent: nothing of it may stay.
    Commit,
    /// After the commit was sent, nobody waiting for it: all of it stays, or nothing.
    Committing,
    /// After the commit, the answer being lost: all of it must stay.
    Committed,
}

/// How it is cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// The caller gives up, as one does whose client is gone.
    Abandon,
    /// PostgreSQL ends the connection from its side; on SQLite, which has no other side, as
    /// [`Cut::Abandon`].
    Kill,
}

/// Decides at each edge, in the task of the caller.
pub type Faults = Arc<dyn Fn(Edge) -> Option<Cut> + Send + Sync>;

/// What the hook, if there is one, says at an edge.
pub(crate) fn at(faults: Option<&Faults>, edge: Edge) -> Option<Cut> {
    faults.and_then(|decide| decide(edge))
}

/// Fails where the hook, if there is one, says so.
pub(crate) fn check(faults: Option<&Faults>, edge: Edge) -> Result<()> {
    at(faults, edge).map_or(Ok(()), |_| Err(lost()))
}

/// What a caller is told whose connection was lost.
pub(crate) fn lost() -> Error {
    Error::Unavailable(sqlx::Error::Io(io::Error::new(io::ErrorKind::ConnectionReset, "cut off by a test")))
}
