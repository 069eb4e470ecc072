//! Who reads, for the commands that speak without the service: the voice, its language, pronunciations, model threads.

use std::sync::Arc;

use lectern_documents::language::is_in_foreign_script;
use lectern_speech::{
    engines::hibari::{self, Hibari, Voice},
    phonemes::Lexicon,
    pool::{self, EngineEntry, Factory, LaneSettings, Pool},
};
use lectern_types::language::is_same;

use super::CommandError;

/// The name the pool knows the engine by.
pub(super) const ENGINE: &str = "hibari";

/// The voice of a name.
pub(super) fn voice(name: &str) -> Result<&'static Voice, CommandError> {
    hibari::voice(name).ok_or_else(|| {
        let known: Vec<&str> = hibari::VOICES.iter().map(|voice| voice.name).collect();
        CommandError::Usage(format!("there is no voice {name:?}; there are: {}", known.join(", ")))
    })
}

/// The language a voice is asked to read, or its own.
pub(super) fn language(voice: &Voice, asked: Option<&str>) -> Result<&'static str, CommandError> {
    let Some(asked) = asked else { return Ok(voice.languages[0]) };
    spoken(voice, asked).ok_or_else(|| {
        CommandError::Usage(format!(
            "the voice {} does not speak {asked:?}; it speaks: {}",
            voice.name,
            voice.languages.join(", ")
        ))
    })
}

/// The language as the voice calls it, where it speaks it; another region's form will do.
pub(super) fn spoken(voice: &Voice, asked: &str) -> Option<&'static str> {
    let exact = voice.languages.iter().find(|language| language.eq_ignore_ascii_case(asked));
    exact.or_else(|| voice.languages.iter().find(|language| is_same(language, asked))).copied()
}

/// Refuses a text that is mostly in a script in which the language is not written.
pub(super) fn check_script(voice: &Voice, language: &str, text: &str) -> Result<(), CommandError> {
    if !is_in_foreign_script(text, language) {
        return Ok(());
    }
    Err(CommandError::Refused(format!(
        "the text is mostly in a script that the voice {} cannot read; it speaks: {}",
        voice.name,
        voice.languages.join(", ")
    )))
}

/// `--speed`.
pub(super) fn speed(text: &str) -> Result<f32, String> {
    let speed: f32 = text.parse().map_err(|_| "must be a number from 0.5 to 2.0".to_owned())?;
    if (0.5..=2.0).contains(&speed) { Ok(speed) } else { Err("must be from 0.5 to 2.0".to_owned()) }
}

/// `--pronounce`, as often as it was given.
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

/// Threads that speak, one for each core unless told otherwise, for so many requests at a time.
pub(super) fn model_threads(
    engine: &Arc<Hibari>,
    threads: Option<u16>,
    requests: usize,
) -> Result<Pool, CommandError> {
    let threads = self::threads(threads);
    let engine = Arc::clone(engine);
    let factory: Factory = Arc::new(move || Ok(Box::new(engine.engine())));
    let engine = EngineEntry { name: ENGINE.to_owned(), factory };
    let lane = LaneSettings { name: "models".to_owned(), threads, queue: requests, engines: vec![engine] };
    Pool::start(vec![lane]).map_err(CommandError::from_error)
}

/// How many model threads there will be.
pub(super) fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(pool::cores, usize::from)
}
