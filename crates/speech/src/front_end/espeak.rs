//! Phonemes by the program espeak-ng, for voices that were taught with its output.
//!
//! The program is the machine's own: it is found on `PATH` or named in the settings, never linked
//! and never installed by this one. `program` runs it as a confined child, `tokens` cuts a text into
//! words and marks, `align` finds which of the program's words belong to which of the text's.

mod align;
mod program;
mod tokens;

use std::{
    collections::HashMap,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

pub use program::{EspeakError, Program};

use super::{Reading, Span, clean::Clean, rules::Rules, spelling::Speller, split};
use crate::phonemes::{Lexicon, PhonemeWord};
use tokens::Token;

/// The most words whose pronunciation is kept, so that a flood of new words does not fill the memory.
const MOST_KEPT: usize = 20_000;

/// What reads texts in one of the program's languages.
#[derive(Debug)]
pub struct Espeak {
    program: Arc<Program>,
    /// What the program calls the language: `de`, `en-us`.
    language: String,
    /// How words are said that stand alone; asked for only where words have to be told apart.
    alone: Mutex<HashMap<String, String>>,
}

impl Espeak {
    /// A reader of one language.
    pub fn new(program: Arc<Program>, language: &str) -> Self {
        Self { program, language: language.to_owned(), alone: Mutex::default() }
    }

    /// Cuts `text[stretch]` into sentences, in order, by rules that fit any language.
    pub fn split(text: &str, stretch: Range<usize>) -> Vec<Span> {
        split::split(text, stretch, &AnyLanguage)
    }

    /// Pronounces one span, spelled out by `speller` where there is one. Pronunciations of `lexicon`,
    /// and those in the text, go before the program's.
    ///
    /// # Errors
    /// [`EspeakError`], when the program is not there, does not answer or does not know the language.
    pub(crate) fn read(
        &self,
        text: &str,
        span: &Span,
        speller: Option<Speller<'_>>,
        lexicon: &Lexicon,
    ) -> Result<Reading, EspeakError> {
        let started = Instant::now();
        let tokens = tokens_of(text, span, speller, lexicon);
        let normalizing = started.elapsed();
        let started = Instant::now();
        let mut words = Vec::with_capacity(tokens.len());
        for clause in tokens.chunk_by(Token::joins) {
            match clause {
                [Token { ipa: Some(ipa), .. }] => words.push(clause[0].word(tokens::spelled_out(ipa))),
                [mark] if mark.punctuation => words.push(mark.word(mark.text.clone())),
                said => self.pronounce(said, &mut words)?,
            }
        }
        Ok(Reading { words, normalizing, phonemizing: started.elapsed() })
    }

    /// The letters of a span, for voices that read letters. The program is not asked.
    pub(crate) fn letters(text: &str, span: &Span, speller: Option<Speller<'_>>) -> Reading {
        let started = Instant::now();
        let tokens = tokens_of(text, span, speller, &Lexicon::default());
        let words = tokens.iter().map(|token| token.word(token.text.to_lowercase())).collect();
        Reading { words, normalizing: started.elapsed(), ..Reading::default() }
    }

    /// Says words in one go, so that each sounds as it does beside its neighbors.
    fn pronounce(&self, tokens: &[Token], words: &mut Vec<PhonemeWord>) -> Result<(), EspeakError> {
        let written: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        let said = self.program.phonemes(&self.language, &written.join(" "))?;
        let parts: Vec<&str> = said.split_whitespace().collect();
        if parts.len() == tokens.len() {
            words.extend(tokens.iter().zip(parts).map(|(token, part)| token.word(part.to_owned())));
            return Ok(());
        }
        // A number is several words, and two short words may have become one.
        let alone = written.iter().map(|word| self.alone(word)).collect::<Result<Vec<_>, _>>()?;
        for (token, part) in tokens.iter().zip(align::shares(&alone, &parts.join(" "))) {
            let joined = !part.ends_with(' ');
            let word = token.word(part.trim().to_owned());
            words.push(PhonemeWord { space_after: word.space_after && !joined, ..word });
        }
        // The space after the last word is the text's own.
        if let (Some(last), Some(token)) = (words.last_mut(), tokens.last()) {
            last.space_after = token.space_after;
        }
        Ok(())
    }

    fn alone(&self, word: &str) -> Result<String, EspeakError> {
        let kept = || self.alone.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(said) = kept().get(word) {
            return Ok(said.clone());
        }
        let said = self.program.phonemes(&self.language, word)?;
        let mut kept = kept();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(word.to_owned(), said.clone());
        Ok(said)
    }
}

/// The words and marks of a span: spelled out, or as they are written.
fn tokens_of(text: &str, span: &Span, speller: Option<Speller<'_>>, lexicon: &Lexicon) -> Vec<Token> {
    match speller {
        Some(speller) => tokens::spelled(speller.words(text, span, lexicon), lexicon),
        None => tokens::of(&Clean::new(text, span.range.clone()), lexicon),
    }
}

/// How a text is cut whose language has no rules here: a full stop ends a sentence when a capital
/// follows, unless the word before it looks like an abbreviation: one letter, a stop inside, a short
/// number, or letters without a vowel (`Dr`, `Str`).
struct AnyLanguage;

impl Rules for AnyLanguage {
    fn chapter_words(&self) -> &[&str] {
        &[]
    }

    fn opens_paragraph(&self, line: &str) -> bool {
        line.trim_start().starts_with(['—', '–', '―'])
    }

    fn ends_after(&self, _head: &str, word: &str, _next: &str) -> bool {
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        // Only in letters of the Latin alphabet is it known what a vowel is.
        let is_consonants = (1..=4).contains(&letters)
            && word.chars().all(|c| c.is_ascii_alphabetic() && !"aeiouyAEIOUY".contains(c));
        let is_number = word.chars().all(|c| c.is_ascii_digit());
        !(letters == 1 || is_consonants || word.contains('.') || (is_number && word.len() <= 2))
    }

    fn repeated_sign(&self, text: &str) -> Option<usize> {
        let first = text.chars().next().filter(|c| !c.is_ascii() && !c.is_alphanumeric())?;
        let run = text.len() - text.trim_start_matches(first).len();
        (run > first.len_utf8()).then_some(run)
    }

    fn phrase(&self, _text: &str, _most: usize) -> Option<usize> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        front_end::{Pause, spelling::Spellers},
        language::Language,
        phonemes::phoneme_string,
    };

    fn read(language: &str, text: &str) -> Vec<(String, String)> {
        let espeak = Espeak::new(Arc::new(Program::on_this_machine(None)), language);
        let span = Span { range: 0..text.len(), pause: Pause::Sentence };
        let reading = espeak.read(text, &span, None, &Lexicon::default()).unwrap();
        let written = |word: &PhonemeWord| text[word.source.clone()].to_owned();
        reading.words.iter().map(|word| (written(word), word.phonemes.clone())).collect()
    }

    fn sources(words: &[(String, String)]) -> Vec<&str> {
        words.iter().map(|(written, _)| written.as_str()).collect()
    }

    #[test]
    fn sentences_end_where_no_abbreviation_does() {
        let text = "Er kam um 9. Mai mit Dr. Ada und J. B. an. Es war spät. 世界。你好。 Im Jahr 1984. Ende.";
        let spans = Espeak::split(text, 0..text.len());
        let sentences: Vec<&str> = spans.iter().map(|span| &text[span.range.clone()]).collect();
        assert_eq!(
            sentences,
            [
                "Er kam um 9. Mai mit Dr. Ada und J. B. an.",
                "Es war spät.",
                "世界。",
                "你好。",
                "Im Jahr 1984.",
                "Ende."
            ]
        );
    }

    #[test]
    #[ignore = "needs espeak-ng"]
    fn with_the_real_espeak_each_word_has_its_sounds_and_a_number_all_of_its_words() {
        let words = read("de", "Um 14:30 Uhr kamen 1984 Schiffe, sagte Frau Müller.");
        assert_eq!(
            sources(&words),
            ["Um", "14:30", "Uhr", "kamen", "1984", "Schiffe", ",", "sagte", "Frau", "Müller", "."]
        );
        let sound = |word: &str| &words.iter().find(|(written, _)| written == word).unwrap().1;
        assert!(sound("1984").chars().count() > 20 && sound("Schiffe").starts_with("ʃ"), "{words:?}");
        assert_eq!(sound("Uhr").trim_start_matches('ˈ').chars().next(), Some('u'), "{words:?}");
    }

    #[test]
    #[ignore = "needs espeak-ng"]
    fn with_the_real_espeak_figures_are_read_as_they_are_spelled_out_here() {
        let espeak = Espeak::new(Arc::new(Program::on_this_machine(None)), "pt-br");
        let spellers = Spellers::default();
        let said = |text: &str, speller: Option<Speller<'_>>| {
            let span = Span { range: 0..text.len(), pause: Pause::Sentence };
            espeak.read(text, &span, speller, &Lexicon::default()).unwrap().words
        };
        let text = "Custa 12,50 € às 14h30.";
        let words = said(text, spellers.of(Language::PT_BR));
        let in_full = "Custa doze euros e cinquenta centavos às quatorze e trinta.";
        assert_eq!(phoneme_string(&words), phoneme_string(&said(in_full, None)));
        assert_ne!(phoneme_string(&words), phoneme_string(&said(text, None)));
        let written: Vec<&str> = words.iter().map(|word| &text[word.source.clone()]).collect();
        assert_eq!((written[0], written[words.len() - 1]), ("Custa", "."));
        assert!(words.windows(2).all(|pair| pair[0].source.start <= pair[1].source.start), "{written:?}");
    }

    #[test]
    #[ignore = "needs espeak-ng"]
    fn with_the_real_espeak_words_that_are_said_as_one_keep_their_own_times() {
        let words = read("en-us", "I have been to the top of the hill, and it is not that far.");
        assert_eq!(words.len(), 17, "{words:?}");
        assert!(words.iter().all(|(_, sounds)| !sounds.is_empty()), "{words:?}");
        let said: String = words.iter().map(|(_, sounds)| sounds.as_str()).collect();
        assert!(!said.contains(['(', ')', ' ']), "{said}");
    }

    #[test]
    #[ignore = "needs espeak-ng"]
    fn with_the_real_espeak_every_language_answers_and_an_unknown_one_is_named() {
        for (language, text) in
            [("fr", "Bonjour, monde."), ("ru", "Привет, мир."), ("hi", "नमस्ते दुनिया।"), ("pl", "Dzień dobry.")]
        {
            let words = read(language, text);
            assert!(
                words.len() >= 3 && words.iter().all(|(_, sounds)| !sounds.is_empty()),
                "{language}: {words:?}"
            );
        }
        let espeak = Espeak::new(Arc::new(Program::on_this_machine(None)), "xx-none");
        let span = Span { range: 0..2, pause: Pause::Sentence };
        assert!(matches!(
            espeak.read("ja", &span, None, &Lexicon::default()),
            Err(EspeakError::UnknownLanguage(_))
        ));
    }

    #[test]
    #[ignore = "needs espeak-ng"]
    fn with_the_real_espeak_hostile_texts_neither_hang_nor_shift_the_next_answer() {
        let espeak = Espeak::new(Arc::new(Program::on_this_machine(None)), "en-us");
        let said = |text: &str| {
            let span = Span { range: 0..text.len(), pause: Pause::Sentence };
            phoneme_string(&espeak.read(text, &span, None, &Lexicon::default()).unwrap().words)
        };
        let before = said("The cat sat.");
        let long = "a".repeat(5_000);
        for text in [
            "\u{0}\u{1}\u{2}",
            "<speak>[[h@'loU]]</speak>",
            "(de)x(en)",
            "&&& ### ...",
            &long,
            "\r\n\r\n",
            "१२३ 你好 😀",
        ] {
            said(text);
            assert_eq!(said("The cat sat."), before, "after {text:.20}");
        }
    }
}
