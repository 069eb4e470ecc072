//! `[speech]`: the embedded engine and the model threads.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer};

use super::values::{non_negative, optional, positive};

/// The embedded engine and the model threads.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speech {
    /// The directory that holds the voice pack's folder; `None`: search the usual places.
    #[serde(deserialize_with = "optional_path")]
    pub voices_dir: Option<PathBuf>,
    /// Model threads; 0: one for each processor core.
    #[serde(deserialize_with = "non_negative")]
    pub threads: u64,
    /// Requests that may wait for a model thread.
    #[serde(deserialize_with = "positive")]
    pub queue_length: u64,
}

fn optional_path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(optional(deserializer)?.map(PathBuf::from))
}
