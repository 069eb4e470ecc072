//! Spanish, of Spain and of Latin America. Texts are read by the rules of all Romance languages
//! ([`super::romance`]), with the tables and forms here; `phonemes` turns words into phonemes. It
//! works by rules alone and needs no voice pack.

mod amounts;
mod currencies;
mod emoji;
mod figures;
mod foreign;
mod genders;
mod grammar;
pub mod phonemes;
mod signs;
mod words;

use std::sync::Arc;

use super::{
    Registration,
    romance::{Romance, duration_ms, grammar::Grammar},
};
use crate::language::Language;

/// The accent whose sounds and conventions apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accent {
    /// The Spanish of Spain: z and c before e and i are θ, ll is ʎ.
    Castilian,
    /// The Spanish of Latin America: z is s, and ll is y. Numbers are grouped with commas, as in
    /// Mexico.
    American,
}

impl Accent {
    /// The accent of a variety of Spanish; `None` for every other language and variety.
    pub fn of(language: Language) -> Option<Self> {
        match language {
            Language::ES | Language::ES_ES => Some(Self::Castilian),
            Language::ES_419 | Language::ES_MX => Some(Self::American),
            _ => None,
        }
    }
}

static CASTILIAN: grammar::Spanish = grammar::Spanish(Accent::Castilian);
static AMERICAN: grammar::Spanish = grammar::Spanish(Accent::American);

/// The Spanish front end.
pub const SPANISH: Romance = Romance {
    languages: &[Language::ES, Language::ES_ES, Language::ES_419, Language::ES_MX],
    grammar: |language| {
        let grammar: &'static dyn Grammar = match Accent::of(language)? {
            Accent::Castilian => &CASTILIAN,
            Accent::American => &AMERICAN,
        };
        Some(grammar)
    },
};

pub(super) const REGISTRATION: Registration = Registration {
    languages: SPANISH.languages,
    months: Some(&words::WORDS.months),
    load: |_, _| Arc::new(SPANISH),
    duration_ms: |text| duration_ms(text, &CASTILIAN, 0),
};

#[cfg(test)]
mod tests {
    use super::REGISTRATION;

    // A reader's pace is 4.5 to 7 syllables a second.
    #[test]
    fn a_sentence_is_estimated_at_a_readers_pace() {
        let duration_ms = REGISTRATION.duration_ms;
        let sentence = "La biblioteca del pueblo abre todos los días a las nueve de la mañana.";
        let syllables = 27.0;
        let pace = syllables * 1_000.0 / duration_ms(sentence) as f64;
        assert!((4.5..7.0).contains(&pace), "{pace} syllables a second");
        assert!(duration_ms("1.234.567") > duration_ms("uno"));
        assert_eq!(duration_ms(""), 0);
    }
}
