//! The reader, for the commands that speak without the service: voice, language, pronunciations,
//! model threads.

use lectern_documents::language::is_in_foreign_script;
use lectern_service::{
    config::Config,
    services::speech::voices::{self, FoundEngine},
};
use lectern_speech::{
    engines::{self, ResolvedVoice},
    language::Language,
    phonemes::Lexicon,
    pool::{self, EngineEntry, LaneSettings, Pool},
};

use lectern_types::{Loudness, Pitch, SampleRate, TextType, request::parse_word};

use super::CommandError;

/// A voice, and the engine that has it.
#[derive(Clone)]
pub(super) struct Reader {
    pub(super) engine: FoundEngine,
    pub(super) voice: ResolvedVoice,
    pub(super) sample_rate_hz: u32,
}

impl Reader {
    /// The voice of a name, or the blend that is written like `af_bella:2,af_sky:1`.
    pub(super) fn of(name: &str, config: &Config) -> Result<Self, CommandError> {
        let found = voices::find(config, name).map_err(|error| CommandError::Usage(error.to_string()))?;
        Ok(Self { engine: found.engine, voice: found.voice, sample_rate_hz: found.sample_rate_hz })
    }

    /// The language it is asked to read, or its own.
    pub(super) fn language(&self, asked: Option<&str>) -> Result<Language, CommandError> {
        let Some(asked) = asked else { return Ok(self.voice.languages[0]) };
        self.spoken(asked).ok_or_else(|| {
            let (name, languages) = (&self.voice.name, self.languages());
            CommandError::Usage(format!("the voice {name} does not speak {asked:?}; it speaks: {languages}"))
        })
    }

    /// The language as the voice calls it, where it speaks it; another region's form will do.
    pub(super) fn spoken(&self, asked: &str) -> Option<Language> {
        self.voice.reads(asked.parse().ok()?)
    }

    /// Refuses a pitch that the voice's engine cannot give it.
    pub(super) fn check_pitch(&self, semitones: f32) -> Result<(), CommandError> {
        let engine = self.engine.name();
        if semitones == 0.0 || engines::changes_pitch(engine) {
            return Ok(());
        }
        Err(CommandError::Usage(format!("--pitch: the engine {engine} cannot change the pitch")))
    }

    /// Refuses a text that is mostly in a script in which the language is not written.
    pub(super) fn check_script(&self, language: Language, text: &str) -> Result<(), CommandError> {
        if !is_in_foreign_script(text, &language.to_string()) {
            return Ok(());
        }
        Err(CommandError::Refused(format!(
            "the text is mostly in a script that the voice {} cannot read; it speaks: {}",
            self.voice.name,
            self.languages()
        )))
    }

    fn languages(&self) -> String {
        self.voice.languages.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }
}

/// Parses `--speed`.
pub(super) fn speed(text: &str) -> Result<f32, String> {
    let speed: f32 = text.parse().map_err(|_| "must be a number from 0.5 to 2.0".to_owned())?;
    if (0.5..=2.0).contains(&speed) { Ok(speed) } else { Err("must be from 0.5 to 2.0".to_owned()) }
}

/// Parses `--pitch`.
pub(super) fn pitch(text: &str) -> Result<f32, String> {
    let semitones: f64 = text.parse().map_err(|_| "must be a number from -12 to 12".to_owned())?;
    Pitch::of(semitones).map(|pitch| pitch.0 as f32)
}

/// Parses `--sample-rate`.
pub(super) fn sample_rate(text: &str) -> Result<SampleRate, String> {
    SampleRate::of(text.parse().unwrap_or(0))
}

/// Parses `--text-type`.
pub(super) fn text_type(text: &str) -> Result<TextType, String> {
    TextType::parse(text).ok_or_else(|| "must be one of: text, ssml".to_owned())
}

/// Parses `--loudness`.
pub(super) fn loudness(text: &str) -> Result<Loudness, String> {
    parse_word(text)
}

/// Parses the values of `--pronounce`.
pub(super) fn lexicon(pronunciations: &[String]) -> Result<Lexicon, CommandError> {
    let mut lexicon = Lexicon::default();
    for pronunciation in pronunciations {
        let (word, ipa) = pronunciation.split_once('=').ok_or_else(|| {
            CommandError::Usage(format!("--pronounce {pronunciation:?} must look like WORD=IPA"))
        })?;
        lexicon.insert(word, ipa).map_err(|error| CommandError::Usage(format!("--pronounce: {error}")))?;
    }
    Ok(lexicon)
}

/// Starts model threads, by default one for each core, and a queue for this many requests of each engine.
pub(super) fn model_threads(
    engines: Vec<EngineEntry>,
    threads: Option<u16>,
    requests: usize,
) -> Result<Pool, CommandError> {
    let threads = self::threads(threads);
    Pool::start(vec![LaneSettings::new("models", threads, requests, engines)])
        .map_err(CommandError::from_error)
}

/// The number of model threads to start.
pub(super) fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(pool::cores, usize::from)
}
