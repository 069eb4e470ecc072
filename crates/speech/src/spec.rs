//! What is to be said, and how: one struct that goes by reference from the request to the engine
//! that speaks.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{language::Language, phonemes::Lexicon};

/// A text and how it is to be spoken. The same spec gives the same samples.
#[derive(Debug, Clone)]
pub struct NarrationSpec {
    /// The engine's name, such as `hibari`.
    pub engine: String,
    /// The engine's own name of the voice.
    pub voice: String,
    /// What the text is read as. Engines that speak elsewhere may not look at it.
    pub language: Language,
    /// The text, with its markup.
    pub text: Arc<str>,
    /// Where the voice pauses at least so long; no utterance spans one of these places. Engines
    /// that take long passages at a time leave those below 700 ms to themselves.
    pub pauses: Arc<[PauseAt]>,
    /// 0.5 to 2.0; durations are divided by it.
    pub speed: f32,
    /// Everything random is drawn from it.
    pub seed: u64,
    /// Pronunciations that go before every lexicon.
    pub lexicon: Arc<Lexicon>,
}

impl NarrationSpec {
    /// A text as a voice says it at speed 1 with seed 0, without pauses and pronunciations of its
    /// own.
    pub fn new(engine: &str, voice: &str, language: Language, text: impl Into<Arc<str>>) -> Self {
        Self {
            engine: engine.to_owned(),
            voice: voice.to_owned(),
            language,
            text: text.into(),
            pauses: Arc::default(),
            speed: 1.0,
            seed: 0,
            lexicon: Arc::default(),
        }
    }
}

/// A place in a text where the voice pauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PauseAt {
    /// Bytes of the text before it.
    pub at: usize,
    /// The least silence there, in milliseconds. Where the engine would pause longer, it does; they
    /// do not add up.
    pub pause_ms: u32,
}
