//! Work that no request waits for, repeated while the service runs.

pub mod runner;
pub mod sweep;
