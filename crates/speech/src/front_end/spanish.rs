//! Spanish, of Spain and of Latin America: `text` from what is written to spoken words, `phonemes`
//! from words to phonemes. Rules alone; no part of a pack is needed.

pub mod phonemes;
pub mod text;

use std::{ops::Range, time::Instant};

use super::{FrontEnd, FrontEndError, Reading, Span};
use crate::{language::Language, phonemes::Lexicon};

/// The accent whose sounds and customs apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accent {
    /// The Spanish of Spain: z and c before e and i are θ, ll is ʎ.
    Castilian,
    /// The Spanish of Latin America: z is s, and ll is y. Numbers are grouped with commas, as in
    /// Mexico.
    American,
}

impl Accent {
    /// The accent of a variety of Spanish; `None` for every other language and variety.
    pub fn of(language: Language) -> Option<Self> {
        match language {
            Language::ES | Language::ES_ES => Some(Self::Castilian),
            Language::ES_419 | Language::ES_MX => Some(Self::American),
            _ => None,
        }
    }
}

/// The Spanish front end.
#[derive(Debug, Clone, Copy)]
pub struct Spanish;

impl FrontEnd for Spanish {
    fn languages(&self) -> &'static [Language] {
        &[Language::ES, Language::ES_ES, Language::ES_419, Language::ES_MX]
    }

    fn split(&self, text: &str, stretch: Range<usize>) -> Vec<Span> {
        text::split(text, stretch)
    }

    fn spoken(&self, text: &str, span: &Span, language: Language) -> Result<Option<String>, FrontEndError> {
        let sentence = text::analyze(text, span, accent_of(language)?, &Lexicon::default());
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
        let sentence = text::analyze(text, span, accent, lexicon);
        let normalizing = started.elapsed();
        let Some(sentence) = sentence else { return Ok(Reading { normalizing, ..Reading::default() }) };
        let started = Instant::now();
        let words = phonemes::pronounce(&sentence, accent, lexicon);
        Ok(Reading { words, normalizing, phonemizing: started.elapsed() })
    }
}

fn accent_of(language: Language) -> Result<Accent, FrontEndError> {
    Accent::of(language).ok_or(FrontEndError::UnsupportedLanguage(language))
}
