//! Numbered, append-only migrations, carried in the binary, each applied in its own transaction.

use lectern_types::Timestamp;

use crate::{Result, Store};

/// How the database's schema stands to the one this program knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaState {
    /// No migration was ever applied.
    Empty,
    /// Migrations are missing.
    Older {
        /// The newest version applied.
        found: i64,
    },
    /// Just right.
    Current,
    /// Made by a newer program.
    Newer {
        /// The newest version applied.
        found: i64,
    },
}

impl Store {
    /// How the database's schema stands to the one this program knows.
    pub async fn schema_state(&self) -> Result<SchemaState> {
        todo!()
    }

    /// Applies the missing migrations, safely beside other processes doing the same; how many were.
    ///
    /// # Errors
    /// [`crate::Error::SchemaNewer`], [`crate::Error::MigrationChanged`], or the database's.
    pub async fn migrate(&self, now: Timestamp) -> Result<u32> {
        todo!()
    }
}
