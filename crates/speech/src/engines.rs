//! Engines: what turns text into samples. One trait, one file or folder an engine.

use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use crate::phonemes::Lexicon;

pub mod hibari;
pub mod upstream;

/// What an engine is asked to say: one sentence, or one passage for engines that plan longer stretches.
#[derive(Debug, Clone)]
pub struct Utterance {
    /// The whole original text that `range` points into; shared by the utterances of one request.
    pub text: Arc<str>,
    /// The bytes of `text` to say.
    pub range: Range<usize>,
    /// BCP 47 tag, such as `en-US`.
    pub language: String,
    /// The engine's own name of the voice.
    pub voice: String,
    /// 0.5 to 2.0; durations are divided by it.
    pub speed: f32,
    /// Everything random is drawn from this: the same utterance and seed give the same samples.
    pub seed: u64,
    /// Pronunciations that go before every lexicon.
    pub lexicon: Arc<Lexicon>,
    /// Set when nobody waits for the answer any more; an engine that waits looks at it now and then.
    pub abandoned: Abandoned,
}

/// Whether anybody still wants what an engine is asked to say. Clones share one answer.
#[derive(Debug, Clone, Default)]
pub struct Abandoned(Arc<AtomicBool>);

impl Abandoned {
    /// Says that nobody does, for good.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether nobody does.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A spoken word and where it lies in the samples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordTiming {
    /// The bytes of the original text that the word was read from.
    pub source: Range<usize>,
    /// First sample of the word.
    pub start_sample: u64,
    /// One past the last sample of the word.
    pub end_sample: u64,
}

/// How long each phase of saying one utterance took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Phases {
    /// Splitting and spelling out.
    pub normalise: Duration,
    /// Pronouncing.
    pub phonemise: Duration,
    /// The network, or the upstream's answer.
    pub infer: Duration,
    /// Spectrum to waveform.
    pub vocode: Duration,
}

impl std::ops::AddAssign for Phases {
    fn add_assign(&mut self, other: Self) {
        self.normalise += other.normalise;
        self.phonemise += other.phonemise;
        self.infer += other.infer;
        self.vocode += other.vocode;
    }
}

/// Silences that a text asks for around an utterance, in milliseconds. Engines know nothing of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AskedPauses {
    /// Before the utterance: of the first one of a text only.
    pub before_ms: u32,
    /// After it.
    pub after_ms: u32,
}

/// What an engine said.
#[derive(Debug, Clone, Default)]
pub struct Speech {
    /// Mono samples, nominally within ±1, neither levelled nor limited.
    pub samples: Vec<f32>,
    /// Samples a second.
    pub sample_rate_hz: u32,
    /// Words in order of time; empty when the engine does not know.
    pub words: Vec<WordTiming>,
    /// Silence that should follow, in samples, when more is said after this; it comes on top of the silence at the ends.
    pub pause_samples: u64,
    /// The silences that the text asks for right before and after this. They are measured from sound to sound, replace
    /// shorter natural ones, and are kept at the start and the end of a recording.
    pub asked: AskedPauses,
    /// How long each phase took.
    pub phases: Phases,
}

/// Why an engine could not say something.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The engine does not have the voice or language asked for.
    #[error("the engine has no voice {0:?}")]
    UnknownVoice(String),
    /// The network failed or the upstream did not answer as it should.
    #[error("{0}")]
    Failed(String),
    /// The thread that was speaking panicked.
    #[error("the engine stopped in the middle of its work")]
    Panicked,
}

/// The stretch of text an engine wants at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Single sentences.
    Sentence,
    /// As many whole sentences as fit into so many characters.
    Passage(usize),
}

/// One speech engine. An instance belongs to one model thread; what instances share is behind an `Arc`.
pub trait Engine: Send {
    /// A short name for logs, metrics and catalogues: `hibari`, `upstream`.
    fn name(&self) -> &'static str;

    /// The stretch of text [`Engine::say`] wants.
    fn unit(&self) -> Unit;

    /// Cuts a text into utterance ranges, in order. Text that says nothing may be left out.
    fn plan(&self, text: &str) -> Vec<Range<usize>>;

    /// Says one utterance.
    ///
    /// # Errors
    /// [`EngineError`]; the request fails and the engine stays usable.
    fn say(&mut self, utterance: &Utterance) -> Result<Speech, EngineError>;
}
