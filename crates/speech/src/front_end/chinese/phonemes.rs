//! From the pieces of a sentence to its phonemes: words of the dictionary, their readings, and the
//! symbols of each syllable. Words in Latin letters are the English front end's.

mod defaults;
mod heteronyms;
mod letters;
mod phrases;
mod surnames;

use std::ops::Range;

pub(super) use phrases::words as own_words;

use super::{
    dictionary::Dictionary,
    normalize::{Kind, Piece, is_han, takes_liang},
    segment::segment,
    syllables,
    text::Sentence,
};
use crate::{
    front_end::{FrontEnd as _, FrontEndError, Pause, Span, english::English},
    language::Language,
    phonemes::{Lexicon, PhonemeWord},
};

/// A word of a sentence, or a mark.
#[derive(Debug)]
struct Word {
    /// In simplified characters; empty for what is not Chinese.
    text: String,
    kind: WordKind,
    /// Its part of speech; see [`super::dictionary::Entry::tag`].
    tag: u8,
    /// The bytes of the original text that it reads.
    source: Range<usize>,
}

#[derive(Debug)]
enum WordKind {
    Han,
    Number,
    Mark(&'static str),
    /// Its phonemes are known.
    Ready(String),
}

impl Word {
    /// Whether it is one Chinese character.
    fn is_single(&self) -> bool {
        self.text.chars().nth(1).is_none() && !self.text.is_empty()
    }

    /// Whether it is a number, whichever way it is written.
    fn is_amount(&self) -> bool {
        self.is_number() || self.tag == b'm'
    }

    fn is_number(&self) -> bool {
        matches!(self.kind, WordKind::Number)
    }
}

/// What the phonemes are made with.
pub(super) struct Phonemizer<'a> {
    pub(super) dictionary: &'a Dictionary,
    pub(super) english: &'a English,
    pub(super) lexicon: &'a Lexicon,
}

