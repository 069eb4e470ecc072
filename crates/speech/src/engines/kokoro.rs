//! Kokoro-82M, all in Rust: a natural voice that costs some fifty times what Hibari does.
//!
//! A sentence goes through a front end ([`crate::front_end`]) to phonemes, through `network` to
//! features, pitch and lengths, through `source` to the excitation, through `generator` to spectra,
//! and through `spectrum` to samples. [`Kokoro`] is what all threads share, [`KokoroEngine`] what each
//! has for itself. `convert` makes the files that are loaded here of the published network.

mod block;
mod convert;
mod convolution;
mod generator;
mod layout;
mod network;
mod rows;
mod source;
mod spectrum;
mod tensors;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod twin;
mod voices;

use std::{ops::Range, sync::Arc, time::Instant};

use generator::{Generator, GeneratorError};
use network::{Front, Network, failed};
use source::Source;
use spectrum::Spectra;
use tensors::Tensors;
use voices::Styles;

use super::{
    Cost, Engine, EngineError, EngineSettings, Factory, LocalEngine, Manner, Phases, ResolvedVoice, Speech,
    Unit, Utterance,
    neural::{
        breaks,
        delivery::Deliveries,
        features::Features,
        intonation::Intonation,
        noise::{Noise, Quantiles},
        passage,
        speed::{self, Heard},
        symbols::UnknownSymbols,
        timing::{self, Clip, Grid},
    },
};
use crate::{
    front_end::{FrontEndError, FrontEnds, Pause, Reading, Span, questions},
    language::Language,
    pack::{Pack, PackError, PackKind},
    phonemes::{PhonemeWord, Vocabulary},
    seed,
};
pub use voices::VOICES;

/// Samples a second of this engine.
pub const SAMPLE_RATE_HZ: u32 = super::neural::SAMPLE_RATE_HZ;

/// The voice pack of this engine.
pub const PACK: PackKind =
    PackKind::new("kokoro", include_str!("../../kokoro-pack.toml")).converted_by(convert::for_pack);

/// This engine, for the table of engines.
pub const ENGINE: LocalEngine = LocalEngine {
    name: NAME,
    pack: PACK,
    sample_rate_hz: SAMPLE_RATE_HZ,
    voices: VOICES,
    // 0.26 s on one core for a second of speech, which is some 15 characters.
    cost: Cost { seconds_a_character: 0.0173, samples_a_character: 1_700.0 },
    blends: true,
    mixes_languages: true,
    load: |pack, settings| {
        let shared = Kokoro::load_with(pack, settings)?;
        let factory: Factory = Arc::new(move || Ok(Box::new(shared.engine())));
        Ok(factory)
    },
};

const NAME: &str = "kokoro";

/// Sounds come about 56 ms before the place that the lengths add up to, as with Hibari, which was
/// distilled from this network. Measured: without it, word starts are 50 ms (`af_heart`) and 70 ms
/// (`am_michael`) later than the first sound after a pause.
const GRID: Grid =
    Grid { hop: source::HOP, ahead: 4 * source::HOP + source::HOP / 2, rate_hz: SAMPLE_RATE_HZ };

/// By the sound of 22 sentences in five languages and eight voices at 0.5 and 2.0: some 0.3 s of each are silent at any
/// slow pace, and at twice the pace 4.5 % less is heard than there are frames.
const HEARD: Heard = Heard { silent_frames: 11.0, more: [0.011, 0.023, 0.034, 0.045] };

/// Everything about the voices that threads share: weights, lexicons, tables.
pub struct Kokoro {
    front_ends: FrontEnds,
    vocabulary: Vocabulary,
    front: Arc<Front>,
    generator: Generator,
    source: Source,
    spectra: Spectra,
    quantiles: Quantiles,
    styles: Styles,
    unknown: UnknownSymbols,
}

impl std::fmt::Debug for Kokoro {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kokoro").finish_non_exhaustive()
    }
}

impl Kokoro {
    /// Loads what it needs of a pack.
    ///
    /// # Errors
    /// [`PackError`], when a file is missing or cannot be used.
    pub fn load(pack: &Pack) -> Result<Arc<Self>, PackError> {
        Self::load_with(pack, EngineSettings::default())
    }

