//! Who can speak: the pack holds one trained voice, and this table makes readers of it.
//!
//! The pitch is an input of the last stage, so a reader may speak lower or higher than the trained voice with her
//! vocal tract unchanged; within a tenth either way that sounds like another day's mood, beyond it like a trick.
//! Loudness is measured, not computed: see `loudness_of_the_voices_is_as_calibrated` in the tests.

use crate::phonemes::Accent;

/// A reader.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Voice {
    /// What requests call it.
    pub name: &'static str,
    /// The languages it reads, BCP 47, its own first.
    pub languages: &'static [&'static str],
    /// The accent of the speech that the network was trained on. Phonemes of another one are sounds that it never heard:
    /// British ones, written with its symbols, made 6 % of the words wrong where American ones make 1 % wrong.
    pub accent: Accent,
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
        languages: &["en-US"],
        accent: Accent::American,
        gender: "female",
        gain_db: 10.0,
        pitch: 1.0,
        pace: 1.0,
    },
    Voice {
        name: "alma",
        languages: &["en-US"],
        accent: Accent::American,
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
}
