//! Converts spoken words to phonemes by rule: `letters` finds the sounds of a word, `stress` its
//! stressed vowels, `loans` has words that are not read as they are written, and `joining` adjusts
//! sounds to their neighbors, also across words.
//!
//! The symbols are those that espeak-ng writes for Castilian, in misaki's mapping to Kokoro's
//! alphabet, because the voices were trained on that output. The rules are our own, found by
//! comparison with its output for single words. `A` is ei, `I` ai, `W` au.

mod joining;
mod letters;
mod loans;
mod stress;

use super::Accent;
use crate::{
    front_end::romance,
    phonemes::alphabet::{PRIMARY, SECONDARY},
};

/// The stress of a vowel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loudness {
    None,
    Secondary,
    Primary,
}

/// A sound before its neighbors are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sound {
    /// A vowel that forms a syllable: its symbols, whether it is written with an accent, its form
    /// under primary stress, and whether it is half of a written diphthong, which the default
    /// stress skips.
    Vowel { symbol: &'static str, accented: bool, loud: &'static str, half: bool },
    /// A consonant, or half of a diphthong.
    Other(char),
    /// b, β
    B,
    /// d, ð
    D,
    /// ɡ, ɣ
    G,
    /// n, m, ŋ
    N,
    /// ʝ, ʤ
    Y,
}

/// A word of a clause with its sounds.
#[derive(Debug, Default)]
struct Word {
    sounds: Vec<Sound>,
    /// The stress of each sound.
    loudness: Vec<Loudness>,
    /// Given phonemes, which no rule changes.
    given: Option<String>,
}

/// The phonemes of each word of a clause.
pub(super) fn clause(words: &[romance::phonemes::Word<'_>], accent: Accent) -> Vec<String> {
    let last = words.len().saturating_sub(1);
    let words = words.iter().enumerate().map(|(index, one)| word(one, accent, index == last));
    joining::join(&words.collect::<Vec<_>>())
}

/// The sounds of a word; `last` means that a pause follows.
fn word(word: &romance::phonemes::Word<'_>, accent: Accent, last: bool) -> Word {
    if let Some(given) = &word.given {
        return Word { given: Some(given.clone()), ..Word::default() };
    }
    let lower = word.text.to_lowercase();
    let (spelled, said) = match loans::respelled(&lower) {
        Some(respelled) => (respelled, true),
        None => (lower.as_str(), false),
    };
    let letters = letters::plain(spelled);
    let mut sounds = letters::sounds(&letters, accent);
    let loudness = stress::of(if said { "" } else { &lower }, &letters, &sounds, last);
    let vowels = sounds.iter().filter(|sound| matches!(sound, Sound::Vowel { .. })).count();
    if stress::is_adverb(&lower, &letters, vowels) {
        close_ending(&mut sounds);
    }
    Word { sounds, loudness, given: None }
}

/// The e of -mente is closed, whatever follows it.
fn close_ending(sounds: &mut [Sound]) {
    let mut vowels = sounds.iter_mut().rev().filter(|sound| matches!(sound, Sound::Vowel { .. }));
    if let Some(Sound::Vowel { loud, symbol, .. }) = vowels.nth(1) {
        *loud = symbol;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::phonemes::alphabet::{PAUSES, SYMBOLS};

    fn said(text: &str, accent: Accent) -> String {
        let word = |text| romance::phonemes::Word { text, given: None };
        let mut said = String::new();
        // A mark ends a clause, as in a sentence.
        for part in text.split_inclusive(" , ") {
            let words: Vec<_> = part.trim_end_matches(" , ").split(' ').map(word).collect();
            said.push_str(&clause(&words, accent).join(" "));
            if part.ends_with(" , ") {
                said.push_str(", ");
            }
        }
        said
    }

    /// Tests every spelling of three letters, at the start, in the middle and at the end of a word,
    /// and every loan word, alone and after words that change the first sound.
    #[test]
    fn every_symbol_is_one_that_the_voices_know() {
        let letters: Vec<char> = ('a'..='z').chain("áéíóúüñçßšžłøæàêïõ'жяπ世ﬁǰ".chars()).collect();
        let mut spellings: Vec<String> = loans::words().map(str::to_owned).collect();
        for &a in &letters {
            for &b in &letters {
                spellings.push([a, b].iter().collect());
                spellings.extend(letters.iter().map(|&c| [a, b, c].iter().collect::<String>()));
            }
        }
        let mut symbols = BTreeSet::new();
        for accent in [Accent::Castilian, Accent::American] {
            for spelling in &spellings {
                for text in [spelling.clone(), format!("en a{spelling}o club {spelling} {spelling}nte")] {
                    symbols.extend(said(&text, accent).chars());
                }
            }
        }
        for mark in [",", ";", ":", ".", "!", "?", "—", "…", "...", "(", ")", "\"", "«"] {
            symbols.extend(said(mark, Accent::Castilian).chars());
        }
        let unknown: Vec<&char> = symbols
            .iter()
            .filter(|&&symbol| {
                !SYMBOLS.contains(symbol) && !PAUSES.contains(symbol) && !"()".contains(symbol)
            })
            .collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        // The number of symbols is plausible for the whole set.
        assert!((40..60).contains(&symbols.len()), "{symbols:?}");
    }

    #[test]
    fn sounds_join_across_words_but_not_across_marks() {
        for (text, expected) in [
            ("un vaso", "ˈum bˈaso"),
            ("el vaso", "el βˈaso"),
            ("un gato", "ˈuŋ ɡˈato"),
            ("con gente", "koŋ xˈɛnte"),
            ("los dedos", "los ðˈeðos"),
            ("con dedos", "kon dˈeðos"),
            ("con yeso", "kon ʤˈeso"),
            ("hola , dime", "ˈola, dˈime"),
            ("la casa de", "la kˈasa ðˈe"),
        ] {
            assert_eq!(said(text, Accent::Castilian), expected);
        }
        assert_eq!(said("zapatos llenos", Accent::American), "sapˈatos ʝˈenos");
    }
}
