//! Piper's voices, which users bring: VITS networks that were taught with the phonemes of espeak-ng,
//! or with letters.
//!
//! `import` takes a voice in, `description` is what is known of it beside its network, `network` runs
//! it, `tempo` changes how long its sound is where its symbols cannot be as short as they must. Each
//! voice is a folder of its own in `piper/` of a voices directory; its network is loaded when it first
//! speaks.

mod description;
mod import;
mod network;
mod tempo;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    fs,
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use rten::ThreadPool;
use sha2::{Digest as _, Sha256};
use unicode_normalization::UnicodeNormalization as _;

use super::{
    Cost, Engine, EngineError, Factory, InstalledVoice, Phases, ResolvedVoice, Speech, Unit, Utterance,
    neural::{
        noise::Quantiles,
        passage, speed,
        symbols::UnknownSymbols,
        timing::{self, Clip, Grid},
    },
};
use crate::{
    front_end::{
        Pause, Reading, Span,
        espeak::{Espeak, EspeakError, Program},
        spelling::{Speller, Spellers},
    },
    language::Language,
    pack::{Pack, PackError},
    phonemes::{PhonemeIds, PhonemeWord, symbols},
    seed,
};
use description::Description;
pub use import::{ImportError, import};
use network::{Manner, Network, Symbols};

/// What requests and catalogs call this engine.
pub const NAME: &str = "piper";

/// What speech costs it: a medium voice takes 0.2 s for a second of speech on one core.
pub const COST: Cost = Cost { seconds_a_character: 0.013, samples_a_character: 1_500.0 };

/// What a new voice's loudness is measured on: figures, which espeak-ng reads in every language.
pub const SPOKEN: &str = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20";

/// The folder of the voices inside a voices directory.
const FOLDER: &str = "piper";
/// The files of a voice.
const NETWORK: &str = "network.onnx";
const VOICE: &str = "voice.json";

/// The most networks in memory; the one that has not spoken for longest is dropped. One has some
/// 70 MB.
const MOST_LOADED: usize = 4;

/// The voices of a voices directory.
#[derive(Debug)]
pub struct Voices {
    folder: PathBuf,
    all: Vec<Description>,
}

impl Voices {
    /// The voices that were added to a voices directory, by name. A folder that cannot be read as one is
    /// left out and logged.
    pub fn find(voices: &Path) -> Self {
        let folder = voices.join(FOLDER);
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let is_named = |name: &str| !name.starts_with('.');
        let read = |entry: fs::DirEntry| {
            let name = entry.file_name().to_str().filter(|name| is_named(name))?.to_owned();
            let json = fs::read(entry.path().join(VOICE)).map_err(|error| error.to_string());
            let described = json.and_then(|json| {
                serde_json::from_slice::<Description>(&json).map_err(|error| error.to_string())
            });
            match described {
                Ok(voice) if voice.name == name => Some(voice),
                Ok(_) => None,
                Err(error) => {
                    tracing::error!(voice = name, error, "a voice that was added cannot be used");
                    None
                }
            }
        };
        let mut all: Vec<Description> = entries.filter_map(read).collect();
        all.sort_by(|one, other| one.name.cmp(&other.name));
        Self { folder, all }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Every voice, a speaker of a network each, by name.
    pub fn list(&self) -> Vec<InstalledVoice> {
        let of = |voice: &Description| {
            let names = voice.voices().into_iter();
            names.map(|name| listed(name, voice)).collect::<Vec<_>>()
        };
        self.all.iter().flat_map(of).collect()
    }

    /// The voice of a name.
    pub fn resolve(&self, name: &str) -> Option<InstalledVoice> {
        let (voice, _) = self.speaker(name)?;
        Some(listed(name.to_owned(), voice))
    }

    /// The voices that need espeak-ng.
    pub fn in_need_of_espeak(&self) -> impl Iterator<Item = &str> {
        self.all.iter().filter(|voice| voice.espeak.is_some()).map(|voice| voice.name.as_str())
    }

    /// A hash that tells these voices from every other.
    pub fn identity(&self) -> String {
        let all: Vec<&str> = self.all.iter().map(|voice| voice.sha256.as_str()).collect();
        hex::encode(Sha256::digest(all.join(" ")))
    }

    /// The voice of a name, and the number of its speaker.
    fn speaker(&self, name: &str) -> Option<(&Description, Option<i32>)> {
        self.all.iter().find_map(|voice| {
            let number = voice.voices().iter().position(|known| known == name)?;
            Some((voice, (!voice.speakers.is_empty()).then(|| i32::try_from(number).unwrap_or(0))))
        })
    }
}

fn listed(name: String, voice: &Description) -> InstalledVoice {
    let resolved = ResolvedVoice {
        name,
        languages: vec![voice.language()],
        gender: None,
        grade: None,
        gain_db: voice.gain_db,
        rate: 1.0,
        parts: Vec::new(),
    };
    InstalledVoice { engine: NAME, voice: resolved, sample_rate_hz: voice.sample_rate_hz }
}

/// Removes a voice that was added. Returns whether there was one.
///
/// # Errors
/// What the system says.
pub fn remove(voices: &Path, name: &str) -> std::io::Result<bool> {
    let folder = voices.join(FOLDER);
    let is_one = Voices::find(voices).all.iter().any(|voice| voice.name == name);
    if !is_one {
        return Ok(false);
    }
    // Gone at once: half a voice would be found and refused.
    let gone = folder.join(format!(".{name}-removed"));
    let _ = fs::remove_dir_all(&gone);
    fs::rename(folder.join(name), &gone)?;
    fs::remove_dir_all(&gone)?;
    Ok(true)
}

/// What all threads of the engine share.
#[derive(Debug)]
pub struct Piper {
    voices: Voices,
    program: Arc<Program>,
    spellers: Spellers,
    readers: Mutex<HashMap<String, Arc<Espeak>>>,
    loaded: Mutex<Vec<(String, Arc<Network>)>>,
    quantiles: Quantiles,
    unknown: UnknownSymbols,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network").finish_non_exhaustive()
    }
}

