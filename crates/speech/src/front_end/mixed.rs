//! Texts in more than one language: words in a script that the text's language is not written in,
//! and words that the text marks as another language's, are read by that language's front end, or by
//! espeak-ng where there is none and the machine has that program.
//! Front ends of languages in other scripts read Latin words themselves, with their numbers and
//! units.

use std::{ops::Range, sync::Arc};

use unicode_normalization::UnicodeNormalization as _;

use super::{
    FrontEndError, FrontEnds, Reading, Span,
    espeak::{Espeak, Program},
};
use crate::{
    language::Language,
    phonemes::{
        Lexicon, PhonemeWord,
        alphabet::{SYMBOLS, is_pause},
    },
    spec::InLanguage,
};

/// A stretch of a span, and what it is read in.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    range: Range<usize>,
    language: Language,
}

impl FrontEnds {
    /// Pronounces a span with what is in another language. `marked` are the stretches of the text
    /// that say so themselves, in order.
    ///
    /// # Errors
    /// [`FrontEndError`] when nothing here reads the language of the span, or the data of one of the
    /// languages cannot be loaded.
    pub fn read(
        &self,
        text: &str,
        span: &Span,
        language: Language,
        lexicon: &Lexicon,
        marked: &[InLanguage],
    ) -> Result<Reading, FrontEndError> {
        let parts = self.parts(text, span.range.clone(), language, marked);
        if let [part] = parts.as_slice() {
            return self.read_part(text, span, part.language, language, lexicon);
        }
        let mut said = Reading::default();
        for (index, part) in parts.iter().enumerate() {
            let mut inner = Span { range: trimmed(text, part.range.clone()), pause: span.pause };
            if index > 0 && part.language.is_same(Language::EN_US) {
                let ending = possessive(text, &inner.range, &mut said.words);
                inner.range.start += ending;
            }
            let mut reading = self.read_part(text, &inner, part.language, language, lexicon)?;
            if !reading.words.iter().any(|word| !word.punctuation) {
                reading.words = punctuation(text, inner.range);
            }
            // Marks stick to what is before them.
            let sticks = reading.words.first().is_some_and(|word| word.punctuation);
            if let (Some(last), false) = (said.words.last_mut(), sticks) {
                last.space_after = true;
            }
            if let (Some(first), true) = (reading.words.first_mut(), index > 0) {
                first.starts_phrase = true;
            }
            said.words.append(&mut reading.words);
            said.normalizing += reading.normalizing;
            said.phonemizing += reading.phonemizing;
        }
        Ok(said)
    }

    /// Pronounces a part in its language, or in that of the text where that is not possible: a
    /// language that espeak-ng does not know either, or one whose dictionary is damaged, must not
    /// silence the whole text.
    fn read_part(
        &self,
        text: &str,
        part: &Span,
        language: Language,
        of_text: Language,
        lexicon: &Lexicon,
    ) -> Result<Reading, FrontEndError> {
        let read = match self.of(language) {
            Ok(front_end) => front_end.read(text, part, language, lexicon),
            Err(unknown) => self.by_espeak(text, part, language, lexicon).ok_or(unknown),
        };
        match read {
            Err(error) if language != of_text => {
                tracing::warn!(%error, %language, "words in this language are read like those around them");
                self.of(of_text)?.read(text, part, of_text, lexicon)
            }
            read => read,
        }
    }

    /// The words of a span as they are said; see [`FrontEnds::read`].
    ///
    /// # Errors
    /// As [`FrontEnds::read`].
    pub fn spoken(
        &self,
        text: &str,
        span: &Span,
        language: Language,
        marked: &[InLanguage],
    ) -> Result<Option<String>, FrontEndError> {
        let mut said: Vec<String> = Vec::new();
        for part in self.parts(text, span.range.clone(), language, marked) {
            let inner = Span { range: trimmed(text, part.range), pause: span.pause };
            said.extend(match self.of(part.language) {
                Ok(front_end) => front_end.spoken(text, &inner, part.language)?,
                Err(unknown) if part.language == language => return Err(unknown),
                Err(_) => text.get(inner.range).map(str::to_owned),
            });
        }
        Ok((!said.is_empty()).then(|| said.join(" ")))
    }

