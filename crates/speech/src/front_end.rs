//! Front ends: from a text as a person wrote it to phonemes, one front end a language.
//!
//! [`FrontEnd`] is the trait, [`FrontEnds`] picks the one for a language, and each language has a
//! folder below ([`english`], [`spanish`]). What all languages share lies next to them: `blocks`, `stops`,
//! `marks` and `split` find sentences, `clean` makes one way of writing for each thing, `emoji`
//! knows the pictures, `spoken` is the text that is written to be said. Every word keeps the bytes
//! of the original text that it reads, so that word timestamps can point into the text as it was
//! sent.

mod blocks;
pub mod chinese;
mod clean;
mod emoji;
pub mod english;
pub mod espeak;
pub mod french;
pub mod hindi;
pub mod italian;
pub mod japanese;
mod marks;
mod mixed;
mod normalize;
pub mod portuguese;
pub mod questions;
pub(crate) mod roman;
pub mod romance;
mod rules;
mod scan;
pub mod spanish;
pub mod spelling;
mod split;
mod spoken;
mod stops;

use std::{fmt::Debug, ops::Range, sync::Arc, time::Duration};

use crate::{
    language::Language,
    pack::{Pack, PackError},
    phonemes::{Lexicon, PhonemeWord},
};
use english::English;

/// How long the voice pauses after a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// A very long sentence continues with its next phrase, without a punctuation mark.
    Phrase,
    /// A very long sentence continues after a comma or a stronger mark.
    Clause,
    /// Another sentence of the same paragraph follows.
    Sentence,
    /// A paragraph ends here.
    Paragraph,
    /// A heading ends here.
    Heading,
    /// A scene break (`* * *`) follows.
    Section,
}

impl Pause {
    /// Whether a paragraph or heading ends here: it is said like a sentence, with a full stop or
    /// without.
    pub const fn ends_paragraph(self) -> bool {
        matches!(self, Self::Paragraph | Self::Heading | Self::Section)
    }

    /// The silence from sound to sound at speed 1, in milliseconds.
    pub const fn ms(self) -> u32 {
        match self {
            Self::Phrase => 120,
            Self::Clause => 160,
            Self::Sentence => 400,
            Self::Paragraph => 650,
            Self::Heading => 850,
            Self::Section => 1200,
        }
    }
}

/// A stretch of a text that is said in one go: a sentence, or a part of a very long one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Its bytes in the text: without white space at either end, and of at most 400 characters,
    /// where a run of one emoji counts as one. A word with its pronunciation may be longer.
    pub range: Range<usize>,
    /// The pause after it.
    pub pause: Pause,
}

/// A span as it is pronounced.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// Its words and punctuation marks in order; empty when there is nothing to say.
    pub words: Vec<PhonemeWord>,
    /// The time that spelling out took.
    pub normalizing: Duration,
    /// The time that pronouncing took.
    pub phonemizing: Duration,
}

/// Why a text cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FrontEndError {
    /// No front end reads the language, or the one that was asked does not read this variety of it.
    #[error("there is no front end for the language {0}")]
    UnsupportedLanguage(Language),
    /// The language's part of the pack cannot be used.
    #[error(transparent)]
    Pack(#[from] PackError),
}

/// Reads texts of one language. Made once, then shared by all threads.
pub trait FrontEnd: Debug + Send + Sync {
    /// The varieties that it reads, the usual one first. They have one primary language.
    fn languages(&self) -> &'static [Language];

    /// Cuts `text[stretch]` into sentences, in order; their ranges are the text's. What cannot be
    /// said is in none. The text around the stretch decides the pauses at its ends.
    fn split(&self, text: &str, stretch: Range<usize>) -> Vec<Span>;

    /// The words of a span as they are said, with their punctuation: for people who look how a text
    /// is read. `None` when there is nothing to say.
    ///
    /// # Errors
    /// As [`FrontEnd::read`].
    fn spoken(&self, text: &str, span: &Span, language: Language) -> Result<Option<String>, FrontEndError>;

    /// Pronounces one span of those that [`FrontEnd::split`] gave, in a variety of the language.
    /// Pronunciations of `lexicon` go before all others.
    ///
    /// # Errors
    /// [`FrontEndError`] when the variety is none of [`FrontEnd::languages`], or its data cannot be loaded.
    fn read(
        &self,
        text: &str,
        span: &Span,
        language: Language,
        lexicon: &Lexicon,
    ) -> Result<Reading, FrontEndError>;
}