impl Piper {
    /// The engine of these voices. Nothing is loaded yet.
    pub fn new(voices: Voices, program: Arc<Program>, spellers: Spellers) -> Arc<Self> {
        Arc::new(Self {
            voices,
            program,
            spellers,
            readers: Mutex::default(),
            loaded: Mutex::default(),
            quantiles: Quantiles::new(),
            unknown: UnknownSymbols::of(NAME),
        })
    }

    /// Makes instances of the engine, one for each thread.
    pub fn factory(self: &Arc<Self>) -> Factory {
        let shared = Arc::clone(self);
        Arc::new(move || {
            let worker = Arc::new(ThreadPool::with_num_threads(1));
            Ok(Box::new(PiperEngine { shared: Arc::clone(&shared), worker }))
        })
    }

    /// The network of a voice, loaded and checked when it first speaks.
    fn network(&self, voice: &Description) -> Result<Arc<Network>, EngineError> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = loaded.iter().position(|(name, _)| *name == voice.name) {
            let found = loaded.remove(at);
            let network = Arc::clone(&found.1);
            loaded.push(found);
            return Ok(network);
        }
        let folder = self.voices.folder.join(&voice.name);
        let unusable = |error: PackError| EngineError::Failed(format!("the voice {}: {error}", voice.name));
        Pack::check_file(&folder, NETWORK, voice.bytes, &voice.sha256).map_err(unusable)?;
        let network = Network::load(&folder.join(NETWORK), voice);
        let network = Arc::new(network.map_err(|error| network::failed(&error))?);
        if loaded.len() >= MOST_LOADED {
            loaded.remove(0);
        }
        loaded.push((voice.name.clone(), Arc::clone(&network)));
        Ok(network)
    }

    fn reader(&self, language: &str) -> Arc<Espeak> {
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Espeak::new(Arc::clone(&self.program), language));
        Arc::clone(readers.entry(language.to_owned()).or_insert_with(new))
    }

    /// What spells texts out for a voice, in the variety that it speaks.
    fn speller(&self, voice: &Description) -> Option<Speller<'_>> {
        self.spellers.of(voice.language())
    }

    /// The words of an utterance in the symbols of a voice.
    fn read(&self, utterance: &Utterance, voice: &Description) -> Result<Reading, EngineError> {
        let spec = &utterance.spec;
        let speller = self.speller(voice);
        let Some(language) = &voice.espeak else {
            return Ok(Espeak::letters(&spec.text, &utterance.span, speller));
        };
        let read = self.reader(language).read(&spec.text, &utterance.span, speller, &spec.lexicon);
        read.map_err(|error| match error {
            EspeakError::Missing => {
                EngineError::Failed(format!("the voice {} needs espeak-ng: {error}", voice.name))
            }
            other => EngineError::Failed(other.to_string()),
        })
    }
}

/// The engine on one thread.
struct PiperEngine {
    shared: Arc<Piper>,
    worker: Arc<ThreadPool>,
}

