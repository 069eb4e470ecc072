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

    /// What spells out texts of a language. Varieties have words of their own: `dezasseis` in Portugal,
    /// `septante` in Belgium. `None` for languages that nothing here reads.
    pub(crate) fn of(&self, language: Language) -> Option<Speller<'_>> {
        let of = |romance: &Romance, language| (romance.grammar)(language).map(Rules::Romance);
        let rules = match language.primary() {
            "en" => {
                let american = matches!(language.region(), None | Some("US" | "CA" | "PH"));
                let accent = if american { Accent::American } else { Accent::British };
                self.english().map(|analyzer| Rules::English(analyzer, accent))
            }
            "es" => {
                let variety = language.among(SPANISH.languages).filter(|&found| found == language);
                of(&SPANISH, variety.unwrap_or(Language::ES_419))
            }
            "fr" => of(&FRENCH, language),
            "it" => of(&ITALIAN, language),
            "pt" => of(&PORTUGUESE, language),
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

    fn said(tag: &str, text: &str) -> String {
        let words: Vec<String> = spelled(tag, text).into_iter().map(|(said, _)| said).collect();
        words.join(" ")
    }

    #[test]
    fn an_amount_is_spelled_out_and_each_word_reads_it() {
        for (tag, text, wanted) in [
            ("pt-BR", "Custa 12,50 €.", "Custa doze euros e cinquenta centavos ."),
            ("pt-PT", "Custa 12,50 €.", "Custa doze euros e cinquenta cêntimos ."),
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

    const LIGHT: &str = "A luz faz duzentos e noventa e nove milhões setecentos e noventa e dois mil quatrocentos e \
                         cinquenta e oito metros por segundo .";

    #[test]
    fn portugal_and_brazil_are_read_in_their_own_words() {
        for (text, portugal, brazil) in [
            ("Tem 16 ou 17 anos.", "Tem dezasseis ou dezassete anos .", "Tem dezesseis ou dezessete anos ."),
            ("São 3 000 000 000 de euros.", "São três mil milhões de euros .", "São três bilhões de euros ."),
            ("Fica a 19 km.", "Fica a dezanove quilómetros .", "Fica a dezenove quilômetros ."),
            ("R$ 5,30", "cinco reais e trinta centavos", "cinco reais e trinta centavos"),
            ("US$ 0,14", "catorze cêntimos", "quatorze centavos"),
            (
                "Ligue 912 345 678.",
                "Ligue nove um dois , três quatro cinco , seis sete oito .",
                "Ligue novecentos e doze milhões trezentos e quarenta e cinco mil seiscentos e setenta e oito .",
            ),
            ("A 2/16 avos", "A dois dezasseis avos avos", "A dois dezesseis avos avos"),
            ("o IVA e o IRS", "o iva e o i érre ésse", "o i vê a e o i érre ésse"),
            ("📱", "telemóvel", "telefone celular"),
        ] {
            assert_eq!([said("pt-PT", text), said("pt-BR", text)], [portugal, brazil], "{text}");
            assert_eq!(said("pt-AO", text), portugal);
        }
        for (text, portugal) in [
            ("O NIF 123 456 789", "O nif um dois três , quatro cinco seis , sete oito nove"),
            ("Custa 1 500 €, no 3.º Dto.", "Custa mil e quinhentos euros , no terceiro direito ."),
            ("O 2.º Esq. é do Eng.º Sá.", "O segundo esquerdo é do engenheiro Sá ."),
            ("tlm. 961 234 567", "telemóvel nove seis um , dois três quatro , cinco seis sete"),
            ("1100-053 Lisboa", "um um zero zero , zero cinco três Lisboa"),
            ("Rua Áurea, 1, 1100-053 Lisboa", "Rua Áurea , um , um um zero zero , zero cinco três Lisboa"),
            (
                "Ligue 808 200 300 de segunda a sexta.",
                "Ligue oito zero oito , dois zero zero , três zero zero de segunda a sexta .",
            ),
            ("Telefone: 213456789", "Telefone : dois um três , quatro cinco seis , sete oito nove"),
            ("NIF 501234567", "nif cinco zero um , dois três quatro , cinco seis sete"),
            (
                "+351912345678",
                "mais trezentos e cinquenta e um , nove um dois , três quatro cinco , seis sete oito",
            ),
            ("O 116 006 ajuda.", "O um um seis , zero zero seis ajuda ."),
            ("São 300 000 000 m/s.", "São trezentos milhões metros por segundo ."),
            ("Custou ao contribuinte 500 000 euros.", "Custou ao contribuinte quinhentos mil euros ."),
            (
                "A Idade do Ferro (1200-500 a.C.)",
                "A Idade do Ferro ( mil e duzentos a quinhentos antes de Cristo . )",
            ),
            ("A vila tem 4 500 habitantes.", "A vila tem quatro mil e quinhentos habitantes ."),
            ("O carro tem 116 000 km.", "O carro tem cento e dezasseis mil quilómetros ."),
            ("A luz faz 299 792 458 m/s.", LIGHT),
            (
                "Rua Áurea, 10, 1000-205 LISBOA",
                "Rua Áurea , dez , um zero zero zero , dois zero cinco lisboa",
            ),
            ("No dia 1 de janeiro", "No dia um de janeiro"),
            ("1,5 biliões de euros", "um vírgula cinco biliões de euros"),
            ("5 bi", "cinco mil milhões"),
            ("50 ¢", "cinquenta cêntimos"),
            ("R$ 0,01", "um centavo"),
            ("a GNR", "a gê éne érre"),
            ("A Eng.ª Sá e o Ex.mo Sr. Reis", "A engenheira Sá e o excelentíssimo senhor Reis"),
            ("no 3.º Dto, Lisboa", "no terceiro direito , Lisboa"),
            ("3.º Dto. e R/C", "terceiro direito e rés do chão"),
        ] {
            assert_eq!(said("pt-PT", text), portugal);
        }
    }

    #[test]
    fn french_is_counted_as_in_each_country() {
        for (tag, said) in [
            ("fr-FR", "quatre-vingt-dix-sept"),
            ("fr-CA", "quatre-vingt-dix-sept"),
            ("fr-BE", "nonante-sept"),
            ("fr-CH", "nonante-sept"),
        ] {
            assert_eq!(self::said(tag, "97"), said, "{tag}");
        }
        for (tag, text, wanted) in [
            (
                "fr-CA",
                "Appelez le 514 555-1234.",
                "Appelez le cinq cent quatorze , cinq cent cinquante-cinq , un deux trois quatre .",
            ),
            ("fr-CH", "1'500 francs", "mille cinq cents francs"),
            (
                "fr-CH",
                "044 668 18 00",
                "zéro quarante-quatre , six cent soixante-huit , dix-huit , zéro zéro",
            ),
            (
                "fr-BE",
                "0475 123 456",
                "zéro quatre cent septante-cinq , cent vingt-trois , quatre cent cinquante-six",
            ),
        ] {
            assert_eq!(said(tag, text), wanted, "{tag}");
        }
    }

    #[test]
    fn times_prices_telephones_and_short_words_are_told_apart() {
        for (tag, text, wanted) in [
            ("fr-FR", "J'y vais tjrs...", "J'y vais toujours …"),
            ("es-ES", "Vuelta en 1'32'456", "Vuelta en uno treinta y dos cuatrocientos cincuenta y seis"),
            (
                "es-MX",
                "Tel. 5512345678",
                "teléfono cincuenta y cinco , doce treinta y cuatro , cincuenta y seis setenta y ocho",
            ),
            ("it-IT", "Vendo un iPhone 8 250 €", "Vendo un iPhone otto duecentocinquanta euro"),
            ("pt-BR", "Não sei qto.", "Não sei quanto ."),
        ] {
            assert_eq!(said(tag, text), wanted, "{tag}");
        }
    }

    #[test]
    fn languages_that_nothing_here_reads_are_left_to_the_program() {
        let spellers = Spellers::default();
        // English, too, without the pack that has its tagger.
        for tag in ["de-DE", "ja-JP", "en-US"] {
            assert!(spellers.of(tag.parse().unwrap()).is_none(), "{tag}");
        }
        for tag in ["hi-IN", "it-CH"] {
            assert!(spellers.of(tag.parse().unwrap()).is_some(), "{tag}");
        }
    }
}