    /// Cuts a span where the language changes. Most spans have one part.
    fn parts(&self, text: &str, span: Range<usize>, language: Language, marked: &[InLanguage]) -> Vec<Part> {
        let whole = || vec![Part { range: span.clone(), language }];
        let Some(within) = text.get(span.clone()) else { return whole() };
        let is_marked =
            |stretch: &&InLanguage| stretch.range.start < span.end && stretch.range.end > span.start;
        let mut marked = marked.iter().filter(is_marked).peekable();
        if within.is_ascii() && marked.peek().is_none() {
            return whole();
        }
        // What each letter is read in; other characters go with the letter before them.
        let mut parts: Vec<Part> = Vec::new();
        let mut put = |range: Range<usize>, language: Language| match parts.last_mut() {
            Some(last) if last.language == language => last.range.end = range.end,
            _ => parts.push(Part { range, language }),
        };
        for (at, c) in within.char_indices() {
            let at = span.start + at;
            let end = at + c.len_utf8();
            while marked.peek().is_some_and(|stretch| stretch.range.end <= at) {
                marked.next();
            }
            let own = marked.peek().filter(|stretch| stretch.range.contains(&at));
            let base = own.and_then(|stretch| self.variety(stretch.language)).unwrap_or(language);
            match script(c).map(|script| script.read_in(base)) {
                Some(Some(other)) if self.of(other).is_ok() => put(at..end, other),
                None if own.is_none() => {}
                _ => put(at..end, base),
            }
        }
        // In a Chinese text all Han is Chinese, whatever it touches.
        let parts = if language.is_same(Language::ZH_CN) { parts } else { joined(parts) };
        settle(text, span, language, parts)
    }

    /// The variety of a language that a front end reads, or the language itself where espeak-ng may
    /// know it.
    fn variety(&self, language: Language) -> Option<Language> {
        match self.of(language) {
            Ok(front_end) => language.among(front_end.languages()),
            Err(_) => self.espeak().filter(|_| language != Language::UNDETERMINED).map(|_| language),
        }
    }

    /// The program espeak-ng, if it is on this machine.
    fn espeak(&self) -> Option<&Arc<Program>> {
        self.espeak.as_ref().filter(|program| program.path().is_some())
    }

    /// What espeak-ng says of a span in a language without a front end here.
    fn by_espeak(&self, text: &str, span: &Span, language: Language, lexicon: &Lexicon) -> Option<Reading> {
        let espeak = Espeak::new(Arc::clone(self.espeak()?), language.primary());
        let mut reading = espeak.read(text, span, None, lexicon).ok()?;
        for word in reading.words.iter_mut().filter(|word| !word.punctuation) {
            word.phonemes = in_alphabet(&word.phonemes);
        }
        Some(reading)
    }
}

/// IPA as espeak-ng writes it in the alphabet of the voices, which has one sign for each affricate;
/// sounds that the voices do not know are left out.
fn in_alphabet(ipa: &str) -> String {
    const AFFRICATES: [(&str, &str); 6] =
        [("dʒ", "ʤ"), ("tʃ", "ʧ"), ("ts", "ʦ"), ("dz", "ʣ"), ("tɕ", "ʨ"), ("dʑ", "ʥ")];
    let ipa = AFFRICATES.iter().fold(ipa.nfd().collect::<String>(), |ipa, (two, one)| ipa.replace(two, one));
    ipa.replace('g', "ɡ").chars().filter(|&symbol| SYMBOLS.contains(symbol)).collect()
}

/// Characters that touch kana are Japanese: "東京タワー".
fn joined(parts: Vec<Part>) -> Vec<Part> {
    let is = |part: &Part, language: Language| part.language == language;
    let mut joined: Vec<Part> = Vec::new();
    for part in parts {
        match joined.last_mut() {
            Some(last)
                if last.range.end == part.range.start
                    && ((is(last, Language::ZH_CN) && is(&part, Language::JA_JP))
                        || (is(last, Language::JA_JP) && is(&part, Language::ZH_CN))) =>
            {
                *last = Part { range: last.range.start..part.range.end, language: Language::JA_JP };
            }
            _ => joined.push(part),
        }
    }
    joined
}

/// Gives the characters between letters to the part before them, if they stand inside it, and else
/// to the text's own language, so that the marks of its sentence stay with it.
fn settle(text: &str, span: Range<usize>, language: Language, parts: Vec<Part>) -> Vec<Part> {
    let mut settled: Vec<Part> = Vec::new();
    let mut put = |range: Range<usize>, language: Language| {
        if range.is_empty() {
            return;
        }
        match settled.last_mut() {
            Some(last) if last.language == language => last.range.end = range.end,
            _ => settled.push(Part { range, language }),
        }
    };
    let mut at = span.start;
    for part in parts {
        // Numbers that touch a word of another script belong to it: "2026年", "1,500円".
        let is_script =
            |part: &Part| part.language != language && text[part.range.clone()].chars().any(is_dense);
        let (mut start, mut end) = (part.range.start, part.range.end);
        if is_script(&part) {
            start -= number_at_end(text.get(at..start).unwrap_or_default());
            let after = text.get(end..span.end).unwrap_or_default();
            end += after.len() - after.trim_start_matches(is_digit).len();
        }
        let start = start.max(at);
        put(at..start, language);
        put(start..end.max(start), part.language);
        at = at.max(end);
    }
    put(at..span.end, language);
    if settled.is_empty() { vec![Part { range: span, language }] } else { settled }
}

