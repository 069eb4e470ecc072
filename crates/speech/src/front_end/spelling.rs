//! Texts spelled out in words, for a program or a network that pronounces words but reads figures,
//! dates and abbreviations less well than the front ends here: `12,50 €` becomes `doze euros e
//! cinquenta centavos`. Every word keeps the bytes that it reads.

use std::{ops::Range, sync::OnceLock};

use super::{
    Span,
    english::{self, Accent, text::Analyzer},
    french::FRENCH,
    hindi,
    italian::ITALIAN,
    portuguese::PORTUGUESE,
    romance::{self, Romance, grammar::Grammar},
    spanish::SPANISH,
};
use crate::{language::Language, pack::Pack, phonemes::Lexicon};

/// A word or a punctuation mark as it is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SpelledWord {
    pub(super) text: String,
    /// The bytes of the original text. Words made of one written thing (`5 €`) may share its range.
    pub(super) source: Range<usize>,
    pub(super) space_after: bool,
    /// A pronunciation that the text gives.
    pub(super) ipa: Option<String>,
}

/// What spells texts out, of all languages that can. Nothing is loaded before the first text.
#[derive(Debug, Default)]
pub struct Spellers {
    /// English needs the tagger of this pack.
    pack: Option<Pack>,
    english: OnceLock<Option<Analyzer>>,
}

impl Spellers {
    /// With the pack that has the tagger for English, where there is one. Without, English is not
    /// spelled out.
    pub fn new(pack: Option<Pack>) -> Self {
        Self { pack, english: OnceLock::new() }
    }

    /// What spells out texts of a language. `None` where numbers in that variety are said in words
    /// that nothing here has: `dezasseis` in Portugal, `septante` in Belgium.
    pub(crate) fn of(&self, language: Language) -> Option<Speller<'_>> {
        let spoken_as = |romance: &Romance, language| {
            let is_read = romance.languages.contains(&language);
            (romance.grammar)(language).filter(|_| is_read).map(Rules::Romance)
        };
        let rules = match language.primary() {
            "en" => {
                let american = matches!(language.region(), None | Some("US" | "CA" | "PH"));
                let accent = if american { Accent::American } else { Accent::British };
                self.english().map(|analyzer| Rules::English(analyzer, accent))
            }
            "es" => {
                let variety = language.among(SPANISH.languages).filter(|&found| found == language);
                spoken_as(&SPANISH, variety.unwrap_or(Language::ES_419))
            }
            "fr" => spoken_as(&FRENCH, language),
            "it" => spoken_as(&ITALIAN, language),
            "pt" => spoken_as(&PORTUGUESE, language),
            "hi" => Some(Rules::Hindi),
            _ => None,
        };
        rules.map(Speller)
    }

    fn english(&self) -> Option<&Analyzer> {
        let load = |pack: &Pack| {
            Analyzer::load(pack)
                .map_err(|error| tracing::error!(%error, "English texts are not spelled out for espeak-ng"))
                .ok()
        };
        self.english.get_or_init(|| self.pack.as_ref().and_then(load)).as_ref()
    }
}

/// What spells out texts of one language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Speller<'a>(Rules<'a>);

#[derive(Debug, Clone, Copy)]
enum Rules<'a> {
    English(&'a Analyzer, Accent),
    Romance(&'static dyn Grammar),
    Hindi,
}

impl Speller<'_> {
    /// Cuts `text[stretch]` into sentences, in order.
    pub(crate) fn split(self, text: &str, stretch: Range<usize>) -> Vec<Span> {
        match self.0 {
            Rules::English(analyzer, _) => analyzer.split(text, stretch),
            Rules::Romance(grammar) => romance::text::split(text, stretch, grammar),
            Rules::Hindi => hindi::text::split(text, stretch),
        }
    }

    /// The words and marks of a span, in order; none when there is nothing to say.
    pub(super) fn words(self, text: &str, span: &Span, lexicon: &Lexicon) -> Vec<SpelledWord> {
        match self.0 {
            Rules::English(analyzer, accent) => {
                let sentence = analyzer.analyze(text, span, accent);
                let tokens = sentence.map_or_else(Vec::new, |sentence| sentence.tokens);
                tokens.into_iter().map(english_word).collect()
            }
            Rules::Romance(grammar) => {
                let sentence = romance::text::analyze(text, span, grammar, lexicon);
                let tokens = sentence.map_or_else(Vec::new, |sentence| sentence.tokens);
                let word = |token: romance::text::Token| SpelledWord {
                    text: token.text,
                    source: token.source,
                    space_after: token.space_after,
                    ipa: token.ipa,
                };
                tokens.into_iter().map(word).collect()
            }
            Rules::Hindi => {
                let word = |token: hindi::text::Token| SpelledWord {
                    text: token.text,
                    source: token.source,
                    space_after: token.space_after,
                    ipa: token.ipa,
                };
                hindi::text::analyze(text, span, lexicon).into_iter().map(word).collect()
            }
        }
    }
}

fn english_word(token: english::text::Token) -> SpelledWord {
    // The unstressed "point" of a decimal is the alphabet's of the voices here, not the author's.
    let ipa = token.given_ipa().map(str::to_owned);
    SpelledWord { text: token.text, source: token.source, space_after: token.space_after, ipa }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_end::Pause;

    fn spelled(tag: &str, text: &str) -> Vec<(String, String)> {
        let spellers = Spellers::default();
        let speller = spellers.of(tag.parse().unwrap()).unwrap();
        let span = Span { range: 0..text.len(), pause: Pause::Sentence };
        let words = speller.words(text, &span, &Lexicon::default());
        words.into_iter().map(|word| (word.text, text[word.source].to_owned())).collect()
    }

    #[test]
    fn an_amount_is_spelled_out_and_each_word_reads_it() {
        for (tag, text, wanted) in [
            ("pt-BR", "Custa 12,50 €.", "Custa doze euros e cinquenta centavos ."),
            ("es-AR", "Cuesta 12,50 €.", "Cuesta doce euros con cincuenta céntimos ."),
            ("fr-FR", "Il coûte 12,50 €.", "Il coûte douze euros cinquante ."),
            ("it-IT", "Costa 12,50 €.", "Costa dodici euro e cinquanta centesimi ."),
        ] {
            let words = spelled(tag, text);
            let said: Vec<&str> = words.iter().map(|(said, _)| said.as_str()).collect();
            assert_eq!(said.join(" "), wanted);
            let amount =
                words.iter().filter(|(_, written)| "12,50 €".contains(written.trim_end_matches('.')));
            assert!(amount.count() >= 2, "{words:?}");
        }
    }

    #[test]
    fn varieties_that_count_in_other_words_are_left_to_the_program() {
        let spellers = Spellers::default();
        for tag in ["pt-PT", "fr-BE", "de-DE", "ja-JP", "en-US"] {
            assert!(spellers.of(tag.parse().unwrap()).is_none(), "{tag}");
        }
        assert!(spellers.of("hi-IN".parse().unwrap()).is_some());
    }
}
