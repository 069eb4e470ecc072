//! Engines: what turns text into samples. One trait, one file or folder an engine. [`LOCAL`] lists
//! those that speak in this process.

use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

pub use crate::audio::WordTiming;
use crate::{
    front_end::{Span, espeak::Program, questions::Rise},
    language::Language,
    pack::{Pack, PackError, PackKind},
    spec::{NarrationSpec, Prosody},
};
pub use blend::{ResolvedVoice, VoiceError, resolve_voice};
pub use neural::instructions::Instructions;

mod blend;
pub(crate) mod delivery;
#[cfg(test)]
mod graph;
pub mod hibari;
pub mod kokoro;
pub(crate) mod lengths;
mod neural;
pub mod piper;
pub mod upstream;

/// What an engine is asked to say: one sentence, or one passage for engines that plan longer
/// stretches.
#[derive(Debug, Clone)]
pub struct Utterance {
    /// The whole text and how it is spoken; shared by the utterances of one request.
    pub spec: Arc<NarrationSpec>,
    /// The part of the text to say, as [`Engine::plan`] gave it.
    pub span: Span,
    /// The seed of this part: the same utterance and seed give the same samples.
    pub seed: u64,
    /// A factor on the fundamental frequency that the voice would have: 2 is an octave higher.
    pub pitch: f32,
    /// Set when the caller no longer waits for the answer. An engine that waits checks it now and
    /// then.
    pub abandoned: Abandoned,
}

impl Utterance {
    /// A part of a text that stands alone.
    pub fn new(spec: &Arc<NarrationSpec>, span: Span) -> Self {
        Self {
            spec: Arc::clone(spec),
            span,
            seed: spec.seed,
            pitch: pitch_factor(spec.pitch),
            abandoned: Abandoned::default(),
        }
    }

    /// Refuses a pitch, for engines that cannot change it.
    fn refuse_pitch(&self, engine: &'static str) -> Result<(), EngineError> {
        let is_own = (self.pitch - 1.0).abs() < 1e-4;
        if is_own { Ok(()) } else { Err(EngineError::UnsupportedPitch(engine)) }
    }

    /// The text to say.
    pub fn text(&self) -> &str {
        self.spec.text.get(self.span.range.clone()).unwrap_or_default()
    }
}

/// How an utterance is said, for engines of this process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Manner<'a> {
    /// Durations are divided by it.
    pub speed: f32,
    /// A factor on the fundamental frequency.
    pub pitch: f32,
    /// The seed of the noise.
    pub seed: u64,
    /// What the text wants of single words.
    pub prosody: Prosody<'a>,
    /// Where the pitch rises because the text asks something.
    pub rises: &'a [Rise],
}

impl<'a> Manner<'a> {
    fn of(utterance: &'a Utterance, rises: &'a [Rise]) -> Self {
        let spec = &utterance.spec;
        Self {
            speed: spec.speed,
            pitch: utterance.pitch,
            seed: utterance.seed,
            prosody: spec.prosody(),
            rises,
        }
    }
}

/// The factor on a frequency that makes it this many semitones higher.
pub fn pitch_factor(semitones: f32) -> f32 {
    (semitones / 12.0).exp2()
}

/// Whether a caller still waits for the speech. Clones share one state.
#[derive(Debug, Clone, Default)]
pub struct Abandoned(Arc<AtomicBool>);

impl Abandoned {
    /// Records that no caller waits any more, for good.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether no caller waits any more.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How long each phase of saying one utterance took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Phases {
    /// Splitting and spelling out.
    pub normalize: Duration,
    /// Pronouncing.
    pub phonemize: Duration,
    /// The network, or the upstream's answer.
    pub infer: Duration,
    /// Spectrum to waveform.
    pub vocode: Duration,
}

impl std::ops::AddAssign for Phases {
    fn add_assign(&mut self, other: Self) {
        self.normalize += other.normalize;
        self.phonemize += other.phonemize;
        self.infer += other.infer;
        self.vocode += other.vocode;
    }
}

/// Silences that a text asks for around an utterance, in milliseconds. Engines know nothing of
/// them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AskedPauses {
    /// Before the utterance: of the first one of a text only.
    pub before_ms: u32,
    /// After it.
    pub after_ms: u32,
    /// Whether the one after it also replaces a longer natural silence.
    pub exact: bool,
}

