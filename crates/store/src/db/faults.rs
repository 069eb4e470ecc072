//! Failures for tests: a hook that decides at each edge of a transaction whether the connection is
//! lost there. A store without a hook, such as the service's, only tests an empty option.

use std::{io, sync::Arc};

use crate::{Error, Result};

/// Where a transaction can be cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Before it begins; also before a statement that is a transaction of its own.
    Begin,
    /// Before one of its statements.
    Statement,
    /// Before the commit is sent: none of its changes may stay.
    Commit,
    /// After the commit was sent, without waiting for the answer: the whole transaction is
    /// committed, or nothing.
    Committing,
    /// After the commit, with the answer lost: all of its changes must stay.
    Committed,
}

/// How a transaction is cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// The caller gives up, as when its client has disconnected.
    Abandon,
    /// PostgreSQL ends the connection from its side. SQLite has no other side, so there this is the
    /// same as [`Cut::Abandon`].
    Kill,
}

/// Decides at each edge, in the caller's task.
pub type Faults = Arc<dyn Fn(Edge) -> Option<Cut> + Send + Sync>;

/// The answer of the hook, if any, at an edge.
pub(crate) fn at(faults: Option<&Faults>, edge: Edge) -> Option<Cut> {
    faults.and_then(|decide| decide(edge))
}

/// Fails where the hook, if there is one, decides so.
pub(crate) fn check(faults: Option<&Faults>, edge: Edge) -> Result<()> {
    at(faults, edge).map_or(Ok(()), |_| Err(lost()))
}

/// The error of a lost connection.
pub(crate) fn lost() -> Error {
    Error::Unavailable(sqlx::Error::Io(io::Error::new(io::ErrorKind::ConnectionReset, "cut off by a test")))
}
