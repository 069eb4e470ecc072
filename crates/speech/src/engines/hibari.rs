//! The Hibari engine: the embedded neural voice, all in Rust.
//!
//! A sentence goes through a front end ([`crate::front_end`]) to phonemes, through `network` to
//! spectral parts, through `spectrum` (with `source`) to samples. What other engines need as well,
//! such as trimming and the times of words, is in `neural`. [`Hibari`] is shared by all threads;
//! each has its own [`HibariEngine`]. `voices` lists who can speak.

mod decoder;
mod early;
mod frames;
mod network;
mod parameters;
mod rows;
mod source;
mod spectrum;
mod voices;

use std::{ops::Range, sync::Arc, time::Instant};

use early::Place;
use network::{Network, Weights};
use spectrum::Synthesizer;

use super::{
    Cost, Engine, EngineError, Factory, LocalEngine, Manner, Phases, Speech, Unit, Utterance, Voice,
    neural::{
        breaks,
        delivery::Deliveries,
        intonation::Intonation,
        melody::Melody,
        noise::{Noise, Quantiles},
        passage,
        speed::{self, Heard},
        symbols::UnknownSymbols,
        timing::{self, Clip, Grid, Row},
    },
};
use crate::{
    front_end::{FrontEndError, FrontEnds, Pause, Reading, Span, questions},
    language::Language,
    pack::{Pack, PackError, PackKind},
    phonemes::{PhonemeWord, Vocabulary},
    seed,
    spec::Prosody,
};
use voices::READERS;
pub use voices::VOICES;

/// Samples a second of this engine.
pub const SAMPLE_RATE_HZ: u32 = super::neural::SAMPLE_RATE_HZ;

/// The voice pack of this engine.
pub const PACK: PackKind = PackKind::new("hibari", include_str!("../../hibari-pack.toml"));

pub(super) const ENGINE: LocalEngine = LocalEngine {
    name: NAME,
    pack: PACK,
    sample_rate_hz: SAMPLE_RATE_HZ,
    voices: VOICES,
    // `bench/speech`: 0.005 s for a second of speech, which is some 15 characters.
    cost: Cost { seconds_a_character: 0.000_33, samples_a_character: 1_700.0 },
    blends: false,
    mixes_languages: false,
    load: |pack, _| {
        let shared = Hibari::load(pack)?;
        let factory: Factory = Arc::new(move || Ok(Box::new(shared.engine())));
        Ok(factory)
    },
};

const NAME: &str = "hibari";

/// The network draws a phoneme about 56 ms before the place that its lengths add up to. Measured,
/// not documented anywhere: without this, word starts are 57 ms later than a forced aligner's
/// (`bench/alignment`) and 37 ms later than the first sound after a pause, whatever the speed.
const GRID: Grid =
    Grid { hop: source::HOP, ahead: 4 * source::HOP + source::HOP / 2, rate_hz: SAMPLE_RATE_HZ };

/// What is heard of its frames: by the sound of sixteen sentences and two paragraphs over −45 dB.
const HEARD: Heard = Heard { silent_frames: 0.0, more: [0.004, 0.018, 0.008, -0.008] };

/// Everything about the voice that its threads share: weights, lexicons, tables.
#[derive(Debug)]
pub struct Hibari {
    front_ends: FrontEnds,
    vocabulary: Vocabulary,
    unknown: UnknownSymbols,
    weights: Arc<Weights>,
    quantiles: Arc<Quantiles>,
}

impl Hibari {
    /// Loads the files that it needs from a pack.
    ///
    /// # Errors
    /// [`PackError`], when a file is missing or cannot be used.
    pub fn load(pack: &Pack) -> Result<Arc<Self>, PackError> {
        Ok(Arc::new(Self {
            front_ends: FrontEnds::load(pack)?,
            vocabulary: Vocabulary::load(pack)?,
            unknown: UnknownSymbols::of(NAME),
            weights: Arc::new(Weights::load(pack)?),
            quantiles: Arc::new(Quantiles::new()),
        }))
    }

    /// An engine for one thread.
    pub fn engine(self: &Arc<Self>) -> HibariEngine {
        HibariEngine {
            network: Network::new(Arc::clone(&self.weights)),
            synthesizer: Synthesizer::new(Arc::clone(&self.quantiles)),
            shared: Arc::clone(self),
        }
    }

    /// The phonemes of an utterance, in the variety of its language that the voice speaks.
    ///
    /// # Errors
    /// [`EngineError`] when the voice or its language is not known here, or the language's part of the pack cannot be loaded.
    pub fn read(&self, utterance: &Utterance) -> Result<Reading, EngineError> {
        let spec = &utterance.spec;
        let voice = voice(&spec.voice)?;
        let language = voice.reads(spec.language).ok_or(EngineError::UnsupportedLanguage(spec.language))?;
        let front_end = self.front_ends.of(language).map_err(unread)?;
        front_end.read(&spec.text, &utterance.span, language, &spec.lexicon).map_err(unread)
    }
}

fn voice(name: &str) -> Result<&'static Voice, EngineError> {
    ENGINE.voice(name).ok_or_else(|| EngineError::UnknownVoice(name.to_owned()))
}

fn unread(error: FrontEndError) -> EngineError {
    match error {
        FrontEndError::UnsupportedLanguage(language) => EngineError::UnsupportedLanguage(language),
        FrontEndError::Pack(error) => EngineError::Failed(error.to_string()),
    }
}

/// The engine on one thread.
#[derive(Debug)]
pub struct HibariEngine {
    shared: Arc<Hibari>,
    network: Network,
    synthesizer: Synthesizer,
}

