//! The Romance languages: French, Italian, Portuguese and Spanish write numbers, dates, amounts and
//! addresses so much alike that one set of rules reads them all. A language brings tables of words
//! and a few forms of its own ([`grammar::Grammar`]), and the sounds of its words.

pub(super) mod acronyms;
pub(super) mod figures;
pub(super) mod grammar;
mod lookup;
mod normalize;
pub(super) mod phonemes;
mod phrases;
mod stops;
pub(super) mod text;
pub(super) mod word_map;
pub(super) mod word_set;
pub(super) mod words;

use std::{ops::Range, time::Instant};

use super::{FrontEnd, FrontEndError, Reading, Span};
use crate::{language::Language, phonemes::Lexicon};
use grammar::Grammar;

/// A language whose texts are read with a [`Grammar`], and the varieties of it.
#[derive(Debug, Clone, Copy)]
pub struct Romance {
    pub(super) languages: &'static [Language],
    /// The grammar of a variety.
    pub(super) grammar: fn(Language) -> Option<&'static dyn Grammar>,
}

impl Romance {
    fn grammar_of(&self, language: Language) -> Result<&'static dyn Grammar, FrontEndError> {
        (self.grammar)(language).ok_or(FrontEndError::UnsupportedLanguage(language))
    }

    /// The grammar of the usual variety, by which all of them are cut.
    fn usual(&self) -> Option<&'static dyn Grammar> {
        self.languages.first().and_then(|&language| (self.grammar)(language))
    }
}

impl FrontEnd for Romance {
    fn languages(&self) -> &'static [Language] {
        self.languages
    }

    fn split(&self, text: &str, stretch: Range<usize>) -> Vec<Span> {
        self.usual().map_or_else(Vec::new, |grammar| text::split(text, stretch, grammar))
    }

    fn spoken(&self, text: &str, span: &Span, language: Language) -> Result<Option<String>, FrontEndError> {
        let sentence = text::analyze(text, span, self.grammar_of(language)?, &Lexicon::default());
        Ok(sentence.map(|sentence| text::spoken(&sentence)))
    }

    fn read(
        &self,
        text: &str,
        span: &Span,
        language: Language,
        lexicon: &Lexicon,
    ) -> Result<Reading, FrontEndError> {
        let grammar = self.grammar_of(language)?;
        let started = Instant::now();
        let sentence = text::analyze(text, span, grammar, lexicon);
        let normalizing = started.elapsed();
        let Some(sentence) = sentence else { return Ok(Reading { normalizing, ..Reading::default() }) };
        let started = Instant::now();
        let words = phonemes::pronounce(&sentence, grammar, lexicon);
        Ok(Reading { words, normalizing, phonemizing: started.elapsed() })
    }
}

// In Kokoro, a symbol lasts about 55 ms (its limit of 510 symbols lasts 27 s). These languages have
// about one symbol for each letter; a word adds its space and its stress mark.
const LETTER_MS: u64 = 55;
const WORD_MS: u64 = 110;

/// The duration of a text without markup at speed 1, in milliseconds, including the pauses between
/// its sentences. `silent` of a hundred letters are not heard.
pub(super) fn duration_ms(text: &str, grammar: &'static dyn Grammar, silent: u64) -> u64 {
    let speech_ms = |spoken: String| {
        let letters = spoken.chars().filter(|character| character.is_alphanumeric()).count() as u64;
        letters * LETTER_MS * (100 - silent) / 100 + spoken.split_whitespace().count() as u64 * WORD_MS
    };
    let of_span = |span: Span| {
        let sentence = text::analyze(text, &span, grammar, &Lexicon::default());
        let pause_ms = u64::from(span.pause.ms());
        sentence.map_or(0, |sentence| speech_ms(text::spoken(&sentence)) + pause_ms)
    };
    text::split(text, 0..text.len(), grammar).into_iter().map(of_span).sum()
}
