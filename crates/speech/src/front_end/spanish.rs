//! Spanish, of Spain and of Latin America: `text` turns written text into spoken words, `phonemes`
//! turns words into phonemes. It works by rules alone and needs no voice pack.

mod foreign;
pub mod phonemes;
pub mod text;

use std::{ops::Range, time::Instant};

use super::{FrontEnd, FrontEndError, Reading, Registration, Span};
use crate::{language::Language, phonemes::Lexicon};

/// The accent whose sounds and conventions apply.
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

pub(super) const REGISTRATION: Registration = Registration {
    languages: &[Language::ES, Language::ES_ES, Language::ES_419, Language::ES_MX],
    load: |_| Ok(Box::new(Spanish)),
    duration_ms,
};

// In Kokoro, a symbol lasts about 55 ms (its limit of 510 symbols lasts 27 s). Spanish has about
// one symbol for each letter; a word adds its space and its stress mark.
const LETTER_MS: u64 = 55;
const WORD_MS: u64 = 110;

/// The duration of a text without markup at speed 1, in milliseconds, including the pauses between
/// its sentences.
fn duration_ms(text: &str) -> u64 {
    let speech_ms = |spoken: String| {
        let letters = spoken.chars().filter(|character| character.is_alphanumeric()).count() as u64;
        letters * LETTER_MS + spoken.split_whitespace().count() as u64 * WORD_MS
    };
    let of_span = |span: Span| {
        let sentence = text::analyze(text, &span, Accent::Castilian, &Lexicon::default());
        let pause_ms = u64::from(span.pause.ms());
        sentence.map_or(0, |sentence| speech_ms(text::spoken(&sentence)) + pause_ms)
    };
    text::split(text, 0..text.len()).into_iter().map(of_span).sum()
}

/// The Spanish front end.
#[derive(Debug, Clone, Copy)]
pub struct Spanish;

impl FrontEnd for Spanish {
    fn languages(&self) -> &'static [Language] {
        REGISTRATION.languages
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

#[cfg(test)]
mod tests {
    use super::duration_ms;

    // A reader's pace is 4.5 to 7 syllables a second.
    #[test]
    fn a_sentence_is_estimated_at_a_readers_pace() {
        let sentence = "La biblioteca del pueblo abre todos los días a las nueve de la mañana.";
        let syllables = 27.0;
        let pace = syllables * 1_000.0 / duration_ms(sentence) as f64;
        assert!((4.5..7.0).contains(&pace), "{pace} syllables a second");
        assert!(duration_ms("1.234.567") > duration_ms("uno"));
        assert_eq!(duration_ms(""), 0);
    }
}
