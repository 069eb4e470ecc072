//! `[jobs]`: leases.

use serde::Deserialize;

use super::values::positive;

/// Leases.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Jobs {
    /// Seconds after which the work of a silent process is taken over.
    #[serde(deserialize_with = "positive")]
    pub lease_seconds: u64,
}
