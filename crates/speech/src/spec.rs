//! The text to speak, and how to speak it: one struct that is passed by reference from the request
//! to the engine.

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
    /// The language in which the text is read. Engines on another server may ignore it.
    pub language: Language,
    /// The text, with its markup.
    pub text: Arc<str>,
    /// The places with a minimum pause; no utterance spans one of them. Engines that take long
    /// passages at a time handle pauses below 700 ms themselves.
    pub pauses: Arc<[PauseAt]>,
    /// The speed, from 0.5 to 2.0; durations are divided by it.
    pub speed: f32,
    /// The seed of everything random.
    pub seed: u64,
    /// Pronunciations that take precedence over every lexicon.
    pub lexicon: Arc<Lexicon>,
}

impl NarrationSpec {
    /// A text spoken at speed 1 with seed 0, without pauses and pronunciations of its own.
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
    /// The number of bytes of the text before it.
    pub at: usize,
    /// The minimum silence there, in milliseconds. If the engine would pause longer, it does; the
    /// two are not added up.
    pub pause_ms: u32,
}
