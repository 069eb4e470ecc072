//! `[jobs]`: how many jobs run at once, how long a claim lasts and how often a job is attempted.

use std::time::Duration;

use serde::Deserialize;

use super::values::{non_negative, positive};

/// How many jobs run at once, how long a claim lasts and how often a job is attempted.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Jobs {
    /// Seconds without a renewal after which another process takes over a job.
    #[serde(deserialize_with = "positive")]
    pub lease_seconds: u64,
    /// Chunks that one process converts at once; 0: one more than its model threads.
    #[serde(deserialize_with = "non_negative")]
    pub concurrency: u64,
    /// Attempts before a job fails for good.
    #[serde(deserialize_with = "positive")]
    pub attempts: u64,
}

impl Jobs {
    /// How often a lease of this length is renewed.
    pub fn renewal(lease: Duration) -> Duration {
        lease / 3
    }
}
