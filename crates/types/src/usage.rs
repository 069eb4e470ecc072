//! What an account used, as clients see it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Credits, Timestamp};

/// What usage is added up by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UsageGroup {
    /// The UTC day.
    #[default]
    Day,
    /// The e-reader that spoke.
    Ereader,
    /// The key that asked.
    Key,
}

/// One group's sum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UsageSum {
    /// The day (`2026-11-21`, UTC), the e-reader's id or the key's id.
    pub key: String,
    /// Characters spoken.
    pub characters: i64,
    /// Credits charged; 0 in the test environment.
    pub credits: Credits,
    /// Syntheses, streams included, and converted chunks.
    pub requests: i64,
}

/// What an account used in one environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Usage {
    /// The sums: days in their order, only those with use; e-readers and keys with the most characters first.
    pub data: Vec<UsageSum>,
    /// From this instant on.
    pub from: Timestamp,
    /// Up to this instant, not including it.
    pub to: Timestamp,
    /// What the sums are by.
    pub group_by: UsageGroup,
}
