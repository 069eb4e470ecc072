//! Portuguese. Texts are read by the rules of all Romance languages ([`super::romance`]), with the
//! tables and forms here, those of Brazil; `european` has what is said otherwise in Portugal.
//! `phonemes` turns words into the phonemes of Brazil, since the voices here have no others. It works
//! by rules alone and needs no voice pack.

mod amounts;
mod currencies;
mod emoji;
mod european;
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

/// The two ways to name numbers, units and money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variety {
    Brazilian,
    /// Of Portugal, and of the countries in Africa and Asia that write as Portugal does.
    European,
}

static BRAZILIAN: grammar::Portuguese = grammar::Portuguese(Variety::Brazilian);
static EUROPEAN: grammar::Portuguese = grammar::Portuguese(Variety::European);

/// The Portuguese front end.
pub const PORTUGUESE: Romance = Romance {
    languages: &[Language::PT_BR, Language::PT],
    grammar: |language| {
        let grammar: &'static dyn Grammar = match language.region() {
            None | Some("BR") => &BRAZILIAN,
            Some(_) => &EUROPEAN,
        };
        (language.primary() == "pt").then_some(grammar)
    },
};

pub(super) const REGISTRATION: Registration = Registration {
    languages: PORTUGUESE.languages,
    months: Some(&words::WORDS.months),
    load: |_, _| Arc::new(PORTUGUESE),
    duration_ms: |text| duration_ms(text, &BRAZILIAN, 0),
};

#[cfg(test)]
mod tests {
    use super::REGISTRATION;

    // A reader's pace is 4.5 to 7 syllables a second.
    #[test]
    fn a_sentence_is_estimated_at_a_readers_pace() {
        let duration_ms = REGISTRATION.duration_ms;
        let sentence = "A biblioteca da cidade abre todos os dias às nove da manhã.";
        let syllables = 24.0;
        let pace = syllables * 1_000.0 / duration_ms(sentence) as f64;
        assert!((4.5..7.0).contains(&pace), "{pace} syllables a second");
        assert!(duration_ms("1.234.567") > duration_ms("um"));
        assert_eq!(duration_ms(""), 0);
    }
}
