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
    /// The program espeak-ng, for voices that need it; `None`: the one on `PATH`.
    #[serde(deserialize_with = "optional_path")]
    pub espeak: Option<PathBuf>,
    /// Model threads; 0: one for each processor core.
    #[serde(deserialize_with = "non_negative")]
    pub threads: u64,
    /// Requests of one engine that may wait for a model thread.
    #[serde(deserialize_with = "positive")]
    pub queue_length: u64,
    /// Seconds that the work which waits for one engine may take the model threads.
    #[serde(deserialize_with = "positive")]
    pub queue_seconds: u64,
    /// The engines that this process loads; empty: all that are installed or configured.
    pub engines: Vec<String>,
}

impl Speech {
    /// Whether this process is to load the engine of this name.
    pub fn wants(&self, engine: &str) -> bool {
        self.engines.is_empty() || self.engines.iter().any(|named| named == engine)
    }
}

fn optional_path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(optional(deserializer)?.map(PathBuf::from))
}
