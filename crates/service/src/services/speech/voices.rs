//! Finds and loads the voices of this process: the packs of the local engines, and the upstream.

use std::{path::PathBuf, sync::Arc};

use lectern_speech::{
    engines::{
        self, LocalEngine,
        upstream::{UpstreamEngine, UpstreamSettings},
    },
    pack::{Pack, PackError, PackKind},
    pool::{self, EngineEntry, LaneSettings, Pool},
};
use secrecy::ExposeSecret as _;

use super::{ereader_catalog::UPSTREAM, speaking::Speaker};
use crate::{base::StartError, config::Config};

/// Concurrent requests to an upstream server; they use no core.
const UPSTREAM_THREADS: usize = 8;

/// Where voice packs are searched, in this order.
pub fn places(config: &Config) -> Vec<PathBuf> {
    match &config.speech.voices_dir {
        Some(configured) => vec![configured.clone()],
        None => std::iter::once(config.data_dir.join("voices")).chain(Pack::user_voices_dir()).collect(),
    }
}

/// The voices directory of a pack: the first place that holds it, else the last one searched.
pub fn directory(config: &Config, pack: PackKind) -> PathBuf {
    let places = places(config);
    let found = places.iter().find(|place| pack.is_at(place)).or(places.last());
    found.cloned().unwrap_or_else(|| config.data_dir.join("voices"))
}

/// Opens and verifies a pack.
///
/// # Errors
/// [`PackError`], naming the file and the command that fixes it.
pub fn open(config: &Config, pack: PackKind) -> Result<Pack, PackError> {
    Pack::open(&directory(config, pack), pack)
}

/// The configured number of model threads.
pub fn threads(config: &Config) -> usize {
    match config.speech.threads {
        0 => pool::cores(),
        threads => usize::try_from(threads).unwrap_or(usize::MAX).min(256),
    }
}

/// Loads every configured engine. Takes a while and blocks.
///
/// An unusable pack fails the start. With an upstream it is only logged.
///
/// # Errors
/// [`StartError::Speech`], naming what is missing and the command that fixes it.
pub fn load(config: &Config) -> Result<Speaker, StartError> {
    let queue = usize::try_from(config.speech.queue_length).unwrap_or(usize::MAX);
    let mut lanes = Vec::new();
    match embedded(config) {
        Ok(engines) => {
            lanes.push(LaneSettings { name: "models".to_owned(), threads: threads(config), queue, engines });
        }
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

/// A speaker without engines, for a process that does not synthesize.
///
/// # Errors
/// [`StartError::Speech`].
pub fn none() -> Result<Speaker, StartError> {
    let pool = Pool::start(Vec::new()).map_err(|error| StartError::Speech(error.to_string()))?;
    Ok(Speaker::new(pool))
}

/// The engines of this process: the default one, and every other whose pack is installed.
fn embedded(config: &Config) -> Result<Vec<EngineEntry>, PackError> {
    let is_wanted = |engine: &&LocalEngine| {
        engine.name == engines::DEFAULT.name || engine.pack.is_at(&directory(config, engine.pack))
    };
    let load = |engine: &LocalEngine| {
        let factory = engine.load(&open(config, engine.pack)?)?;
        Ok(EngineEntry { name: engine.name.to_owned(), factory })
    };
    engines::LOCAL.iter().filter(is_wanted).map(load).collect()
}
