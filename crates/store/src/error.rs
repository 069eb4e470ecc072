//! How the store fails. Outcomes that a caller can act on (too few credits, address taken, hold gone) are
//! values of the functions that can have them; what is here means that the database, or what it holds, is
//! at fault.

use std::path::PathBuf;

/// The store's results.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failure of the database or of what it holds.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The database's address cannot be used.
    #[error("the database URL cannot be used: {reason}")]
    Url {
        /// What is wrong with it, for the operator; never holds the password.
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
    /// The database did not answer, or not in time. Trying again later may help.
    #[error("the database does not answer")]
    Unavailable(#[source] sqlx::Error),
    /// A rule that the database itself keeps was about to be broken; nothing was changed.
    #[error("a rule of the database was about to be broken")]
    Constraint(#[source] sqlx::Error),
    /// The database refused a statement for another reason.
    #[error("the database refused a statement")]
    Database(#[source] sqlx::Error),
    /// A stored value is not what this program writes.
    #[error("a stored value cannot be read: {what}")]
    Unreadable {
        /// The column or word at fault.
        what: String,
    },
    /// The database was migrated by a newer program.
    #[error("the database's schema is at version {found}, this program knows {known}")]
    SchemaNewer {
        /// The version found.
        found: i64,
        /// The newest version this program knows.
        known: i64,
    },
    /// A migration that was applied differs from the one this program carries.
    #[error("migration {version} was applied in another form than this program's")]
    MigrationChanged {
        /// The migration's number.
        version: i64,
    },
    /// A sum of credits left the range of an `i64`.
    #[error("a number of credits is out of range")]
    CreditsOutOfRange,
}

impl Error {
    /// Whether the same call may succeed a little later, nothing having been changed by this one.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable(_))
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
            | sqlx::Error::WorkerCrashed => Self::Unavailable(error),
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

/// SQLSTATEs (PostgreSQL, appendix A) and SQLite result codes that tell of a moment, not of a fault:
/// serialisation failure, deadlock, lock not available, too many connections, shutting down, starting up;
/// `SQLITE_BUSY` and its extended forms.
fn is_transient_code(code: Option<&str>) -> bool {
    matches!(
        code,
        Some(
            "40001" | "40P01" | "55P03" | "53300" | "57P01" | "57P02" | "57P03" | "5" | "261" | "517" | "773"
        )
    )
}
