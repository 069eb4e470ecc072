//! French. Texts are read by the rules of all Romance languages ([`super::romance`]), with the
//! tables and forms here; `phonemes` turns words into phonemes. It works by rules alone and needs no
//! voice pack.

mod amounts;
mod currencies;
mod emoji;
mod figures;
mod genders;
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

/// Which words stand for 70, 80 and 90.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variety {
    /// Soixante-dix, quatre-vingts, quatre-vingt-dix: also in Canada and most of Africa.
    French,
    /// Septante, quatre-vingts, nonante: in Belgium and the countries that learnt French from it.
    Belgian,
    /// Septante, huitante, nonante: as in Vaud, Valais and Fribourg. Elsewhere in Switzerland 80 is "quatre-vingts".
    Swiss,
}

static OF_FRANCE: grammar::French = grammar::French(Variety::French);
static OF_BELGIUM: grammar::French = grammar::French(Variety::Belgian);
static OF_SWITZERLAND: grammar::French = grammar::French(Variety::Swiss);

/// The French front end.
pub const FRENCH: Romance = Romance {
    languages: &[Language::FR, Language::FR_FR],
    grammar: |language| {
        let grammar: &'static dyn Grammar = match language.region() {
            Some("BE" | "BI" | "CD" | "RW") => &OF_BELGIUM,
            Some("CH") => &OF_SWITZERLAND,
            _ => &OF_FRANCE,
        };
        (language.primary() == "fr").then_some(grammar)
    },
};

pub(super) const REGISTRATION: Registration = Registration {
    languages: FRENCH.languages,
    months: Some(&words::WORDS.months),
    load: |_, _| Arc::new(FRENCH),
    // A quarter of the letters are silent.
    duration_ms: |text| duration_ms(text, &OF_FRANCE, 25),
};

#[cfg(test)]
mod tests {
    use super::REGISTRATION;

    // A reader's pace is 4.5 to 7 syllables a second.
    #[test]
    fn a_sentence_is_estimated_at_a_readers_pace() {
        let duration_ms = REGISTRATION.duration_ms;
        let sentence = "La bibliothèque du village ouvre tous les jours à neuf heures du matin.";
        let syllables = 20.0;
        let pace = syllables * 1_000.0 / duration_ms(sentence) as f64;
        assert!((4.0..7.0).contains(&pace), "{pace} syllables a second");
        assert!(duration_ms("1 234 567") > duration_ms("un"));
        assert_eq!(duration_ms(""), 0);
    }
}
