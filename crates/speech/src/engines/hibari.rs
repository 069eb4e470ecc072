//! The Hibari engine: the embedded neural voice, all in Rust.
//!
//! A sentence goes through the front end (`crate::text`, `crate::phonemes`) to phonemes, through `network` to
//! spectral parts, through `spectrum` (with `source`, `noise` and the `lanes` they run on) to samples, and `timing`
//! trims the silence at its ends and says when each word is spoken. [`Hibari`] is what all threads share,
//! [`HibariEngine`] what each has for itself. `voices` lists who can speak.

mod decoder;
mod lanes;
mod network;
mod noise;
mod parameters;
mod passage;
mod rows;
mod source;
mod spectrum;
mod timing;
mod voices;

use std::{ops::Range, sync::Arc, time::Instant};

use network::{Network, Weights};
use noise::{Noise, Quantiles};
use spectrum::Synthesizer;
use timing::Clip;

use super::{Engine, EngineError, Phases, Speech, Unit, Utterance};
use crate::{
    pack::{Pack, PackError},
    phonemes::{PhonemeWord, Phonemizers, Vocabulary},
    seed,
    text::{Analyzer, Pause},
};
pub(crate) use timing::pause_ms;
pub use voices::{VOICES, Voice, voice};

/// Samples a second of this engine.
pub const SAMPLE_RATE_HZ: u32 = 24_000;

/// Everything about the voice that its threads share: weights, lexicons, tables.
#[derive(Debug)]
pub struct Hibari {
    analyzer: Analyzer,
    phonemizers: Phonemizers,
    vocabulary: Vocabulary,
    weights: Arc<Weights>,
    quantiles: Arc<Quantiles>,
}

impl Hibari {
    /// Loads what it needs of a pack.
    ///
    /// # Errors
    /// [`PackError`], when a file is missing or cannot be used.
    pub fn load(pack: &Pack) -> Result<Arc<Self>, PackError> {
        Ok(Arc::new(Self {
            analyzer: Analyzer::load(pack)?,
            phonemizers: Phonemizers::load(pack)?,
            vocabulary: Vocabulary::load(pack)?,
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

    /// The phonemes of a stretch of text in the accent of the voice, and the pause after it; `None` when there is
    /// nothing to say.
    ///
    /// # Errors
    /// [`EngineError::Failed`] when the accent's part of the pack cannot be loaded.
    pub fn phonemes(
        &self,
        utterance: &Utterance,
        phases: &mut Phases,
    ) -> Result<Option<(Vec<PhonemeWord>, Pause)>, EngineError> {
        let voice =
            voice(&utterance.voice).ok_or_else(|| EngineError::UnknownVoice(utterance.voice.clone()))?;
        let started = Instant::now();
        let accent = voice.accent;
        let text = &utterance.text;
        let sentence = self
            .analyzer
            .piece(text, utterance.range.clone())
            .and_then(|piece| self.analyzer.analyze_piece(text, &piece, accent));
        phases.normalise += started.elapsed();
        let Some(sentence) = sentence else { return Ok(None) };
        let started = Instant::now();
        let phonemizer =
            self.phonemizers.of(accent).map_err(|error| EngineError::Failed(error.to_string()))?;
        let words = phonemizer.phonemize(&sentence, &utterance.lexicon);
        phases.phonemise += started.elapsed();
        Ok(Some((words, sentence.pause)))
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
        speed: f32,
        noise_seed: u64,
    ) -> Result<Speech, EngineError> {
        let pace = (speed.clamp(0.25, 4.0)) * voice.pace;
        let mut said = Clip::default();
        let mut phases = Phases::default();
        for (part, range) in passage::cut(words).into_iter().enumerate() {
            let started = Instant::now();
            let phonemes = self.shared.vocabulary.ids(&range.words);
            let frames = self.network.run(&phonemes.ids, pace)?;
            phases.infer += started.elapsed();
            let started = Instant::now();
            let noise = Noise::new(seed::of_part(noise_seed, part));
            let samples = self.synthesizer.synthesize(&frames, voice.pitch, Some(noise));
            said.append(timing::clip(samples, &range.words, &phonemes, &frames.lengths), pace);
            phases.vocode += started.elapsed();
        }
        let pause_samples = if said.samples.is_empty() { 0 } else { timing::pause_samples(pause, pace) };
        Ok(Speech {
            samples: said.samples,
            sample_rate_hz: SAMPLE_RATE_HZ,
            words: said.words,
            pause_samples,
            phases,
            ..Speech::default()
        })
    }
}

impl Engine for HibariEngine {
    fn name(&self) -> &'static str {
        "hibari"
    }

    fn unit(&self) -> Unit {
        Unit::Sentence
    }

    fn plan(&self, text: &str) -> Vec<Range<usize>> {
        self.shared.analyzer.split(text).into_iter().map(|piece| piece.range).collect()
    }

    fn say(&mut self, utterance: &Utterance) -> Result<Speech, EngineError> {
        let voice =
            voice(&utterance.voice).ok_or_else(|| EngineError::UnknownVoice(utterance.voice.clone()))?;
        let mut phases = Phases::default();
        let Some((mut words, pause)) = Arc::clone(&self.shared).phonemes(utterance, &mut phases)? else {
            return Ok(Speech { sample_rate_hz: SAMPLE_RATE_HZ, phases, ..Speech::default() });
        };
        if pause.ends_paragraph() {
            passage::close(&mut words);
        }
        let mut speech = self.speak(voice, &words, pause, utterance.speed, utterance.seed)?;
        speech.phases += phases;
        Ok(speech)
    }
}
