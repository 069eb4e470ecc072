//! Work that no request waits for: jobs, and tasks that are repeated while the service runs.

pub mod deliveries;
pub mod jobs;
pub mod replenish;
pub mod runner;
pub mod sweep;
