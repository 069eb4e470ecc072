//! The voices: the pack holds one trained voice, and this table derives the readers from it.
//!
//! The pitch is an input of the last stage, so a reader may speak lower or higher than the trained
//! voice with the same vocal tract. Within a tenth either way, that sounds like the same person in
//! another mood; beyond that, it sounds artificial. Loudness is measured, not computed: see
//! `loudness_of_the_voices_is_as_calibrated` in the tests.

use crate::{engines::Voice, language::Language};

/// A voice of the pack: its public data, and how it is derived from the trained voice.
pub(super) struct Reader {
    pub(super) voice: Voice,
    /// The factor on the network's pitch.
    pub(super) pitch: f32,
}

/// The trained voice speaks American English. Phonemes of another variety are sounds that the
/// network was not trained on: with British phonemes, 6 % of the words were wrong, and with
/// American ones 1 %.
const LANGUAGES: &[Language] = &[Language::EN_US];

const HEART: Voice =
    Voice { name: "heart", languages: LANGUAGES, gender: "female", grade: None, gain_db: 10.0, rate: 1.0 };

const ALMA: Voice =
    Voice { name: "alma", languages: LANGUAGES, gender: "female", grade: None, gain_db: 9.0, rate: 0.96 };

/// All voices with their pitch.
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
