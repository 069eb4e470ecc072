//! Japanese. `written` brings a text into one form, `items` reads numbers, signs and words of other
//! scripts, `analysis` finds the words with a MeCab dictionary (`mecab`) and how they are said, and
//! `kana` writes their sounds. Words in Latin letters that Japanese does not have are read by the
//! English front end.
//!
//! The dictionary is a part of the pack that is checked and mapped into memory when the first
//! Japanese text is read.

mod analysis;
mod beside;
mod counters;
mod duration;
mod items;
mod kana;
mod mecab;
mod models;
mod numbers;
mod readings;
mod rules;
mod written;

use std::{ops::Range, sync::Arc, time::Instant};

use super::{FrontEnd, FrontEndError, Pause, Reading, Registration, Span, english::English};
use crate::{
    language::Language,
    pack::{FirstUse, Pack, PackError},
    phonemes::{Lexicon, PhonemeWord},
};
use analysis::Word;
use items::Said;
use mecab::{Bytes, CATEGORIES, COSTS, Dictionary, Files, UNKNOWN, WORDS};
use models::Models;
use rules::Japanese as JapaneseRules;
use written::Written;

/// Longer words are cut, so that each fits into one run of a network.
const LONGEST_SPOKEN_BYTES: usize = 200;

pub(super) const REGISTRATION: Registration = Registration {
    languages: &[Language::JA, Language::JA_JP],
    months: None,
    load: |pack, english| {
        Arc::new(Japanese { pack: pack.clone(), english: Arc::clone(english), loaded: FirstUse::default() })
    },
    duration_ms: duration::duration_ms,
};

/// The Japanese front end.
#[derive(Debug)]
pub struct Japanese {
    pack: Pack,
    english: Arc<English>,
    loaded: FirstUse<Loaded>,
}

/// What the first text needs.
#[derive(Debug)]
struct Loaded {
    dictionary: Dictionary,
    models: Models,
}

impl Loaded {
    fn load(pack: &Pack) -> Result<Self, PackError> {
        let map = |name: &str| {
            let path = pack.checked(&file_name(name))?;
            Bytes::map(&path).map_err(|source| PackError::Io { path, source })
        };
        let files = Files {
            words: map(WORDS)?,
            costs: map(COSTS)?,
            categories: map(CATEGORIES)?,
            unknown: map(UNKNOWN)?,
        };
        let dictionary =
            Dictionary::new(files).map_err(|(name, error)| Pack::unusable(&file_name(name), &error))?;
        let models = Models::of(&dictionary);
        Ok(Self { dictionary, models })
    }
}

/// The name of a dictionary's file in the pack.
fn file_name(name: &str) -> String {
    format!("ja-{name}")
}

/// Cuts `text[stretch]` into sentences, in order, without a dictionary.
pub fn split(text: &str, stretch: Range<usize>) -> Vec<Span> {
    super::split::split(text, stretch, &JapaneseRules)
}

impl Japanese {
    /// The words of a span.
    fn words(&self, written: &Written, lexicon: &Lexicon) -> Result<Vec<Word>, FrontEndError> {
        let loaded = self.loaded.get(|| Loaded::load(&self.pack))?;
        Ok(analysis::words(written, &loaded.dictionary, &loaded.models, lexicon))
    }

    fn refuse_others(language: Language) -> Result<(), FrontEndError> {
        if REGISTRATION.languages.contains(&language) {
            return Ok(());
        }
        Err(FrontEndError::UnsupportedLanguage(language))
    }
}

impl FrontEnd for Japanese {
    fn languages(&self) -> &'static [Language] {
        REGISTRATION.languages
    }

    fn split(&self, text: &str, stretch: Range<usize>) -> Vec<Span> {
        self::split(text, stretch)
    }

    fn spoken(&self, text: &str, span: &Span, language: Language) -> Result<Option<String>, FrontEndError> {
        Self::refuse_others(language)?;
        let written = Written::new(text, span.range.clone());
        let words = self.words(&written, &Lexicon::default())?;
        let mut spoken = String::new();
        for (index, word) in words.iter().enumerate() {
            let said = match &word.said {
                Said::Kana(parts) => parts.concat(),
                Said::Mark(mark) => shown(mark, &words, index).to_owned(),
                Said::English | Said::Given(_) => written.text[word.range.clone()].to_owned(),
                Said::Longer => continue,
            };
            let is_mark = matches!(word.said, Said::Mark(_));
            let is_latin = |c: char| c.is_ascii_alphabetic();
            let apart = word.starts_phrase || said.starts_with(is_latin) || spoken.ends_with(is_latin);
            if apart && !is_mark && !said.is_empty() && spoken.ends_with(char::is_alphanumeric) {
                spoken.push(' ');
            }
            spoken.push_str(&said);
        }
        let is_said = spoken.contains(char::is_alphanumeric);
        Ok(is_said.then_some(spoken))
    }

    fn read(
        &self,
        text: &str,
        span: &Span,
        language: Language,
        lexicon: &Lexicon,
    ) -> Result<Reading, FrontEndError> {
        Self::refuse_others(language)?;
        let started = Instant::now();
        let written = Written::new(text, span.range.clone());
        let said = self.words(&written, lexicon)?;
        let normalizing = started.elapsed();
        let started = Instant::now();
        let mut words = Vec::with_capacity(said.len());
        for (index, word) in said.iter().enumerate() {
            let source = written.origin(&word.range);
            match &word.said {
                Said::Kana(parts) => write(&kana::symbols(&parts.concat()), &source, word, &mut words),
                Said::Given(given) => write(given, &source, word, &mut words),
                Said::English => {
                    let span = Span { range: source, pause: Pause::Phrase };
                    let reading = self.english.read(text, &span, Language::EN_US, lexicon)?;
                    let first = words.len();
                    words.extend(reading.words);
                    if let Some(first) = words.get_mut(first) {
                        first.starts_phrase |= word.starts_phrase;
                    }
                    if let Some(last) = words.last_mut() {
                        last.space_after = true;
                    }
                }
                Said::Mark(mark) => push_mark(heard(mark, &said, index), source, &mut words),
                Said::Longer => {}
            }
        }
        Ok(Reading { words, normalizing, phonemizing: started.elapsed() })
    }
}

