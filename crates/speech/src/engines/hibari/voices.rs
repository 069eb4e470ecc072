//! Who can speak: the pack holds one trained voice, and this table makes readers of it.
//!
//! The pitch is an input of the last stage, so a reader may speak lower or higher than the trained
//! voice with her vocal tract unchanged; within a tenth either way that sounds like another day's
//! mood, beyond it like a trick. Loudness is measured, not computed: see
//! `loudness_of_the_voices_is_as_calibrated` in the tests.

use crate::{engines::Voice, language::Language};

/// A voice of the pack: what others may know of it, and how it is made of the trained one.
pub(super) struct Reader {
    pub(super) voice: Voice,
    /// Times the network's pitch.
    pub(super) pitch: f32,
}

/// The trained voice speaks American English. Phonemes of another variety are sounds that the
/// network never heard: British ones, written with its symbols, made 6 % of the words wrong where
/// American ones make 1 % wrong.
const LANGUAGES: &[Language] = &[Language::EN_US];

const HEART: Voice =
    Voice { name: "heart", languages: LANGUAGES, gender: "female", grade: None, gain_db: 10.0, rate: 1.0 };

const ALMA: Voice =
    Voice { name: "alma", languages: LANGUAGES, gender: "female", grade: None, gain_db: 9.0, rate: 0.96 };

/// All voices, as they are made.
pub(super) const READERS: &[Reader] =
    &[Reader { voice: HEART, pitch: 1.0 }, Reader { voice: ALMA, pitch: 0.92 }];

/// All voices.
pub const VOICES: &[Voice] = &[HEART, ALMA];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_voice_is_made_somehow() {
        let made: Vec<Voice> = READERS.iter().map(|reader| reader.voice).collect();
        assert_eq!(made, VOICES);
    }
}