impl HibariEngine {
    /// Says words that are phonemes already, followed by a pause.
    ///
    /// # Errors
    /// [`EngineError::Failed`] when the network fails.
    pub fn speak(
        &mut self,
        voice: &Voice,
        words: &[PhonemeWord],
        pause: Pause,
        manner: Manner<'_>,
    ) -> Result<Speech, EngineError> {
        self.speak_early(voice, words, pause, manner, None)
    }

    /// As [`HibariEngine::speak`]; `begin` gets the beginning of a long sentence before the rest is drawn.
    fn speak_early(
        &mut self,
        voice: &Voice,
        words: &[PhonemeWord],
        pause: Pause,
        Manner { speed, pitch, seed: noise_seed, prosody, rises }: Manner<'_>,
        mut begin: Option<&mut dyn FnMut(Speech)>,
    ) -> Result<Speech, EngineError> {
        let pace = (speed.clamp(0.25, 4.0)) * voice.rate;
        let own =
            READERS.iter().find(|reader| reader.voice.name == voice.name).map_or(1.0, |reader| reader.pitch);
        // The pause after a sentence is as slow as its end.
        let mut last_pace = pace;
        let mut said = Clip::default();
        let mut phases = Phases::default();
        let mut has_begun = false;
        for (part, range) in passage::cut(words).into_iter().enumerate() {
            let started = Instant::now();
            self.shared.unknown.note(&self.shared.vocabulary, &range.words);
            let phonemes = self.shared.vocabulary.ids(&range.words);
            let intonation = Intonation::of(rises, prosody, &range.words, &phonemes, GRID);
            let deliveries = Deliveries::of(prosody, &range.words, &phonemes, GRID);
            let pace = pace * deliveries.pace();
            last_pace = pace;
            let prepared = self.network.prepare(&phonemes.ids, &intonation)?;
            let sounding = speed::sounding(&range.words, &phonemes);
            let plan = speed::solve(&prepared.durations, sounding, pace, HEARD);
            let melody = Melody { intonation: &intonation, deliveries: &deliveries, own, pitch };
            let features = self.network.plan(prepared, plan, melody)?;
            phases.infer += started.elapsed();
            let seed = seed::of_part(noise_seed, part);
            if let Some(begin) = begin.take() {
                let row = Row::new(&range.words, &phonemes, (&features.lengths, pace), GRID);
                if !breaks::has_any(&range.words, &phonemes)
                    && let Some(place) = Place::of(&row, &features)
                {
                    let noise = Noise::new(seed);
                    let (clip, is_begun) =
                        self.in_two(&features, &row, place, own, noise, &mut phases, begin)?;
                    has_begun = is_begun;
                    said.append(clip, pace, SAMPLE_RATE_HZ);
                    continue;
                }
            }
            let started = Instant::now();
            let frames = self.network.run(features)?;
            phases.infer += started.elapsed();
            let started = Instant::now();
            let samples = self.synthesizer.synthesize(&frames, own, Some(Noise::new(seed)));
            let (samples, lengths) =
                breaks::widen(samples, &range.words, &phonemes, &frames.lengths, pace, GRID);
            said.append(
                timing::clip(samples, &range.words, &phonemes, (&lengths, pace), GRID),
                pace,
                SAMPLE_RATE_HZ,
            );
            phases.vocode += started.elapsed();
        }
        let is_silent = said.samples.is_empty() && !has_begun;
        Ok(Speech {
            samples: said.samples,
            sample_rate_hz: SAMPLE_RATE_HZ,
            words: said.words,
            pause_samples: if is_silent {
                0
            } else {
                timing::pause_samples(pause, last_pace, SAMPLE_RATE_HZ)
            },
            phases,
            ..Speech::default()
        })
    }
}

impl Engine for HibariEngine {
    fn name(&self) -> &'static str {
        NAME
    }

    fn unit(&self) -> Unit {
        Unit::Sentence
    }

    fn plan(&self, text: &str, stretch: Range<usize>, language: Language) -> Result<Vec<Span>, EngineError> {
        // There are front ends of languages that no voice of this engine speaks.
        if VOICES.iter().all(|voice| voice.reads(language).is_none()) {
            return Err(EngineError::UnsupportedLanguage(language));
        }
        Ok(self.shared.front_ends.of(language).map_err(unread)?.split(text, stretch))
    }

    fn unknown_symbols(&self) -> u64 {
        self.shared.unknown.count()
    }

    fn say(&mut self, utterance: &Utterance) -> Result<Speech, EngineError> {
        self.say_utterance(utterance, None)
    }

    fn say_early(
        &mut self,
        utterance: &Utterance,
        begin: &mut dyn FnMut(Speech),
    ) -> Result<Speech, EngineError> {
        // Another volume is a matter of the whole sentence.
        let is_plain = utterance.spec.prosody() == Prosody::default();
        self.say_utterance(utterance, if is_plain { Some(begin) } else { None })
    }
}

impl HibariEngine {
    fn say_utterance(
        &mut self,
        utterance: &Utterance,
        begin: Option<&mut dyn FnMut(Speech)>,
    ) -> Result<Speech, EngineError> {
        let Reading { mut words, normalizing, phonemizing } = self.shared.read(utterance)?;
        if utterance.span.pause.ends_paragraph() {
            passage::close(&mut words);
        }
        let voice = voice(&utterance.spec.voice)?;
        let spec = &utterance.spec;
        let rises = questions::rises(&spec.text, utterance.span.range.clone(), spec.language);
        let manner = Manner::of(utterance, &rises);
        let mut speech = self.speak_early(voice, &words, utterance.span.pause, manner, begin)?;
        speech.phases += Phases { normalize: normalizing, phonemize: phonemizing, ..Phases::default() };
        Ok(speech)
    }
}
