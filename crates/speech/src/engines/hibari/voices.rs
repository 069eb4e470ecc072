//! Who can speak: the pack holds one trained voice, and this table makes readers of it.
//!
//! The pitch is an input of the last stage, so a reader may speak lower or higher than the trained voice with her
//! vocal tract unchanged; within a tenth either way that sounds like another day's mood, beyond it like a trick.
//! Loudness is measured, not computed: see `loudness_of_the_voices_is_as_calibrated` in the tests.

use crate::phonemes::{Accent, PhonemeWord};

/// A reader.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Voice {
    /// What requests call it.
    pub name: &'static str,
    /// The languages it reads, BCP 47, its own first.
    pub languages: &'static [&'static str],
    /// Female or male, as listeners say.
    pub gender: &'static str,
    /// What brings typical speech to −16 LUFS, for clips too short to measure and for streams.
    pub gain_db: f32,
    /// Times the network's pitch.
    pub pitch: f32,
    /// Times the asked speed.
    pub pace: f32,
}

/// All readers.
pub const VOICES: &[Voice] = &[
    Voice {
        name: "heart",
        languages: &["en-US", "en-GB"],
        gender: "female",
        gain_db: 10.0,
        pitch: 1.0,
        pace: 1.0,
    },
    Voice {
        name: "alma",
        languages: &["en-GB", "en-US"],
        gender: "female",
        gain_db: 9.0,
        pitch: 0.92,
        pace: 0.96,
    },
];

/// The reader of a name.
pub fn voice(name: &str) -> Option<&'static Voice> {
    VOICES.iter().find(|voice| voice.name == name)
}

impl Voice {
    /// The accent for a language: Britain and the countries that spell and speak like it, or America; the voice's
    /// own where the language does not say.
    pub fn accent(&self, language: &str) -> Accent {
        let of = |tag: &str| match tag.to_ascii_lowercase().as_str() {
            "en-gb" | "en-uk" | "en-ie" | "en-au" | "en-nz" | "en-za" | "en-in" => Some(Accent::British),
            "en-us" | "en-ca" => Some(Accent::American),
            _ => None,
        };
        of(language).or_else(|| self.languages.first().and_then(|own| of(own))).unwrap_or(Accent::American)
    }
}

/// Writes British vowels with the symbols that the American voice was trained on.
pub(super) fn fold_british(words: &mut [PhonemeWord]) {
    for word in words.iter_mut().filter(|word| word.phonemes.contains(is_british)) {
        word.phonemes = word.phonemes.chars().filter_map(american).collect();
    }
}

/// Symbols that only British pronunciations have.
const BRITISH: [(char, Option<char>); 4] =
    [('Q', Some('O')), ('ɒ', Some('ɑ')), ('ː', None), ('a', Some('æ'))];

fn is_british(symbol: char) -> bool {
    BRITISH.iter().any(|(british, _)| *british == symbol)
}

fn american(symbol: char) -> Option<char> {
    BRITISH.iter().find(|(british, _)| *british == symbol).map_or(Some(symbol), |(_, american)| *american)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_every_voice_has_a_language() {
        for (at, voice) in VOICES.iter().enumerate() {
            assert!(VOICES[..at].iter().all(|other| other.name != voice.name));
            assert!(!voice.languages.is_empty());
        }
    }

    #[test]
    fn the_language_decides_the_accent_and_the_voice_does_where_it_is_silent() {
        let (heart, alma) = (voice("heart").unwrap(), voice("alma").unwrap());
        assert_eq!(heart.accent("en-GB"), Accent::British);
        assert_eq!(alma.accent("en-US"), Accent::American);
        assert_eq!((heart.accent("en"), alma.accent("")), (Accent::American, Accent::British));
        assert_eq!(voice("nobody"), None);
    }

    #[test]
    fn british_symbols_are_folded_and_others_kept() {
        let word = |phonemes: &str| PhonemeWord {
            phonemes: phonemes.to_owned(),
            source: 0..1,
            space_after: true,
            punctuation: false,
        };
        let mut words = [word("nˈQ"), word("lˈɒt"), word("fˈɑːðə"), word("kˈæt")];
        fold_british(&mut words);
        let folded: Vec<&str> = words.iter().map(|word| word.phonemes.as_str()).collect();
        assert_eq!(folded, ["nˈO", "lˈɑt", "fˈɑðə", "kˈæt"]);
    }
}
