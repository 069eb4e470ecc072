//! Finds and loads the voices of this process: the packs of the local engines, and the upstream.

use std::{path::PathBuf, sync::Arc, time::Duration};

use lectern_speech::{
    engines::{
        self, LocalEngine,
        upstream::{self, UpstreamEngine, UpstreamSettings},
    },
    pack::{Pack, PackError, PackKind},
    pool::{self, EngineEntry, LaneSettings, Pool},
};
use secrecy::ExposeSecret as _;

use super::speaking::Speaker;
use crate::{base::StartError, config::Config};

/// The name of the upstream engine.
pub const UPSTREAM: &str = "upstream";

/// Concurrent requests to an upstream server; they use no core.
const UPSTREAM_THREADS: usize = 8;

/// How much longer a thread may be with the upstream than a request may take.
const UPSTREAM_MARGIN: Duration = Duration::from_secs(30);

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
/// An unusable pack fails the start if it is the default engine's or its engine is named in the
/// settings; otherwise it is only logged. With an upstream and no named engines it is always only logged.
///
/// # Errors
/// [`StartError::Speech`], naming what is missing and the command that fixes it.
pub fn load(config: &Config) -> Result<Speaker, StartError> {
    let queue = usize::try_from(config.speech.queue_length).unwrap_or(usize::MAX);
    let lane = |name: &str, threads, engines| LaneSettings {
        queue_work: Duration::from_secs(config.speech.queue_seconds),
        ..LaneSettings::new(name, threads, queue, engines)
    };
    let mut lanes = Vec::new();
    match embedded(config) {
        Ok(engines) if engines.is_empty() => {}
        Ok(engines) => lanes.push(lane("models", threads(config), engines)),
        Err(error) if config.upstream.base_url.is_some() && config.speech.engines.is_empty() => {
            tracing::error!(error = %error, "the embedded voices cannot be used; only the upstream speaks");
        }
        Err(error) => return Err(StartError::Speech(format!("speech.voices_dir: {error}"))),
    }
    if let Some(base) = config.upstream.base_url.as_ref().filter(|_| config.speech.wants(UPSTREAM)) {
        let key = config.upstream.api_key.as_ref().map(|key| key.expose_secret().to_owned());
        let settings = UpstreamSettings::new(base.as_str(), key);
        // It gives up by itself before its thread is given up.
        let patience = settings.total_timeout + UPSTREAM_MARGIN;
        let engine = EngineEntry {
            name: UPSTREAM.to_owned(),
            cost: upstream::COST,
            factory: Arc::new(move || Ok(Box::new(UpstreamEngine::new(settings.clone())?))),
        };
        lanes.push(LaneSettings { patience, ..lane(UPSTREAM, UPSTREAM_THREADS, vec![engine]) });
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

/// The engines of this process: those that the settings name, or else the default one and every
/// other whose pack is installed.
fn embedded(config: &Config) -> Result<Vec<EngineEntry>, PackError> {
    let is_named = !config.speech.engines.is_empty();
    let is_wanted = |engine: &&LocalEngine| {
        let is_there =
            || engine.name == engines::DEFAULT.name || engine.pack.is_at(&directory(config, engine.pack));
        config.speech.wants(engine.name) && (is_named || is_there())
    };
    let load = |engine: &LocalEngine| {
        let factory = engine.load(&open(config, engine.pack)?)?;
        Ok(EngineEntry::local(engine, factory))
    };
    let mut entries = Vec::new();
    for engine in engines::LOCAL.iter().filter(is_wanted) {
        match load(engine) {
            Ok(entry) => entries.push(entry),
            // A pack that nothing names takes no other voice down with it.
            Err(error) if !is_named && engine.name != engines::DEFAULT.name => {
                tracing::error!(engine = engine.name, %error, "a voice pack cannot be used; its voices answer 503");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(entries)
}
