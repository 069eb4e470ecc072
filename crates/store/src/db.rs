//! SQLite or PostgreSQL behind one handle.

use crate::Result;

/// Where the database is and how many connections it gets.
#[derive(Clone)]
pub struct StoreOptions {
    /// `sqlite:///abs/path.db`, `sqlite://./rel.db` or `postgres://…`.
    pub url: String,
    /// PostgreSQL's pool, or SQLite's read pool (beside its one writer).
    pub connections: u32,
}

impl StoreOptions {
    /// The defaults for this address.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), connections: 8 }
    }
}

/// Which database a store is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// SQLite, in one file.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

/// A handle on the database; cheap to clone.
#[derive(Clone)]
pub struct Store {}

impl Store {
    /// Opens the database: a SQLite file is made (mode 0600, with its folder) when missing. The schema is
    /// not touched: see [`Store::schema_state`] and [`Store::migrate`].
    pub async fn open(options: &StoreOptions) -> Result<Self> {
        todo!()
    }

    /// Which database it is.
    pub fn backend(&self) -> Backend {
        todo!()
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<()> {
        todo!()
    }

    /// Waits for the statements under way and closes every connection.
    pub async fn close(&self) {
        todo!()
    }
}
