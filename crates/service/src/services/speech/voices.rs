//! Finds and loads the voices of this process: the packs of the local engines, and the upstream.

use std::{path::PathBuf, sync::Arc, time::Duration};

use lectern_speech::{
    engines::{
        self, EngineSettings, Factory, LocalEngine, ResolvedVoice, VoiceError,
        piper::{self, Piper},
        upstream::{self, UpstreamEngine, UpstreamSettings},
    },
    front_end::{espeak::Program, spelling::Spellers},
    pack::{self, Pack, PackError, PackKind},
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

/// Where voice packs are searched, in this order. What is fetched goes to the last of them, the
/// user's own. A package's voices come before it: they are those that this version needs.
pub fn places(config: &Config) -> Vec<PathBuf> {
    if let Some(configured) = &config.speech.voices_dir {
        return vec![configured.clone()];
    }
    let own = Pack::user_voices_dir();
    let mut places = vec![config.data_dir.join("voices")];
    places.extend(pack::packaged_voices_dirs().into_iter().filter(|place| Some(place) != own.as_ref()));
    places.extend(own);
    places
}

/// The voices directory of a pack: the first place that holds it, else the last one searched.
pub fn directory(config: &Config, pack: PackKind) -> PathBuf {
    let places = places(config);
    let found = places.iter().find(|place| pack.is_at(place)).or(places.last());
    found.cloned().unwrap_or_else(|| config.data_dir.join("voices"))
}

/// The voices directory of the voices that users bring: the first place that has any, else the last
/// one searched.
pub fn brought_directory(config: &Config) -> PathBuf {
    let places = places(config);
    let found = places.iter().find(|place| !piper::Voices::find(place).is_empty()).or(places.last());
    found.cloned().unwrap_or_else(|| config.data_dir.join("voices"))
}

/// The voices that users brought.
pub fn brought(config: &Config) -> piper::Voices {
    piper::Voices::find(&brought_directory(config))
}

/// The program that the voices of users need to read a text.
pub fn espeak(config: &Config) -> Program {
    Program::on_this_machine(config.speech.espeak.as_deref())
}

/// A voice, and what speaks it.
#[derive(Debug, Clone)]
pub struct FoundVoice {
    /// What speaks it.
    pub engine: FoundEngine,
    /// The voice.
    pub voice: ResolvedVoice,
    /// Samples a second.
    pub sample_rate_hz: u32,
}

/// What speaks a voice.
#[derive(Debug, Clone, Copy)]
pub enum FoundEngine {
    /// An engine with a pack.
    Local(&'static LocalEngine),
    /// That of the voices that users bring.
    Piper,
}

impl FoundEngine {
    /// What requests call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Local(engine) => engine.name,
            Self::Piper => piper::NAME,
        }
    }

    /// Loads it for this process.
    ///
    /// # Errors
    /// [`PackError`], naming the file and the command that fixes it.
    pub fn load(self, config: &Config) -> Result<EngineEntry, PackError> {
        match self {
            Self::Local(engine) => Ok(EngineEntry::local(engine, local(config, engine)?)),
            Self::Piper => Ok(piper_entry(config, brought(config))),
        }
    }

    /// A hash that tells its data from every other.
    pub fn identity(self, config: &Config) -> String {
        match self {
            Self::Local(engine) => engine.pack.identity(),
            Self::Piper => brought(config).identity(),
        }
    }
}

/// The voice of a name: of a pack, whether it is installed or not, a blend, or one that a user brought.
///
/// # Errors
/// [`VoiceError`], which says what would be right.
pub fn find(config: &Config, name: &str) -> Result<FoundVoice, VoiceError> {
    match engines::resolve_voice(name) {
        Ok((engine, voice)) => Ok(FoundVoice {
            engine: FoundEngine::Local(engine),
            voice,
            sample_rate_hz: engine.sample_rate_hz,
        }),
        Err(error) => {
            let brought = brought(config);
            let found = brought.resolve(name).map(|found| FoundVoice {
                engine: FoundEngine::Piper,
                voice: found.voice,
                sample_rate_hz: found.sample_rate_hz,
            });
            found.ok_or_else(|| error.with_more(brought.list().into_iter().map(|one| one.voice.name)))
        }
    }
}

/// Loads an engine with a pack.
fn local(config: &Config, engine: &LocalEngine) -> Result<Factory, PackError> {
    let settings = EngineSettings { espeak: Some(Arc::new(espeak(config))), ..EngineSettings::default() };
    engine.load_with(&open(config, engine.pack)?, settings)
}

fn piper_entry(config: &Config, voices: piper::Voices) -> EngineEntry {
    EngineEntry { name: piper::NAME.to_owned(), cost: piper::COST, factory: piper_factory(config, voices) }
}

/// Makes instances of the engine of the voices that users bring. English texts are spelled out for
/// them where the default pack is installed.
pub fn piper_factory(config: &Config, voices: piper::Voices) -> Factory {
    let pack = open(config, engines::DEFAULT.pack).ok();
    Piper::new(voices, Arc::new(espeak(config)), Spellers::new(pack)).factory()
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
    Ok(Speaker::new(pool).with_gains(brought(config).list()))
}

/// A speaker without engines, for a process that does not synthesize.
///
/// # Errors
/// [`StartError::Speech`].
pub fn none() -> Result<Speaker, StartError> {
    let pool = Pool::start(Vec::new()).map_err(|error| StartError::Speech(error.to_string()))?;
    Ok(Speaker::new(pool))
}

/// Whether the settings name the engine of the voices that users bring.
fn is_named_here(config: &Config) -> bool {
    config.speech.engines.iter().any(|name| name == piper::NAME)
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
        let factory = local(config, engine)?;
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
    let brought = brought(config);
    if config.speech.wants(piper::NAME) && (is_named_here(config) || !brought.is_empty()) {
        entries.push(piper_entry(config, brought));
    }
    Ok(entries)
}
