//! `[queue]`: how workers hear of new jobs.

use serde::Deserialize;

/// Dispatch of jobs.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Queue {
    /// `embedded:` or `nats://…`.
    pub url: String,
}