/// The speech of an engine.
#[derive(Debug, Clone, Default)]
pub struct Speech {
    /// Mono samples, nominally within ±1, neither leveled nor limited.
    pub samples: Vec<f32>,
    /// Samples a second.
    pub sample_rate_hz: u32,
    /// Words in order of time; empty when the engine does not know.
    pub words: Vec<WordTiming>,
    /// Silence that should follow, in samples, when more is said after this; it comes on top of the
    /// silence at the ends.
    pub pause_samples: u64,
    /// The silences that the text asks for right before and after this. They are measured from
    /// sound to sound, replace shorter natural ones, and are kept at the start and the end of a
    /// recording.
    pub asked: AskedPauses,
    /// How long each phase took.
    pub phases: Phases,
}

/// Why an engine could not say something.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The engine does not have the requested voice.
    #[error("the engine has no voice {0:?}")]
    UnknownVoice(String),
    /// The voice or the engine does not speak the requested language.
    #[error("the engine does not speak {0}")]
    UnsupportedLanguage(Language),
    /// The engine cannot change the pitch of its voices.
    #[error("the engine {0} cannot change the pitch")]
    UnsupportedPitch(&'static str),
    /// The network failed or the upstream did not answer as it should.
    #[error("{0}")]
    Failed(String),
    /// It took many times longer than it should have; the thread is given up.
    #[error("the engine does not answer")]
    TimedOut,
    /// The thread that was speaking panicked.
    #[error("the engine stopped in the middle of its work")]
    Panicked,
}

/// The stretch of text an engine wants at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Single sentences.
    Sentence,
    /// As many whole sentences as fit into this many characters.
    Passage(usize),
}

/// What speech costs an engine, before anything is measured. A character is one of prose: other text
/// is counted by how long it lasts ([`crate::estimate::prose_characters`]).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Seconds that a thread takes for a character.
    pub seconds_a_character: f64,
    /// Samples of a character at speed 1.
    pub samples_a_character: f64,
}

/// One speech engine. An instance belongs to one model thread; instances share data through an
/// `Arc`.
pub trait Engine: Send {
    /// A short name for logs, metrics and catalogues: `hibari`, `upstream`.
    fn name(&self) -> &'static str;

    /// The stretch of text [`Engine::say`] wants.
    fn unit(&self) -> Unit;

    /// Cuts `text[stretch]` into utterances, in order; their ranges are the text's. Text that says
    /// nothing may be left out.
    ///
    /// # Errors
    /// [`EngineError::UnsupportedLanguage`], when it must know the language to do so and does not.
    fn plan(&self, text: &str, stretch: Range<usize>, language: Language) -> Result<Vec<Span>, EngineError>;

    /// Whether an utterance has one delivery ([`NarrationSpec::deliveries`]) from first to last. The words
    /// of other engines have each their own.
    fn has_one_delivery(&self) -> bool {
        false
    }

    /// Says one utterance.
    ///
    /// # Errors
    /// [`EngineError`]; the request fails and the engine stays usable.
    fn say(&mut self, utterance: &Utterance) -> Result<Speech, EngineError>;

    /// As [`Engine::say`], with the beginning of what is said as soon as it is there: `begin` gets it,
    /// and the answer is the rest, which follows without a gap. An engine that has no beginning before
    /// the end leaves `begin` alone.
    ///
    /// # Errors
    /// As [`Engine::say`].
    fn say_early(
        &mut self,
        utterance: &Utterance,
        begin: &mut dyn FnMut(Speech),
    ) -> Result<Speech, EngineError> {
        let _ = begin;
        self.say(utterance)
    }

    /// How many symbols of pronunciations all instances of this engine left out so far, because the
    /// voices do not know them.
    fn unknown_symbols(&self) -> u64 {
        0
    }
}

/// Makes one more instance of an engine, for one thread.
pub type Factory = Arc<dyn Fn() -> Result<Box<dyn Engine>, EngineError> + Send + Sync>;

/// A voice of an engine, as it is known before anything is loaded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Voice {
    /// What requests call it.
    pub name: &'static str,
    /// The languages it reads, its own first; never empty. A front end writes its phonemes in one
    /// of these varieties, whatever variety was asked for: of others it knows no sounds.
    pub languages: &'static [Language],
    /// Female or male, as listeners say.
    pub gender: &'static str,
    /// How good it is, A to D, where its publisher says so.
    pub grade: Option<char>,
    /// What brings typical speech to −16 LUFS, for clips too short to measure and for streams.
    pub gain_db: f32,
    /// A factor on the requested speed.
    pub rate: f32,
}