    /// The same, with what can be set.
    ///
    /// # Errors
    /// As [`Kokoro::load`].
    pub fn load_with(pack: &Pack, settings: EngineSettings) -> Result<Arc<Self>, PackError> {
        let unusable = |reason: String| Pack::unusable(convert::GENERATOR, &reason);
        let tensors = Tensors::read(pack.read(convert::GENERATOR)?).map_err(unusable)?;
        Ok(Arc::new(Self {
            front_ends: FrontEnds::load(pack)?.with_espeak(settings.espeak),
            vocabulary: Vocabulary::load(pack)?,
            front: Arc::new(Front::load(pack.folder())?),
            generator: Generator::read(&tensors, settings.instructions).map_err(unusable)?,
            source: Source::read(&tensors).map_err(unusable)?,
            spectra: Spectra::new(),
            quantiles: Quantiles::new(),
            styles: Styles::open(pack.folder())?,
            unknown: UnknownSymbols::of(NAME),
        }))
    }

    /// An engine for one thread.
    pub fn engine(self: &Arc<Self>) -> KokoroEngine {
        KokoroEngine {
            network: Network::new(Arc::clone(&self.front)),
            room: generator::Room::default(),
            shared: Arc::clone(self),
        }
    }

    /// How many symbols were left out so far because the network does not know them.
    pub fn unknown_symbols(&self) -> u64 {
        self.unknown.count()
    }

    /// The phonemes of an utterance, in the variety of its language that the voice speaks.
    ///
    /// # Errors
    /// [`EngineError`] when the voice or its language is not known here, or the language's part of
    /// the pack cannot be loaded.
    pub fn read(&self, utterance: &Utterance) -> Result<Reading, EngineError> {
        let spec = &utterance.spec;
        let voice = voice(&spec.voice)?;
        let language = voice.reads(spec.language).ok_or(EngineError::UnsupportedLanguage(spec.language))?;
        let read = self.front_ends.read(&spec.text, &utterance.span, language, &spec.lexicon, &spec.marked);
        read.map_err(unread)
    }

    /// The ids that the network is given for an utterance, row by row.
    ///
    /// # Errors
    /// As [`Kokoro::read`].
    pub fn ids(&self, utterance: &Utterance) -> Result<Vec<Vec<i32>>, EngineError> {
        let words = self.read_closed(utterance)?.words;
        Ok(passage::cut(&words).iter().map(|row| self.vocabulary.ids(&row.words).ids).collect())
    }

    /// What [`Kokoro::read`] says, ended as a paragraph ends where one does.
    fn read_closed(&self, utterance: &Utterance) -> Result<Reading, EngineError> {
        let mut reading = self.read(utterance)?;
        if utterance.span.pause.ends_paragraph() {
            passage::close(&mut reading.words);
        }
        Ok(reading)
    }
}

fn voice(name: &str) -> Result<ResolvedVoice, EngineError> {
    ENGINE.resolve(name).map_err(|_| EngineError::UnknownVoice(name.to_owned()))
}

fn unread(error: FrontEndError) -> EngineError {
    match error {
        FrontEndError::UnsupportedLanguage(language) => EngineError::UnsupportedLanguage(language),
        FrontEndError::Pack(error) => EngineError::Failed(error.to_string()),
    }
}

/// The engine on one thread.
pub struct KokoroEngine {
    shared: Arc<Kokoro>,
    network: Network,
    room: generator::Room,
}

impl std::fmt::Debug for KokoroEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KokoroEngine").finish_non_exhaustive()
    }
}

