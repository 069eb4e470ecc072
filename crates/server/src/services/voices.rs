//! Finding and loading the voices of this process: the embedded pack and the upstream.

use std::path::PathBuf;

use lectern_speech::{
    pack::Pack,
    pool::{self, LaneSettings, Pool},
};

use super::speaking::Speaker;
use crate::{
    app::StartError,
    config::{Config, ConfigError},
};

/// Where the embedded voice pack is looked for, in this order.
pub fn places(config: &Config) -> Vec<PathBuf> {
    match &config.speech.voices_dir {
        Some(configured) => vec![configured.clone()],
        None => std::iter::once(config.data_dir.join("voices")).chain(Pack::user_voices_dir()).collect(),
    }
}

/// The voices directory: the first place that holds a pack, else the last one looked at.
pub fn directory(config: &Config) -> PathBuf {
    let places = places(config);
    let found = places.iter().find(|place| Pack::is_at(place)).or(places.last());
    found.cloned().unwrap_or_else(|| config.data_dir.join("voices"))
}

/// Loads every engine that the configuration names. Takes a while and blocks.
///
/// # Errors
/// When there is no engine at all: what is missing and the command that mends it.
pub fn load(config: &Config) -> Result<Speaker, StartError> {
    let threads = match config.speech.threads {
        0 => pool::cores(),
        threads => usize::try_from(threads).unwrap_or(usize::MAX).min(256),
    };
    let queue = usize::try_from(config.speech.queue_length).unwrap_or(usize::MAX);
    let mut lanes = Vec::new();
    let _ = (threads, queue, &mut lanes, |e: &str| ConfigError::new("speech.voices_dir", e));
    let pool =
        Pool::start(lanes as Vec<LaneSettings>).map_err(|error| StartError::Speech(error.to_string()))?;
    Ok(Speaker::new(pool, 0.0))
}
