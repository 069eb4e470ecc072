//! English, American and British: `text` turns written text into spoken, tagged tokens, `phonemes`
//! turns tokens into phonemes, and `duration` estimates how long a text lasts.

mod duration;
pub mod phonemes;
pub mod text;

use std::{ops::Range, sync::Arc, time::Instant};

use super::{FrontEnd, FrontEndError, Reading, Registration, Span};
use crate::{
    language::Language,
    pack::{Pack, PackError},
    phonemes::Lexicon,
};
use phonemes::Phonemizers;
use text::Analyzer;

/// The accent whose lexicons and rules apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accent {
    /// General American.
    American,
    /// Southern British.
    British,
}

impl Accent {
    /// The accent for a variety of English; `None` for other languages and varieties.
    pub fn of(language: Language) -> Option<Self> {
        match language {
            Language::EN_US => Some(Self::American),
            Language::EN_GB => Some(Self::British),
            _ => None,
        }
    }
}

/// English in the list of languages.
pub(super) const REGISTRATION: Registration = Registration {
    languages: &[Language::EN_US, Language::EN_GB],
    months: Some(&text::MONTHS),
    load: |_, english| Arc::<English>::clone(english),
    duration_ms: duration::duration_ms,
};

/// The English front end.
#[derive(Debug)]
pub struct English {
    analyzer: Analyzer,
    phonemizers: Phonemizers,
}

impl English {
    /// Loads the tagger, the tokenizer and the American lexicons of a pack; the British ones are
    /// loaded on first use.
    ///
    /// # Errors
    /// [`PackError`], when a file is missing or cannot be used.
    pub fn load(pack: &Pack) -> Result<Self, PackError> {
        Ok(Self { analyzer: Analyzer::load(pack)?, phonemizers: Phonemizers::load(pack)? })
    }
}

impl FrontEnd for English {
    fn languages(&self) -> &'static [Language] {
        REGISTRATION.languages
    }

    fn split(&self, text: &str, stretch: Range<usize>) -> Vec<Span> {
        self.analyzer.split(text, stretch)
    }

    fn spoken(&self, text: &str, span: &Span, language: Language) -> Result<Option<String>, FrontEndError> {
        let sentence = self.analyzer.analyze(text, span, accent_of(language)?);
        Ok(sentence.map(|sentence| text::spoken(&sentence)))
    }

    fn read(
        &self,
        text: &str,
        span: &Span,
        language: Language,
        lexicon: &Lexicon,
    ) -> Result<Reading, FrontEndError> {
        let accent = accent_of(language)?;
        let started = Instant::now();
        let sentence = self.analyzer.analyze(text, span, accent);
        let normalizing = started.elapsed();
        let Some(sentence) = sentence else { return Ok(Reading { normalizing, ..Reading::default() }) };
        let started = Instant::now();
        let words = self.phonemizers.of(accent)?.phonemize(&sentence, lexicon);
        Ok(Reading { words, normalizing, phonemizing: started.elapsed() })
    }
}

fn accent_of(language: Language) -> Result<Accent, FrontEndError> {
    Accent::of(language).ok_or(FrontEndError::UnsupportedLanguage(language))
}
