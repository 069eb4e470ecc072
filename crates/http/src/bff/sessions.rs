//! The account's sessions.

pub mod list;
pub mod revoke;
