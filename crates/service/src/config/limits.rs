//! `[limits]`: sizes and daily caps.

use serde::Deserialize;

use super::values::{non_negative, positive};

/// Sizes and daily caps.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Largest uploaded file, in bytes.
    #[serde(deserialize_with = "positive")]
    pub file_bytes: u64,
    /// Largest JSON body, in bytes.
    #[serde(deserialize_with = "positive")]
    pub body_bytes: u64,
    /// The most processor time for reading one uploaded document, in seconds.
    #[serde(deserialize_with = "positive")]
    pub extraction_seconds: u64,
    /// The most memory for reading one uploaded document, in bytes.
    #[serde(deserialize_with = "positive")]
    pub extraction_memory_bytes: u64,
    /// Characters that an account's test keys may synthesize per day (UTC).
    #[serde(deserialize_with = "non_negative")]
    pub sandbox_characters_per_day: u64,
}
