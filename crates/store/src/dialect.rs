//! The few statements that differ between SQLite and PostgreSQL.