/// The registration of a language.
pub(crate) struct Registration {
    /// The varieties that its front end reads, the usual one first.
    languages: &'static [Language],
    /// Makes its front end. Latin words in texts of another script are read by the English one.
    load: fn(&Pack, &Arc<English>) -> Arc<dyn FrontEnd>,
    /// The names of the months, where dates are written with them.
    months: Option<&'static [&'static str; 12]>,
    /// How long a text without markup lasts at speed 1, in milliseconds, the pauses between its
    /// sentences counted. It does without a pack.
    duration_ms: fn(&str) -> u64,
}

/// The languages that can be read. The first is taken for a language that is not known where only
/// an estimate is needed.
const REGISTERED: &[Registration] = &[
    english::REGISTRATION,
    spanish::REGISTRATION,
    french::REGISTRATION,
    italian::REGISTRATION,
    portuguese::REGISTRATION,
    hindi::REGISTRATION,
    japanese::REGISTRATION,
    chinese::REGISTRATION,
];

/// The languages whose front end is a first version.
const PREVIEWS: &[Language] = &[Language::HI_IN];

/// Whether a language has a front end, whatever the variety.
pub fn is_registered(language: Language) -> bool {
    REGISTERED.iter().any(|one| one.languages.iter().any(|own| own.is_same(language)))
}

/// Whether a language is read by a first version of its front end.
pub(crate) fn is_preview(language: Language) -> bool {
    PREVIEWS.iter().any(|own| own.is_same(language))
}

/// The names of the months in a language, where it is registered and writes dates with them.
pub(crate) fn months(language: Language) -> Option<&'static [&'static str; 12]> {
    let reads = |one: &&Registration| one.languages.iter().any(|own| own.is_same(language));
    REGISTERED.iter().find(reads)?.months
}

/// What says how long a text in this language lasts: its front end's [`Registration::duration_ms`],
/// or the first of all where the language is not known or not registered.
pub(crate) fn duration_of(language: Option<Language>) -> fn(&str) -> u64 {
    registered_for(language, REGISTERED).duration_ms
}

fn registered_for(language: Option<Language>, registered: &[Registration]) -> &Registration {
    let reads = |one: &&Registration| {
        language.is_some_and(|asked| one.languages.iter().any(|own| own.is_same(asked)))
    };
    registered.iter().find(reads).unwrap_or(&registered[0])
}

/// The front ends of all registered languages.
#[derive(Debug)]
pub struct FrontEnds {
    all: Vec<Arc<dyn FrontEnd>>,
    /// What reads marked words in other languages, where the machine has it.
    espeak: Option<Arc<espeak::Program>>,
}

impl FrontEnds {
    /// Loads the files that English needs from a pack; the other languages load theirs when their
    /// first text is read.
    ///
    /// # Errors
    /// [`PackError`], when a file is missing or cannot be used.
    pub fn load(pack: &Pack) -> Result<Self, PackError> {
        let english = Arc::new(English::load(pack)?);
        Ok(Self { all: REGISTERED.iter().map(|one| (one.load)(pack, &english)).collect(), espeak: None })
    }

    /// The same, with espeak-ng for words that a text marks as a language's that has no front end here.
    #[must_use]
    pub fn with_espeak(self, program: Option<Arc<espeak::Program>>) -> Self {
        Self { espeak: program, ..self }
    }

    /// The front end that reads a language, whatever the variety.
    ///
    /// # Errors
    /// [`FrontEndError::UnsupportedLanguage`]; no other language is read in its place.
    pub fn of(&self, language: Language) -> Result<&dyn FrontEnd, FrontEndError> {
        self.all
            .iter()
            .find(|front_end| front_end.languages().iter().any(|own| own.is_same(language)))
            .map(AsRef::as_ref)
            .ok_or(FrontEndError::UnsupportedLanguage(language))
    }
}

/// Whether a text might have something to say: more than punctuation and white space.
pub(crate) fn may_be_said(text: &str) -> bool {
    text.chars().any(marks::may_be_said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registered_language_says_how_long_its_texts_last_and_the_first_does_for_all_others() {
        const FRENCH: &str = "fr-FR";
        let languages: &'static [Language] = Box::leak(Box::new([FRENCH.parse().expect("a language")]));
        let french = Registration { languages, duration_ms: |_| 7, ..english::REGISTRATION };
        let registered = [english::REGISTRATION, french];
        for (tag, is_french) in
            [(Some("fr-CA"), true), (Some("en-AU"), false), (Some("de"), false), (None, false)]
        {
            let language = tag.map(|tag| tag.parse().expect("a language"));
            let asked = registered_for(language, &registered).duration_ms;
            assert_eq!(asked("Bonjour.") == 7, is_french, "{tag:?}");
        }
    }
}