impl KokoroEngine {
    /// Says words that are phonemes already, followed by a pause.
    ///
    /// # Errors
    /// [`EngineError::Failed`] when the network fails.
    pub fn speak(
        &mut self,
        voice: &ResolvedVoice,
        words: &[PhonemeWord],
        pause: Pause,
        Manner { speed, pitch, seed: noise_seed, prosody, rises }: Manner<'_>,
    ) -> Result<Speech, EngineError> {
        let pace = speed.clamp(0.25, 4.0) * voice.rate;
        // The pause after a sentence is as slow as its end.
        let mut last_pace = pace;
        let mut said = Clip::default();
        let mut phases = Phases::default();
        for (part, row) in passage::cut(words).into_iter().enumerate() {
            let started = Instant::now();
            let shared = Arc::clone(&self.shared);
            shared.unknown.note(&shared.vocabulary, &row.words);
            let phonemes = shared.vocabulary.ids(&row.words);
            let style = shared.styles.of(&voice.parts, phonemes.ids.len() - 2)?;
            let intonation = Intonation::of(rises, prosody, &row.words, &phonemes, GRID);
            let deliveries = Deliveries::of(prosody, &row.words, &phonemes, GRID);
            let pace = pace * deliveries.pace();
            last_pace = pace;
            let prepared = self.network.prepare(&phonemes.ids, &style, &intonation)?;
            let plan = speed::solve(&prepared.durations, speed::sounding(&row.words, &phonemes), pace, HEARD);
            let frames =
                deliveries.paced(self.network.run(prepared, plan.speed, &intonation)?.in_share(plan.share));
            let factors = deliveries.pitch_factors(&frames.lengths, &frames.pitch_hz, pitch);
            phases.infer += started.elapsed();
            let started = Instant::now();
            let noise = Noise::new(seed::of_part(noise_seed, part));
            let samples = self.sound(&frames, &factors, &style, Some(noise))?;
            let (samples, lengths) =
                breaks::widen(samples, &row.words, &phonemes, &frames.lengths, pace, GRID);
            said.append(
                timing::clip(samples, &row.words, &phonemes, (&lengths, pace), GRID),
                pace,
                SAMPLE_RATE_HZ,
            );
            phases.vocode += started.elapsed();
        }
        let pause_samples =
            if said.samples.is_empty() { 0 } else { timing::pause_samples(pause, last_pace, SAMPLE_RATE_HZ) };
        Ok(Speech {
            samples: said.samples,
            sample_rate_hz: SAMPLE_RATE_HZ,
            words: said.words,
            pause_samples,
            phases,
            ..Speech::default()
        })
    }

    /// The samples of frames, silence at the ends included.
    fn sound(
        &mut self,
        frames: &Features,
        factors: &[f32],
        style: &[f32],
        noise: Option<Noise>,
    ) -> Result<Vec<f32>, EngineError> {
        let shared = Arc::clone(&self.shared);
        let room = &mut self.room;
        // The first half of a style is how the voice sounds, the second how it moves.
        let style = &style[..style.len() / 2];
        // Products of matrices ask the pool they run in how many threads to use.
        let samples = self.network.worker().run(|| {
            let noise = noise.map(|noise| (noise, &shared.quantiles));
            let excitation = shared.spectra.of(&shared.source.samples(&frames.pitch_hz, factors, noise));
            let spectrum = shared.generator.run(&frames.values, style, &excitation, room)?;
            Ok::<_, GeneratorError>(shared.spectra.samples(&spectrum))
        });
        let samples = samples.map_err(|error| failed(&error))?;
        if samples.iter().all(|sample| sample.is_finite()) {
            Ok(samples)
        } else {
            Err(failed(&"it gave samples that are no numbers"))
        }
    }
}

impl Engine for KokoroEngine {
    fn name(&self) -> &'static str {
        NAME
    }

    fn unit(&self) -> Unit {
        Unit::Sentence
    }

    fn plan(&self, text: &str, stretch: Range<usize>, language: Language) -> Result<Vec<Span>, EngineError> {
        Ok(self.shared.front_ends.of(language).map_err(unread)?.split(text, stretch))
    }

    fn say(&mut self, utterance: &Utterance) -> Result<Speech, EngineError> {
        let Reading { words, normalizing, phonemizing } = self.shared.read_closed(utterance)?;
        let voice = voice(&utterance.spec.voice)?;
        let spec = &utterance.spec;
        let rises = questions::rises(&spec.text, utterance.span.range.clone(), spec.language);
        let mut speech = self.speak(&voice, &words, utterance.span.pause, Manner::of(utterance, &rises))?;
        speech.phases += Phases { normalize: normalizing, phonemize: phonemizing, ..Phases::default() };
        Ok(speech)
    }

    fn unknown_symbols(&self) -> u64 {
        self.shared.unknown_symbols()
    }
}