impl PiperEngine {
    fn speak(
        &self,
        (voice, speaker): (&Description, Option<i32>),
        words: &[PhonemeWord],
        pause: Pause,
        (speed, noise_seed): (f32, u64),
    ) -> Result<Speech, EngineError> {
        let network = self.shared.network(voice)?;
        let pace = speed.clamp(0.25, 4.0);
        let rate_hz = voice.sample_rate_hz;
        let grid = Grid { hop: 1, ahead: 0, rate_hz };
        let started = Instant::now();
        let mut said = Clip::default();
        for (part, row) in passage::cut(words).into_iter().enumerate() {
            let phonemes = ids_of_words(voice, &row.words);
            self.shared.unknown.note_all(unknown(voice, &row.words));
            let manner = Manner { speaker, pace, seed: seed::of_part(noise_seed, part) };
            let sounding = speed::sounding(&row.words, &phonemes);
            let symbols = Symbols { ids: &phonemes.ids, sounding };
            let sound = network.say(&symbols, manner, voice, (&self.worker, &self.shared.quantiles))?;
            let is_timed = sound.lengths.is_some();
            let lengths = sound.lengths.unwrap_or_else(|| vec![0; phonemes.ids.len()]);
            let mut clip = timing::clip(sound.samples, &row.words, &phonemes, (&lengths, pace), grid);
            if !is_timed {
                clip.words.clear();
            }
            said.append(clip, pace, rate_hz);
        }
        let pause_samples =
            if said.samples.is_empty() { 0 } else { timing::pause_samples(pause, pace, rate_hz) };
        Ok(Speech {
            samples: said.samples,
            sample_rate_hz: rate_hz,
            words: said.words,
            pause_samples,
            phases: Phases { infer: started.elapsed(), ..Phases::default() },
            ..Speech::default()
        })
    }
}

impl Engine for PiperEngine {
    fn name(&self) -> &'static str {
        NAME
    }

    fn unit(&self) -> Unit {
        Unit::Sentence
    }

    fn plan(&self, text: &str, stretch: Range<usize>, language: Language) -> Result<Vec<Span>, EngineError> {
        let speller = self.shared.spellers.of(language);
        Ok(match speller {
            Some(speller) => speller.split(text, stretch),
            None => Espeak::split(text, stretch),
        })
    }

    fn unknown_symbols(&self) -> u64 {
        self.shared.unknown.count()
    }

    fn has_one_delivery(&self) -> bool {
        true
    }

    fn say(&mut self, utterance: &Utterance) -> Result<Speech, EngineError> {
        utterance.refuse_pitch(NAME)?;
        let spec = &utterance.spec;
        let shared = Arc::clone(&self.shared);
        let speaker = shared.voices.speaker(&spec.voice);
        let speaker = speaker.ok_or_else(|| EngineError::UnknownVoice(spec.voice.clone()))?;
        if !speaker.0.language().is_same(spec.language) {
            return Err(EngineError::UnsupportedLanguage(spec.language));
        }
        let Reading { mut words, normalizing, phonemizing } = shared.read(utterance, speaker.0)?;
        if utterance.span.pause.ends_paragraph() {
            passage::close(&mut words);
        }
        let rate = spec.delivery_at(utterance.span.range.start).rate;
        let manner = (spec.speed * rate, utterance.seed);
        let mut speech = self.speak(speaker, &words, utterance.span.pause, manner)?;
        speech.phases += Phases { normalize: normalizing, phonemize: phonemizing, ..Phases::default() };
        Ok(speech)
    }
}

/// The ids of symbols, as the networks were taught: a start, a gap after every symbol, an end.
fn ids_of(voice: &Description, symbols: &str) -> Vec<i32> {
    let word = PhonemeWord {
        phonemes: symbols.to_owned(),
        source: 0..symbols.len(),
        space_after: false,
        punctuation: false,
        starts_phrase: false,
    };
    ids_of_words(voice, &[word]).ids
}

/// The symbols of words that a voice does not have. Every space and mark may be left out.
fn unknown<'a>(voice: &'a Description, words: &'a [PhonemeWord]) -> impl Iterator<Item = char> + 'a {
    let said = symbols(words).flat_map(|(_, symbol)| symbol.nfd());
    said.filter(|symbol| symbol.is_alphabetic() && !voice.ids.contains_key(symbol))
}

/// The same of words, with the place of each. Symbols that the voice does not have are left out.
fn ids_of_words(voice: &Description, words: &[PhonemeWord]) -> PhonemeIds {
    let of = |symbol: char| voice.ids.get(&symbol).map(Vec::as_slice).unwrap_or_default();
    let mut ids = of('^').to_vec();
    ids.extend_from_slice(of('_'));
    let mut ranges: Vec<Option<Range<usize>>> = vec![None; words.len()];
    for (word, symbol) in symbols(words) {
        // The networks know letters and their marks apart.
        for symbol in symbol.nfd() {
            let own = of(symbol);
            if own.is_empty() {
                continue;
            }
            let start = ids.len();
            ids.extend_from_slice(own);
            ids.extend_from_slice(of('_'));
            if let Some(range) = word.and_then(|word| ranges.get_mut(word)) {
                let start = range.as_ref().map_or(start, |range| range.start);
                *range = Some(start..ids.len());
            }
        }
    }
    ids.extend_from_slice(of('$'));
    let mut end = 1;
    let place = |range: Option<Range<usize>>| {
        let range = range.unwrap_or(end..end);
        end = range.end;
        range
    };
    PhonemeIds { words: ranges.into_iter().map(place).collect(), ids }
}
