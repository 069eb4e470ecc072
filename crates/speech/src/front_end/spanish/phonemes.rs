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

use super::{
    Accent,
    text::{Sentence, Token, phrases},
};
use crate::phonemes::{
    Lexicon, PhonemeWord,
    alphabet::{PRIMARY, SECONDARY, is_pause},
    ipa,
};

/// Longer words are cut, so that each fits into one run of a network.
const LONGEST_SPOKEN_BYTES: usize = 200;

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

/// The phonemes of a sentence in order, including punctuation; this never fails.
pub fn pronounce(sentence: &Sentence, accent: Accent, lexicon: &Lexicon) -> Vec<PhonemeWord> {
    let tokens = sentence.tokens.as_slice();
    let mut words = Vec::with_capacity(tokens.len());
    let mut start = 0;
    // Every mark is a pause, and sounds do not join across a pause.
    for (index, token) in tokens.iter().enumerate() {
        if token.ipa.is_some() || token.text.contains(char::is_alphanumeric) {
            continue;
        }
        clause(&tokens[start..index], accent, lexicon, &mut words);
        start = index + 1;
        words.push(PhonemeWord {
            phonemes: mark(&token.text).to_owned(),
            source: token.source.clone(),
            space_after: token.space_after,
            punctuation: true,
            starts_phrase: false,
        });
    }
    clause(&tokens[start..], accent, lexicon, &mut words);
    words
}

/// The voices' symbol for a punctuation mark, or for a run of one.
fn mark(text: &str) -> &str {
    if text.starts_with("...") {
        return "…";
    }
    let first = text.chars().next().filter(|&c| is_pause(c) || matches!(c, '(' | ')'));
    first.map_or("", |c| &text[..c.len_utf8()])
}

/// Writes the words of a clause.
fn clause(tokens: &[Token], accent: Accent, lexicon: &Lexicon, words: &mut Vec<PhonemeWord>) {
    let last = tokens.len().saturating_sub(1);
    let sounding: Vec<Word> =
        tokens.iter().enumerate().map(|(index, token)| word(token, accent, lexicon, index == last)).collect();
    for (index, (token, phonemes)) in tokens.iter().zip(joining::join(&sounding)).enumerate() {
        let before = index.checked_sub(1).map_or("", |before| tokens[before].text.as_str());
        write(&phonemes, token, phrases::starts(before, &token.text), words);
    }
}

/// The sounds of a word; `last` means that a pause follows.
fn word(token: &Token, accent: Accent, lexicon: &Lexicon, last: bool) -> Word {
    let given = token.ipa.as_deref().map(ipa::said).or_else(|| lexicon.get(&token.text).map(str::to_owned));
    if let Some(given) = given {
        // Textbook IPA was parsed as an English pronunciation, which has no rolled r.
        return Word { given: Some(given.replace('ɹ', "r")), ..Word::default() };
    }
    let lower = token.text.to_lowercase();
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

/// Writes a word, in pieces if it is too long.
fn write(phonemes: &str, token: &Token, starts_phrase: bool, words: &mut Vec<PhonemeWord>) {
    let mut rest = phonemes;
    let mut starts_phrase = starts_phrase;
    loop {
        let cut = if rest.len() > LONGEST_SPOKEN_BYTES {
            rest.floor_char_boundary(LONGEST_SPOKEN_BYTES)
        } else {
            rest.len()
        };
        let (piece, more) = rest.split_at(cut);
        words.push(PhonemeWord {
            phonemes: piece.to_owned(),
            source: token.source.clone(),
            space_after: more.is_empty() && token.space_after,
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{
        front_end::Pause,
        phonemes::alphabet::{PAUSES, SYMBOLS},
    };

    fn said(text: &str, accent: Accent) -> String {
        let token = |text: &str| Token { text: text.to_owned(), source: 0..0, space_after: true, ipa: None };
        let tokens = text.split(' ').map(token).collect();
        let sentence = Sentence { source: 0..0, tokens, pause: Pause::Sentence };
        crate::phonemes::phoneme_string(&pronounce(&sentence, accent, &Lexicon::default()))
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
            ("hola , dime", "ˈola , dˈime"),
            ("la casa de", "la kˈasa ðˈe"),
        ] {
            assert_eq!(said(text, Accent::Castilian), expected);
        }
        assert_eq!(said("zapatos llenos", Accent::American), "sapˈatos ʝˈenos");
    }
}