impl Phonemizer<'_> {
    /// The phonemes of a sentence in order, including punctuation.
    ///
    /// # Errors
    /// Those of the English front end.
    pub(super) fn pronounce(&self, sentence: &Sentence) -> Result<Vec<PhonemeWord>, FrontEndError> {
        let mut words = Vec::new();
        for piece in &sentence.pieces {
            self.add(piece, sentence, &mut words)?;
        }
        let mut said = Vec::with_capacity(words.len());
        for (index, word) in words.iter().enumerate() {
            let next = words.get(index + 1);
            let phonemes = match &word.kind {
                WordKind::Mark(mark) => (*mark).to_owned(),
                WordKind::Ready(phonemes) => phonemes.clone(),
                WordKind::Number | WordKind::Han => self.han(&words, index),
            };
            // A number and the character that it counts are one word, as in 三天.
            let counts = word.is_number()
                && next.is_some_and(|next| {
                    matches!(next.kind, WordKind::Han) && next.is_single() && measures(&next.text)
                });
            let before = index.checked_sub(1).and_then(|before| words.get(before));
            said.push(PhonemeWord {
                phonemes,
                source: word.source.clone(),
                space_after: !counts && !next.is_some_and(|next| matches!(next.kind, WordKind::Mark(_))),
                punctuation: matches!(word.kind, WordKind::Mark(_)),
                starts_phrase: starts_phrase(before, word),
            });
        }
        if let Some(last) = said.last_mut() {
            last.space_after = false;
        }
        Ok(said)
    }

    fn add(&self, piece: &Piece, sentence: &Sentence, words: &mut Vec<Word>) -> Result<(), FrontEndError> {
        let source = sentence.origin(&piece.source);
        let word = |kind, text: &str, tag| Word { text: text.to_owned(), kind, tag, source: source.clone() };
        match &piece.kind {
            Kind::Silent => {}
            Kind::Mark => words.push(word(WordKind::Mark(mark(&piece.text)), "", b'w')),
            Kind::Given(phonemes) => words.push(word(WordKind::Ready(phonemes.clone()), "", b'n')),
            Kind::Number => {
                words.push(word(WordKind::Number, &self.dictionary.simplify(&piece.text), b'm'));
            }
            Kind::Latin => self.latin(piece, sentence, words)?,
            Kind::Han => {
                let simple = heteronyms::simplify(&piece.text, self.dictionary);
                // Simplified characters may have other lengths in bytes.
                let written: Vec<usize> = piece.text.char_indices().map(|(at, _)| at).collect();
                let place = |at: usize| {
                    let index = simple[..at].chars().count();
                    written.get(index).copied().unwrap_or(piece.text.len())
                };
                for segment in segment(&simple, self.dictionary) {
                    let range = place(segment.range.start)..place(segment.range.end);
                    let start = piece.source.start;
                    let source = if piece.exact {
                        sentence.origin(&(start + range.start..start + range.end))
                    } else {
                        source.clone()
                    };
                    let text = simple[segment.range].to_owned();
                    words.push(Word { text, kind: WordKind::Han, tag: segment.tag, source });
                }
            }
        }
        Ok(())
    }

    /// Words in Latin letters: single letters by their names, others in English.
    fn latin(&self, piece: &Piece, sentence: &Sentence, words: &mut Vec<Word>) -> Result<(), FrontEndError> {
        let given = self.lexicon.get(&piece.text).is_some();
        if let Some(phonemes) = letters::spelled(&piece.text).filter(|_| !given) {
            let source = sentence.origin(&piece.source);
            words.push(Word { text: String::new(), kind: WordKind::Ready(phonemes), tag: b'n', source });
            return Ok(());
        }
        let span = Span { range: 0..piece.text.len(), pause: Pause::Phrase };
        let reading = self.english.read(&piece.text, &span, Language::EN_US, self.lexicon)?;
        for word in reading.words.into_iter().filter(|word| !word.punctuation) {
            let start = piece.source.start;
            let range = if piece.exact {
                start + word.source.start..start + word.source.end
            } else {
                piece.source.clone()
            };
            let source = sentence.origin(&range);
            let kind = WordKind::Ready(word.phonemes);
            words.push(Word { text: String::new(), kind, tag: b'n', source });
        }
        Ok(())
    }

    /// The phonemes of a Chinese word.
    fn han(&self, words: &[Word], index: usize) -> String {
        let mut phonemes = String::new();
        self.readings(words, index, &mut |syllable| {
            syllables::write(syllable, &mut phonemes);
        });
        phonemes
    }

    /// The syllables of a word, in pinyin.
    fn readings(&self, words: &[Word], index: usize, write: &mut dyn FnMut(&str)) {
        let word = &words[index];
        let text = word.text.as_str();
        if word.is_number() {
            text.chars().for_each(|c| write(self.single(c)));
            return;
        }
        if let Some(reading) = surnames::reading(words, index) {
            write(reading);
            let rest = text.chars().skip(1);
            rest.for_each(|c| write(self.single(c)));
            return;
        }
        if word.is_single() {
            let c = text.chars().next().unwrap_or_default();
            write(heteronyms::reading(words, index).unwrap_or_else(|| self.single(c)));
            return;
        }
        if let Some(reading) = heteronyms::word(words, index) {
            reading.split(' ').for_each(write);
            return;
        }
        let last = heteronyms::last(words, index);
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            if let Some(reading) = neutral(text, at, word.tag) {
                write(reading);
                at += c.len_utf8();
            } else if let Some((bytes, reading)) = self.phrase(rest) {
                // The suffixes 子 and 儿 are neutral, whatever the table says.
                let ends = at + bytes == text.len() && phrases::longest(rest).is_none();
                let last = last.filter(|_| at + bytes == text.len());
                let suffix = last.or_else(|| if ends { suffix(text) } else { None });
                let mut syllables = reading.split(' ').peekable();
                while let Some(syllable) = syllables.next() {
                    write(suffix.filter(|_| syllables.peek().is_none()).unwrap_or(syllable));
                }
                at += bytes;
            } else {
                at += c.len_utf8();
                write(last.filter(|_| at == text.len()).unwrap_or_else(|| self.single(c)));
            }
        }
    }

    /// The longest word with a known reading that a text begins with.
    fn phrase(&self, text: &str) -> Option<(usize, &str)> {
        let own = phrases::longest(text);
        let known = self.dictionary.longest_phrase(text);
        match (own, known) {
            (Some(own), Some(known)) if known.0 > own.0 => Some(known),
            (Some(own), _) => Some(own),
            (None, known) => known.filter(|(bytes, _)| text[..*bytes].chars().nth(1).is_some()),
        }
    }

    /// The usual reading of a character that stands alone.
    fn single(&self, c: char) -> &str {
        defaults::reading(c).or_else(|| self.dictionary.character(c)).unwrap_or_default()
    }

    /// The readings of a sentence's Chinese words, for tests and people who look.
    pub(super) fn pinyin(&self, sentence: &Sentence) -> Result<String, FrontEndError> {
        let mut words = Vec::new();
        for piece in &sentence.pieces {
            self.add(piece, sentence, &mut words)?;
        }
        let mut pinyin: Vec<String> = Vec::new();
        for index in 0..words.len() {
            match &words[index].kind {
                WordKind::Mark(_) => {}
                WordKind::Ready(phonemes) => pinyin.push(format!("/{phonemes}/")),
                WordKind::Han | WordKind::Number => {
                    self.readings(&words, index, &mut |syllable| pinyin.push(syllable.to_owned()));
                }
            }
        }
        Ok(pinyin.join(" "))
    }
}

