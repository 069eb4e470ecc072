//! Italian. Texts are read by the rules of all Romance languages ([`super::romance`]), with the
//! tables and forms here; `phonemes` turns words into phonemes. It works by rules alone and needs no
//! voice pack.

mod amounts;
mod currencies;
mod emoji;
mod figures;
mod grammar;
mod phonemes;
mod signs;
mod words;

use std::sync::Arc;

use super::{
    Registration,
    romance::{Romance, duration_ms, grammar::Grammar},
};
use crate::language::Language;

/// The Italian front end.
pub const ITALIAN: Romance = Romance {
    languages: &[Language::IT, Language::IT_IT],
    grammar: |language| language.is_same(Language::IT).then_some(&grammar::Italian as &dyn Grammar),
};

pub(super) const REGISTRATION: Registration = Registration {
    languages: ITALIAN.languages,
    months: Some(&words::WORDS.months),
    load: |_, _| Arc::new(ITALIAN),
    duration_ms: |text| duration_ms(text, &grammar::Italian, 0),
};

#[cfg(test)]
mod tests {
    use super::REGISTRATION;

    // A reader's pace is 4.5 to 7 syllables a second.
    #[test]
    fn a_sentence_is_estimated_at_a_readers_pace() {
        let duration_ms = REGISTRATION.duration_ms;
        let sentence = "La biblioteca del paese apre tutti i giorni alle nove del mattino.";
        let syllables = 25.0;
        let pace = syllables * 1_000.0 / duration_ms(sentence) as f64;
        assert!((4.5..7.0).contains(&pace), "{pace} syllables a second");
        assert!(duration_ms("1.234.567") > duration_ms("uno"));
        assert_eq!(duration_ms(""), 0);
    }
}