impl Voice {
    /// The variety in which it reads a language: the very one, or another of the same language.
    pub fn reads(&self, language: Language) -> Option<Language> {
        language.among(self.languages)
    }
}

/// An engine that speaks in this process with the data of a voice pack, as it is known before the
/// pack is loaded.
#[derive(Debug)]
pub struct LocalEngine {
    /// What requests and catalogues call it.
    pub name: &'static str,
    /// Its voice pack.
    pub pack: PackKind,
    /// Samples a second.
    pub sample_rate_hz: u32,
    /// Who can speak.
    pub voices: &'static [Voice],
    /// Whether a weighted mean of its voices is a voice.
    pub blends: bool,
    /// Whether its voices know the sounds of all languages, so that words in another language than the
    /// text's are read by the front end of theirs.
    pub mixes_languages: bool,
    /// What speech costs it.
    pub cost: Cost,
    load: fn(&Pack, EngineSettings) -> Result<Factory, PackError>,
}

/// What can be set of the engines that speak in this process.
#[derive(Debug, Clone, Default)]
pub struct EngineSettings {
    /// The vector instructions of their own loops.
    pub instructions: Instructions,
    /// The program that reads marked words in languages without a front end, for engines whose voices
    /// know all sounds.
    pub espeak: Option<Arc<Program>>,
}

/// The engines that speak in this process. A new engine is one entry here.
pub static LOCAL: &[LocalEngine] = &[hibari::ENGINE, kokoro::ENGINE];

/// The engine that every installation has.
pub static DEFAULT: &LocalEngine = &LOCAL[0];

/// The names of the engines that speak in this process: those with packs, and the one of the voices that
/// users bring.
pub fn names() -> impl Iterator<Item = &'static str> {
    LOCAL.iter().map(|engine| engine.name).chain([piper::NAME])
}

/// Whether an engine can change the pitch of its voices: those whose networks say what it is.
pub fn changes_pitch(engine: &str) -> bool {
    local(engine).is_some()
}

/// The engine with this name, if it runs in this process.
pub fn local(name: &str) -> Option<&'static LocalEngine> {
    LOCAL.iter().find(|engine| engine.name == name)
}

/// The voice of a name, and the engine that has it, of those that speak in this process.
pub fn local_voice(name: &str) -> Option<(&'static LocalEngine, &'static Voice)> {
    LOCAL.iter().find_map(|engine| Some((engine, engine.voice(name)?)))
}

/// A voice that is installed here, whatever its engine.
#[derive(Debug, Clone, PartialEq)]
pub struct InstalledVoice {
    /// The engine that has it.
    pub engine: &'static str,
    /// The voice as requests name it.
    pub voice: ResolvedVoice,
    /// Samples a second.
    pub sample_rate_hz: u32,
}

impl LocalEngine {
    /// All of its voices.
    pub fn all_voices(&'static self) -> impl Iterator<Item = InstalledVoice> {
        let (engine, sample_rate_hz) = (self.name, self.sample_rate_hz);
        self.voices.iter().map(move |voice| InstalledVoice {
            engine,
            voice: ResolvedVoice::own(voice),
            sample_rate_hz,
        })
    }

    /// The voice of a name; blends have none ([`LocalEngine::resolve`] knows them).
    pub fn voice(&self, name: &str) -> Option<&'static Voice> {
        self.voices.iter().find(|voice| voice.name == name)
    }

    /// Loads the data that its instances share.
    ///
    /// # Errors
    /// [`PackError`], when a file is missing or cannot be used.
    pub fn load(&self, pack: &Pack) -> Result<Factory, PackError> {
        self.load_with(pack, EngineSettings::default())
    }

    /// The same, with what can be set.
    ///
    /// # Errors
    /// As [`LocalEngine::load`].
    pub fn load_with(&self, pack: &Pack, settings: EngineSettings) -> Result<Factory, PackError> {
        (self.load)(pack, settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_every_voice_has_a_language() {
        let voices: Vec<&Voice> = LOCAL.iter().flat_map(|engine| engine.voices).collect();
        for (at, voice) in voices.iter().enumerate() {
            assert!(voices[..at].iter().all(|other| other.name != voice.name));
            assert!(!voice.languages.is_empty());
        }
        assert!(
            LOCAL.iter().enumerate().all(|(at, engine)| LOCAL[..at].iter().all(|o| o.name != engine.name))
        );
    }
}