/// The reading of a neutral last syllable: of 地 in an adverb, as in 轻轻地, and of the suffix 子.
fn neutral(text: &str, at: usize, tag: u8) -> Option<&'static str> {
    /// The least bytes of an adverb before 地.
    const LEAST: usize = 6;
    let adverb = at >= LEAST && matches!(tag, b'd' | b'z' | b'a' | b'v' | b'l' | b'i');
    match text.get(at..) {
        Some("地") if adverb => Some("de"),
        Some("子" | "儿") => suffix(text),
        _ => None,
    }
}

/// The reading of the suffix 子 of a noun of two characters, or of a final 儿, which the syllable before it
/// takes in; of those where it is no suffix, none.
fn suffix(text: &str) -> Option<&'static str> {
    const WHOLE: &str = "男女电原分粒王太弟君孔孟庄父母亲才天孝浪游赤学莲瓜精卵质中离因量光核童公墨荀长次世臣逆义养棋石松独老西鬼\
                         虎夫之诸晏列曾朱妻孙遗士子";
    // Characters before which 儿 is a child.
    const CHILDREN: &str = "女婴嬰幼孤胎健少小宠孩妻弃男产患育血生侄形运潮狗哥";
    if let Some(stem) = text.strip_suffix('儿').filter(|stem| !stem.is_empty()) {
        return (!stem.ends_with(|c| CHILDREN.contains(c))).then_some("er");
    }
    let mut chars = text.chars();
    let first = chars.next()?;
    (chars.as_str() == "子" && !WHOLE.contains(first)).then_some("zi")
}

/// Whether a character counts or measures, so that it is one word with the number before it.
fn measures(character: &str) -> bool {
    takes_liang(character) || character.starts_with(|c| "月日号分度级楼路班期".contains(c))
}

/// Whether a phrase begins with a word: a preposition, a conjunction or a pronoun, or what follows
/// a particle.
fn starts_phrase(before: Option<&Word>, word: &Word) -> bool {
    matches!(word.tag, b'p' | b'c' | b'r')
        || before.is_some_and(|before| matches!(before.text.as_str(), "的" | "了" | "时" | "后" | "地"))
}

/// The voices' symbol for a mark.
fn mark(mark: &str) -> &'static str {
    match mark {
        "，" | "、" => ",",
        "；" => ";",
        "：" => ":",
        "！" => "!",
        "？" => "?",
        "……" => "…",
        "——" => "—",
        _ => ".",
    }
}

/// The character of a text that has one.
fn only(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|c| is_han(*c) && chars.next().is_none())
}