/// Writes a word, in pieces if it is too long.
fn write(phonemes: &str, source: &Range<usize>, word: &Word, words: &mut Vec<PhonemeWord>) {
    let mut rest = phonemes;
    let mut starts_phrase = word.starts_phrase;
    loop {
        let (piece, more) = rest.split_at(rest.floor_char_boundary(LONGEST_SPOKEN_BYTES.min(rest.len())));
        words.push(PhonemeWord {
            phonemes: piece.to_owned(),
            source: source.clone(),
            space_after: more.is_empty(),
            punctuation: false,
            starts_phrase,
        });
        if more.is_empty() {
            return;
        }
        rest = more;
        starts_phrase = false;
    }
}

fn push_mark(mark: &str, source: Range<usize>, words: &mut Vec<PhonemeWord>) {
    if mark.is_empty() {
        return;
    }
    if let Some(last) = words.last_mut() {
        last.space_after = false;
    }
    words.push(PhonemeWord {
        phonemes: mark.to_owned(),
        source,
        space_after: true,
        punctuation: true,
        starts_phrase: false,
    });
}

/// The mark that is heard: none before the first word, none right after another, and no pause after
/// a bracket that closes the end.
fn heard(mark: &'static str, words: &[Word], index: usize) -> &'static str {
    let silent = |word: &&Word| matches!(word.said, Said::Mark(""));
    let before = words[..index].iter().rev().find(|word| !silent(word));
    let after = words[index + 1..].iter().find(|word| !silent(word));
    let is_comma = mark == ",";
    let follows_mark = match before.map(|word| &word.said) {
        None => true,
        Some(Said::Mark(before)) => is_comma || *before == mark,
        Some(_) => false,
    };
    let precedes_mark = is_comma && after.is_none_or(|word| matches!(word.said, Said::Mark(_)));
    if follows_mark || precedes_mark { "" } else { mark }
}

/// A mark as Japanese writes it.
fn shown(mark: &'static str, words: &[Word], index: usize) -> &'static str {
    match heard(mark, words, index) {
        "." => "。",
        "," => "、",
        "!" => "！",
        "?" => "？",
        ":" => "：",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_dictionary_that_is_damaged_is_refused_by_the_name_of_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let pack = Pack::unchecked(folder.path());
        let write = || {
            for (name, bytes) in [WORDS, COSTS, CATEGORIES, UNKNOWN].into_iter().zip(mecab::tests::files()) {
                fs::write(folder.path().join(file_name(name)), bytes).unwrap();
            }
        };
        write();
        assert!(Loaded::load(&pack).is_ok());
        for name in [WORDS, COSTS, CATEGORIES, UNKNOWN] {
            let path = folder.path().join(file_name(name));
            let bytes = fs::read(&path).unwrap();
            for keep in [0, 1, bytes.len() / 2, bytes.len() - 1] {
                fs::write(&path, &bytes[..keep]).unwrap();
                let refused = Loaded::load(&pack).unwrap_err().to_string();
                assert!(refused.contains(&file_name(name)), "{refused}");
            }
            fs::remove_file(&path).unwrap();
            assert!(matches!(Loaded::load(&pack), Err(PackError::Io { .. })), "{name} is missing");
            write();
        }
    }

    // A reader's pace is six to nine morae a second.
    #[test]
    fn a_sentence_is_estimated_at_a_readers_pace() {
        let duration_ms = REGISTRATION.duration_ms;
        let sentence = "図書館は、毎日午前九時から開いています。";
        let morae = 27.0;
        let pace = morae * 1_000.0 / duration_ms(sentence) as f64;
        assert!((5.0..9.0).contains(&pace), "{pace} morae a second");
        assert!(duration_ms("1234567") > duration_ms("一"));
        assert_eq!(duration_ms(""), 0);
    }
}
