//! The usage of an account.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Credits, Timestamp, text_enum};

text_enum! {
    /// How usage is grouped.
    #[derive(Default, ToSchema)]
    UsageGroup {
        /// The UTC day.
        #[default]
        Day "day",
        /// The e-reader that was used.
        Ereader "ereader",
        /// The key of the request.
        Key "key",
    }
}

/// The sum of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UsageSum {
    /// The day (`2026-11-21`, UTC), the e-reader's id or the key's id.
    pub key: String,
    /// Characters spoken.
    pub characters: i64,
    /// Credits charged; 0 in the test environment.
    pub credits: Credits,
    /// Syntheses, including streams, and converted chunks.
    pub requests: i64,
}

/// The usage of an account in one environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Usage {
    /// The sums: days in order, without those of no usage; e-readers and keys by characters, the
    /// most first.
    pub data: Vec<UsageSum>,
    /// The start of the period.
    pub from: Timestamp,
    /// The end of the period, exclusive.
    pub to: Timestamp,
    /// The grouping.
    pub group_by: UsageGroup,
}
