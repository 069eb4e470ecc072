//! Chinese: Mandarin as it is spoken on the mainland, written in simplified or traditional
//! characters. `text` cuts a text into sentences, `normalize` spells out numbers and signs, and
//! `phonemes` cuts words and reads them. Its dictionaries are files of a voice pack and are loaded
//! when the first Chinese text is read. Latin words are read by the English front end.

mod dictionary;
mod duration;
mod figures;
mod normalize;
mod phonemes;
mod segment;
mod syllables;
mod table;
mod text;

use std::{ops::Range, sync::Arc, time::Instant};

pub use dictionary::Files;

use super::{FrontEnd, FrontEndError, Reading, Registration, Span, english::English};
use crate::{
    language::Language,
    pack::{FirstUse, Pack, PackError},
    phonemes::Lexicon,
};
use dictionary::Dictionary;
use phonemes::Phonemizer;
use text::Sentence;

const LANGUAGES: &[Language] = &[Language::ZH, Language::ZH_CN, Language::ZH_TW];

pub(super) const REGISTRATION: Registration = Registration {
    languages: LANGUAGES,
    months: None,
    load: |pack, english| Arc::new(Chinese::new(pack, english)),
    duration_ms: duration::duration_ms,
};

/// The Chinese front end.
#[derive(Debug)]
pub struct Chinese {
    pack: Pack,
    dictionary: FirstUse<Dictionary>,
    english: Arc<English>,
}

impl Chinese {
    /// A front end over the dictionaries of a pack, which are loaded at the first text.
    pub fn new(pack: &Pack, english: &Arc<English>) -> Self {
        Self { pack: pack.clone(), dictionary: FirstUse::default(), english: Arc::clone(english) }
    }

    /// Whether these files make a dictionary.
    ///
    /// # Errors
    /// [`PackError::Unusable`], naming the file.
    pub fn check(files: &Files) -> Result<(), PackError> {
        Dictionary::new(files, phonemes::own_words()).map(|_| ())
    }

    fn dictionary(&self) -> Result<&Dictionary, PackError> {
        self.dictionary.get(|| Dictionary::new(&Files::read(&self.pack)?, phonemes::own_words()))
    }

    /// The readings of a span's Chinese words in pinyin; words with phonemes of their own stand
    /// between slashes.
    ///
    /// # Errors
    /// As [`FrontEnd::read`].
    pub fn pinyin(
        &self,
        text: &str,
        span: &Span,
        lexicon: &Lexicon,
    ) -> Result<Option<String>, FrontEndError> {
        let Some(sentence) = Sentence::of(text, span, lexicon) else { return Ok(None) };
        let dictionary = self.dictionary()?;
        Phonemizer { dictionary, english: &self.english, lexicon }.pinyin(&sentence).map(Some)
    }
}

impl FrontEnd for Chinese {
    fn languages(&self) -> &'static [Language] {
        LANGUAGES
    }

    fn split(&self, text: &str, stretch: Range<usize>) -> Vec<Span> {
        split(text, stretch)
    }

    fn spoken(&self, text: &str, span: &Span, language: Language) -> Result<Option<String>, FrontEndError> {
        check(language)?;
        Ok(spoken(text, span))
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
        let sentence = Sentence::of(text, span, lexicon);
        let normalizing = started.elapsed();
        let Some(sentence) = sentence else { return Ok(Reading { normalizing, ..Reading::default() }) };
        let started = Instant::now();
        let dictionary = self.dictionary()?;
        let words = Phonemizer { dictionary, english: &self.english, lexicon }.pronounce(&sentence)?;
        Ok(Reading { words, normalizing, phonemizing: started.elapsed() })
    }
}

/// Cuts `text[stretch]` into sentences, in order, as [`FrontEnd::split`] does. It needs no pack.
pub fn split(text: &str, stretch: Range<usize>) -> Vec<Span> {
    text::split(text, stretch)
}

/// The words of a span as they are said, as [`FrontEnd::spoken`] gives them. It needs no pack.
pub fn spoken(text: &str, span: &Span) -> Option<String> {
    Sentence::of(text, span, &Lexicon::default()).map(|sentence| sentence.spoken())
}

fn check(language: Language) -> Result<(), FrontEndError> {
    if LANGUAGES.contains(&language) { Ok(()) } else { Err(FrontEndError::UnsupportedLanguage(language)) }
}
