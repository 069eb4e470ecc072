//! How the store fails. Outcomes that a caller can act on (too few credits, address taken, hold
//! gone) are return values. An error of this module means that the database, or its content, is at
//! fault.

use std::path::PathBuf;

/// The store's results.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failure of the database or of its contents.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The database's address cannot be used.
    #[error("the database URL cannot be used: {reason}")]
    Url {
        /// The problem, for the operator; never contains the password.
        reason: &'static str,
    },
    /// The SQLite file or its folder cannot be made.
    #[error("cannot make the database file {}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The SQLite file is not a database, or is damaged.
    #[error("{} is not a database, or a damaged one", path.display())]
    NotADatabase {
        path: PathBuf,
        /// SQLite's error.
        #[source]
        source: sqlx::Error,
    },
    /// The database to open cannot be reached, or refuses the connection.
    #[error("the database at {address} cannot be opened")]
    Unreachable {
        /// Its server: host and port, or socket.
        address: String,
        /// The failure of the attempt.
        #[source]
        source: sqlx::Error,
    },
    /// The database did not answer in time. Trying again later may help.
    #[error("the database does not answer")]
    Unavailable(#[source] sqlx::Error),
    /// The database answers but accepts no writes. Trying again later may help: a standby may
    /// become the primary.
    #[error("the database is read-only: {why}")]
    ReadOnly { why: &'static str },
    /// A constraint of the database was about to be violated; nothing was changed.
    #[error("a rule of the database was about to be broken")]
    Constraint(#[source] sqlx::Error),
    /// The database refused a statement for another reason.
    #[error("the database refused a statement")]
    Database(#[source] sqlx::Error),
    /// A stored value that this program would not write.
    #[error("a stored value cannot be read: {what}")]
    Unreadable {
        /// The column or value at fault.
        what: String,
    },
    /// The database was migrated by a newer program.
    #[error("the database's schema is at version {found}, this program knows {known}")]
    SchemaNewer {
        found: i64,
        /// The newest version this program knows.
        known: i64,
    },
    /// An applied migration differs from the one that this program carries.
    #[error("migration {version} was applied in another form than this program's")]
    MigrationChanged { version: i64 },
    /// A batch of several callers' requests failed with this error.
    #[error(transparent)]
    Batch(std::sync::Arc<Error>),
    /// A sum of credits left the range of an `i64`.
    #[error("a number of credits is out of range")]
    CreditsOutOfRange,
}

impl Error {
    /// Whether the same call may succeed a little later. The failed call has changed nothing,
    /// unless the commit itself failed: its effect must then be looked up.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Batch(error) => error.is_transient(),
            Self::Unavailable(_) | Self::Unreachable { .. } | Self::ReadOnly { .. } => true,
            _ => false,
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        use sqlx::error::ErrorKind;
        match &error {
            sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::WorkerCrashed
            // The connection was cut off in the middle of a message, usually while it was being set
            // up. The next one may work.
            | sqlx::Error::Protocol(_)
            // A full disk leaves a SQLite connection in this state until it is closed.
            | sqlx::Error::InvalidSavePointStatement
            | sqlx::Error::BeginFailed => Self::Unavailable(error),
            sqlx::Error::Database(refusal) => match refusal.kind() {
                ErrorKind::Other if is_transient_code(refusal.code().as_deref()) => Self::Unavailable(error),
                // Raised by our own triggers, which keep the ledger append-only.
                ErrorKind::Other if matches!(refusal.code().as_deref(), Some("23001" | "1811")) => {
                    Self::Constraint(error)
                }
                ErrorKind::Other => Self::Database(error),
                _ => Self::Constraint(error),
            },
            _ => Self::Database(error),
        }
    }
}

/// SQLSTATEs (PostgreSQL, appendix A; five characters) and SQLite's result codes (extended ones by
/// their last byte) of transient failures: read-only transaction (of a standby),
/// idle-in-transaction time-out, serialisation failure, deadlock, insufficient resources (disk
/// full, out of memory, too many connections), lock not available, shutting down, starting up,
/// idle-session time-out, input or output error, and all of a broken connection (08);
/// `SQLITE_BUSY`, `SQLITE_NOMEM`, `SQLITE_READONLY`, `SQLITE_IOERR`, `SQLITE_FULL`,
/// `SQLITE_CANTOPEN`.
fn is_transient_code(code: Option<&str>) -> bool {
    let Some(code) = code else { return false };
    match (code.len(), code.parse::<i64>()) {
        (5, _) => {
            matches!(
                code,
                "25006"
                    | "25P03"
                    | "40001"
                    | "40P01"
                    | "53000"
                    | "53100"
                    | "53200"
                    | "53300"
                    | "53400"
                    | "55P03"
                    | "57P01"
                    | "57P02"
                    | "57P03"
                    | "57P05"
                    | "58030"
            ) || code.starts_with("08")
        }
        (_, Ok(code)) => matches!(code & 0xff, 5 | 7 | 8 | 10 | 13 | 14),
        (_, Err(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_transient_code;

    #[test]
    fn codes_of_a_moment_are_told_from_those_of_a_fault() {
        // A full disk on PostgreSQL and on SQLite, a busy snapshot, a failed write.
        for code in ["53100", "25006", "25P03", "08006", "40P01", "13", "517", "778"] {
            assert!(is_transient_code(Some(code)), "{code}");
        }
        // A unique key, a syntax error, a constraint, a trigger.
        for code in [Some("23505"), Some("42601"), Some("19"), Some("1811"), None] {
            assert!(!is_transient_code(code), "{code:?}");
        }
    }
}