/// Whether a character is of a script that is written without spaces around numbers.
fn is_dense(c: char) -> bool {
    matches!(script(c), Some(Script::Han | Script::Kana))
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || ('０'..='９').contains(&c)
}

/// Bytes of the number that a text ends with, with the separators inside: `1,500`, `3.5`.
fn number_at_end(text: &str) -> usize {
    let number = text.trim_end_matches(|c: char| is_digit(c) || matches!(c, ',' | '.'));
    let number = text[number.len()..].trim_start_matches([',', '.']);
    if number.ends_with(is_digit) { number.len() } else { 0 }
}

/// The scripts whose letters a front end of another language cannot read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Han,
    Kana,
    Devanagari,
    /// Cyrillic, Armenian and Georgian, whose letters the English front end knows by their sounds.
    Cyrillic,
    /// Any other: it is left to the text's own front end.
    Other,
}

/// The script of a letter; `None` for other characters.
fn script(c: char) -> Option<Script> {
    Some(match c {
        // With the long mark, which is a letter to them.
        '\u{3041}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9F}' => Script::Kana,
        '々'
        | '〆'
        | '〇'
        | '\u{3400}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}' => Script::Han,
        '\u{0900}'..='\u{097F}' if !matches!(c, '।' | '॥') => Script::Devanagari,
        _ if !c.is_alphabetic() => return None,
        '\u{0400}'..='\u{052F}' | '\u{0531}'..='\u{0587}' | '\u{10A0}'..='\u{10FF}' => Script::Cyrillic,
        _ => Script::Other,
    })
}

/// The languages whose own front ends have no sounds for Cyrillic, Armenian and Georgian letters.
const READ_BY_ENGLISH: [Language; 5] =
    [Language::FR_FR, Language::IT_IT, Language::PT_BR, Language::JA_JP, Language::ZH_CN];

impl Script {
    /// The language that a word in this script is read in, where the text's own cannot read it.
    fn read_in(self, text: Language) -> Option<Language> {
        let is = |language: Language| text.is_same(language);
        match self {
            Self::Han if !is(Language::ZH_CN) && !is(Language::JA_JP) => Some(Language::ZH_CN),
            Self::Kana if !is(Language::JA_JP) => Some(Language::JA_JP),
            Self::Devanagari if !is(Language::HI_IN) => Some(Language::HI_IN),
            Self::Cyrillic if READ_BY_ENGLISH.iter().any(|&language| is(language)) => Some(Language::EN_US),
            _ => None,
        }
    }
}

/// A range without the white space at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let within = text.get(range.clone()).unwrap_or_default();
    let start = range.start + within.len() - within.trim_start().len();
    start..(start + within.trim().len())
}

/// The ending of 東京's, which the English front end would take for the name of the letter: adds its
/// sound, which is voiced after the vowels and nasals that Chinese and Japanese words end with, to the
/// last word. Returns its bytes.
fn possessive(text: &str, range: &Range<usize>, words: &mut [PhonemeWord]) -> usize {
    let head = text.get(..range.start).unwrap_or_default();
    let within = text.get(range.clone()).unwrap_or_default();
    let Some(rest) = ["'s", "’s"].iter().find_map(|ending| within.strip_prefix(ending)) else { return 0 };
    let touches = head.chars().next_back().is_some_and(is_dense);
    let Some(last) = words.last_mut().filter(|last| touches && !last.punctuation) else { return 0 };
    if rest.starts_with(char::is_alphanumeric) {
        return 0;
    }
    let bytes = within.len() - rest.len();
    last.phonemes.push('z');
    last.source.end = range.start + bytes;
    bytes
}

/// A pause mark of any script as the voices know it.
fn plain(mark: char) -> Option<char> {
    Some(match mark {
        '。' | '।' | '॥' | '｡' => '.',
        '，' | '、' => ',',
        '！' => '!',
        '？' => '?',
        '；' => ';',
        '：' => ':',
        _ if is_pause(mark) => mark,
        _ => return None,
    })
}

/// The first mark of a stretch without a word.
fn punctuation(text: &str, range: Range<usize>) -> Vec<PhonemeWord> {
    let within = text.get(range.clone()).unwrap_or_default();
    let mark = within.char_indices().find_map(|(at, c)| Some((at, c, plain(c)?)));
    let Some((at, c, mark)) = mark else { return Vec::new() };
    let start = range.start + at;
    vec![PhonemeWord {
        phonemes: mark.to_string(),
        source: start..start + c.len_utf8(),
        space_after: true,
        punctuation: true,
        starts_phrase: false,
    }]
}
