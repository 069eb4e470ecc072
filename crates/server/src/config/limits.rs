//! `[limits]`: sizes and daily caps.

use serde::Deserialize;

use super::values::{positive, whole};

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
    /// Most processor time that reading one uploaded document may take, in seconds.
    #[serde(deserialize_with = "positive")]
    pub extraction_seconds: u64,
    /// Most memory that reading one uploaded document may take, in bytes.
    #[serde(deserialize_with = "positive")]
    pub extraction_memory_bytes: u64,
    /// Characters that an account's test keys may synthesize a day (UTC).
    #[serde(deserialize_with = "whole")]
    pub sandbox_characters_per_day: u64,
}
