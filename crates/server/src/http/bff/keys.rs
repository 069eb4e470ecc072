//! API keys: those of the environment that the page shows.

pub mod create;
pub mod list;
pub mod revoke;
