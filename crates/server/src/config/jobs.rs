//! `[jobs]`: how many jobs run at once, and how long they are borne with.

use std::time::Duration;

use serde::Deserialize;

use super::values::{positive, whole};

/// How many jobs run at once, and how long they are borne with.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Jobs {
    /// Seconds after which the work of a silent process is taken over.
    #[serde(deserialize_with = "positive")]
    pub lease_seconds: u64,
    /// Chunks that one process converts at once; 0: one more than it has model threads.
    #[serde(deserialize_with = "whole")]
    pub concurrency: u64,
    /// How often a job is tried before it is given up.
    #[serde(deserialize_with = "positive")]
    pub attempts: u64,
}

impl Jobs {
    /// How often a lease of this length is renewed.
    pub fn renewal(lease: Duration) -> Duration {
        lease / 3
    }
}
