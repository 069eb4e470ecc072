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
    /// Characters that an account's test keys may synthesize a day (UTC).
    #[serde(deserialize_with = "whole")]
    pub sandbox_characters_per_day: u64,
}
