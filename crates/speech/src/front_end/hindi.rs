//! Hindi, a first version: `text` and `normalize` turn written text into spoken words, `phonemes`
//! turns words into phonemes. It works by rules and small tables and needs no voice pack. Words in
//! Latin letters are read by the English front end.

mod figures;
mod normalize;
mod phonemes;
mod phrases;
mod script;
mod stops;
pub(super) mod text;
mod words;

use std::{ops::Range, sync::Arc, time::Instant};

use super::{FrontEnd, FrontEndError, Reading, Registration, Span, english::English};
use crate::{language::Language, phonemes::Lexicon};

/// Hindi in the list of languages.
pub(super) const REGISTRATION: Registration = Registration {
    languages: &[Language::HI_IN, Language::HI],
    months: Some(&words::MONTHS),
    load: |_, english| Arc::new(Hindi { english: Some(Arc::<English>::clone(english)) }),
    duration_ms,
};

/// The Hindi front end.
#[derive(Debug, Default)]
pub struct Hindi {
    /// Reads Latin words; without it they are spelled.
    english: Option<Arc<English>>,
}

impl FrontEnd for Hindi {
    fn languages(&self) -> &'static [Language] {
        REGISTRATION.languages
    }

    fn split(&self, text: &str, stretch: Range<usize>) -> Vec<Span> {
        text::split(text, stretch)
    }

    fn spoken(&self, text: &str, span: &Span, language: Language) -> Result<Option<String>, FrontEndError> {
        check(language)?;
        Ok(text::spoken(&text::analyze(text, span, &Lexicon::default())))
    }

    fn read(
        &self,
        text: &str,
        span: &Span,
        language: Language,
        lexicon: &Lexicon,
    ) -> Result<Reading, FrontEndError> {
        check(language)?;
        let started = Instant::now();
        let tokens = text::analyze(text, span, lexicon);
        let normalizing = started.elapsed();
        let started = Instant::now();
        let words = phonemes::pronounce(&tokens, text, self.english.as_deref(), lexicon)?;
        Ok(Reading { words, normalizing, phonemizing: started.elapsed() })
    }
}

fn check(language: Language) -> Result<(), FrontEndError> {
    if REGISTRATION.languages.contains(&language) {
        Ok(())
    } else {
        Err(FrontEndError::UnsupportedLanguage(language))
    }
}

// In Kokoro, a symbol lasts about 55 ms (its limit of 510 symbols lasts 27 s). A letter or a sign of
// Devanagari is a little more than one symbol, since most a's are not written; a word adds its space
// and its stress mark.
const LETTER_MS: u64 = 75;
const WORD_MS: u64 = 100;

/// The duration of a text without markup at speed 1, in milliseconds, including the pauses between
/// its sentences.
fn duration_ms(text: &str) -> u64 {
    let speech_ms = |spoken: &str| {
        let letters = spoken.chars().filter(|c| c.is_alphanumeric()).count() as u64;
        letters * LETTER_MS + spoken.split_whitespace().count() as u64 * WORD_MS
    };
    let of_span = |span: Span| {
        let spoken = text::spoken(&text::analyze(text, &span, &Lexicon::default()));
        spoken.map_or(0, |spoken| speech_ms(&spoken) + u64::from(span.pause.ms()))
    };
    text::split(text, 0..text.len()).into_iter().map(of_span).sum()
}

#[cfg(test)]
mod tests {
    use super::duration_ms;

    // The voices of Hindi say 4 to 5 syllables a second, and few readers more than 7.
    #[test]
    fn a_sentence_is_estimated_at_a_readers_pace() {
        let sentence = "गाँव का पुस्तकालय हर दिन सुबह नौ बजे खुलता है।";
        let syllables = 19.0;
        let pace = syllables * 1_000.0 / duration_ms(sentence) as f64;
        assert!((4.0..7.0).contains(&pace), "{pace} syllables a second");
        assert!(duration_ms("12,34,567") > duration_ms("एक"));
        assert_eq!(duration_ms(""), 0);
    }
}
