//! Finding and loading the voices of this process: the embedded pack and the upstream.

use std::{path::PathBuf, sync::Arc};

use lectern_speech::{
    engines::{
        hibari::Hibari,
        upstream::{UpstreamEngine, UpstreamSettings},
    },
    pack::{Pack, PackError},
    pool::{self, EngineEntry, LaneSettings, Pool},
};
use secrecy::ExposeSecret as _;

use super::{
    catalogue::{HIBARI, UPSTREAM},
    speaking::Speaker,
};
use crate::{app::StartError, config::Config};

/// Requests that wait for an upstream server at a time; they hold no core.
const UPSTREAM_THREADS: usize = 8;

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

/// Model threads that the configuration asks for.
pub fn threads(config: &Config) -> usize {
    match config.speech.threads {
        0 => pool::cores(),
        threads => usize::try_from(threads).unwrap_or(usize::MAX).min(256),
    }
}

/// Loads every engine that the configuration names. Takes a while and blocks.
///
/// A pack that cannot be used stops the start, unless there is an upstream to speak: then it is only logged.
///
/// # Errors
/// [`StartError::Speech`], which says what is missing and the command that fixes it.
pub fn load(config: &Config) -> Result<Speaker, StartError> {
    let queue = usize::try_from(config.speech.queue_length).unwrap_or(usize::MAX);
    let mut lanes = Vec::new();
    match embedded(config) {
        Ok(hibari) => lanes.push(LaneSettings {
            name: "models".to_owned(),
            threads: threads(config),
            queue,
            engines: vec![EngineEntry {
                name: HIBARI.to_owned(),
                factory: Arc::new(move || Ok(Box::new(hibari.engine()))),
            }],
        }),
        Err(error) if config.upstream.base_url.is_some() => {
            tracing::error!(error = %error, "the embedded voices cannot be used; only the upstream speaks");
        }
        Err(error) => return Err(StartError::Speech(format!("speech.voices_dir: {error}"))),
    }
    if let Some(base) = &config.upstream.base_url {
        let key = config.upstream.api_key.as_ref().map(|key| key.expose_secret().to_owned());
        let settings = UpstreamSettings::new(base.as_str(), key);
        lanes.push(LaneSettings {
            name: UPSTREAM.to_owned(),
            threads: UPSTREAM_THREADS,
            queue,
            engines: vec![EngineEntry {
                name: UPSTREAM.to_owned(),
                factory: Arc::new(move || Ok(Box::new(UpstreamEngine::new(settings.clone())?))),
            }],
        });
    }
    let pool = Pool::start(lanes).map_err(|error| StartError::Speech(error.to_string()))?;
    Ok(Speaker::new(pool))
}

/// A speaker without engines, for a process that speaks nothing.
///
/// # Errors
/// [`StartError::Speech`].
pub fn none() -> Result<Speaker, StartError> {
    let pool = Pool::start(Vec::new()).map_err(|error| StartError::Speech(error.to_string()))?;
    Ok(Speaker::new(pool))
}

fn embedded(config: &Config) -> Result<Arc<Hibari>, PackError> {
    Hibari::load(&Pack::open(&directory(config))?)
}
