//! The few statements that differ between SQLite and PostgreSQL. All other SQL is common to both.

use crate::Backend;

/// One row if the table `$1` exists.
pub(crate) const fn table_exists(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = $1",
        Backend::Postgres => {
            "SELECT table_name::TEXT FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = $1"
        }
    }
}

/// Lets one process migrate at a time until the transaction ends. SQLite's write lock does so already. The
/// number is any that no other program on the database is likely to take.
pub(crate) const fn lock_migrations(backend: Backend) -> Option<&'static str> {
    match backend {
        Backend::Sqlite => None,
        Backend::Postgres => Some("SELECT pg_advisory_xact_lock(7310312340721)"),
    }
}

/// Locks the account `$1` against others who lock it until the transaction ends; one row if it exists.
/// SQLite's one writer has it already. `NO KEY` lets rows that refer to the account be added meanwhile.
pub(crate) const fn lock_account(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => "SELECT id FROM accounts WHERE id = $1",
        Backend::Postgres => "SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE",
    }
}
